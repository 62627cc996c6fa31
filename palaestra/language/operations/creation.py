"""New arrays: of numbers, of one number, of ranges, and of other arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.calling import call
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import Axis, Index
from palaestra.language.operations.drawing import any_array, any_number, one_of, some_dtype, some_shape
from palaestra.language.operations.drawing import arrays as drawn
from palaestra.language.operations.slices import distance
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, FLOAT64, INT64, Value
from palaestra.language.types import PYTHON, Array, Bounded, Iterated, Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, TRUE, ZERO, ONE, KEEP, SAME_KIND, FIFTY = map(constant, (None, True, 0, 1, "K", "same_kind", 50))
OF_FLOATS = constant(float)


@built(np.array, folds=False, tries=(lambda rng: ([1, 2.5, True],), lambda rng: (any_array(rng),)))
def _array(
    front: FrontEnd, obj: Term, dtype: Term = NONE, *, copy: Term = TRUE, order: Term = KEEP, ndmin: Term = NONE
) -> Term:
    arrays.refuse_given(ndmin=ndmin)
    kind = arrays.given_dtype(front, dtype)
    if arrays.known(copy, "copy=") is not True:
        raise Refused("np.array without a copy may or may not be one", "write np.asarray")
    if arrays.is_array(obj) or isinstance(obj.type, Bounded):
        return arrays.copied(front, arrays.open_array(front, obj), arrays.known(order, "an order"), kind)
    return arrays.array_of(front, obj, kind)


@built(np.asarray, np.asanyarray, folds=False, tries=(lambda rng: ([(1, 2), (3, 4)],),))
def _asarray(front: FrontEnd, a: Term, dtype: Term = NONE) -> Term:
    return arrays.open_array(front, a, arrays.given_dtype(front, dtype))


@built(np.ascontiguousarray, folds=False, tries=(lambda rng: (any_array(rng),),))
def _ascontiguousarray(front: FrontEnd, a: Term, dtype: Term = NONE) -> Term:
    array = front.operate(np.atleast_1d, _asarray(front, a, dtype))
    return array if arrays.kind_of(array).whole.contiguous else arrays.copied(front, array, "C")


@built(np.copy, np.ndarray.copy, folds=False, tries=(lambda rng: (any_array(rng),),))
def _copy(front: FrontEnd, a: Term, order: Term = NONE) -> Term:
    layout = "C" if order == NONE else arrays.known(order, "an order")
    return arrays.copied(front, arrays.open_array(front, a), layout)


@built(
    np.ndarray.astype,
    folds=False,
    tries=(lambda rng: (any_array(rng), some_dtype(rng)),),
    note="floats within the integers",
)
def _astype(
    front: FrontEnd,
    a: Term,
    dtype: Term,
    order: Term = KEEP,
    casting: Term = NONE,
    subok: Term = TRUE,
    copy: Term = TRUE,
) -> Term:
    arrays.refuse_given(casting=casting)
    array, kind = arrays.open_array(front, a), arrays.given_dtype(front, dtype) or FLOAT64
    if not arrays.known(copy, "copy=") and kind == arrays.kind_of(array).dtype:
        return array
    return arrays.copied(front, array, arrays.known(order, "an order"), kind)


# Of one number.


def full(front: FrontEnd, kind: Array, value: Term) -> Term:
    """Returns a new array of one number, or of an array that is broadcast."""
    result = arrays.new(front, kind)
    arrays.assign(front, result, value)
    return result


def _filled(called: Any, number: int, *tries: Callable[[np.random.Generator], tuple[Any, ...]]) -> None:
    @built(called, folds=False, tries=tries)
    def build(front: FrontEnd, shape: Term, dtype: Term = NONE, order: Term = NONE) -> Term:
        arrays.refuse_given(order=order)
        kind = arrays.given_dtype(front, dtype) or FLOAT64
        made = arrays.answer(front, lambda: np.zeros(arrays.lengths(front, shape, "the shape of an array"), kind))
        return full(front, arrays.type_like(made), constant(number))


_SHAPES = (lambda rng: (some_shape(rng),), lambda rng: (some_shape(rng), some_dtype(rng)))
_filled(np.zeros, 0, *_SHAPES)
_filled(np.ones, 1, *_SHAPES)
_filled(np.empty, 0)  # zeros are as good as any other numbers


@built(np.full, folds=False, tries=(lambda rng: (some_shape(rng), any_number(rng)),))
def _full(front: FrontEnd, shape: Term, fill_value: Term, dtype: Term = NONE) -> Term:
    kind = arrays.given_dtype(front, dtype)
    if kind is None:
        kind = arrays.answer(front, lambda: np.array(arrays.example(front, fill_value)).dtype)
    made = arrays.answer(front, lambda: np.zeros(arrays.lengths(front, shape, "the shape of an array"), kind))
    return full(front, arrays.type_like(made), fill_value)


def _filled_like(called: Any, number: int, *tries: Callable[[np.random.Generator], tuple[Any, ...]]) -> None:
    @built(called, folds=False, tries=tries)
    def build(front: FrontEnd, a: Term, dtype: Term = NONE, *, shape: Term = NONE) -> Term:
        return _like(front, a, dtype, shape, constant(number))


def _like(front: FrontEnd, a: Term, dtype: Term, shape: Term, value: Term) -> Term:
    kind = arrays.given_dtype(front, dtype)
    size = None if shape == NONE else arrays.lengths(front, shape, "the shape of an array")
    made = arrays.answer(front, lambda: np.zeros_like(arrays.example(front, a), kind, shape=size))
    return full(front, arrays.type_like(made), value)


_LIKES = (lambda rng: (any_array(rng),), lambda rng: (any_array(rng), some_dtype(rng)))
_filled_like(np.zeros_like, 0, *_LIKES)
_filled_like(np.ones_like, 1, *_LIKES)
_filled_like(np.empty_like, 0)


@built(np.full_like, folds=False, tries=(lambda rng: (any_array(rng, "f"), 2.5),))
def _full_like(front: FrontEnd, a: Term, fill_value: Term, dtype: Term = NONE, *, shape: Term = NONE) -> Term:
    return _like(front, a, dtype, shape, fill_value)


@built(np.ndarray.fill, folds=False, tries=(lambda rng: (any_array(rng, "f"), 2.5),))
def _fill(front: FrontEnd, a: Term, value: Term) -> Term:
    array = arrays.open_array(front, a)
    arrays.check_writable(front, array)
    arrays.assign(front, array, value)
    return constant(None)


@built(np.copyto, folds=False, tries=(drawn(count=2),))
def _copyto(front: FrontEnd, dst: Term, src: Term, casting: Term = SAME_KIND) -> Term:
    target, source = arrays.open_array(front, dst), arrays.open_array(front, src)
    arrays.check_writable(front, target)
    rule = arrays.known(casting, "a casting rule")
    if not np.can_cast(arrays.kind_of(source).dtype, arrays.kind_of(target).dtype, rule):
        front.raise_("TypeError")
    arrays.assign(front, target, source)
    return constant(None)


# Ranges.


MOST_COUNTED = 1024


def _known_range(rng: np.random.Generator) -> tuple[Any, ...]:
    return one_of(rng, (int(rng.integers(-5, 9)),), (9, 1, -3), (0.5, 3), (2, 9, 3))  # type: ignore[no-any-return]


def _open_range(rng: np.random.Generator) -> tuple[Any, ...]:
    return int(rng.integers(-5, 9)), int(rng.integers(-5, 9))


@built(np.arange, folds=False, tries=(_known_range, _open_range, lambda rng: (*_open_range(rng), one_of(rng, 2, -3))))
def _arange(front: FrontEnd, start: Term, stop: Term | None = None, step: Term = ONE, dtype: Term = NONE) -> Term:
    first, last = (ZERO, start) if stop is None else (start, stop)
    kind = arrays.given_dtype(front, dtype)
    if first.known and last.known and step.known:
        made = arrays.answer(front, lambda: np.arange(first.value, last.value, step.value, dtype=kind))
        return arrays.copied(front, arrays.table_of(front, made))
    if kind not in (None, INT64, np.int32, np.float32, np.float64):
        raise Refused(f"np.arange of {kind} must be known when the program is compiled", "write astype behind it")
    size = front.integer(step, "the step of np.arange")
    if size == 0:
        front.raise_("ZeroDivisionError")
    begin, end = (_int64(front, one) for one in (first, last))
    axis = _axis_of_range(front, begin, end, size)
    if kind not in (None, INT64):
        _check_small(front, begin, max(axis.most, abs(size)))
    result = arrays.new_plain(front, kind or INT64, [axis])

    def item(index: Index) -> None:
        number = front.compute("add", begin, front.compute("mul", arrays.value_of(front, index[0]), front.number(size)))
        arrays.store(front, result, index, arrays.cast(front, number, arrays.kind_of(result).dtype))

    arrays.each(front, [axis.length], item)
    return result


def _int64(front: FrontEnd, term: Term) -> Value:
    number = front.materialized(term)
    if not isinstance(number.type, Number) or number.type.dtype.kind != "i":
        raise Refused("np.arange with floats must be known when the program is compiled", "write int(...) around them")
    return front.convert(number.part, INT64)


def _check_small(front: FrontEnd, begin: Value, most: int) -> None:
    """Leave ranges of other dtypes to Python if the numbers may be rounded, or may not fit."""
    if most > MOST_COUNTED:
        raise Refused("np.arange of so many numbers, or so far apart, is not in the language", "leave out dtype=")
    outside = (front.compare("lt", begin, front.number(-(2**20))), front.compare("gt", begin, front.number(2**20)))
    front.raise_if(front.compute("or", *outside), BEYOND)


def _axis_of_range(front: FrontEnd, begin: Value, end: Value, step: int) -> Axis:
    """As many numbers as a range has: a known number if the bounds have a known distance."""
    apart = distance(begin, end)
    if apart is not None:
        return arrays.known_axis(len(range(0, apart, step)))
    bounds = [Term(PYTHON[int], (one,)) for one in (begin, end)]
    length = front.operate(len, front.operate(range, *bounds, constant(step))).part
    outside = (front.compare("lt", length, front.number(0)), front.compare("gt", length, front.number(MOST_COUNTED)))
    front.raise_if(front.compute("or", *outside), BEYOND)
    return Axis(length, MOST_COUNTED, None, 0)


# Of what is known.


def _of_constants(called: Any, *tries: Callable[[np.random.Generator], tuple[Any, ...]]) -> None:
    """A function whose arguments must all be known."""

    @built(called, folds=False, tries=tries)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        what = f"an argument of np.{called.__name__}"
        given = [arrays.known(term, what) for term in terms]
        options = {name: arrays.known(term, what) for name, term in named.items()}
        made = arrays.answer(front, lambda: called(*given, **options))
        return arrays.copied(front, arrays.table_of(front, made))


_of_constants(np.eye, lambda rng: (3,), lambda rng: (2, 4, 1))
_of_constants(np.identity, lambda rng: (3,))
_of_constants(np.tri, lambda rng: (3,))
_of_constants(np.indices, lambda rng: ((2, 3),))
_of_constants(np.logspace, lambda rng: (0, 2, 5))
_of_constants(np.geomspace, lambda rng: (1, 100, 5))
for _window in (np.hanning, np.hamming, np.bartlett, np.blackman):
    _of_constants(_window, lambda rng: (int(rng.integers(6)),))


@built(np.fromfunction, folds=False, tries=(lambda rng: (np.add, (2, 3)),))
def _fromfunction(front: FrontEnd, function: Term, shape: Term, *, dtype: Term = OF_FLOATS) -> Term:
    lengths: Any = arrays.lengths(front, shape, "the shape of an array")
    kind: Any = arrays.given_dtype(front, dtype)
    grid = arrays.answer(front, lambda: np.indices(lengths, kind))
    each = [arrays.copied(front, arrays.table_of(front, np.ascontiguousarray(one))) for one in grid]
    return call(front, function, each, {})


@built(np.linspace, folds=False, tries=(lambda rng: (any_number(rng, "f"), any_number(rng, "f"), one_of(rng, 1, 5)),))
def _linspace(front: FrontEnd, start: Term, stop: Term, num: Term = FIFTY, endpoint: Term = TRUE) -> Term:
    count = front.integer(num, "the number of samples")
    if count < 0:
        front.raise_("ValueError")
    ends = [Term(PYTHON[float], (arrays.number_as(front, one, FLOAT64),)) for one in (start, stop)]
    for one in (start, stop):
        _check_double(one)
    result = arrays.new_plain(front, FLOAT64, (count,))
    if count:
        front.call_function(_spaced, (result, *ends, constant(count), endpoint), {})
    return result


def _check_double(term: Term) -> None:
    kind = np.result_type(term.value, 1.0) if term.known and arrays.is_number(term) else None
    if not arrays.is_number(term):
        raise NeedsConstant("np.linspace between arrays is not in the language")
    if (kind or getattr(term.type, "dtype", FLOAT64)) in (np.dtype(np.float32), np.dtype(np.float16)):
        raise Refused("np.linspace of float32 is not in the language", "write float(...) around the ends")


def _spaced(result: Any, start: Any, stop: Any, num: Any, endpoint: Any) -> None:
    steps = num - 1 if endpoint else num
    span = stop - start
    for k in range(num):
        at = float(k)
        if steps <= 0:
            result[k] = at * span + start
        elif span / steps == 0.0:
            result[k] = at / steps * span + start
        else:
            result[k] = at * (span / steps) + start
    if endpoint and num > 1:
        result[num - 1] = stop


# Back to numbers of Python.


@built(np.ndarray.item, folds=False, tries=(lambda rng: (np.array([any_number(rng, "f")]),),))
def _item(front: FrontEnd, a: Term, *index: Term) -> Term:
    array = arrays.as_array(front, a)
    kind = arrays.array_type(array)
    if not index and kind.size != 1:
        front.raise_("ValueError")
    if index:
        place = index[0] if len(index) == 1 else call(front, constant(tuple_of_all), index, {})
        array = front.operate(np.ravel, array) if len(index) == 1 and len(kind.shape) != 1 else array
        return python_number(front, front.operate(operator.getitem, array, place))
    return python_number(front, arrays.item_of(front, array, [0] * len(kind.shape)))


def tuple_of_all(*items: Any) -> Any:
    """Returns its arguments."""
    return items


def python_number(front: FrontEnd, term: Term) -> Term:
    """Returns a number of NumPy as one of Python."""
    kind = {"b": bool, "f": float}.get(np.dtype(getattr(term.type, "dtype", FLOAT64)).kind, int)
    return front.operate(kind, term)


@built(np.ndarray.tolist, folds=False, tries=(lambda rng: (any_array(rng),),))
def _tolist(front: FrontEnd, a: Term) -> Term:
    """A list; of a row whose length is found only what can be run over, since a list has a known length."""
    if isinstance(a.type, Bounded) and len(a.type.most) == 1:
        source = arrays.copied(front, a)
        return Term(Iterated("tolist", (source.type,)), source.parts)
    array = arrays.as_array(front, a)
    shape = arrays.array_type(array).shape
    if not shape:
        return python_number(front, arrays.item_of(front, array, ()))
    rows = [front.operate(operator.getitem, array, constant(k)) for k in range(shape[0])]
    if len(shape) == 1:
        return front.allocate([python_number(front, row) for row in rows], list)
    return front.allocate([_tolist(front, row) for row in rows], list)
