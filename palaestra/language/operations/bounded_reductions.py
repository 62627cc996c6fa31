"""Lengths, sums, extremes, places and orders of arrays whose lengths are found at run time.

Integers and truths are taken one after the other. Floats of one axis are given to NumPy's own loop, whose sums depend
on the number of items; those of several axes need a known shape. No items are a ValueError, or are left to Python where
it warns.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, bounded_arrays, ufuncs
from palaestra.language.operations.arrays import DType, Index
from palaestra.language.operations.bounded_arrays import Axis, axes_of, dtype_of
from palaestra.language.operations.choices import below, shuffle
from palaestra.language.operations.drawing import any_array
from palaestra.language.operations.reductions import axes_of as axes_named
from palaestra.language.operations.reductions import check_wide, largest_place, least_place, products, sums
from palaestra.language.operations.reductions import reduced as reduced_known
from palaestra.language.operations.sorting import check_length, has_both_zeros, is_kept, sort_places, sort_row
from palaestra.language.operations.table import built, written
from palaestra.language.program import BEYOND, BOOL, INT64, Value
from palaestra.language.types import PYTHON, Number, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Generator = np.random.Generator
NONE, ZERO, ONE, LAST, FALSE, TRUE = map(constant, (None, 0, 1, -1, False, True))


def _shortened(kinds: str = "biuf", shape: tuple[int, ...] = (9,)) -> Any:
    """Returns what draws an array, and where a slice of it ends."""
    return lambda rng: (any_array(rng, kinds, shape), int(rng.integers(-shape[0] - 1, shape[0] + 2)))


TRIES = (_shortened(), _shortened("f", (150,)), _shortened("i", (4, 3)))
ROWS = _shortened(), _shortened("f", (150,))


def _one_axis(front: FrontEnd, a: Term, axis: Term = NONE) -> Axis:
    """The only axis of an array."""
    axes = axes_of(a)
    if len(axes) != 1:
        raise Refused(f"this of {a.type}, which has several axes, is not in the language", "write a loop")
    axes_named(front, axis, 1)
    return axes[0]


def _row(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
    """An array that has one axis, which may be named."""
    _one_axis(front, a, axis)
    return a


# Lengths.


@built((len, "bounded"), tries=(_shortened(), _shortened(shape=(4, 3))))
def _len(front: FrontEnd, a: Term) -> Term:
    return bounded_arrays.length_term(axes_of(a)[0])


@built(
    *((one, "bounded") for one in (np.size, vars(np.ndarray)["size"])), tries=(_shortened(), _shortened(shape=(4, 3)))
)
def _size(front: FrontEnd, a: Term) -> Term:
    size = bounded_arrays.size_of(front, axes_of(a))
    return constant(size) if isinstance(size, int) else Term(PYTHON[int], (size,))


@built(
    *((one, "bounded") for one in (np.shape, vars(np.ndarray)["shape"])), tries=(_shortened(), _shortened(shape=(4, 3)))
)
def _shape(front: FrontEnd, a: Term) -> Term:
    return tuple_of(map(bounded_arrays.length_term, axes_of(a)))


@built(*((one, "bounded") for one in (np.ndim, vars(np.ndarray)["ndim"])), tries=(_shortened(),))
def _ndim(front: FrontEnd, a: Term) -> Term:
    return constant(len(axes_of(a)))


@built((vars(np.ndarray)["dtype"], "bounded"), tries=(_shortened(),))
def _dtype(front: FrontEnd, a: Term) -> Term:
    return constant(dtype_of(a))


@built((bool, "bounded"), tries=(_shortened(shape=(3,)),))
def _truth(front: FrontEnd, a: Term) -> Term:
    size = bounded_arrays.size_of(front, axes_of(a))
    size = front.number(size) if isinstance(size, int) else size
    front.raise_if(front.compare("ne", size, front.number(1)), "ValueError")
    first = bounded_arrays.load(front, a, [0] * len(axes_of(a)))
    return Term(PYTHON[bool], (arrays.cast(front, first, BOOL),))


# Sums and extremes.


def reduced(front: FrontEnd, ufunc: np.ufunc, array: Term, axis: Term = NONE) -> Term:
    """Returns an array's items put together by a ufunc along axes: a number, or an array if axes are left."""
    axes = axes_of(array)
    named = axes_named(front, axis, len(axes))
    dtype = np.asarray(ufunc.reduce(np.zeros(1, dtype_of(array)))).dtype
    if ufunc.identity is None:
        _check_some(front, [axes[k] for k in named], len(named) == len(axes))
    if dtype.kind != "f":
        return _of_items(front, ufunc, array, named, dtype)
    if len(axes) != 1:  # whose order depends on the shape
        return reduced_known(front, ufunc, arrays.as_array(front, array), named, keepdims=False)
    return _of_floats(front, ufunc, array, dtype)


def _check_some(front: FrontEnd, axes: Sequence[Axis], are_all: bool) -> None:
    """Raise ValueError if there is no item to begin with."""
    for axis in axes:
        if isinstance(axis.length, Value):
            if not are_all:
                raise Refused("an extreme along an axis whose length is found is not in the language", "write a loop")
            front.raise_if(front.compare("eq", axis.length, front.number(0)), "ValueError")
        elif axis.length == 0:
            front.raise_("ValueError")


def _of_items(front: FrontEnd, ufunc: np.ufunc, array: Term, named: Sequence[int], dtype: DType) -> Term:
    axes = axes_of(array)
    taken = BOOL if ufunc in (np.logical_and, np.logical_or) else dtype
    left = [axis for k, axis in enumerate(axes) if k not in named]
    result = bounded_arrays.new(front, dtype, left)

    def begin(index: Index) -> None:
        rest = iter(index)
        first = [0 if k in named else next(rest) for k in range(len(axes))]
        has_identity = ufunc.identity is not None
        value = front.number(ufunc.identity, dtype) if has_identity else bounded_arrays.load(front, array, first)
        bounded_arrays.store(front, result, index, value)

    def add(index: Index) -> None:
        at = [one for k, one in enumerate(index) if k not in named]
        values = bounded_arrays.load(front, result, at), bounded_arrays.load(front, array, index)
        together = ufuncs.item(front, ufunc, (dtype,) * 3, [values[0], arrays.cast(front, values[1], taken)])
        assert together is not None, ufunc
        bounded_arrays.store(front, result, at, together)

    bounded_arrays.each(front, left, begin)
    bounded_arrays.each(front, axes, add)
    return result if left else arrays.item_of(front, result, ())


def _of_floats(front: FrontEnd, ufunc: np.ufunc, array: Term, dtype: DType) -> Term:
    """NumPy begins with the first item if nothing is neutral."""
    (axis,) = axes_of(array)
    total, count, zero = arrays.new_plain(front, dtype, ()), bounded_arrays.length_value(front, axis), front.number(0)
    place = array.parts[0]
    if ufunc.identity is None:
        arrays.store(front, total, (), bounded_arrays.load(front, array, (0,)))
        place, count = arrays.further(front, place, axis.stride), front.compute("sub", count, front.number(1))
    else:
        arrays.store(front, total, (), front.number(ufunc.identity, dtype))
    strides = [zero, front.number(axis.stride), zero]
    ufuncs.by_loop(front, ufunc, (dtype,) * 3, [total.part, place, total.part], strides, count)
    return arrays.item_of(front, total, ())


def _reduction(ufunc: np.ufunc, *called: Any) -> None:
    @built(*((one, "bounded") for one in called), tries=TRIES)
    def build(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
        return reduced(front, ufunc, a, axis)


_reduction(np.add, np.sum, np.ndarray.sum)
_reduction(np.multiply, np.prod, np.ndarray.prod)
_reduction(np.maximum, np.max, np.amax, np.ndarray.max)
_reduction(np.minimum, np.min, np.amin, np.ndarray.min)
_reduction(np.logical_or, np.any, np.ndarray.any)
_reduction(np.logical_and, np.all, np.ndarray.all)


@built(*((one, "bounded") for one in (np.mean, np.ndarray.mean)), tries=TRIES, note="of some items, small integers")
def _mean(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
    axes = axes_of(a)
    named = axes_named(front, axis, len(axes))
    check_wide(dtype_of(a))
    if dtype_of(a).kind in "iu" and dtype_of(a).itemsize == 8:
        _check_exact(front, a)
    size = bounded_arrays.size_of(front, [axes[k] for k in named])
    return _quotient(front, reduced(front, np.add, a, axis), front.number(size) if isinstance(size, int) else size)


def _quotient(front: FrontEnd, total: Term, count: Value) -> Term:
    """A sum divided by a number of items; where there is none NumPy warns."""
    front.raise_if(front.compare("le", count, front.number(0)), BEYOND)
    return front.operate(np.true_divide, total, Term(PYTHON[int], (count,)))


def _check_exact(front: FrontEnd, array: Term) -> None:
    """Leave means of large integers to Python: NumPy adds them as floats, whose sum depends on the order."""
    axes, dtype = axes_of(array), dtype_of(array)
    most = 2**53 // max(int(np.prod([axis.most for axis in axes])), 1)

    def check(index: Index) -> None:
        value = bounded_arrays.load(front, array, index)
        too_large = front.compare("gt", value, front.number(most, dtype))
        if dtype.kind == "i":
            too_large = front.compute("or", too_large, front.compare("lt", value, front.number(-most, dtype)))
        front.raise_if(too_large, BEYOND)

    bounded_arrays.each(front, axes, check)


@built(
    *((one, "bounded") for one in (np.var, np.ndarray.var)),
    tries=(_shortened("if"), _shortened("f", (150,))),
    note="of some items, small integers",
)
def _var(front: FrontEnd, a: Term, axis: Term = NONE, *, ddof: Term = ZERO) -> Term:
    count = bounded_arrays.length_value(front, _one_axis(front, a, axis))
    apart = front.operate(np.subtract, a, front.operate(np.mean, a))
    total = reduced(front, np.add, front.operate(np.multiply, apart, apart))
    return _quotient(front, total, front.compute("sub", count, front.number(front.integer(ddof, "ddof="))))


@written(
    *((one, "bounded") for one in (np.std, np.ndarray.std)),
    tries=(_shortened("if"), _shortened("f", (150,))),
    note="of some items, small integers",
)
def _std(a: Any, axis: Any = None, *, ddof: Any = 0) -> Any:
    return np.sqrt(np.var(a, axis, ddof=ddof))


@built((np.count_nonzero, "bounded"), tries=TRIES)
def _count_nonzero(front: FrontEnd, a: Term) -> Term:
    total = reduced(front, np.add, bounded_arrays.copied(front, a, BOOL))
    is_python = isinstance(np.count_nonzero(np.zeros(1)), int)
    return Term(PYTHON[int], total.parts) if is_python else total


# Builtin functions, which compare the items one by one.


def _extreme_item(called: Any, better: Any) -> None:
    @built((called, "bounded"), tries=(_shortened(),))
    def build(front: FrontEnd, a: Term) -> Term:
        return front.call_function(_best_item, (_row(front, a), constant(better)), {})


def _best_item(row: Any, better: Any) -> Any:
    if len(row) == 0:
        raise ValueError
    best = row[0]
    for k in range(1, len(row)):
        if better(row[k], best):
            best = row[k]
    return best


_extreme_item(max, operator.gt)
_extreme_item(min, operator.lt)


@built((any, "bounded"), tries=(_shortened(),))
def _any(front: FrontEnd, a: Term) -> Term:
    return front.operate(bool, reduced(front, np.logical_or, _row(front, a)))


@built((all, "bounded"), tries=(_shortened(),))
def _all(front: FrontEnd, a: Term) -> Term:
    return front.operate(bool, reduced(front, np.logical_and, _row(front, a)))


@written((operator.contains, "bounded"), tries=(lambda rng: (*_shortened("iu")(rng), int(rng.integers(9))),))
def _contains(a: Any, x: Any) -> Any:
    return bool(np.any(a == x))


# Places and orders.


def _place(of_row: Any, *called: Any) -> None:
    @built(*((one, "bounded") for one in called), tries=ROWS)
    def build(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
        length = bounded_arrays.length_value(front, _one_axis(front, a, axis))
        front.raise_if(front.compare("eq", length, front.number(0)), "ValueError")
        return front.operate(np.int64, front.call_function(of_row, (a,), {}))


_place(largest_place, np.argmax, np.ndarray.argmax)
_place(least_place, np.argmin, np.ndarray.argmin)


def _accumulated(ufunc: np.ufunc, of_row: Any, *called: Any) -> None:
    @built(*((one, "bounded") for one in called), tries=ROWS)
    def build(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
        length = bounded_arrays.length_value(front, _one_axis(front, a, axis))
        dtype = ufunc.accumulate(np.zeros(1, dtype_of(a))).dtype
        source = bounded_arrays.copied(front, a, dtype)
        result = bounded_arrays.new(front, dtype, axes_of(a))

        def add() -> Term:
            front.call_function(of_row, (source, result), {})
            return NONE

        front.branch(front.compare("gt", length, front.number(0)), add, lambda: NONE)
        return result


_accumulated(np.add, sums, np.cumsum, np.ndarray.cumsum)
_accumulated(np.multiply, products, np.cumprod, np.ndarray.cumprod)


@built((np.diff, "bounded"), tries=ROWS)
def _diff(front: FrontEnd, a: Term, n: Term = ONE, axis: Term = LAST) -> Term:
    _one_axis(front, a, axis)
    for _ in range(front.integer(n, "how often")):
        after, before = (front.operate(operator.getitem, a, constant(part)) for part in (slice(1, None), slice(-1)))
        a = front.operate(np.not_equal if dtype_of(a) == BOOL else np.subtract, after, before)
    return a


@built((np.sort, "bounded"), tries=ROWS, note="zeros of one sign")
def _sort(front: FrontEnd, a: Term, axis: Term = LAST, kind: Term = NONE) -> Term:
    result = bounded_arrays.copied(front, _row(front, a, axis))
    _sort_in_place(front, result, axis, kind)
    return result


@built((np.ndarray.sort, "bounded"), folds=False, tries=ROWS, note="zeros of one sign")
def _sort_in_place(front: FrontEnd, a: Term, axis: Term = LAST, kind: Term = NONE) -> Term:
    row = _row(front, a, axis)
    check_length(axes_of(row)[0].most)
    arrays.check_writable(front, bounded_arrays.whole(row))
    if dtype_of(row).kind == "f" and not is_kept(kind):
        mixed = front.materialized(front.call_function(has_both_zeros, (row,), {}))
        front.raise_if(mixed.part, BEYOND)
    front.call_function(sort_row, (row,), {})
    return NONE


@built(*((one, "bounded") for one in (np.argsort, np.ndarray.argsort)), tries=ROWS, note="no ties")
def _argsort(front: FrontEnd, a: Term, axis: Term = LAST, kind: Term = NONE) -> Term:
    axes = axes_of(_row(front, a, axis))
    check_length(axes[0].most)
    result = bounded_arrays.new(front, INT64, axes)
    ties = front.materialized(front.call_function(sort_places, (a, result), {}))
    if not is_kept(kind):
        front.raise_if(ties.part, BEYOND)
    return result


@written((np.median, "bounded"), tries=(_shortened("if"),), note="of some items, small integers")
def _median(a: Any, axis: Any = None) -> Any:
    ordered = np.sort(a, kind="stable")
    n = len(ordered)
    if n > 0 and ordered[n - 1] != ordered[n - 1]:
        return ordered[n - 1]
    return np.mean(ordered[(n - 1) // 2 : n // 2 + 1])


# Draws.


@built((Generator.choice, "bounded"), folds=False)
def _choice(
    front: FrontEnd, rng: Term, a: Term, size: Term = NONE, replace: Term = TRUE, *, shuffle: Term = TRUE
) -> Term:
    length = bounded_arrays.length_term(axes_of(a)[0])
    if size != NONE:
        return front.operate(
            operator.getitem, a, front.operate(Generator.choice, rng, length, size, replace, shuffle=shuffle)
        )
    count = front.materialized(length).part
    front.raise_if(front.compare("eq", count, front.number(0)), "ValueError")
    item = front.operate(operator.getitem, a, front.operate(below, rng, length))
    return item if isinstance(item.type, Number) else front.operate(np.copy, item)


@built((Generator.shuffle, "bounded"), folds=False)
def _shuffle(front: FrontEnd, rng: Term, x: Term) -> Term:
    arrays.check_writable(front, bounded_arrays.whole(_row(front, x)))
    front.call_function(shuffle, (rng, x), {})
    return NONE


@built((Generator.permutation, "bounded"), folds=False)
def _permutation(front: FrontEnd, rng: Term, x: Term) -> Term:
    result = bounded_arrays.copied(front, _row(front, x))
    front.call_function(shuffle, (rng, result), {})
    return result
