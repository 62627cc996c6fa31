"""Shapes of arrays: their attributes, views of another shape, and arrays put together."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import AnyArray, Index, array_type
from palaestra.language.operations.drawing import any_array, array_like, some_dtype
from palaestra.language.operations.drawing import arrays as drawn
from palaestra.language.operations.table import REFUSED, built, written
from palaestra.language.program import INT64, Value
from palaestra.language.types import Array, Bounded, Number, Reference, Term, Tuple, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, FALSE, TRUE, ZERO, ONE, BOTH = map(constant, (None, False, True, 0, 1, (0, 1)))
C_ORDER, WITH_CONSTANT, XY = map(constant, ("C", "constant", "xy"))
MATRIX = (drawn(),)


def _attribute(name: str, *called: Any) -> None:
    @built(*called, folds=False, tries=MATRIX)
    def build(front: FrontEnd, a: Term) -> Term:
        if arrays.is_number(a):
            return constant(getattr(np.zeros(()), name))
        array = arrays.open_array(front, a)
        lengths, example = arrays.lengths_of(array), arrays.example_of(arrays.kind_of(array).whole)
        if name == "shape":
            return tuple_of(map(arrays.int_of, lengths))
        if name in ("size", "nbytes"):
            return arrays.int_of(arrays.size_of(front, [*lengths, example.itemsize if name == "nbytes" else 1]))
        return constant(getattr(example, name))


for _name in ("shape", "ndim", "size", "dtype", "itemsize", "nbytes"):
    _attribute(_name, vars(np.ndarray)[_name], *([getattr(np, _name)] if _name in ("shape", "ndim", "size") else []))


# Views.


def _reshaped(front: FrontEnd, array: Term, function: Callable[[AnyArray], AnyArray]) -> Term:
    """What NumPy makes a view where it can, and else a copy in C's order."""
    kind = array_type(array)
    example = arrays.example_of(kind)
    made = arrays.answer(front, lambda: function(example))
    if np.may_share_memory(made, example) or not made.size:
        return arrays.view(front, array, function)
    return arrays.view(front, arrays.copied(front, array, "C"), function)


def _shape(front: FrontEnd, terms: Sequence[Term]) -> tuple[int, ...]:
    if len(terms) == 1:
        return arrays.lengths(front, terms[0], "a shape")
    return tuple(front.integer(one, "a length") for one in terms)


@built(np.reshape, tries=(lambda rng: (any_array(rng, shape=(2, 3)), (3, -1)),))
def _reshape(front: FrontEnd, a: Term, shape: Term, order: Term = C_ORDER) -> Term:
    return _to_shape(front, a, (shape,), order)


@built(np.ndarray.reshape, tries=(lambda rng: (any_array(rng, shape=(2, 3)), 3, 2),))
def _reshape_method(front: FrontEnd, a: Term, *shape: Term, order: Term = C_ORDER) -> Term:
    return _to_shape(front, a, shape, order)


def _to_shape(front: FrontEnd, a: Term, shape: Sequence[Term], order: Term) -> Term:
    if order != C_ORDER:
        raise Refused("reshape() with an order is not in the language", "transpose before and after")
    lengths = _shape(front, shape)
    return _reshaped(front, arrays.as_array(front, a), lambda one: one.reshape(lengths))


@built(np.ravel, np.ndarray.ravel, tries=MATRIX)
def _ravel(front: FrontEnd, a: Term, order: Term = C_ORDER) -> Term:
    layout = arrays.known(order, "an order")
    if isinstance(a.type, Bounded) and len(a.type.most) == 1:
        return a if a.type.whole.contiguous else arrays.copied(front, a)
    array = arrays.as_array(front, a)
    if layout == "K":
        array, layout = memory_order(front, array), "C"
    if layout != "C":
        raise Refused("ravel() with an order is not in the language", "write a.T.ravel()")
    return _reshaped(front, array, lambda one: one.ravel())


def memory_order(front: FrontEnd, array: Term) -> Term:
    """Returns an array with its axes in the order in which its items lie in memory."""
    strides = array_type(array).strides
    axes = sorted(range(len(strides)), key=lambda axis: -abs(strides[axis]))
    return arrays.view(front, array, lambda one: one.transpose(axes))


@built(np.ndarray.flatten, tries=MATRIX)
def _flatten(front: FrontEnd, a: Term, order: Term = C_ORDER) -> Term:
    if order != C_ORDER:
        raise Refused("flatten() with an order is not in the language", "write a.T.flatten()")
    return front.operate(np.ravel, arrays.copied(front, arrays.open_array(front, a), "C"))


def _known_view(*called: Any, tries: tuple[Any, ...] = MATRIX) -> None:
    """A function or method whose arguments beside the array are known, and whose result is a view."""

    @built(*called, tries=tries)
    def build(front: FrontEnd, a: Term, *terms: Term, **named: Term) -> Term:
        given = [_argument(front, term) for term in terms]
        options = {name: _argument(front, term) for name, term in named.items()}
        function = called[0]
        if not callable(function):  # an attribute such as `T`
            return arrays.view(front, arrays.as_array(front, a), lambda one: function.__get__(one))
        array = arrays.as_array(front, a)
        made = arrays.answer(front, lambda: function(arrays.example_of(array_type(array)), *given, **options))
        if not isinstance(made, np.ndarray):  # what is left of an array of no axis
            return arrays.item_of(front, array, ())
        return arrays.view(front, array, lambda one: function(one, *given, **options))


def _argument(front: FrontEnd, term: Term) -> Any:
    return term.value if term.known else arrays.lengths(front, term, "an argument")


_known_view(vars(np.ndarray)["T"])
_known_view(np.transpose)
_known_view(np.ndarray.transpose)
_known_view(np.swapaxes, tries=(lambda rng: (any_array(rng, shape=(2, 3, 1)), 0, -1),))
_known_view(np.ndarray.swapaxes, tries=(lambda rng: (any_array(rng, shape=(2, 3, 1)), 0, -1),))
_known_view(np.moveaxis, tries=(lambda rng: (any_array(rng, shape=(2, 3, 1)), 0, -1),))
_known_view(np.squeeze, tries=MATRIX)
_known_view(np.ndarray.squeeze)
_known_view(np.expand_dims, tries=(lambda rng: (any_array(rng, shape=(2, 3)), -1),))
_known_view(np.broadcast_to, tries=(lambda rng: (any_array(rng, shape=(2, 1)), (3, 2, 4)),))
_known_view(np.flipud, tries=(lambda rng: (any_array(rng, shape=(2, 3)),),))
_known_view(np.fliplr, tries=(lambda rng: (any_array(rng, shape=(2, 3)),),))
_known_view(np.diagonal, tries=(lambda rng: (any_array(rng, shape=(3, 3)),),))
_known_view(np.ndarray.diagonal)
_known_view(np.atleast_1d)
_known_view(np.atleast_2d)
_known_view(np.atleast_3d, tries=MATRIX)
_known_view(np.rollaxis, tries=(lambda rng: (any_array(rng, shape=(2, 3, 1)), 2),))
_known_view(np.matrix_transpose, tries=(lambda rng: (any_array(rng, shape=(2, 3)),),))
_known_view(np.linalg.matrix_transpose)
_known_view(vars(np.ndarray)["mT"], tries=(lambda rng: (any_array(rng, shape=(2, 3)),),))
_known_view(vars(np.ndarray)["real"], np.real, tries=MATRIX)


@built(vars(np.ndarray)["imag"], np.imag, folds=False, tries=MATRIX)
def _imaginary(front: FrontEnd, val: Term) -> Term:
    return front.operate(np.zeros_like, arrays.as_array(front, val))


@built(np.ndarray.conj, np.ndarray.conjugate, folds=False, tries=MATRIX)
def _conjugate(front: FrontEnd, a: Term) -> Term:
    return arrays.as_array(front, a)


def one_of_views(front: FrontEnd, number: Term, count: int, view: Callable[[int], Term]) -> Term:
    """Returns what is written for an int of 0..count-1 that is found when the program runs."""

    def rest(k: int) -> Term:
        if k == count - 1:
            return view(k)
        is_k = front.compare("eq", front.materialized(number).part, front.number(k))
        return front.branch(is_k, lambda: view(k), lambda: rest(k + 1))

    return rest(0)


def _is_found(front: FrontEnd, number: Term) -> bool:
    return isinstance(number.type, Number) and not front.is_size(number)


@built(
    np.rot90,
    tries=(
        lambda rng: (any_array(rng, shape=(2, 3)), int(rng.integers(-5, 6))),
        lambda rng: (any_array(rng, shape=(2, 3, 2)), 1, (2, 0)),
    ),
)
def _rot90(front: FrontEnd, m: Term, k: Term = ONE, axes: Term = BOTH) -> Term:
    array, plane = arrays.as_array(front, m), cast("tuple[int, int]", arrays.lengths(front, axes, "an axis"))
    if not _is_found(front, k):
        turns = front.integer(k, "how often")
        return arrays.view(front, array, lambda one: np.rot90(one, turns, plane))
    turn = front.operate(operator.mod, front.operate(operator.index, k), constant(4))
    return one_of_views(front, turn, 4, lambda n: arrays.view(front, array, lambda one: np.rot90(one, n, plane)))


@built(np.flip, tries=(*MATRIX, lambda rng: (any_array(rng, shape=(2, 3)), int(rng.integers(-3, 3)))))
def _flip(front: FrontEnd, m: Term, axis: Term = NONE) -> Term:
    array = arrays.as_array(front, m)
    if not array_type(array).shape and axis == NONE:
        return arrays.item_of(front, array, ())
    if not _is_found(front, axis):
        along = None if axis == NONE else arrays.lengths(front, axis, "an axis")
        return arrays.view(front, array, lambda one: np.flip(one, along))
    ndim = len(array_type(array).shape)
    at = _axis_of(front, axis, ndim)
    return one_of_views(front, at, ndim, lambda n: arrays.view(front, array, lambda one: np.flip(one, n)))


def _axis_of(front: FrontEnd, axis: Term, ndim: int) -> Term:
    """An axis that is found when the program runs, from 0 on."""
    at = front.operate(operator.index, axis)
    outside = [
        front.compare(comparison, at.part, front.number(end)) for comparison, end in (("lt", -ndim), ("ge", ndim))
    ]
    front.raise_if(front.compute("or", *outside), "AxisError")
    return front.operate(operator.mod, at, constant(ndim))


@written(np.diag, tries=(lambda rng: (any_array(rng, shape=(3, 3)),), lambda rng: (any_array(rng, shape=(2,)), 1)))
def _diag(v: Any, k: Any = 0) -> Any:
    a = np.asarray(v)
    if a.ndim == 2:
        return np.diagonal(a, k)
    n = a.shape[0] + abs(k)
    result = np.zeros((n, n), a.dtype)
    for i in range(a.shape[0]):
        result[i + max(-k, 0), i + max(k, 0)] = a[i]
    return result


_SQUARES = (lambda rng: (any_array(rng, shape=(3, 3)),), lambda rng: (any_array(rng, shape=(2, 2, 3)),))


@written(np.trace, np.ndarray.trace, tries=_SQUARES)
def _trace(a: Any, offset: Any = 0) -> Any:
    return np.sum(np.diagonal(a, offset), -1)


@written(np.linalg.trace, tries=_SQUARES)
def _trace_of_last(x: Any, *, offset: Any = 0) -> Any:
    return np.sum(np.diagonal(x, offset, -2, -1), -1)


@written(np.diagflat, tries=(lambda rng: (any_array(rng, shape=(2, 2)),), lambda rng: (any_array(rng, shape=(2,)), -1)))
def _diagflat(v: Any, k: Any = 0) -> Any:
    return np.diag(np.ravel(v), k)


@built(
    np.broadcast_arrays, folds=False, tries=(lambda rng: (any_array(rng, shape=(3, 1)), any_array(rng, shape=(2,))),)
)
def _broadcast_arrays(front: FrontEnd, *args: Term) -> Term:
    each = [arrays.as_array(front, one) for one in args]
    shape = arrays.answer(front, lambda: np.broadcast_shapes(*[array_type(one).shape for one in each]))
    views = [arrays.view(front, one, lambda of: np.broadcast_to(of, shape)) for one in each]
    return tuple_of(views) if isinstance(np.broadcast_arrays(0), tuple) else front.allocate(views, list)


@built(
    np.meshgrid,
    folds=False,
    tries=(
        lambda rng: (any_array(rng, shape=(2,)), any_array(rng, shape=(3,))),
        lambda rng: (any_array(rng, shape=(2,)), 1.5, any_array(rng, shape=(2,))),
    ),
)
def _meshgrid(front: FrontEnd, *xi: Term, copy: Term = TRUE, sparse: Term = FALSE, indexing: Term = XY) -> Term:
    rows = [front.operate(np.ravel, arrays.as_array(front, one)) for one in xi]
    how = arrays.known(indexing, "indexing=")
    if copy != TRUE or sparse != FALSE:
        raise Refused("np.meshgrid with copy= or sparse= is not in the language", "use np.ix_")
    examples = [arrays.example_of(array_type(one)) for one in rows]
    made = arrays.answer(front, lambda: np.meshgrid(*examples, indexing=how))
    order = [1, 0, *range(2, len(rows))] if how == "xy" and len(rows) > 1 else [*range(len(rows))]
    keys = [tuple(slice(None) if k == at else None for k in range(len(rows))) for at in order]
    grids = [
        arrays.copied(front, arrays.view(front, row, lambda of, key=key: np.broadcast_to(of[key], made[0].shape)), "C")  # type: ignore[misc]
        for row, key in zip(rows, keys, strict=True)
    ]
    return tuple_of(grids) if isinstance(made, tuple) else front.allocate(grids, list)


# Put together.


def _joined(front: FrontEnd, terms: Sequence[Term], axis: int, dtype: Any) -> Term:
    examples = [arrays.example_of(array_type(one)) for one in terms]
    made = arrays.answer(front, lambda: np.concatenate(examples, axis, dtype=dtype))
    result = arrays.new(front, arrays.type_like(made))
    at = 0
    for one in terms:
        length = array_type(one).shape[axis]
        key = (slice(None),) * (axis % made.ndim) + (slice(at, at + length),)
        arrays.assign(front, arrays.view(front, result, lambda of, key=key: of[key]), one)  # type: ignore[misc]
        at += length
    return result


@built(np.concatenate, folds=False, tries=(lambda rng: ((any_array(rng, shape=(3,)), any_array(rng, shape=(2,))),),))
def _concatenate(front: FrontEnd, arrays_: Term, axis: Term = ZERO, *, dtype: Term = NONE) -> Term:
    return arrays.split_items(front, arrays_, lambda one: _concatenated(front, one, axis, dtype))


def _concatenated(front: FrontEnd, arrays_: Term, axis: Term, dtype: Term) -> Term:
    terms = arrays.items_as_arrays(front, arrays_)
    if axis == NONE:
        return _joined(front, [front.operate(np.ravel, one) for one in terms], 0, arrays.given_dtype(front, dtype))
    at = front.integer(axis, "an axis")
    ndim = min((len(array_type(one).shape) for one in terms), default=0)
    if not -ndim <= at < ndim:
        front.raise_("AxisError" if ndim else "ValueError")
    return _joined(front, terms, at, arrays.given_dtype(front, dtype))


def _stacked(called: Any, prepare: Callable[[AnyArray], AnyArray], axis: Callable[[int], int]) -> None:
    """One of NumPy's functions that give arrays a shape and concatenate them."""
    tries = (lambda rng: ((array_like(rng, some_dtype(rng), (3,)), array_like(rng, some_dtype(rng), (3,))),),)

    @built(called, folds=False, tries=tries)
    def build(front: FrontEnd, tup: Term) -> Term:
        return arrays.split_items(front, tup, lambda one: _stacked_up(front, one))

    def _stacked_up(front: FrontEnd, tup: Term) -> Term:
        terms = [arrays.view(front, one, prepare) for one in arrays.items_as_arrays(front, tup)]
        if not terms:
            front.raise_("ValueError")
        return _joined(front, terms, axis(len(array_type(terms[0]).shape)), None)


_stacked(np.vstack, np.atleast_2d, lambda ndim: 0)
_stacked(np.hstack, np.atleast_1d, lambda ndim: 0 if ndim == 1 else 1)
_stacked(np.column_stack, lambda one: one if one.ndim > 1 else one.reshape(-1, 1), lambda ndim: 1)
_stacked(np.dstack, np.atleast_3d, lambda ndim: 2)


@built(np.stack, folds=False, tries=(lambda rng: ((any_array(rng, shape=(3,)), any_array(rng, shape=(3,))), -1),))
def _stack(front: FrontEnd, arrays_: Term, axis: Term = ZERO) -> Term:
    terms = arrays.items_as_arrays(front, arrays_)
    if len({array_type(one).shape for one in terms}) != 1:
        front.raise_("ValueError")
    at = front.integer(axis, "an axis")
    ndim = len(array_type(terms[0]).shape) + 1
    return _joined(
        front, [arrays.view(front, one, lambda of: np.expand_dims(of, at)) for one in terms], at % ndim, None
    )


@written(np.append, tries=(lambda rng: (any_array(rng, shape=(3,)), any_array(rng, shape=(2,))),))
def _append(arr: Any, values: Any, axis: Any = None) -> Any:
    if axis is None:
        return np.concatenate((np.ravel(arr), np.ravel(values)))
    return np.concatenate((arr, values), axis)


# In brackets: `np.r_[...]` and `np.c_[...]`.


@built((operator.getitem, "joined"), folds=False)
def _in_brackets(front: FrontEnd, container: Term, index: Term) -> Term:
    parts = items_of(front, index) if isinstance(index.type, Tuple) and index.type.of is tuple else [index]
    if parts is None or any(not (arrays.is_number(one) or isinstance(one.type, Array | Reference)) for one in parts):
        raise Refused("this in brackets behind np.r_ or np.c_ is not in the language", "use np.concatenate")
    each = [front.operate(np.atleast_1d, arrays.as_array(front, one)) for one in parts]
    if container.value is np.c_:
        each = [front.operate(np.reshape, one, constant(_as_columns(array_type(one).shape))) for one in each]
    examples = [arrays.example(front, one) if arrays.is_number(one) else arrays.as_array(front, one) for one in parts]
    kinds = [arrays.example_of(array_type(one)) if isinstance(one, Term) else one for one in examples]
    dtype = np.result_type(*kinds)
    return front.operate(
        np.concatenate, tuple_of(each), constant(0 if container.value is np.r_ else -1), dtype=constant(dtype)
    )


def _as_columns(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape, 1) if len(shape) == 1 else shape


# Items moved.


def gathered(front: FrontEnd, array: Term, made: AnyArray, source: Callable[[Index], Index]) -> Term:
    """Returns a new array like `made`, whose items are those of another array at the places that `source` gives."""
    result = arrays.new(front, arrays.type_like(made))
    shape = array_type(result).shape
    arrays.each(
        front, shape, lambda index: arrays.store(front, result, index, arrays.load(front, array, source(index)))
    )
    return result


def _repeating(called: Any, *tries: Any) -> None:
    """A function with known arguments that repeats or moves items: NumPy says which, by the numbers of items."""

    @built(*called, tries=tries)
    def build(front: FrontEnd, a: Term, *terms: Term, **named: Term) -> Term:
        array = arrays.as_array(front, a)
        given = [_argument(front, term) for term in terms]
        options = {name: _argument(front, term) for name, term in named.items()}
        kind = array_type(array)
        numbers = np.arange(kind.size).reshape(kind.shape)
        moved = arrays.answer(front, lambda: called[0](numbers, *given, **options))
        made = called[0](arrays.example_of(kind), *given, **options)
        return picked(front, array, made, moved)


def picked(front: FrontEnd, array: Term, made: AnyArray, moved: AnyArray) -> Term:
    """Returns a new array like `made`, of the items with some numbers."""
    if moved.size and not array_type(array).size:
        raise Refused("an array without items is repeated")
    shape = array_type(array).shape
    if moved.size <= arrays.UNROLLED:
        return gathered(
            front,
            array,
            made,
            lambda index: [int(k) for k in np.unravel_index(moved[tuple(map(int, index))], shape)],  # type: ignore[arg-type]
        )
    flat = arrays.table_of(front, np.ascontiguousarray(moved.astype(np.int64)))
    source = _ravel(front, array)

    def number(index: Index) -> Index:
        value: Value = arrays.load(front, flat, index)
        return (value,)

    return gathered(front, source, made, number)


_repeating((np.tile,), lambda rng: (any_array(rng, shape=(2, 2)), (2, 1)))
_repeating((np.repeat, np.ndarray.repeat), lambda rng: (any_array(rng, shape=(2, 2)), 2, 1))
_repeating((np.resize,), lambda rng: (any_array(rng, shape=(3,)), (2, 2)))


@built(
    np.roll,
    tries=(
        lambda rng: (any_array(rng, shape=(3, 2)), 1),
        lambda rng: (any_array(rng, shape=(3, 2)), -1, int(rng.integers(-3, 3))),
    ),
)
def _roll(front: FrontEnd, a: Term, shift: Term, axis: Term = NONE) -> Term:
    array = arrays.as_array(front, a)
    if _is_found(front, axis) and array_type(array).shape:
        ndim = len(array_type(array).shape)
        at = _axis_of(front, axis, ndim)
        return one_of_views(front, at, ndim, lambda n: front.operate(np.roll, array, shift, constant(n)))
    if shift.known or not arrays.is_number(shift):
        given = _argument(front, shift)
        along = None if axis == NONE else _argument(front, axis)
        kind = array_type(array)
        numbers = np.arange(kind.size).reshape(kind.shape)
        moved = arrays.answer(front, lambda: np.roll(numbers, given, along))
        return picked(front, array, np.roll(arrays.example_of(kind), given, along), moved)
    return _roll_by(front, array, shift, axis)


def _roll_by(front: FrontEnd, array: Term, shift: Term, axis: Term) -> Term:
    """A shift that is not known: each item is that of a number of the program."""
    shape = array_type(array).shape
    if axis == NONE:
        flat = _roll_by(front, _ravel(front, array), shift, ZERO)
        return arrays.view(front, flat, lambda one: one.reshape(shape))
    at = front.integer(axis, "an axis")
    if not -len(shape) <= at < len(shape):
        front.raise_("AxisError")
    at, made = at % len(shape), np.empty_like(arrays.example_of(array_type(array)))
    if not made.size:
        return arrays.copied(front, array)
    length = front.number(shape[at])
    value = front.operate(operator.mod, front.operate(int, shift), constant(shape[at])).part

    def source(index: Index) -> Index:
        k = index[at]
        one = front.compute("sub", front.number(k) if isinstance(k, int) else k, value)
        below = front.compare("lt", one, front.number(0))
        one = front.emit("select", INT64, below, front.compute("add", one, length), one)
        return [*index[:at], one, *index[at + 1 :]]

    return gathered(front, array, made, source)


@built(np.pad, folds=False, tries=(lambda rng: (any_array(rng, shape=(3, 2)), 1),))
def _pad(
    front: FrontEnd, array: Term, pad_width: Term, mode: Term = WITH_CONSTANT, *, constant_values: Term = ZERO
) -> Term:
    source = arrays.as_array(front, array)
    kind, width = array_type(source), _widths(front, pad_width)
    how = arrays.known(mode, "a mode")
    if how != "constant":
        numbers = np.arange(kind.size).reshape(kind.shape)
        moved = arrays.answer(front, lambda: np.pad(numbers, width, how))
        if how not in ("edge", "wrap", "reflect", "symmetric"):
            raise Refused(f"np.pad with the mode {how!r} is not in the language")
        return picked(front, source, np.pad(arrays.example_of(kind), width, how), moved)
    if not arrays.is_number(constant_values):
        raise Refused("np.pad with several constants is not in the language")
    made = arrays.answer(front, lambda: np.pad(arrays.example_of(kind), width))
    result = arrays.new(front, arrays.type_like(made))
    arrays.assign(front, result, constant_values)
    begins = np.broadcast_to(np.asarray(width), (len(kind.shape), 2))[:, 0]
    key = tuple(slice(int(k), int(k) + n) for k, n in zip(begins, kind.shape, strict=True))
    arrays.assign(front, arrays.view(front, result, lambda one: one[key]), source)
    return result


def _widths(front: FrontEnd, term: Term) -> Any:
    items = None if term.known else items_of(front, term)
    return arrays.known(term, "a width") if items is None else [_widths(front, one) for one in items]


@built(np.trim_zeros, np.extract, folds=False, note=REFUSED)
def _refused(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    raise Refused("the number of items that this finds is not known when the program is compiled", "write a loop")


def _refuse(reason: str, remedy: str, *several: Any) -> None:
    @built(*several, folds=False, note=REFUSED)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        raise Refused(reason, remedy)


_refuse(
    "the bytes of an array are no object of the language",
    "use tuple(a.tolist()), or a number made of the items",
    np.ndarray.tobytes,
    np.ndarray.view,
)
_refuse(
    "the order of the items that a partition gives is not defined",
    "use np.sort or np.argsort",
    *(np.partition, np.argpartition, np.ndarray.partition, np.ndarray.argpartition),
)
_refuse("np.vectorize calls a function for each item", "write a loop, or the function with arrays", np.vectorize)
