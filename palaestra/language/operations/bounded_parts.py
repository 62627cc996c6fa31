"""Parts of arrays whose lengths are found at run time: slices with bounds that change, masks, and found places.

Slices are views, as in NumPy. What an array of ints or a mask chooses is copied; a mask is an array of the places at
which it is true.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from palaestra.language.frontend.building import NOTHING
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import arrays, bounded_arrays
from palaestra.language.operations.arrays import Index
from palaestra.language.operations.bounded_arrays import Axis, Places, axes_of, dtype_of, whole
from palaestra.language.program import BOOL, INT64, Set, Slot, Value
from palaestra.language.types import Array, Bounded, Number, Term

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Parts: TypeAlias = "Sequence[Any]"
"""The parts of an index, for all axes: ints, slices, None, a `Cut`, numbers of the program, arrays."""


# Slices.


@dataclass
class Cut:
    """A slice with a bound that is computed: its bounds are ints, numbers of the program, or None."""

    start: Value | int | None
    stop: Value | int | None
    step: int


def cut_of(front: FrontEnd, term: Term) -> Cut | slice:
    """Returns the slice that an object of the class `Slice` is."""
    start, stop, step = (_bound(front, one) for one in term.items())
    if isinstance(step, Value):
        raise NeedsConstant("the step of a slice of an array must be known when the program is compiled")
    if step == 0:
        front.raise_("ValueError")
    if not isinstance(start, Value) and not isinstance(stop, Value):
        return slice(start, stop, step)
    return Cut(start, stop, 1 if step is None else step)


def _bound(front: FrontEnd, term: Term) -> Value | int | None:
    if term.known and term.value is None:
        return None
    whole_number = front.operate(operator.index, term)
    return int(whole_number.value) if whole_number.known else whole_number.part


def distance(start: Value | int | None, stop: Value | int | None) -> int | None:
    """Returns how much larger the second of two ints is, if that is known."""
    if not isinstance(start, Value) or not isinstance(stop, Value):
        return None
    (one, of_start), (other, of_stop) = _sum_of(start), _sum_of(stop)
    return of_stop - of_start if one is other else None


def _sum_of(value: Value) -> tuple[Value, int]:
    total = 0
    while value.operation in ("add", "sub") and value.arguments[1].operation == "constant":
        sign = 1 if value.operation == "add" else -1
        value, by = value.arguments
        total += sign * by.attribute
    return value, total


def _cut_axis(front: FrontEnd, axis: Axis, cut: Cut) -> tuple[Value, Axis]:
    """The number of the first item of a slice along an axis, and the axis of the slice."""
    length = bounded_arrays.length_value(front, axis)
    is_up, one = cut.step > 0, front.number(1)
    low = front.number(0 if is_up else -1)
    high = length if is_up else front.compute("sub", length, one)
    first = _clipped(front, cut.start, length, low, high, low if is_up else high)
    last = _clipped(front, cut.stop, length, low, high, high if is_up else low)
    apart = front.compute("sub", *((last, first) if is_up else (first, last)))
    if abs(cut.step) > 1:
        step = front.number(abs(cut.step))
        apart = front.compute("div", front.compute("add", apart, front.compute("sub", step, one)), step)
    none = front.number(0)
    count = front.emit("select", INT64, front.compare("gt", apart, none), apart, none)
    most, usual = _known_lengths(axis, cut)
    return first, Axis(count, most, usual, axis.stride * cut.step)


def _clipped(
    front: FrontEnd, bound: Value | int | None, length: Value, low: Value, high: Value, default: Value
) -> Value:
    """A bound of a slice, counted from the begin, and within the axis."""
    if bound is None:
        return default
    at = front.number(max(-(2**62), min(bound, 2**62))) if isinstance(bound, int) else bound
    is_negative = front.compare("lt", at, front.number(0))
    at = front.emit("select", INT64, is_negative, front.compute("add", at, length), at)
    at = front.emit("select", INT64, front.compare("lt", at, low), low, at)
    return front.emit("select", INT64, front.compare("gt", at, high), high, at)


def _known_lengths(axis: Axis, cut: Cut) -> tuple[int, int | None]:
    """The most items that a slice may have, and how many it has unless the end of the axis cuts it."""
    most = -(-axis.most // abs(cut.step))
    if not isinstance(cut.start, Value) and not isinstance(cut.stop, Value):
        usual = None if axis.usual is None else len(range(axis.usual)[cut.start : cut.stop : cut.step])
        return most, usual
    apart = distance(cut.start, cut.stop)
    if cut.step == 1 and apart is not None and apart >= 0:
        return min(most, apart), min(most, apart)
    if cut.step == 1 and isinstance(cut.stop, int) and cut.stop >= 0:
        most = min(most, cut.stop)
    if cut.step == 1 and isinstance(cut.start, int) and cut.start < 0:
        most = min(most, -cut.start)
    return most, None


# Views and choices.


def is_open(array: Term, parts: Parts) -> bool:
    """Returns whether a part of an array has a length that is found at run time, or its index has."""
    return isinstance(array.type, Bounded) or any(isinstance(part, Cut) or _is_found(part) for part in parts)


def _is_found(part: Any) -> bool:
    return _is_array(part) and (isinstance(part.type, Bounded) or is_mask(part))


def _is_array(part: Any) -> bool:
    return isinstance(part, Term) and isinstance(part.type, Array | Bounded)


def is_mask(part: Any) -> bool:
    """Returns whether a part of an index is a mask of the program."""
    return _is_array(part) and dtype_of(part) == BOOL


def _is_chosen(part: Any) -> bool:
    return isinstance(part, np.ndarray) or _is_array(part)


def read(front: FrontEnd, array: Term, parts: Parts) -> Term:
    """Returns the part of an array at an index: a view, or a copy of what is chosen; a number of NumPy for an item."""
    if not any(map(_is_chosen, parts)):
        seen = viewed(front, array, parts)
        return arrays.item_of(front, seen, ()) if _is_item(parts) else seen
    places = _chosen(front, array, parts)
    result = bounded_arrays.new(front, places.dtype, places.axes)

    def item(index: Index) -> None:
        bounded_arrays.store(front, result, index, front.emit("load", places.dtype, places.place(index)))

    bounded_arrays.each(front, places.axes, item)
    return result


def change(front: FrontEnd, array: Term, parts: Parts, value: Term) -> None:
    """Write the part of an array at an index."""
    arrays.check_writable(front, whole(array))
    if _is_item(parts) and not arrays.is_number(value):
        raise Refused("an array is assigned to an item", "take its item, for example by [0]")
    if not any(map(_is_chosen, parts)):
        places = bounded_arrays.places_of(front, viewed(front, array, parts))
    else:
        safe = [bounded_arrays.apart(front, part, array) if _is_array(part) else part for part in parts]
        places = _chosen(front, array, safe)
    bounded_arrays.write(front, places, value, array)


def _is_item(parts: Parts) -> bool:
    return all(isinstance(part, int) or (isinstance(part, Term) and isinstance(part.type, Number)) for part in parts)


def viewed(front: FrontEnd, array: Term, parts: Parts) -> Term:
    """Returns the view of an array by ints, slices and None."""
    axes, place, left = axes_of(array), array.parts[0], list[Axis]()
    for part in parts:
        if part is None:
            left.append(bounded_arrays.known_axis(1))
        elif isinstance(part, slice | Cut | int | Term):
            axis = axes.pop(0)
            at, seen = _along(front, axis, part)
            size = at * axis.stride if isinstance(at, int) else front.compute("mul", at, front.number(axis.stride))
            place = arrays.further(front, place, size)
            left += seen
    kind = array.type
    return bounded_arrays.array_at(place, dtype_of(array), left, getattr(kind, "writable", True))


def _along(front: FrontEnd, axis: Axis, part: Any) -> tuple[Value | int, list[Axis]]:
    """The number of the first item of a part along an axis, and the axes that are left of it."""
    if isinstance(part, slice) and isinstance(axis.length, int):
        numbers = range(axis.length)[part]
        step = 1 if part.step is None else part.step
        return (numbers.start if numbers else 0), [bounded_arrays.known_axis(len(numbers), axis.stride * step)]
    if part == slice(None):
        return 0, [axis]
    if isinstance(part, slice):
        part = Cut(part.start, part.stop, 1 if part.step is None else part.step)
    if isinstance(part, Cut):
        first, cut = _cut_axis(front, axis, part)
        return first, [cut]
    at = front.number(part) if isinstance(part, int) else part.part
    return normal(front, at, bounded_arrays.length_value(front, axis)), []


def normal(front: FrontEnd, at: Value, length: Value) -> Value:
    """Returns an index, which may be negative, from the begin; the program raises IndexError if it is outside."""
    is_negative = front.compare("lt", at, front.number(0))
    at = front.emit("select", INT64, is_negative, front.compute("add", at, length), at)
    below, beyond = front.compare("lt", at, front.number(0)), front.compare("ge", at, length)
    front.raise_if(front.compute("or", below, beyond), "IndexError")
    return at


def _chosen(front: FrontEnd, array: Term, parts: Parts) -> Places:
    """The items that arrays of ints and masks choose along axes side by side; ints beside them choose, too."""
    parts = [part for part in parts if part is None or isinstance(part, slice | Cut | int | Term | np.ndarray)]
    fancy = [_is_chosen(part) or isinstance(part, int) or _is_item([part]) for part in parts]
    first, count = fancy.index(True), sum(fancy)
    if not all(fancy[first : first + count]) or any(part is None for part in parts):
        raise Refused("an index of found places that are not side by side, or beside None, is not in the language")
    before = [part for part in parts[:first] if isinstance(part, slice | Cut)]
    behind = [part for part in parts[first + count :] if isinstance(part, slice | Cut)]
    numbers: list[Term] = []
    for part in parts[first : first + count]:
        numbers += _numbers(front, part, axes_of(array)[first + len(numbers) :])
    base = viewed(front, array, [*before, *[slice(None)] * len(numbers), *behind])
    return _gathered(front, base, first, numbers)


def _numbers(front: FrontEnd, part: Any, axes: Sequence[Axis]) -> list[Term]:
    """The numbers that a part of an index chooses along the first of some axes: ints, or arrays of them."""
    if isinstance(part, int):
        return [Term(Number(INT64), (front.number(part),))]
    if not isinstance(part, Term):
        raise Refused("a mask that is known beside found places is not in the language", "write np.flatnonzero(mask)")
    if not is_mask(part):
        if not isinstance(part.type, Number) and dtype_of(part).kind not in "iu":
            front.raise_("IndexError")
        return [part]
    for one, other in zip(axes_of(part), axes, strict=False):
        if one.length is not other.length:
            a, b = (bounded_arrays.length_value(front, axis) for axis in (one, other))
            front.raise_if(front.compare("ne", a, b), "IndexError")
    return places(front, part)


def _gathered(front: FrontEnd, base: Term, first: int, numbers: Sequence[Term]) -> Places:
    """The items of a base whose axes from `first` on are chosen from by numbers, or arrays of them, together."""
    axes = axes_of(base)
    several = [[] if isinstance(one.type, Number) else axes_of(one) for one in numbers]
    shape = bounded_arrays.broadcast(front, several, "IndexError")
    behind = axes[first + len(numbers) :]

    def place(index: Index) -> Value:
        chosen = index[first : first + len(shape)]
        at = [*index[:first]]
        for one, of_one, axis in zip(numbers, several, axes[first:], strict=False):
            at.append(_normal_number(front, one, bounded_arrays.index_in(of_one, chosen), axis))
        return arrays.place_of(front, whole(base), [*at, *index[first + len(shape) :]])

    return Places(dtype_of(base), [*axes[:first], *shape, *behind], place)


def _normal_number(front: FrontEnd, number: Term, index: Index, axis: Axis) -> Value:
    at = number.part if isinstance(number.type, Number) else bounded_arrays.load(front, number, index)
    return normal(front, front.convert(at, INT64), bounded_arrays.length_value(front, axis))


# Places at which something is true.


def places(front: FrontEnd, mask: Term, together: bool = False) -> list[Term]:
    """Returns for each axis of an array the numbers of the items that are not zero, in C's order.

    Args:
        front: The front end.
        mask: The array.
        together: Whether the numbers of an item are the row of one array, which is returned alone.
    """
    axes, counter = axes_of(mask), Slot(INT64, "place")
    most = int(np.prod([axis.most for axis in axes], dtype=np.int64))
    shape = (most, len(axes)) if together else (most,)
    found = [arrays.new_plain(front, INT64, shape) for _ in range(1 if together else len(axes))]
    front.region.append(Set(counter, front.number(0)))

    def item(index: Index) -> None:
        is_true = arrays.cast(front, bounded_arrays.load(front, mask, index), BOOL)
        front.branch(is_true, lambda: note(index), lambda: NOTHING)

    def note(index: Index) -> Term:
        at = front.get(counter)
        for k, one in enumerate(index):
            number = front.number(one) if isinstance(one, int) else one
            arrays.store(front, found[0] if together else found[k], (at, k) if together else (at,), number)
        front.region.append(Set(counter, front.compute("add", at, front.number(1))))
        return NOTHING

    bounded_arrays.each(front, axes, item)
    count = front.get(counter)
    return [_shortened(one, count) for one in found]


def _shortened(array: Term, count: Value) -> Term:
    """The first items of an array."""
    first, *rest = axes_of(array)
    return bounded_arrays.array_at(array.part, dtype_of(array), [first._replace(length=count, usual=None), *rest])
