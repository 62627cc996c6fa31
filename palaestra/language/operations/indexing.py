"""Items and parts of arrays: by ints, slices, None, Ellipsis, arrays of ints, and masks.

Parts by ints and slices are views. An index with arrays makes a copy; NumPy's rule where the axes of such arrays go is
found by an example.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.building import NOTHING
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, bounded_parts
from palaestra.language.operations.arrays import Index, array_type
from palaestra.language.operations.bounded_arrays import as_array, axes_of
from palaestra.language.operations.drawing import any_array
from palaestra.language.operations.sequences import Slice
from palaestra.language.operations.table import built
from palaestra.language.program import BOOL, INT64, Set, Slot, Value
from palaestra.language.types import Array, Bounded, Either, Number, Reference, Term, Tuple, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


NONE = constant(None)


@dataclass
class Located:
    """A part of an array: the view without what is not known, and the arrays of ints that choose along its axes.

    Attributes:
        base: The view; an axis that an array chooses from is whole in it.
        chosen: The axes of `base` that are chosen from, with arrays of int64 (or numbers, of no axis).
        kind: The type of the part as NumPy gives it: a new array if something is chosen.
        is_item: Whether the part is a number.
    """

    base: Term
    chosen: list[tuple[int, Term]]
    kind: Array
    is_item: bool = False


def located(front: FrontEnd, array: Term, parts: list[Any]) -> Located:
    """Returns the part of an array at an index; the program raises IndexError where NumPy does."""
    if any(map(_is_fancy, parts)):
        return _chosen(front, array, parts)
    return _viewed(front, array, parts)


def _parts(front: FrontEnd, index: Term) -> list[Any]:
    """The parts of an index: ints, slices, None and Ellipsis as they are, arrays and ints of the program as terms."""
    is_tuple = isinstance(index.type, Tuple) and index.type.of is not Slice
    if is_tuple or (index.known and isinstance(index.value, tuple)):
        return [_part(front, one) for one in items_of(front, index) or ()]
    return [_part(front, index)]


def _part(front: FrontEnd, term: Term) -> Any:
    if isinstance(term.type, Either):
        term = front.each_option(term, lambda one: _number_of(front, one))
    if term.known and (term.value is None or term.value is Ellipsis or isinstance(term.value, slice)):
        return term.value
    if isinstance(term.type, Tuple) and term.type.of is Slice:
        return bounded_parts.cut_of(front, term)
    if term.known and isinstance(term.value, (bool, np.bool_)):
        raise Refused("a bool as an index is not in the language")
    if term.known and hasattr(term.value, "__index__") and not isinstance(term.value, np.ndarray):
        return int(term.value.__index__())
    if isinstance(term.type, Number):
        return _dynamic(front, term)
    if isinstance(term.type, (Reference, Tuple)) or (term.known and isinstance(term.value, (list, tuple, range))):
        term = _listed(front, term)
    if isinstance(term.type, Bounded):
        return term
    if not arrays.is_array(term):
        front.raise_("IndexError")
    return _of_array(front, arrays.as_array(front, term), term)


def _number_of(front: FrontEnd, option: Term) -> Term:
    """A part that may be an int of Python or of NumPy."""
    number = front.materialized(option)
    if not isinstance(number.type, Number):
        raise Refused(f"an index has a part that may be {option.type}", "write int(...) around it")
    return _dynamic(front, number)


def _listed(front: FrontEnd, term: Term) -> Term:
    """A list as an index: an array, which is known if its items are."""
    items = items_of(front, term) or []
    if all(item.known for item in items):
        return constant(np.array([item.value for item in items], None if items else np.intp))
    return arrays.array_of(front, term)


def _dynamic(front: FrontEnd, term: Term) -> Term:
    assert isinstance(term.type, Number)
    if term.type.dtype.kind == "b":
        raise Refused("a bool as an index is not in the language", "write int(...) around it")
    if term.type.dtype.kind == "f":
        front.raise_("IndexError")
    return Term(Number(INT64), (front.convert(term.part, INT64),))


def _of_array(front: FrontEnd, array: Term, term: Term) -> Any:
    kind = array_type(array)
    if kind.dtype.kind == "f" and kind.size:
        front.raise_("IndexError")
    return term.value if kind.dtype.kind == "b" and term.known else array


def _is_fancy(part: Any) -> bool:
    return isinstance(part, np.ndarray) or (isinstance(part, Term) and isinstance(part.type, Array))


def _axes(part: Any) -> int:
    """How many axes a part of an index is for."""
    if part is None:
        return 0
    if bounded_parts.is_mask(part):
        return len(axes_of(part))
    return part.ndim if isinstance(part, np.ndarray) else 1


def _spread(front: FrontEnd, array: Term, index: Term) -> list[Any]:
    """The parts of an index with whole slices instead of the Ellipsis, for all axes."""
    parts, ndim = _parts(front, index), len(axes_of(array))
    dots = [k for k, part in enumerate(parts) if part is Ellipsis]
    missing = ndim - sum(_axes(part) for part in parts if part is not Ellipsis)
    if len(dots) > 1 or missing < 0:
        front.raise_("IndexError")
    at = dots[0] if dots else len(parts)
    return [*parts[:at], *([slice(None)] * missing), *([_Dots()] if dots else []), *parts[at + 1 :]]


class _Dots:
    """An Ellipsis that stands for no axis any more, but makes a view of an item."""


def _viewed(front: FrontEnd, array: Term, parts: list[Any]) -> Located:
    """A part by ints, slices and None."""
    kind = array_type(array)
    axis, place, index = 0, array.part, list[Any]()
    for part in parts:
        if isinstance(part, Term):
            at = normal(front, part.part, kind.shape[axis])
            place = arrays.further(front, place, front.compute("mul", at, front.number(kind.strides[axis])))
            part = 0
        index.append(part)
        axis += _axes(part) if not isinstance(part, _Dots) else 0
    key = tuple(part for part in index if not isinstance(part, _Dots))
    seen = arrays.view(front, Term(kind, (place,)), lambda one: one[(*key, ...)])
    is_item = not any(isinstance(part, (slice, _Dots)) or part is None for part in index)
    return Located(seen, [], array_type(seen), is_item)


def normal(front: FrontEnd, at: Value, length: int) -> Value:
    """Returns an index, which may be negative, from the begin; the program raises IndexError if it is outside."""
    if length == 0:
        front.raise_("IndexError")
    return bounded_parts.normal(front, at, front.number(length))


def _chosen(front: FrontEnd, array: Term, parts: list[Any]) -> Located:
    """A part by arrays of ints, which may stand beside ints, slices and None."""
    whole: list[Any] = []
    chosen: list[tuple[int, Term]] = []
    examples: list[Any] = []
    axis = 0
    for part in parts:
        if isinstance(part, _Dots):
            examples.append(part)
            continue
        if isinstance(part, slice) or part is None:
            whole.append(part)
            examples.append(part)
            axis += 1
            continue
        for one in _choices(front, part):
            whole.append(slice(None))
            chosen.append((axis, one))
            examples.append(np.zeros((), np.intp) if isinstance(one.type, Number) else _zeros(one))
            axis += 1
    base = arrays.view(front, array, lambda one: one[tuple(whole)])
    key = tuple(Ellipsis if isinstance(part, _Dots) else part for part in examples)
    example = arrays.example_of(array_type(array))
    return Located(base, chosen, arrays.type_like(arrays.answer(front, lambda: example[key])))


def _zeros(index: Term) -> Any:
    kind = array_type(index)
    return arrays.example_of(Array(kind.dtype, kind.shape, kind.strides))


def _choices(front: FrontEnd, part: Any) -> list[Term]:
    """The arrays of ints of a part: several of a mask that is known."""
    if isinstance(part, np.ndarray):
        return [arrays.table_of(front, one) for one in part.nonzero()]
    if isinstance(part, int):
        return [Term(Number(INT64), (front.number(part),))]
    return [part]


def each_place(front: FrontEnd, part: Located, write: Callable[[Index, Value], None]) -> None:
    """Write something for each item of a part, given its numbers in the part, and its address."""
    shapes = [array_type(one).shape if isinstance(one.type, Array) else () for _, one in part.chosen]
    shape = arrays.answer(front, lambda: np.broadcast_shapes(*shapes))
    axes = [axis for axis, _ in part.chosen]
    others = [axis for axis in range(len(array_type(part.base).shape)) if axis not in axes]
    first = _first_axis(part, others, shape)

    def item(index: Index) -> None:
        at: list[Value | int] = [0] * len(array_type(part.base).shape)
        rest = [*index[:first], *index[first + len(shape) :]]
        for axis, one in zip(others, rest, strict=True):
            at[axis] = one
        for axis, term in part.chosen:
            number = _number(front, term, index[first : first + len(shape)], shape)
            at[axis] = normal(front, number, array_type(part.base).shape[axis])
        write(index, arrays.place_of(front, part.base, at))

    arrays.each(front, part.kind.shape, item)


def _number(front: FrontEnd, term: Term, index: Index, shape: tuple[int, ...]) -> Value:
    if isinstance(term.type, Number):
        return term.part
    return front.convert(arrays.load(front, arrays.broadcast(front, term, shape), index), INT64)


def _first_axis(part: Located, others: Sequence[int], shape: tuple[int, ...]) -> int:
    """Where the axes of the arrays of ints begin in the part: NumPy puts them where they stood, or first."""
    lengths = array_type(part.base).shape
    axes = sorted(axis for axis, _ in part.chosen)
    adjacent = axes == list(range(axes[0], axes[0] + len(axes)))
    here = sum(axis < axes[0] for axis in others)
    kept = tuple(lengths[axis] for axis in others)
    return here if adjacent and part.kind.shape == (*kept[:here], *shape, *kept[here:]) else 0


# Reading.


@built(
    (operator.getitem, "array"),
    tries=(lambda rng: (any_array(rng, shape=(4, 3)), (int(rng.integers(-5, 5)), slice(None, None, -1))),),
)
def _getitem(front: FrontEnd, array: Term, index: Term) -> Term:
    if not arrays.is_array(array) and not isinstance(array.type, Bounded):
        raise Refused(f"{array.type} has no items in the language")
    source = as_array(front, array)
    parts = _spread(front, source, index)
    if bounded_parts.is_open(source, parts):
        return bounded_parts.read(front, source, parts)
    part = located(front, source, parts)
    if part.is_item:
        return arrays.item_of(front, part.base, ())
    if not part.chosen:
        return part.base
    result = arrays.new(front, part.kind)

    def read(at: Index, place: Value) -> None:
        arrays.store(front, result, at, front.emit("load", part.kind.dtype, place))

    each_place(front, part, read)
    return result


@built(
    np.take,
    np.ndarray.take,
    tries=(
        lambda rng: (any_array(rng, shape=(4, 3)), rng.integers(-4, 4, 3), 0),
        lambda rng: (any_array(rng, shape=(4, 3)), rng.integers(-3, 3, (2, 2)), 1),
    ),
)
def _take(front: FrontEnd, a: Term, indices: Term, axis: Term = NONE) -> Term:
    if axis == constant(None):
        return front.operate(operator.getitem, front.operate(np.ravel, a), indices)
    array = arrays.as_array(front, a)
    at = front.integer(axis, "an axis")
    ndim = len(array_type(array).shape)
    if not -ndim <= at < ndim:
        front.raise_("AxisError")
    whole = Term(array.type, array.parts)
    moved = arrays.view(front, whole, lambda one: np.moveaxis(one, at, 0))
    chosen = front.operate(operator.getitem, moved, indices)
    depth = len(array_type(chosen).shape) - ndim + 1 if arrays.is_array(chosen) else 0
    if not arrays.is_array(chosen) or at % ndim == 0:
        return chosen
    axes = list(range(depth))
    back = [at % ndim + k for k in axes]
    return arrays.copied(front, arrays.view(front, chosen, lambda one: np.moveaxis(one, axes, back)), "C")


# Writing.


@built(
    (operator.setitem, "array"),
    folds=False,
    tries=(
        lambda rng: (any_array(rng, "f", (4, 3)), int(rng.integers(-5, 5)), any_array(rng, "f", (3,))),
        lambda rng: (any_array(rng, "f", (4, 3)), rng.integers(-4, 4, 3), any_array(rng, shape=(3,))),
        lambda rng: (any_array(rng, "f", (4, 3)), any_array(rng, "b", (4,)), 2.5),
    ),
    note="floats within the integers",
)
def _setitem(front: FrontEnd, array: Term, index: Term, value: Term) -> Term:
    target = as_array(front, array)
    is_bounded = any(isinstance(one.type, Bounded) for one in (target, value))
    mask = None if is_bounded else _mask_of(front, index)
    if mask is not None:
        arrays.check_writable(front, target)
        _set_masked(front, target, mask, value)
        return constant(None)
    parts = _spread(front, target, index)
    if is_bounded or bounded_parts.is_open(target, parts):
        bounded_parts.change(front, target, parts, value)
        return constant(None)
    arrays.check_writable(front, target)
    part = located(front, target, parts)
    if part.is_item:
        _set_item(front, part.base, value)
    elif not part.chosen:
        arrays.assign(front, part.base, value)
    else:
        _set_chosen(front, part, value)
    return constant(None)


def _set_item(front: FrontEnd, item: Term, value: Term) -> None:
    if not arrays.is_number(value):
        source = arrays.as_array(front, value)
        if array_type(source).size != 1:
            front.raise_("ValueError")
        if array_type(source).shape:
            raise Refused("an array of one item is assigned to an item", "take its item, for example by [0]")
        value = arrays.item_of(front, source, ())
    arrays.store(front, item, (), arrays.number_as(front, value, array_type(item).dtype))


def _set_chosen(front: FrontEnd, part: Located, value: Term) -> None:
    """NumPy looks at all indices first; of those that occur twice the last one stays."""
    dtype = part.kind.dtype
    part.chosen = [(axis, _unlike(front, one, part.base)) for axis, one in part.chosen]
    if arrays.is_number(value):
        number = arrays.number_as(front, value, dtype)

        def write_number(at: Index, place: Value) -> None:
            front.emit("store", None, place, number)

        each_place(front, part, write_number)
        return
    source = arrays.as_array(front, value)
    while len(array_type(source).shape) > len(part.kind.shape) and array_type(source).shape[0] == 1:
        source = arrays.view(front, source, lambda one: one[0, ...])
    source = _unlike(front, arrays.broadcast(front, source, part.kind.shape), part.base)

    def write(at: Index, place: Value) -> None:
        front.emit("store", None, place, arrays.cast(front, arrays.load(front, source, at), dtype))

    each_place(front, part, write)


def _unlike(front: FrontEnd, term: Term, target: Term) -> Term:
    """An array that shares no memory with another one."""
    if not isinstance(term.type, Array) or arrays.are_apart(term, target):
        return term
    return arrays.copied(front, term)


@built((operator.setitem, "masked"), folds=False)
def _change_masked(front: FrontEnd, in_place: Term, array: Term, mask: Term, value: Term) -> Term:
    """`array[mask] += value`: all items are changed, in a copy, and those of the mask are taken from there."""
    if isinstance(array.type, Bounded) or not arrays.is_number(value):
        changed = front.operate(in_place.value, front.operate(operator.getitem, array, mask), value)
        return front.operate(operator.setitem, array, mask, changed)
    target = arrays.as_array(front, array)
    arrays.check_writable(front, target)
    shape = array_type(mask).shape
    if array_type(target).shape[: len(shape)] != shape:
        front.raise_("IndexError")
    changed = arrays.copied(front, target)
    front.operate(in_place.value, changed, value)
    rest = array_type(target).shape[len(shape) :]
    mask = _unlike(front, mask, target)

    def write(at: Index, k: Value) -> None:
        _store_row(front, target, at, rest, lambda index: arrays.load(front, changed, (*at, *index)))

    _each_true(front, mask, write)
    return NONE


def _mask_of(front: FrontEnd, index: Term) -> Term | None:
    """An index that is a mask of the program."""
    if isinstance(index.type, Array) and index.type.dtype == BOOL:
        return index
    return None


def _set_masked(front: FrontEnd, target: Term, mask: Term, value: Term) -> None:
    """`target[mask] = value`."""
    kind, shape = array_type(target), array_type(mask).shape
    if kind.shape[: len(shape)] != shape:
        front.raise_("IndexError")
    mask = _unlike(front, mask, target)
    rest = kind.shape[len(shape) :]
    if arrays.is_number(value):
        number = arrays.number_as(front, value, kind.dtype)
        _each_true(front, mask, lambda at, k: _store_row(front, target, at, rest, lambda index: number))
        return
    source = _unlike(front, arrays.as_array(front, value), target)
    _set_masked_rows(front, target, mask, source, rest)


def _set_masked_rows(front: FrontEnd, target: Term, mask: Term, source: Term, rest: tuple[int, ...]) -> None:
    """One row of the source for each place of the mask, or one for all."""
    dtype, shape = array_type(target).dtype, array_type(source).shape
    while len(shape) > len(rest) + 1 and shape[0] == 1:
        source, shape = arrays.view(front, source, lambda one: one[0, ...]), shape[1:]
    single = len(shape) <= len(rest) or shape[0] == 1
    if single:
        row = arrays.broadcast(front, source, (1, *rest))
    else:
        row = arrays.broadcast(front, source, (shape[0], *rest))
        _check_count(front, mask, shape[0])

    def write(at: Index, k: Value) -> None:
        first: Value | int = 0 if single else k
        _store_row(
            front, target, at, rest, lambda index: arrays.cast(front, arrays.load(front, row, (first, *index)), dtype)
        )

    _each_true(front, mask, write)


def _check_count(front: FrontEnd, mask: Term, length: int) -> None:
    total = Slot(INT64, "count")
    front.region.append(Set(total, front.number(0)))

    def add(index: Index) -> None:
        one = front.convert(arrays.load(front, mask, index), INT64)
        front.region.append(Set(total, front.compute("add", front.get(total), one)))

    arrays.each(front, array_type(mask).shape, add)
    front.raise_if(front.compare("ne", front.get(total), front.number(length)), "ValueError")


def _each_true(front: FrontEnd, mask: Term, write: Callable[[Index, Value], None]) -> None:
    """Write something for each place of a mask that is true, given the place, and how many were before."""
    counter = Slot(INT64, "place")
    front.region.append(Set(counter, front.number(0)))

    def at(index: Index) -> None:
        def chosen() -> Term:
            k = front.get(counter)
            write(index, k)
            front.region.append(Set(counter, front.compute("add", k, front.number(1))))
            return NOTHING

        front.branch(arrays.load(front, mask, index), chosen, lambda: NOTHING)

    arrays.each(front, array_type(mask).shape, at)


def _store_row(front: FrontEnd, target: Term, at: Index, rest: tuple[int, ...], item: Callable[[Index], Value]) -> None:
    arrays.each(front, rest, lambda index: arrays.store(front, target, (*at, *index), item(index)))
