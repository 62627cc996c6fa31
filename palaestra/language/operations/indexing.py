"""Items and parts of arrays: by ints, slices, None, Ellipsis, arrays of ints, and masks.

Parts by ints and slices are views. What an array of ints or a mask chooses is copied; a mask is an array of the places
at which it is true.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import AnyArray, Axis, Index, Places, array_type, axes_of, kind_of
from palaestra.language.operations.drawing import any_array
from palaestra.language.operations.finding import places
from palaestra.language.operations.slices import Cut, Slice, cut_axis, cut_of
from palaestra.language.operations.table import built
from palaestra.language.program import BOOL, INT64, Value
from palaestra.language.types import Array, Bounded, Either, Number, Reference, Term, Tuple, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE = constant(None)
DOTS = Ellipsis
"""Behind `_spread` it stands for no axis any more, but makes a view of an item."""
Parts: TypeAlias = "Sequence[Any]"
"""The parts of an index: ints, slices, None and Ellipsis as they are, a `Cut`, and terms: ints, arrays and masks."""


# The parts of an index.


def _parts(front: FrontEnd, index: Term) -> list[Any]:
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
        return cut_of(front, term)
    if term.known and isinstance(term.value, (bool, np.bool_)):
        raise Refused("a bool as an index is not in the language")
    if term.known and hasattr(term.value, "__index__") and not isinstance(term.value, np.ndarray):
        return int(term.value.__index__())
    if isinstance(term.type, Number):
        return _dynamic(front, term)
    if isinstance(term.type, (Reference, Tuple)) or (term.known and isinstance(term.value, (list, tuple, range))):
        term = _listed(front, term)
    if not arrays.is_array(term) and not isinstance(term.type, Bounded):
        front.raise_("IndexError")
    return _of_array(front, arrays.open_array(front, term), term)


def _number_of(front: FrontEnd, option: Term) -> Term:
    """A part that may be an int of Python or of NumPy."""
    number = front.materialized(option)
    if not isinstance(number.type, Number):
        raise Refused(f"an index has a part that may be {option.type}", "write int(...) around it")
    return _dynamic(front, number)


def _listed(front: FrontEnd, term: Term) -> Term:
    """A list as an index: an array, which is known if its items are."""
    items = items_of(front, term)
    if items is not None and all(item.known for item in items):
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
    kind = kind_of(array).dtype.kind
    if kind == "f":
        front.raise_("IndexError")
    return term.value if kind == "b" and term.known else array


def _is_array(part: Any) -> bool:
    return isinstance(part, Term) and isinstance(part.type, Array | Bounded)


def _is_fancy(part: Any) -> bool:
    return isinstance(part, np.ndarray) or _is_array(part)


def _is_mask(part: Any) -> bool:
    return _is_array(part) and kind_of(part).dtype == BOOL


def _is_item(parts: Parts) -> bool:
    return all(isinstance(part, int) or (isinstance(part, Term) and isinstance(part.type, Number)) for part in parts)


def _axes(part: Any) -> int:
    """How many axes a part of an index is for."""
    if part is None:
        return 0
    if _is_mask(part):
        return len(axes_of(part))
    return part.ndim if isinstance(part, np.ndarray) else 1


def _spread(front: FrontEnd, array: Term, index: Term) -> list[Any]:
    """The parts of an index with whole slices before the Ellipsis, for all axes."""
    parts, ndim = _parts(front, index), len(axes_of(array))
    dots = [k for k, part in enumerate(parts) if part is DOTS]
    missing = ndim - sum(_axes(part) for part in parts if part is not DOTS)
    if len(dots) > 1 or missing < 0:
        front.raise_("IndexError")
    at = dots[0] if dots else len(parts)
    return [*parts[:at], *([slice(None)] * missing), *parts[at:]]


# Views.


def _viewed(front: FrontEnd, array: Term, parts: Parts) -> Term:
    """The view of an array by ints, slices and None."""
    axes, place, fixed, left = axes_of(array), array.parts[0], 0, list[Axis]()
    for part in parts:
        if part is None:
            left.append(arrays.known_axis(1))
        elif part is not DOTS:
            axis = axes.pop(0)
            at, seen = _along(front, axis, part)
            if isinstance(at, int):
                fixed += at * axis.stride
            else:
                place = arrays.further(front, place, front.compute("mul", at, front.number(axis.stride)))
            left += seen
    kind = kind_of(array)
    return arrays.array_at(arrays.further(front, place, fixed), kind.dtype, left, kind.writable)


def _along(front: FrontEnd, axis: Axis, part: Any) -> tuple[Value | int, list[Axis]]:
    """The number of the first item of a part along an axis, and the axes that are left of it."""
    if isinstance(length := axis.length, int) and isinstance(part, int | slice):
        numbers = arrays.answer(front, lambda: range(length)[part])
        if isinstance(part, int):
            return numbers, []
        return numbers.start if numbers else 0, [arrays.known_axis(len(numbers), axis.stride * numbers.step)]
    if part == slice(None):
        return 0, [axis]
    if isinstance(part, slice):
        part = Cut(part.start, part.stop, 1 if part.step is None else part.step)
    if isinstance(part, Cut):
        first, cut = cut_axis(front, axis, part)
        return first, [cut]
    return _normal(front, front.number(part) if isinstance(part, int) else part.part, axis), []


def _normal(front: FrontEnd, at: Value, axis: Axis) -> Value:
    """An index, which may be negative, from the begin; the program raises IndexError if it is outside."""
    if axis.most == 0:
        front.raise_("IndexError")
    length = arrays.value_of(front, axis.length)
    is_negative = front.compare("lt", at, front.number(0))
    at = front.emit("select", INT64, is_negative, front.compute("add", at, length), at)
    below, beyond = front.compare("lt", at, front.number(0)), front.compare("ge", at, length)
    front.raise_if(front.compute("or", below, beyond), "IndexError")
    return at


# Choices.


class Chosen(NamedTuple):
    """The items that arrays of ints choose: their axes, where they are, and the layout of a copy."""

    axes: Sequence[Axis]
    places: Places
    layout: Callable[[], AnyArray]


def _chosen(front: FrontEnd, array: Term, parts: Parts) -> Chosen:
    """A part by arrays of ints and masks, which may stand beside ints, slices and None."""
    whole, numbers, key = list[Any](), dict[int, Term](), list[Any]()
    axis = 0
    for part in parts:
        several = _choices(front, part, axes_of(array)[axis:])
        numbers |= {len(whole) + k: one for k, one in enumerate(several)}
        whole += [slice(None)] * len(several) or ([] if part is DOTS else [part])
        key += map(_example, several) if several else [part]
        axis += 0 if part is DOTS else _axes(part)
    base = _viewed(front, array, whole)
    fancy = [k for k, part in enumerate(parts) if _choices_of(part)]
    is_one_block = fancy[-1] - fancy[0] == len(fancy) - 1
    example = arrays.example_of(kind_of(array).whole)
    first = min(numbers) if is_one_block else 0
    return _gathered(front, base, numbers, first, lambda: example[tuple(key)])


def _choices_of(part: Any) -> bool:
    """Whether a part beside an array is one, too, in NumPy: also an int, which stands for an array of no axis."""
    return _is_fancy(part) or _is_item([part])


def _example(number: Term) -> Any:
    if isinstance(number.type, Number):
        return np.zeros((), np.intp)
    return np.zeros(kind_of(number).most, kind_of(number).dtype)


def _choices(front: FrontEnd, part: Any, axes: Sequence[Axis]) -> list[Term]:
    """The numbers that a part of an index chooses along the first of some axes: ints, or arrays of them."""
    if isinstance(part, int):
        return [Term(Number(INT64), (front.number(part),))]
    if not isinstance(part, Term | np.ndarray):
        return []
    if isinstance(part, Term) and not _is_mask(part):
        return [part]
    lengths = part.shape if isinstance(part, np.ndarray) else arrays.lengths_of(part)
    for one, axis in zip(lengths, axes, strict=False):
        if isinstance(one, int) and isinstance(axis.length, int):
            if one not in (0, axis.length):  # NumPy takes an axis of no length for any
                front.raise_("IndexError")
        elif one is not axis.length:
            own, length = (arrays.value_of(front, each) for each in (one, axis.length))
            is_other = front.compute("and", front.compare("ne", own, length), front.compare("ne", own, front.number(0)))
            front.raise_if(is_other, "IndexError")
    if isinstance(part, Term):
        return places(front, part)
    return [arrays.table_of(front, one) for one in part.nonzero()]


def _gathered(
    front: FrontEnd, base: Term, numbers: dict[int, Term], first: int, layout: Callable[[], AnyArray]
) -> Chosen:
    """The items of a base from some of whose axes numbers choose; theirs together are at `first` in the result."""
    axes = axes_of(base)
    arrays_of = [one for one in numbers.values() if not isinstance(one.type, Number)]
    shape = arrays.together(front, list(map(axes_of, arrays_of)), "IndexError")
    others = [k for k in range(len(axes)) if k not in numbers]
    left = [axes[k] for k in others]

    def place(index: Index) -> Value:
        at: list[Value | int] = [0] * len(axes)
        for k, one in zip(others, [*index[:first], *index[first + len(shape) :]], strict=True):
            at[k] = one
        for k, number in numbers.items():
            at[k] = _normal(front, _number(front, number, index[first : first + len(shape)]), axes[k])
        return arrays.place_of(front, base, at)

    together = [*left[:first], *shape, *left[first:]]
    return Chosen(together, Places(kind_of(base).dtype, [axis.length for axis in together], place), layout)


def _number(front: FrontEnd, number: Term, index: Index) -> Value:
    if isinstance(number.type, Number):
        return number.part
    return front.convert(arrays.load(front, number, arrays.index_in(number, index)), INT64)


# Reading.


@built(
    (operator.getitem, "array"),
    tries=(lambda rng: (any_array(rng, shape=(4, 3)), (int(rng.integers(-5, 5)), slice(None, None, -1))),),
)
def _getitem(front: FrontEnd, array: Term, index: Term) -> Term:
    if not arrays.is_array(array) and not isinstance(array.type, Bounded):
        raise Refused(f"{array.type} has no items in the language")
    source = arrays.open_array(front, array)
    parts = _spread(front, source, index)
    if not any(map(_is_fancy, parts)):
        seen = _viewed(front, source, parts)
        return arrays.item_of(front, seen, ()) if _is_item(parts) else seen
    axes, items, layout = _chosen(front, source, parts)
    result = arrays.new_like(front, items.dtype, axes, layout)
    arrays.each(
        front,
        items.lengths,
        lambda at: arrays.store(front, result, at, front.emit("load", items.dtype, items.place(at))),
    )
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
    if axis == NONE:
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
    target = arrays.open_array(front, array)
    arrays.check_writable(front, target)
    if isinstance(target.type, Array) and _is_mask(index) and isinstance(index.type, Array) and arrays.is_number(value):
        number = arrays.number_as(front, value, target.type.dtype)
        _set_masked(front, target, index, lambda _: number)
        return NONE
    parts = _spread(front, target, index)
    if any(map(_is_fancy, parts)):
        safe = [arrays.apart(front, part, target) if _is_array(part) else part for part in parts]
        _, items, layout = _chosen(front, target, safe)
        arrays.answer(front, layout)
        arrays.write(front, items, value, target)
    elif _is_item(parts):
        _set_item(front, _viewed(front, target, parts), value)
    else:
        arrays.assign(front, _viewed(front, target, parts), value)
    return NONE


def _set_item(front: FrontEnd, item: Term, value: Term) -> None:
    if not arrays.is_number(value) and value != NONE:  # None is NaN in floats
        source = arrays.open_array(front, value)
        if isinstance(source.type, Array) and source.type.size != 1:
            front.raise_("ValueError")
        if kind_of(source).most:
            raise Refused("an array is assigned to an item", "take its item, for example by [0]")
        value = arrays.item_of(front, source, ())
    arrays.store(front, item, (), arrays.number_as(front, value, kind_of(item).dtype))


@built((operator.setitem, "masked"), folds=False)
def _change_masked(front: FrontEnd, in_place: Term, array: Term, mask: Term, value: Term) -> Term:
    """`array[mask] += value`: all items are changed, in a copy, and those of the mask are taken from there."""
    if isinstance(array.type, Bounded) or isinstance(mask.type, Bounded) or not arrays.is_number(value):
        changed = front.operate(in_place.value, front.operate(operator.getitem, array, mask), value)
        return front.operate(operator.setitem, array, mask, changed)
    target = arrays.as_array(front, array)
    arrays.check_writable(front, target)
    changed = arrays.copied(front, target)
    front.operate(in_place.value, changed, value)
    _set_masked(front, target, mask, lambda index: arrays.load(front, changed, index))
    return NONE


def _set_masked(front: FrontEnd, target: Term, mask: Term, item: Callable[[Index], Value]) -> None:
    """Write other items where a mask, of the first axes, is true."""
    kind, shape = array_type(target), array_type(mask).shape
    is_other = any(one not in (0, length) for one, length in zip(shape, kind.shape, strict=False))
    if is_other or len(shape) > len(kind.shape):
        front.raise_("IndexError")
    if 0 in shape:
        return
    mask = arrays.apart(front, mask, target)

    def choose(index: Index) -> None:
        is_true = arrays.load(front, mask, index[: len(shape)])
        chosen = front.emit("select", kind.dtype, is_true, item(index), arrays.load(front, target, index))
        arrays.store(front, target, index, chosen)

    arrays.each(front, kind.shape, choose)
