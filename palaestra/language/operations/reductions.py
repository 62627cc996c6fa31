"""Sums, products, extremes, means and what is made of them, over all items of an array or along axes.

Integers and truths may be taken in any order. Floats are taken as NumPy takes them: an `nditer` says in which order,
and the inner loop is NumPy's own, or for a few items the same sums written out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, ufuncs
from palaestra.language.operations.arrays import AnyArray, DType, Index, array_type
from palaestra.language.operations.drawing import any_array
from palaestra.language.operations.drawing import arrays as drawn
from palaestra.language.operations.elementwise import Order, apply, iterated
from palaestra.language.operations.orders import Run, runs_of
from palaestra.language.operations.table import built, written
from palaestra.language.program import BEYOND, BOOL, FLOAT64, Value
from palaestra.language.types import PYTHON, Array, Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, FALSE, ZERO, ONE, LAST, CLOSE, NEAR = map(constant, (None, False, 0, 1, -1, 1e-05, 1e-08))

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
    kind = array_type(array)
    example = arrays.example_of(kind)
    made = np.asarray(arrays.answer(front, lambda: ufunc.reduce(example, axis=axes, dtype=dtype, keepdims=keepdims)))
    source = _converted(front, array, made.dtype, ufunc)
    result = arrays.new(front, arrays.type_like(made))
    flat = _without(front, result, axes) if keepdims else result
    if made.dtype.kind != "f":
        _of_items(front, ufunc, source, axes, flat)
    elif made.size:
        _of_floats(front, ufunc, source, axes, flat)
    return result if made.ndim else arrays.item_of(front, result, ())


def _without(front: FrontEnd, result: Term, axes: tuple[int, ...]) -> Term:
    return arrays.view(front, result, lambda one: np.squeeze(one, axes))


def _converted(front: FrontEnd, array: Term, dtype: DType, ufunc: np.ufunc) -> Term:
    """The items as the ufunc takes them."""
    kind = array_type(array)
    if kind.dtype == dtype or dtype.kind != "f":
        return array
    if kind.dtype.kind in "biu":
        if kind.dtype.itemsize == 8 and ufunc is np.add:
            _check_exact(front, array)
        return arrays.copied(front, array, "K", dtype)
    if kind.contiguous and len(kind.shape) == 1 and kind.size <= 8192:
        return arrays.copied(front, array, "K", dtype)
    raise Refused("a sum of floats in another dtype is not in the language", "write astype first")


def _check_exact(front: FrontEnd, array: Term) -> None:
    """Leave sums of large integers as floats to Python: they depend on the order."""
    kind = array_type(array)
    most = 2**53 // max(kind.size, 1)

    def check(index: Index) -> None:
        value = arrays.load(front, array, index)
        too_large = front.compare("gt", value, front.number(most, kind.dtype))
        if kind.dtype.kind == "i":
            below = front.compare("lt", value, front.number(-most, kind.dtype))
            too_large = front.compute("or", too_large, below)
        front.raise_if(too_large, BEYOND)

    arrays.each(front, kind.shape, check)


def _of_items(front: FrontEnd, ufunc: np.ufunc, array: Term, axes: tuple[int, ...], result: Term) -> None:
    """One item after the other, which is good for integers and truths."""
    kind, dtype = array_type(array), array_type(result).dtype
    taken = BOOL if ufunc in (np.logical_and, np.logical_or) else dtype
    has_identity = ufunc.identity is not None
    if has_identity:
        arrays.assign(front, result, constant(dtype.type(ufunc.identity)))
    else:
        first = _first_items(front, array, axes)
        arrays.copy_items(front, result, first)

    def add(index: Index) -> None:
        at = [one for k, one in enumerate(index) if k not in axes]
        value = arrays.cast(front, arrays.load(front, array, index), taken)
        together = ufuncs.item(front, ufunc, (dtype, dtype, dtype), (arrays.load(front, result, at), value))
        assert together is not None, ufunc
        arrays.store(front, result, at, together)

    arrays.each(front, kind.shape, add)


def _first_items(front: FrontEnd, array: Term, axes: tuple[int, ...]) -> Term:
    key = tuple(0 if axis in axes else slice(None) for axis in range(len(array_type(array).shape)))
    return arrays.view(front, array, lambda one: one[(*key, ...)])


# Floats, in NumPy's order.


def _of_floats(front: FrontEnd, ufunc: np.ufunc, array: Term, axes: tuple[int, ...], result: Term) -> None:
    kind = array_type(array)
    if ufunc.identity is not None:
        arrays.assign(front, result, constant(kind.dtype.type(ufunc.identity)))
    else:
        first = _first_items(front, array, axes)
        arrays.copy_items(front, result, first)
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


def _reduction(ufunc: np.ufunc, *called: Any) -> None:
    @built(*called, tries=TRIES)
    def build(
        front: FrontEnd,
        a: Term,
        axis: Term = NONE,
        dtype: Term = NONE,
        out: Term = NONE,
        keepdims: Term = FALSE,
    ) -> Term:
        arrays.refuse_given(out=out)
        array = arrays.as_array(front, a)
        axes = axes_of(front, axis, len(array_type(array).shape))
        return reduced(
            front, ufunc, array, axes, bool(arrays.known(keepdims, "keepdims=")), arrays.dtype_of(front, dtype)
        )


def _extreme(ufunc: np.ufunc, *called: Any) -> None:
    @built(*called, tries=TRIES)
    def build(front: FrontEnd, a: Term, axis: Term = NONE, out: Term = NONE, keepdims: Term = FALSE) -> Term:
        arrays.refuse_given(out=out)
        array = arrays.as_array(front, a)
        axes = axes_of(front, axis, len(array_type(array).shape))
        return reduced(front, ufunc, array, axes, bool(arrays.known(keepdims, "keepdims=")))


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
    array = arrays.as_array(front, a)
    check_wide(array_type(array).dtype if dtype == NONE else FLOAT64)
    return mean_of(front, array, axis, bool(arrays.known(keepdims, "keepdims=")), arrays.dtype_of(front, dtype), ZERO)


def check_wide(dtype: DType) -> None:
    """Refuse float16, of which NumPy makes float32 for a mean."""
    if dtype == np.float16:
        raise Refused("a mean of float16 is not in the language", "write astype(np.float32)")


def mean_of(front: FrontEnd, array: Term, axis: Term, keepdims: bool, dtype: DType | None, fewer: Term) -> Term:
    """Returns a sum divided by the number of items, or by some fewer."""
    kind = array_type(array)
    axes = axes_of(front, axis, len(kind.shape))
    wanted = dtype or (FLOAT64 if kind.dtype.kind in "biu" else None)
    total = reduced(front, np.add, array, axes, keepdims, wanted)
    count = int(np.prod([kind.shape[axis] for axis in axes], dtype=np.int64))
    divisor = constant(max(count - front.integer(fewer, "ddof="), 0))
    return apply(front, np.true_divide, (total, divisor), total if arrays.is_array(total) else None)


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
    array = arrays.as_array(front, a)
    mean = mean_of(front, array, axis, True, None, ZERO)
    apart = apply(front, np.subtract, (array, mean))
    squares = apply(front, np.multiply, (apart, apart), apart if arrays.is_array(apart) else None)
    return mean_of(front, arrays.as_array(front, squares), axis, bool(arrays.known(keepdims, "keepdims=")), None, ddof)


@written(np.std, np.ndarray.std, tries=TRIES, note="small integers")
def _std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    return np.sqrt(np.var(a, axis, dtype, out, ddof, keepdims=keepdims))


@written(np.ptp, tries=(lambda rng: (any_array(rng, "iuf", (3, 2)),),))
def _ptp(a: Any, axis: Any = None) -> Any:
    return np.max(a, axis) - np.min(a, axis)


@built(np.count_nonzero, tries=TRIES)
def _count_nonzero(front: FrontEnd, a: Term, axis: Term = NONE, *, keepdims: Term = FALSE) -> Term:
    array = arrays.as_array(front, a)
    truths = arrays.copied(front, array, "K", BOOL)
    axes = axes_of(front, axis, len(array_type(array).shape))
    total = reduced(front, np.add, truths, axes, bool(arrays.known(keepdims, "keepdims=")))
    is_python = axis == NONE and isinstance(np.count_nonzero(np.zeros(1)), int)
    return Term(PYTHON[int], total.parts) if is_python and isinstance(total.type, Number) else total


# Along one axis, row by row.


def along(front: FrontEnd, array: Term, axis: int, made: AnyArray, write: Callable[[Term, Term], None]) -> Term:
    """Returns a new array like `made`, written row by row along an axis.

    Args:
        front: The front end.
        array: The array.
        axis: The axis.
        made: An array like the result, with the same axis, or without it.
        write: Writes the row of the result, or its only item as an array of no axis, given a row of the array.
    """
    result = arrays.new(front, arrays.type_like(made))
    kind, of_result = array_type(array), array_type(result)
    has_axis = len(of_result.shape) == len(kind.shape)
    others = [k for k in range(len(kind.shape)) if k != axis]

    def row(index: Index) -> None:
        at: list[Value | int] = [0] * len(kind.shape)
        for k, one in zip(others, index, strict=True):
            at[k] = one
        source = Array(kind.dtype, (kind.shape[axis],), (kind.strides[axis],))
        part = Term(source, (arrays.place_of(front, array, at),))
        if has_axis:
            target = Array(of_result.dtype, (of_result.shape[axis],), (of_result.strides[axis],))
            write(part, Term(target, (arrays.place_of(front, result, at),)))
        else:
            write(part, Term(Array(of_result.dtype, (), ()), (arrays.place_of(front, result, index),)))

    if made.size:
        arrays.each(front, [kind.shape[k] for k in others], row)
    return result


def one_axis(front: FrontEnd, a: Term, axis: Term) -> tuple[Term, int]:
    """Returns an array and the axis that is meant; for None the array is flat."""
    array = arrays.as_array(front, a)
    if axis == NONE:
        return front.operate(np.ravel, array), 0
    ndim = len(array_type(array).shape)
    at = front.integer(axis, "an axis")
    if not -ndim <= at < ndim:
        front.raise_("AxisError")
    return array, at % ndim


def by_rows(front: FrontEnd, called: Any, a: Term, axis: Term, of_row: Callable[..., Any]) -> Term:
    """Returns what a function in the language makes of each row along an axis: a number."""
    array, at = one_axis(front, a, axis)
    made = arrays.answer(front, lambda: np.asarray(called(arrays.example_of(array_type(array)), axis=at)))

    def write(row: Term, target: Term) -> None:
        arrays.assign(front, target, front.call_function(of_row, (row,), {}))

    result = along(front, array, at, made, write)
    return arrays.item_of(front, result, ()) if not made.ndim else result


def _place(is_better: str, *called: Any) -> None:
    row = largest_place if is_better == "gt" else least_place

    @built(*called, tries=TRIES)
    def build(front: FrontEnd, a: Term, axis: Term = NONE, out: Term = NONE, *, keepdims: Term = FALSE) -> Term:
        arrays.refuse_given(out=out)
        if keepdims != FALSE:
            raise Refused("argmin() and argmax() with keepdims= are not in the language")
        return by_rows(front, called[0], a, axis, row)


def largest_place(row: Any) -> Any:
    """Returns the place of the first largest number of a row, or of the first NaN."""
    best = 0
    for k in range(1, len(row)):
        if row[k] > row[best] or (row[k] != row[k] and row[best] == row[best]):
            best = k
    return best


def least_place(row: Any) -> Any:
    """Returns the place of the first least number of a row, or of the first NaN."""
    best = 0
    for k in range(1, len(row)):
        if row[k] < row[best] or (row[k] != row[k] and row[best] == row[best]):
            best = k
    return best


_place("gt", np.argmax, np.ndarray.argmax)
_place("lt", np.argmin, np.ndarray.argmin)


def _accumulated(of_row: Callable[..., Any], *called: Any) -> None:
    @built(*called, tries=TRIES)
    def build(front: FrontEnd, a: Term, axis: Term = NONE, dtype: Term = NONE, out: Term = NONE) -> Term:
        arrays.refuse_given(out=out)
        array, at = one_axis(front, a, axis)
        kind = arrays.dtype_of(front, dtype)
        made = arrays.answer(front, lambda: called[0](arrays.example_of(array_type(array)), axis=at, dtype=kind))
        source = arrays.as_array(front, arrays.copied(front, array, "C", made.dtype))
        return along(front, source, at, made, lambda row, to: _ignore(front.call_function(of_row, (row, to), {})))


def _ignore(term: Term) -> None:
    pass


def sums(row: Any, result: Any) -> None:
    """Write the sum of the first numbers of a row, for each number of them."""
    total = row[0]
    result[0] = total
    for k in range(1, len(row)):
        total = total + row[k]
        result[k] = total


def products(row: Any, result: Any) -> None:
    """Write the product of the first numbers of a row, for each number of them."""
    total = row[0]
    result[0] = total
    for k in range(1, len(row)):
        total = total * row[k]
        result[k] = total


_accumulated(sums, np.cumsum, np.ndarray.cumsum)
_accumulated(products, np.cumprod, np.ndarray.cumprod)


@built(np.diff, tries=(lambda rng: (any_array(rng, "iuf", (4, 3)),), lambda rng: (any_array(rng, shape=(5,)),)))
def _diff(front: FrontEnd, a: Term, n: Term = ONE, axis: Term = LAST) -> Term:
    array = arrays.as_array(front, a)
    if not array_type(array).shape:
        front.raise_("ValueError")
    _, at = one_axis(front, array, axis)
    whole = (slice(None),) * at
    for _ in range(front.integer(n, "how often")):
        after = arrays.view(front, array, lambda one: one[(*whole, slice(1, None))])
        before = arrays.view(front, array, lambda one: one[(*whole, slice(-1))])
        ufunc = np.not_equal if array_type(array).dtype == BOOL else np.subtract
        array = apply(front, ufunc, (after, before))
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
    x, y = (one if arrays.is_number(one) else arrays.as_array(front, one) for one in (a, b))
    if isinstance(y.type, Array):
        y = arrays.as_array(front, y, np.result_type(y.type.dtype, 1.0))
    elif y.type == PYTHON[int] or (y.known and type(y.value) in (bool, int)):
        y = front.operate(float, y)
    return front.call_function(_are_close, (x, y, rtol, atol, equal_nan), {})


def _are_close(x: Any, y: Any, rtol: Any, atol: Any, equal_nan: Any) -> Any:
    near = np.less_equal(np.abs(x - y), atol + rtol * np.abs(y))
    close = near & np.isfinite(y) | (x == y)
    if equal_nan:
        close = close | (np.isnan(x) & np.isnan(y))
    return close
