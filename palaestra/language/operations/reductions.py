"""Sums, products, extremes, means and what is made of them, over all items of an array or along axes.

Integers and truths may be taken in any order. Floats are taken as NumPy takes them: an `nditer` says in which order,
and the inner loop is NumPy's own, or for a few items the same sums written out.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, ufuncs
from palaestra.language.operations.arrays import AnyArray, Axis, DType, Index, array_type, kind_of
from palaestra.language.operations.drawing import any_array
from palaestra.language.operations.drawing import arrays as drawn
from palaestra.language.operations.elementwise import Order, apply, iterated
from palaestra.language.operations.orders import Run, runs_of
from palaestra.language.operations.table import built, written
from palaestra.language.program import BEYOND, BOOL, FLOAT64, Value
from palaestra.language.types import PYTHON, Array, Bounded, Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, FALSE, TRUE, ZERO, ONE, LAST, CLOSE, NEAR = map(constant, (None, False, True, 0, 1, -1, 1e-05, 1e-08))

Axes = "tuple[int, ...]"
TRIES = (
    lambda rng: (any_array(rng),),
    lambda rng: (any_array(rng, shape=(3, 4)), int(rng.integers(-2, 2))),
    lambda rng: (any_array(rng, "f", (2, 9)), 1),
    lambda rng: (any_array(rng, "f", (150,)),),
)


def axes_of(front: FrontEnd, axis: Term, ndim: int) -> tuple[int, ...]:
    """Returns the axes that an argument names, from 0 on; all for None."""
    if axis == NONE:
        return tuple(range(ndim))
    named = arrays.lengths(front, axis, "an axis")
    if ndim == 0 and named in ((0,), (-1,)):  # which NumPy lets pass
        return ()
    if any(not -ndim <= one < ndim for one in named):
        front.raise_("AxisError")
    found = tuple(one % ndim for one in named)
    if len(set(found)) < len(found):
        front.raise_("ValueError")
    return found


def reduced(
    front: FrontEnd, ufunc: np.ufunc, array: Term, axes: tuple[int, ...], keepdims: bool, dtype: DType | None = None
) -> Term:
    """Returns an array's items put together by a ufunc along axes: a number, or an array if axes are left."""
    kind, of_array = kind_of(array), arrays.axes_of(array)
    if isinstance(kind, Array):
        example = arrays.example_of(kind)
        made = np.asarray(arrays.answer(front, lambda: ufunc.reduce(example, axes, dtype, keepdims=keepdims)))
    else:
        made = np.asarray(ufunc.reduce(np.zeros(1, kind.dtype), dtype=dtype))
        if made.dtype.kind == "f" and len(of_array) > 1:  # whose order depends on the shape
            return reduced(front, ufunc, arrays.as_array(front, array), axes, keepdims, dtype)
        if ufunc.identity is None:
            _check_some(front, [of_array[k] for k in axes], len(axes) == len(of_array))
    source = _converted(front, array, made.dtype, ufunc)
    rest = [arrays.known_axis(1) if k in axes else axis for k, axis in enumerate(of_array) if keepdims or k not in axes]
    result = arrays.new_like(front, made.dtype, rest, lambda: made)
    of_result = [axis for k, axis in enumerate(arrays.axes_of(result)) if not keepdims or k not in axes]
    flat = arrays.array_at(result.parts[0], made.dtype, of_result)
    if made.dtype.kind != "f":
        _of_items(front, ufunc, source, axes, flat)
    elif isinstance(kind, Bounded):
        _of_row(front, ufunc, source, flat)
    elif made.size:
        _of_floats(front, ufunc, source, axes, flat)
    return result if rest else arrays.item_of(front, result, ())


def _check_some(front: FrontEnd, axes: Sequence[Axis], are_all: bool) -> None:
    """Raise ValueError if there is no item to begin with."""
    for axis in axes:
        if isinstance(axis.length, Value):
            if not are_all:
                raise Refused("an extreme along an axis whose length is found is not in the language", "write a loop")
            front.raise_if(front.compare("eq", axis.length, front.number(0)), "ValueError")
        elif axis.length == 0:
            front.raise_("ValueError")


def _converted(front: FrontEnd, array: Term, dtype: DType, ufunc: np.ufunc) -> Term:
    """The items as the ufunc takes them."""
    kind = kind_of(array)
    if kind.dtype == dtype or dtype.kind != "f":
        return array
    if kind.dtype.kind in "biu":
        if kind.dtype.itemsize == 8 and ufunc is np.add:
            _check_exact(front, array)
        return arrays.copied(front, array, "K", dtype)
    if kind.whole.contiguous and len(kind.most) == 1 and kind.whole.size <= 8192:
        return arrays.copied(front, array, "K", dtype)
    raise Refused("a sum of floats in another dtype is not in the language", "write astype first")


def _check_exact(front: FrontEnd, array: Term) -> None:
    """Leave sums of large integers as floats to Python: they depend on the order."""
    kind = kind_of(array)
    most = 2**53 // max(kind.whole.size, 1)

    def check(index: Index) -> None:
        value = arrays.load(front, array, index)
        too_large = front.compare("gt", value, front.number(most, kind.dtype))
        if kind.dtype.kind == "i":
            below = front.compare("lt", value, front.number(-most, kind.dtype))
            too_large = front.compute("or", too_large, below)
        front.raise_if(too_large, BEYOND)

    arrays.each(front, arrays.lengths_of(array), check)


def _of_items(front: FrontEnd, ufunc: np.ufunc, array: Term, axes: tuple[int, ...], result: Term) -> None:
    """One item after the other, which is good for integers and truths."""
    dtype = kind_of(result).dtype
    taken = BOOL if ufunc in (np.logical_and, np.logical_or) else dtype
    _begin(front, ufunc, array, axes, result)

    def add(index: Index) -> None:
        at = [one for k, one in enumerate(index) if k not in axes]
        value = arrays.cast(front, arrays.load(front, array, index), taken)
        together = ufuncs.item(front, ufunc, (dtype, dtype, dtype), (arrays.load(front, result, at), value))
        assert together is not None, ufunc
        arrays.store(front, result, at, together)

    arrays.each(front, arrays.lengths_of(array), add)


def _begin(front: FrontEnd, ufunc: np.ufunc, array: Term, axes: tuple[int, ...], result: Term) -> None:
    """Write what is neutral into the results, or the first items if nothing is."""
    if ufunc.identity is not None:
        arrays.assign(front, result, constant(kind_of(result).dtype.type(ufunc.identity)))
    elif kind_of(array).whole.size:
        rest = [axis for k, axis in enumerate(arrays.axes_of(array)) if k not in axes]
        arrays.copy_items(front, result, arrays.array_at(array.parts[0], kind_of(array).dtype, rest))


def _of_row(front: FrontEnd, ufunc: np.ufunc, array: Term, result: Term) -> None:
    """Floats of one axis, whose length is found: NumPy begins with the first item if nothing is neutral."""
    (axis,) = arrays.axes_of(array)
    count, place = arrays.value_of(front, axis.length), array.parts[0]
    _begin(front, ufunc, array, (0,), result)
    if ufunc.identity is None:
        place, count = arrays.further(front, place, axis.stride), front.compute("sub", count, front.number(1))
    strides = [front.number(one) for one in (0, axis.stride, 0)]
    ufuncs.by_loop(front, ufunc, (kind_of(array).dtype,) * 3, [result.part, place, result.part], strides, count)


# Floats, in NumPy's order.


def _of_floats(front: FrontEnd, ufunc: np.ufunc, array: Term, axes: tuple[int, ...], result: Term) -> None:
    kind = array_type(array)
    _begin(front, ufunc, array, axes, result)
    if not kind.size:
        return
    runs, iterator, firsts = runs_of(kind, axes)
    skipped = firsts if ufunc.identity is None else frozenset[int]()
    if kind.size <= arrays.UNROLLED and ufunc in (np.add, np.multiply):
        for run in runs:
            _written_out(front, ufunc, array, result, run)
    elif len(runs) <= MOST_RUNS and sum(len(run.items) for run in runs if run.is_copied) <= MOST_COPIED:
        if skipped and 0 in kind.strides:
            raise Refused("a minimum or maximum of repeated items is not in the language", "write .copy() behind them")
        for run in runs:
            _called(front, ufunc, array, result, _without_first(run, skipped))
    elif iterator is not None:
        order = iterated(front, (result, array), iterator)
        _each_run(front, order, kind.dtype, lambda run: _by_loop(front, ufunc, kind.dtype, run), bool(skipped))
    else:
        raise Refused("a reduction of so many items with gaps is not in the language", "write .copy() first")


MOST_RUNS, MOST_COPIED = 32, 512


def _without_first(run: Run, firsts: frozenset[int]) -> Run:
    """A run without the items that are in the results already."""
    if run.items[0] not in firsts:
        return run
    first = 1 if len(set(run.results)) == 1 else len(run.items)
    return Run(run.results[first:], run.items[first:], run.is_copied)


def _called(front: FrontEnd, ufunc: np.ufunc, array: Term, result: Term, run: Run) -> None:
    """Call NumPy's loop for a run."""
    if not run.items:
        return
    dtype = array_type(array).dtype
    results = [_place_of_result(result, number) for number in run.results]
    items = [_place_of_item(array, place) for place in run.items]
    steps = _step(results), _step(items)
    if steps[0] is None:
        raise Refused("a reduction of items with gaps is not in the language", "write .copy() first")
    first = arrays.further(front, array.part, items[0])
    if run.is_copied or steps[1] is None:
        buffer = arrays.new_plain(front, dtype, (len(items),))
        for k, item in enumerate(items):
            arrays.store(front, buffer, (k,), front.emit("load", dtype, arrays.further(front, array.part, item)))
        first, steps = buffer.part, (steps[0], dtype.itemsize)
    place = arrays.further(front, result.part, results[0])
    _by_loop(front, ufunc, dtype, _Call([place, first], (steps[0] or 0, steps[1] or 0), len(items)))


def _step(places: Sequence[int]) -> int | None:
    """The distance from each place to the next one; None if they differ."""
    steps = {b - a for a, b in pairwise(places)}
    return None if len(steps) > 1 else next(iter(steps), 0)


def _place_of_item(array: Term, place: int) -> int:
    kind = array_type(array)
    return arrays.bounds_of(kind)[0] + place * kind.dtype.itemsize


def _place_of_result(result: Term, number: int) -> int:
    kind = array_type(result)
    index = np.unravel_index(number, kind.shape) if kind.shape else ()
    return sum(int(one) * stride for one, stride in zip(index, kind.strides, strict=True))


class _Call(NamedTuple):
    """A call of an inner loop: the addresses of a result and an item, the strides of both, the number of items."""

    places: list[Value]
    strides: tuple[int, int]
    length: int


def _each_run(front: FrontEnd, order: Order, dtype: DType, write: Callable[[_Call], None], skips_first: bool) -> None:
    """Write NumPy's inner loops one by one; without an identity the first items are in the results already."""
    places, strides, shape = order
    views = [Term(Array(dtype, shape, steps), (place,)) for place, steps in zip(places, strides, strict=True)]
    inner = strides[0][-1], strides[1][-1]
    reduces = [k for k in range(len(shape) - 1) if strides[0][k] == 0]

    def run(index: Index, skipped: int) -> None:
        at = [arrays.place_of(front, one, (*index, 0)) for one in views]
        at[1] = arrays.further(front, at[1], skipped * inner[1])
        if shape[-1] > skipped:
            write(_Call(at, inner, shape[-1] - skipped))

    def each(index: Index) -> None:
        if not skips_first:
            run(index, 0)
            return
        first = 1 if inner[0] == 0 else shape[-1]
        unknown = [index[k] for k in reduces if not isinstance(index[k], int)]
        if any(isinstance(index[k], int) and index[k] != 0 for k in reduces):
            run(index, 0)
        elif not unknown:
            run(index, first)
        else:
            _first_or_not(front, unknown, lambda: run(index, first), lambda: run(index, 0))

    arrays.each(front, shape[:-1], each)


def _first_or_not(
    front: FrontEnd, numbers: Sequence[Any], first: Callable[[], None], other: Callable[[], None]
) -> None:
    is_first = front.compare("eq", numbers[0], front.number(0))
    for one in numbers[1:]:
        is_first = front.compute("and", is_first, front.compare("eq", one, front.number(0)))

    def side(write: Callable[[], None]) -> Callable[[], Term]:
        def written_side() -> Term:
            write()
            return NONE

        return written_side

    front.branch(is_first, side(first), side(other))


def _by_loop(front: FrontEnd, ufunc: np.ufunc, dtype: DType, run: _Call) -> None:
    of_result, of_array = (front.number(one) for one in run.strides)
    result, item = run.places
    strides = [of_result, of_array, of_result]
    ufuncs.by_loop(front, ufunc, (dtype,) * 3, [result, item, result], strides, front.number(run.length))


def _written_out(front: FrontEnd, ufunc: np.ufunc, array: Term, result: Term, run: Run) -> None:
    """A few items: of a sum into one result NumPy adds eight at a time."""
    dtype = array_type(array).dtype
    operation = "add" if ufunc is np.add else "mul"
    places = [arrays.further(front, array.part, _place_of_item(array, place)) for place in run.items]
    items = [front.emit("load", dtype, place) for place in places]
    numbers = run.results
    if len(set(numbers)) == 1 and ufunc is np.add:
        items, numbers = [_pairwise(front, items)], numbers[:1]
    for number, item in zip(numbers, items, strict=True):
        place = arrays.further(front, result.part, _place_of_result(result, number))
        before = front.emit("load", dtype, place)
        front.emit("store", None, place, front.compute(operation, before, item))


def _pairwise(front: FrontEnd, items: list[Value]) -> Value:
    """The sum of up to 128 floats as NumPy adds them."""

    def add(a: Value, b: Value) -> Value:
        return front.compute("add", a, b)

    whole = len(items) - len(items) % 8 if len(items) >= 8 else 0
    parts = items[:8] if whole else []
    for k in range(8, whole):
        parts[k % 8] = add(parts[k % 8], items[k])
    while len(parts) > 1:
        parts = [add(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    total = parts[0] if parts else items[0]
    for item in items[whole or 1 :]:
        total = add(total, item)
    return total


# Entries.


def along_axes(
    front: FrontEnd,
    ufunc: np.ufunc,
    a: Term,
    axis: Term = NONE,
    dtype: Term = NONE,
    out: Term = NONE,
    keepdims: Term = FALSE,
) -> Term:
    """Returns an object's items put together by a ufunc, with the arguments of `np.sum`."""
    arrays.refuse_given(out=out)
    array = arrays.open_array(front, a)
    axes = axes_of(front, axis, len(kind_of(array).most))
    keeps = bool(arrays.known(keepdims, "keepdims="))
    return reduced(front, ufunc, array, axes, keeps, arrays.given_dtype(front, dtype))


def _reduction(ufunc: np.ufunc, *called: Any) -> None:
    @built(*called, tries=TRIES)
    def build(
        front: FrontEnd, a: Term, axis: Term = NONE, dtype: Term = NONE, out: Term = NONE, keepdims: Term = FALSE
    ) -> Term:
        return along_axes(front, ufunc, a, axis, dtype, out, keepdims)


def _extreme(ufunc: np.ufunc, *called: Any) -> None:
    @built(*called, tries=TRIES)
    def build(front: FrontEnd, a: Term, axis: Term = NONE, out: Term = NONE, keepdims: Term = FALSE) -> Term:
        return along_axes(front, ufunc, a, axis, NONE, out, keepdims)


_reduction(np.add, np.sum, np.ndarray.sum)
_reduction(np.multiply, np.prod, np.ndarray.prod)
_extreme(np.maximum, np.max, np.amax, np.ndarray.max)
_extreme(np.minimum, np.min, np.amin, np.ndarray.min)
_extreme(np.logical_or, np.any, np.ndarray.any)
_extreme(np.logical_and, np.all, np.ndarray.all)


@built(np.mean, np.ndarray.mean, tries=TRIES, note="small integers")
def _mean(
    front: FrontEnd, a: Term, axis: Term = NONE, dtype: Term = NONE, out: Term = NONE, keepdims: Term = FALSE
) -> Term:
    arrays.refuse_given(out=out)
    array = arrays.open_array(front, a)
    return _mean_of(front, array, axis, keepdims, arrays.given_dtype(front, dtype), ZERO)


def _mean_of(front: FrontEnd, array: Term, axis: Term, keepdims: Term, dtype: DType | None, fewer: Term) -> Term:
    """A sum divided by the number of items, or by some fewer; integers have exact sums, which are floats, too."""
    kind, lengths = kind_of(array), arrays.lengths_of(array)
    if kind.dtype == np.float16 and dtype is None:  # of which NumPy makes float32
        raise Refused("a mean of float16 is not in the language", "write astype(np.float32)")
    axes = axes_of(front, axis, len(lengths))
    is_exact = kind.dtype.kind in "biu" and (dtype is None or dtype == FLOAT64)
    if is_exact and kind.dtype.itemsize == 8:
        _check_exact(front, array)
    keeps = bool(arrays.known(keepdims, "keepdims="))
    total = reduced(front, np.add, array, axes, keeps, None if is_exact else dtype)
    count = arrays.size_of(front, [lengths[k] for k in axes])
    less = front.integer(fewer, "ddof=")
    if isinstance(count, int):
        count = max(count - less, 0)
    else:
        count = front.compute("sub", count, front.number(less)) if less else count
        front.raise_if(front.compare("le", count, front.number(0)), BEYOND)  # where NumPy warns
    into = None if is_exact or arrays.is_number(total) else total
    return apply(front, np.true_divide, (total, arrays.int_of(count)), into)


@built(np.var, np.ndarray.var, tries=TRIES, note="small integers")
def _var(
    front: FrontEnd,
    a: Term,
    axis: Term = NONE,
    dtype: Term = NONE,
    out: Term = NONE,
    ddof: Term = ZERO,
    keepdims: Term = FALSE,
) -> Term:
    arrays.refuse_given(out=out, dtype=dtype)
    array = arrays.open_array(front, a)
    apart = apply(front, np.subtract, (array, _mean_of(front, array, axis, TRUE, None, ZERO)))
    squares = apply(front, np.multiply, (apart, apart), None if arrays.is_number(apart) else apart)
    return _mean_of(front, arrays.open_array(front, squares), axis, keepdims, None, ddof)


@written(np.std, np.ndarray.std, tries=TRIES, note="small integers")
def _std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    return np.sqrt(np.var(a, axis, dtype, out, ddof, keepdims=keepdims))


@written(np.ptp, tries=(lambda rng: (any_array(rng, "iuf", (3, 2)),),))
def _ptp(a: Any, axis: Any = None) -> Any:
    return np.max(a, axis) - np.min(a, axis)


@built(np.count_nonzero, tries=TRIES)
def _count_nonzero(front: FrontEnd, a: Term, axis: Term = NONE, *, keepdims: Term = FALSE) -> Term:
    truths = arrays.copied(front, arrays.open_array(front, a), "K", BOOL)
    axes = axes_of(front, axis, len(kind_of(truths).most))
    total = reduced(front, np.add, truths, axes, bool(arrays.known(keepdims, "keepdims=")))
    is_python = axis == NONE and isinstance(np.count_nonzero(np.zeros(1)), int)
    return Term(PYTHON[int], total.parts) if is_python and isinstance(total.type, Number) else total


# Along one axis, row by row.


def each_row(front: FrontEnd, array: Term, axis: int, write: Callable[[Term, Index], None]) -> None:
    """Write something for each row of an array along an axis, given the row and its numbers along the other axes."""
    axes = arrays.axes_of(array)
    kind = kind_of(array)

    def row(index: Index) -> None:
        place = arrays.place_of(front, array, [*index[:axis], 0, *index[axis:]])
        write(arrays.array_at(place, kind.dtype, [axes[axis]], kind.writable), index)

    arrays.each(front, [one.length for k, one in enumerate(axes) if k != axis], row)


def along(
    front: FrontEnd,
    array: Term,
    axis: int,
    made: Callable[[AnyArray], AnyArray],
    write: Callable[[Term, Term], None],
) -> Term:
    """Returns a new array, written row by row along an axis; a number if it has no axis.

    Args:
        front: The front end.
        array: The array.
        axis: The axis.
        made: What NumPy makes of an array, with the same axes, or without that one.
        write: Writes the row of the result, or its only item as an array of no axis, given a row of the array.
    """
    kind, axes = kind_of(array), arrays.axes_of(array)
    example = arrays.example_of(kind) if isinstance(kind, Array) else np.zeros([1] * len(axes), kind.dtype)
    like = np.asarray(arrays.answer(front, lambda: made(example)))
    has_axis = like.ndim == len(axes)
    left = axes if has_axis else [*axes[:axis], *axes[axis + 1 :]]
    result = arrays.new_like(front, like.dtype, left, lambda: like)

    def row(part: Term, index: Index) -> None:
        at = [*index[:axis], 0, *index[axis:]] if has_axis else index
        of_row = [arrays.axes_of(result)[axis]] if has_axis else []
        write(part, arrays.array_at(arrays.place_of(front, result, at), like.dtype, of_row))

    if like.size:
        each_row(front, array, axis, row)
    return result if like.ndim else arrays.item_of(front, result, ())


def one_axis(front: FrontEnd, a: Term, axis: Term) -> tuple[Term, int]:
    """Returns an array and the axis that is meant; for None the array is flat."""
    if axis == NONE:
        return front.operate(np.ravel, a), 0
    array = arrays.open_array(front, a)
    ndim = len(kind_of(array).most)
    at = front.integer(axis, "an axis")
    if not -ndim <= at < ndim:
        front.raise_("AxisError")
    return array, at % ndim


def by_rows(front: FrontEnd, called: Any, a: Term, axis: Term, of_row: Callable[..., Any], *others: Any) -> Term:
    """Returns what a function in the language makes of each row along an axis: a number."""
    array, at = one_axis(front, a, axis)

    def write(row: Term, target: Term) -> None:
        arrays.assign(front, target, front.call_function(of_row, (row, *map(constant, others)), {}))

    return along(front, array, at, lambda one: called(one, axis=at), write)


def _place(is_better: object, *called: Any) -> None:
    @built(*called, tries=TRIES)
    def build(front: FrontEnd, a: Term, axis: Term = NONE, out: Term = NONE, *, keepdims: Term = FALSE) -> Term:
        arrays.refuse_given(out=out)
        if keepdims != FALSE:
            raise Refused("argmin() and argmax() with keepdims= are not in the language")
        return by_rows(front, called[0], a, axis, _best_place, is_better)


def _best_place(row: Any, is_better: Any) -> Any:
    """The place of the first best number of a row, or of the first NaN."""
    if len(row) == 0:
        raise ValueError
    best = 0
    for k in range(1, len(row)):
        if is_better(row[k], row[best]) or (row[k] != row[k] and row[best] == row[best]):
            best = k
    return best


_place(operator.gt, np.argmax, np.ndarray.argmax)
_place(operator.lt, np.argmin, np.ndarray.argmin)


def _accumulated(add: object, *called: Any) -> None:
    first = ZERO if isinstance(add, np.ufunc) else NONE

    @built(*called, tries=TRIES if first == NONE else TRIES[:2])
    def build(front: FrontEnd, a: Term, axis: Term = first, dtype: Term = NONE, out: Term = NONE) -> Term:
        arrays.refuse_given(out=out)
        if first == ZERO and not arrays.lengths_of(arrays.open_array(front, a)):
            front.raise_("TypeError")
        array, at = one_axis(front, a, axis)
        kind = arrays.given_dtype(front, dtype)

        def write(row: Term, result: Term) -> None:
            source = arrays.open_array(front, row, kind_of(result).dtype)
            front.call_function(_accumulate, (source, result, constant(add)), {})

        return along(front, array, at, lambda one: called[0](one, axis=at, dtype=kind), write)


def _accumulate(row: Any, result: Any, add: Any) -> None:
    """Write what the first numbers of a row are together, for each number of them."""
    if len(row) > 0:
        total = row[0]
        result[0] = total
        for k in range(1, len(row)):
            total = add(total, row[k])
            result[k] = total


_accumulated(operator.add, np.cumsum, np.ndarray.cumsum)
_accumulated(operator.mul, np.cumprod, np.ndarray.cumprod)
for _ufunc in (np.add, np.multiply, np.maximum, np.minimum):
    _accumulated(_ufunc, _ufunc.accumulate)


@built(np.diff, tries=(lambda rng: (any_array(rng, "iuf", (4, 3)),), lambda rng: (any_array(rng, shape=(5,)),)))
def _diff(front: FrontEnd, a: Term, n: Term = ONE, axis: Term = LAST) -> Term:
    array = arrays.open_array(front, a)
    if not kind_of(array).most:
        front.raise_("ValueError")
    _, at = one_axis(front, array, axis)
    parts = [constant((*[slice(None)] * at, part)) for part in (slice(1, None), slice(-1))]
    for _ in range(front.integer(n, "how often")):
        ufunc = np.not_equal if kind_of(array).dtype == BOOL else np.subtract
        array = apply(front, ufunc, [front.operate(operator.getitem, array, part) for part in parts])
    return array


# Equality of whole arrays.


@written(np.array_equal, tries=(drawn(count=2),))
def _array_equal(a1: Any, a2: Any) -> Any:
    a, b = np.asarray(a1), np.asarray(a2)
    return bool(np.all(a == b)) if a.shape == b.shape else False


@built((np.isclose, "array"), folds=False, tries=(drawn("f", 2),))
def _isclose(
    front: FrontEnd,
    a: Term,
    b: Term,
    rtol: Term = CLOSE,
    atol: Term = NEAR,
    equal_nan: Term = FALSE,
) -> Term:
    x, y = (one if arrays.is_number(one) else arrays.open_array(front, one) for one in (a, b))
    if not arrays.is_number(y):
        y = arrays.open_array(front, y, np.result_type(kind_of(y).dtype, 1.0))
    elif y.type == PYTHON[int] or (y.known and type(y.value) in (bool, int)):
        y = front.operate(float, y)
    return front.call_function(_are_close, (x, y, rtol, atol, equal_nan), {})


def _are_close(x: Any, y: Any, rtol: Any, atol: Any, equal_nan: Any) -> Any:
    near = np.less_equal(np.abs(x - y), atol + rtol * np.abs(y))
    close = near & np.isfinite(y) | (x == y)
    if equal_nan:
        close = close | (np.isnan(x) & np.isnan(y))
    return close
