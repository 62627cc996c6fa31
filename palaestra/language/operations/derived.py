"""Functions of arrays that are a few others: an entry each, and nothing else to change for one more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import array_type
from palaestra.language.operations.drawing import any_array, any_number
from palaestra.language.operations.reductions import along_axes
from palaestra.language.operations.table import built, written
from palaestra.language.program import BOOL, INT64, Value
from palaestra.language.types import Number, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, ZERO, ZERO_FLOAT, FALSE, TRUE = map(constant, (None, 0, 0.0, False, True))


@written(
    np.average,
    tries=(
        lambda rng: (any_array(rng, shape=(3, 4)),),
        lambda rng: (rng.normal(size=(2, 3)), int(rng.integers(2)), rng.normal(size=(2, 3))),
        lambda rng: (any_array(rng, "i", (3,)), None, any_array(rng, "f", (3,))),
    ),
    note="small integers",
)
def _average(a: Any, axis: Any = None, weights: Any = None) -> Any:
    if weights is None:
        return np.mean(a, axis)
    x, y = np.asarray(a), np.asarray(weights)
    dtype = np.result_type(x.dtype, y.dtype, np.float64 if x.dtype.kind != "f" else x.dtype)
    if x.shape != y.shape:
        if y.ndim != 1 or axis is None:
            raise TypeError
        if y.shape[0] != x.shape[axis]:
            raise ValueError
    whole = np.sum(y.astype(dtype), axis if x.shape == y.shape else None)
    if np.any(whole == 0.0):
        raise ZeroDivisionError
    spread = y if x.shape == y.shape else np.moveaxis(np.broadcast_to(y, np.moveaxis(x, axis, -1).shape), -1, axis)
    return np.sum(x.astype(dtype) * spread.astype(dtype), axis) / whole


@written(np.vander, tries=(lambda rng: (any_array(rng, "if", (3,)),), lambda rng: (rng.normal(size=3), 2, True)))
def _vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    row = np.asarray(x)
    count = len(row) if N is None else N
    result = np.ones((len(row), count), np.promote_types(row.dtype, np.int64))
    columns = result if increasing else result[:, ::-1]
    for k in range(1, count):
        columns[:, k] = columns[:, k - 1] * row
    return result


@written(np.choose, tries=(lambda rng: (rng.integers(-1, 3, (2, 2)), (any_array(rng, "i", (2, 2)), 1.5)),))
def _choose(a: Any, choices: Any) -> Any:
    places = np.asarray(a)
    if np.any((places < 0) | (places >= len(choices))):
        raise ValueError
    result = choices[len(choices) - 1]
    for k in range(len(choices) - 2, -1, -1):
        result = np.where(places == k, choices[k], result)
    return np.array(result)


@written(np.polyval, tries=(lambda rng: (any_array(rng, "f", (4,)), any_array(rng, "f", (3,))),))
def _polyval(p: Any, x: Any) -> Any:
    at = np.asarray(x)
    y = np.zeros_like(at)
    for k in range(len(p)):
        y = y * at + p[k]
    return y


@written(np.isin, tries=(lambda rng: (any_array(rng, "iu", (3, 2)), rng.integers(0, 9, 4)),))
def _isin(element: Any, test_elements: Any) -> Any:
    found = np.zeros(np.shape(element), np.bool_)
    for one in np.ravel(test_elements):
        found |= element == one
    return found


def _choices(rng: np.random.Generator) -> tuple[Any, ...]:
    return tuple([any_array(rng, kinds, (3, 4)) for _ in range(2)] for kinds in ("b", "biuf"))


@written(np.select, tries=(_choices,))
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError
    result = default
    for k in range(len(condlist) - 1, -1, -1):
        result = np.where(condlist[k], choicelist[k], result)
    return result


@built(np.nan_to_num, tries=(lambda rng: (any_array(rng, "f", (3, 4)),),))
def _nan_to_num(
    front: FrontEnd, x: Term, copy: Term = TRUE, nan: Term = ZERO_FLOAT, posinf: Term = NONE, neginf: Term = NONE
) -> Term:
    array = arrays.as_array(front, x)
    kind = array_type(array)
    if kind.dtype.kind != "f" or not kind.shape or copy != TRUE:
        raise Refused("np.nan_to_num takes an array of floats here, of which it makes a copy")
    limits = np.finfo(kind.dtype)
    high = constant(float(limits.max)) if posinf == NONE else posinf
    low = constant(float(limits.min)) if neginf == NONE else neginf
    return front.call_function(_without_nan, (array, nan, high, low), {})


def _without_nan(x: Any, nan: Any, high: Any, low: Any) -> Any:
    result = np.array(x)
    result[np.isnan(x)] = nan
    result[x == np.inf] = high
    result[x == -np.inf] = low
    return result


@written(np.fix, tries=(lambda rng: (any_array(rng, "if"),), lambda rng: (any_number(rng, "f"),)))
def _fix(x: Any) -> Any:
    return np.trunc(x)


@written(np.isposinf, tries=(lambda rng: (any_array(rng, "f"),), lambda rng: (any_number(rng, "f"),)))
def _isposinf(x: Any) -> Any:
    return np.equal(x, np.inf)


@written(np.isneginf, tries=(lambda rng: (any_array(rng, "f"),), lambda rng: (any_number(rng, "f"),)))
def _isneginf(x: Any) -> Any:
    return np.equal(x, -np.inf)


@written(
    np.unwrap, tries=(lambda rng: (rng.normal(size=6) * 5.0,), lambda rng: (rng.integers(9, size=(3, 2)), None, 0))
)
def _unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 2 * np.pi) -> Any:
    angles = np.array(p, np.result_type(np.asarray(p), 1.0))
    rows = np.moveaxis(angles, axis, -1)
    half, apart = period / 2, np.diff(rows)
    turned = np.mod(apart + half, period) - half
    turned[(turned == -half) & (apart > 0)] = half
    change = turned - apart
    change[np.abs(apart) < (half if discont is None else discont)] = 0
    rows[..., 1:] += np.cumsum(change, -1)
    return angles


# Triangles, and parts of equal length.


def _triangle(called: Any) -> None:
    @built(called, tries=(lambda rng: (any_array(rng, shape=(3, 4)),), lambda rng: (any_array(rng, shape=(3, 3)), 1)))
    def build(front: FrontEnd, m: Term, k: Term = ZERO) -> Term:
        array = arrays.as_array(front, m)
        kind = array_type(array)
        mask = arrays.answer(front, lambda: called(np.ones(kind.shape, np.bool_), front.integer(k, "a diagonal")))
        return front.operate(np.where, constant(mask), array, constant(kind.dtype.type(0)))


_triangle(np.tril)
_triangle(np.triu)


def _split(called: Any) -> None:
    @built(called, folds=False, tries=(lambda rng: (any_array(rng, shape=(6, 2)), 3),))
    def build(front: FrontEnd, ary: Term, indices_or_sections: Term, axis: Term = ZERO) -> Term:
        array = arrays.as_array(front, ary)
        items = items_of(front, indices_or_sections)
        where: Any = arrays.lengths(front, indices_or_sections, "where an array is split")
        where, at = where if items is not None else where[0], front.integer(axis, "an axis")
        count = len(arrays.answer(front, lambda: called(arrays.example_of(array_type(array)), where, at)))
        parts = [arrays.view(front, array, lambda one, k=k: called(one, where, at)[k]) for k in range(count)]  # type: ignore[misc]
        return front.allocate(parts, list)


_split(np.split)
_split(np.array_split)


def _split_along(called: Any, axis: Any) -> None:
    """A function that splits along an axis of its own."""

    @built(called, folds=False, tries=(lambda rng: (any_array(rng, shape=(4, 2, 2)), 2),))
    def build(front: FrontEnd, ary: Term, indices_or_sections: Term) -> Term:
        ndim = len(array_type(arrays.as_array(front, ary)).shape)
        if ndim < (2 if axis == 0 else axis + 1 if axis > 1 else 1):
            front.raise_("ValueError")
        return front.operate(np.split, ary, indices_or_sections, constant(min(axis, ndim - 1)))


_split_along(np.vsplit, 0)
_split_along(np.hsplit, 1)
_split_along(np.dsplit, 2)


# Numbers of items.


@built(np.unravel_index, tries=(lambda rng: (int(rng.integers(-1, 25)), (4, 6)),))
def _unravel_index(front: FrontEnd, indices: Term, shape: Term) -> Term:
    lengths = arrays.lengths(front, shape, "a shape")
    number = _whole(front, indices)
    _check_within(front, number, int(np.prod(lengths)))
    found: list[Term] = []
    for length in reversed(lengths):
        size = front.number(max(length, 1))
        found.insert(0, Term(Number(INT64), (front.compute("rem", number, size),)))
        number = front.compute("div", number, size)
    return tuple_of(found)


@built(np.ravel_multi_index, tries=(lambda rng: ((int(rng.integers(-1, 5)), int(rng.integers(0, 6))), (4, 6)),))
def _ravel_multi_index(front: FrontEnd, multi_index: Term, dims: Term) -> Term:
    lengths = arrays.lengths(front, dims, "a shape")
    items = items_of(front, multi_index)
    if items is None:
        raise Refused(f"the indices are {multi_index.type}, whose number is not known", "pass a tuple of them")
    if len(items) != len(lengths):
        front.raise_("ValueError")
    total = front.number(0)
    for item, length in zip(items, lengths, strict=True):
        number = _whole(front, item)
        _check_within(front, number, length)
        total = front.compute("add", front.compute("mul", total, front.number(length)), number)
    return Term(Number(INT64), (total,))


def _whole(front: FrontEnd, term: Term) -> Value:
    number = front.materialized(term)
    if not isinstance(number.type, Number) or number.type.dtype.kind not in "iu":
        raise Refused(f"{term.type} is not an int")
    return front.convert(number.part, INT64)


def _check_within(front: FrontEnd, number: Value, length: int) -> None:
    below, beyond = (front.compare("lt", number, front.number(0)), front.compare("ge", number, front.number(length)))
    front.raise_if(front.emit("or", BOOL, below, beyond), "ValueError")


# Methods of ufuncs; `reduce` and `accumulate` are along the first axis.


def _reduce(ufunc: np.ufunc) -> None:
    @built(ufunc.reduce, tries=(lambda rng: (any_array(rng, shape=(3, 4)),), lambda rng: (any_array(rng, "f", (9,)),)))
    def build(front: FrontEnd, array: Term, axis: Term = ZERO, *, keepdims: Term = FALSE) -> Term:
        return along_axes(front, ufunc, array, axis, keepdims=keepdims)


for _ufunc in (np.add, np.multiply, np.maximum, np.minimum, np.logical_or, np.logical_and):
    _reduce(_ufunc)


def _outer(ufunc: np.ufunc) -> None:
    @built(ufunc.outer, tries=(lambda rng: (any_array(rng, "f", (2,)), any_array(rng, "f", (1, 3))),))
    def build(front: FrontEnd, a: Term, b: Term) -> Term:
        one, other = (arrays.as_array(front, each) for each in (a, b))
        key = (..., *[None] * len(array_type(other).shape))
        return front.operate(ufunc, arrays.view(front, one, lambda of: of[key]), other)


for _one in (np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.equal, np.less, np.greater):
    _outer(_one)


_CHANGES = (
    lambda rng: (any_array(rng, "f", (4,)), rng.integers(-4, 4, 3), 1.5),
    lambda rng: (any_array(rng, "i", (4,)), rng.integers(4, size=3), rng.integers(9, size=3)),
)


def _at(ufunc: np.ufunc) -> None:
    @built(
        ufunc.at,
        folds=False,
        tries=_CHANGES[: 2 if ufunc is np.add else 1],
    )
    def build(front: FrontEnd, a: Term, indices: Term, b: Term) -> Term:
        array, places = arrays.as_array(front, a), arrays.as_array(front, indices)
        shapes = [array_type(one).shape for one in (array, places)]
        if any(len(shape) != 1 for shape in shapes) or array_type(places).dtype.kind not in "iu":
            raise Refused(f"np.{ufunc.__name__}.at takes a row and a row of places here", "write a loop")
        if not arrays.is_number(b) and array_type(arrays.as_array(front, b)).shape != shapes[1]:
            raise Refused(f"np.{ufunc.__name__}.at takes a number here, or one for each place", "write a loop")
        arrays.check_writable(front, array)
        function = _changed_by_one if arrays.is_number(b) else _changed_by_each
        return front.call_function(function, (array, places, b, constant(ufunc)), {})


def _changed_by_one(a: Any, places: Any, value: Any, change: Any) -> None:
    for k in range(len(places)):
        a[places[k]] = change(a[places[k]], value)


def _changed_by_each(a: Any, places: Any, values: Any, change: Any) -> None:
    for k in range(len(places)):
        a[places[k]] = change(a[places[k]], values[k])


for _changing in (np.add, np.subtract, np.multiply, np.maximum, np.minimum):
    _at(_changing)
