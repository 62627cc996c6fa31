"""Arrays of which some lengths are found when the program runs: axes, items, loops, copies and assignments.

What is said of an array here is good for those of known shape, too: an `Axis` has a length that is an int or a value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import DType, Index
from palaestra.language.program import BEYOND, Value
from palaestra.language.types import PYTHON, Array, Bounded, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


class Axis(NamedTuple):
    """An axis of an array.

    Attributes:
        length: The number of items along it.
        most: The largest that this may be.
        usual: What it is unless the end of an array cuts it, or None.
        stride: The bytes from one item to the next.
    """

    length: int | Value
    most: int
    usual: int | None
    stride: int


def known_axis(length: int, stride: int = 0) -> Axis:
    """Returns an axis of a known length."""
    return Axis(length, length, length, stride)


def axes_of(term: Term) -> list[Axis]:
    """Returns the axes of an array."""
    kind = term.type
    if isinstance(kind, Array):
        return [*map(known_axis, kind.shape, kind.strides)]
    assert isinstance(kind, Bounded), kind
    axes = [*map(known_axis, kind.most, kind.strides)]
    for axis, usual, length in zip(kind.open, kind.usual, term.parts[1:], strict=True):
        axes[axis] = Axis(length, kind.most[axis], usual, kind.strides[axis])
    return axes


def dtype_of(term: Term) -> DType:
    """Returns the dtype of an array."""
    assert isinstance(term.type, Array | Bounded), term.type
    return term.type.dtype


def array_at(place: Value, dtype: DType, axes: Sequence[Axis], writable: bool = True) -> Term:
    """Returns the array whose first item is at an address."""
    most, strides = tuple(axis.most for axis in axes), tuple(axis.stride for axis in axes)
    found = [(k, axis) for k, axis in enumerate(axes) if isinstance(axis.length, Value)]
    if not found:
        return Term(arrays.type_like(arrays.example_of(Array(dtype, most, strides)), writable), (place,))
    kind = Bounded(dtype, most, strides, tuple(k for k, _ in found), tuple(axis.usual for _, axis in found), writable)
    return Term(kind, (place, *[axis.length for _, axis in found if isinstance(axis.length, Value)]))


def new(front: FrontEnd, dtype: DType, axes: Sequence[Axis]) -> Term:
    """Returns an array in memory of its own; its items are not set."""
    made = arrays.new_plain(front, dtype, [axis.most for axis in axes])
    strides = arrays.array_type(made).strides
    laid = [axis._replace(stride=stride) for axis, stride in zip(axes, strides, strict=True)]
    return array_at(made.part, dtype, laid)


def whole(term: Term) -> Term:
    """Returns an array of the largest lengths at the same place, whose items need not all be there."""
    kind = term.type
    if not isinstance(kind, Bounded):
        return term
    return Term(Array(kind.dtype, kind.most, kind.strides, kind.writable), term.parts[:1])


def load(front: FrontEnd, array: Term, index: Index) -> Value:
    """Returns an item."""
    return arrays.load(front, whole(array), index)


def store(front: FrontEnd, array: Term, index: Index, value: Value) -> None:
    """Write an item of the array's dtype."""
    arrays.store(front, whole(array), index, value)


def each(
    front: FrontEnd, axes: Sequence[Axis], write: Callable[[Index], None], unrolled: int = arrays.UNROLLED
) -> None:
    """Write something for each item along some axes, in C's order, given its numbers."""
    shape = [axis.length for axis in axes if isinstance(axis.length, int)]
    if len(shape) == len(axes):
        arrays.each(front, shape, write, unrolled)
        return

    def row(k: Value) -> None:
        each(front, axes[1:], lambda rest: write((k, *rest)), arrays.UNROLLED_INSIDE)

    arrays.count(front, axes[0].length, row)


def length_value(front: FrontEnd, axis: Axis) -> Value:
    """Returns the length of an axis as a value."""
    return front.number(axis.length) if isinstance(axis.length, int) else axis.length


def length_term(axis: Axis) -> Term:
    """Returns the length of an axis as an int of Python."""
    return constant(axis.length) if isinstance(axis.length, int) else Term(PYTHON[int], (axis.length,))


def size_of(front: FrontEnd, axes: Sequence[Axis]) -> int | Value:
    """Returns the number of items."""
    known = math.prod(axis.length for axis in axes if isinstance(axis.length, int))
    found = [axis.length for axis in axes if isinstance(axis.length, Value)]
    if not found:
        return known
    total = found[0]
    for one in [*found[1:], *([front.number(known)] if known != 1 else [])]:
        total = front.compute("mul", total, one)
    return total


# Shapes beside each other.


def check_equal(front: FrontEnd, one: int | Value, other: int | Value, error: str) -> None:
    """Raise an exception if two lengths differ; one of them that is 1 would repeat, and is left to Python."""
    if one is other or (isinstance(one, int) and one == other):
        return
    if isinstance(one, int) and isinstance(other, int):
        front.raise_(error)
    a, b = (front.number(length) if isinstance(length, int) else length for length in (one, other))
    differ = front.compare("ne", a, b)
    is_one = front.compute("or", *(front.compare("eq", length, front.number(1)) for length in (a, b)))
    front.raise_if(front.compute("and", differ, is_one), BEYOND)
    front.raise_if(differ, error)


def broadcast(front: FrontEnd, several: Sequence[Sequence[Axis]], error: str = "ValueError") -> list[Axis]:
    """Returns the axes of what arrays give together, whose strides mean nothing; the program raises if they do not."""
    ndim = max(map(len, several), default=0)
    return [
        _together(front, [axes[k - ndim + len(axes)] for axes in several if k - ndim + len(axes) >= 0], error)
        for k in range(ndim)
    ]


def _together(front: FrontEnd, axes: Sequence[Axis], error: str) -> Axis:
    wide = [axis for axis in axes if isinstance(axis.length, Value) or axis.length != 1]
    if not wide:
        return known_axis(1)
    first = next((axis for axis in wide if isinstance(axis.length, int)), wide[0])
    for other in wide:
        check_equal(front, other.length, first.length, error)
    if isinstance(first.length, int):
        return known_axis(first.length)
    usual = next((axis.usual for axis in wide if axis.usual is not None), None)
    return Axis(first.length, min(axis.most for axis in wide), usual, 0)


def index_in(axes: Sequence[Axis], index: Index) -> Index:
    """Returns the numbers of an item of an array that is broadcast: a known length of 1 repeats."""
    last = index[len(index) - len(axes) :]
    return [0 if isinstance(axis.length, int) and axis.length == 1 else k for axis, k in zip(axes, last, strict=True)]


# Copies and assignments.


class Places(NamedTuple):
    """Items that are written: their dtype, their axes, and where each is."""

    dtype: DType
    axes: Sequence[Axis]
    place: Callable[[Index], Value]


def places_of(front: FrontEnd, array: Term) -> Places:
    """Returns the items of an array."""
    return Places(dtype_of(array), axes_of(array), lambda index: arrays.place_of(front, whole(array), index))


def write(front: FrontEnd, target: Places, value: Term, memory: Term, error: str = "ValueError") -> None:
    """Write a number or an array, broadcast and converted, into items that lie in the memory of an array."""
    if arrays.is_number(value):
        number = arrays.number_as(front, value, target.dtype)

        def same(index: Index) -> None:
            front.emit("store", None, target.place(index), number)

        each(front, target.axes, same)
        return
    source = apart(front, as_array(front, value), memory)
    axes = axes_of(source)
    while len(axes) > len(target.axes) and isinstance(axes[0].length, int) and axes[0].length == 1:
        axes = axes[1:]
    if len(axes) > len(target.axes):
        front.raise_(error)
    for axis, other in zip(axes[::-1], target.axes[::-1], strict=False):
        if isinstance(axis.length, Value) or axis.length != 1:
            check_equal(front, axis.length, other.length, error)
    source = array_at(source.parts[0], dtype_of(source), axes)

    def item(index: Index) -> None:
        number = load(front, source, index_in(axes, index))
        front.emit("store", None, target.place(index), arrays.cast(front, number, target.dtype))

    each(front, target.axes, item)


def as_array(front: FrontEnd, term: Term) -> Term:
    """Returns an object as an array, whose lengths may be found at run time."""
    return term if isinstance(term.type, Bounded) else arrays.as_array(front, term)


def copied(front: FrontEnd, array: Term, dtype: DType | None = None) -> Term:
    """Returns a copy of an array in C's order, converted."""
    axes = axes_of(array)
    result = new(front, dtype or dtype_of(array), axes)

    def item(index: Index) -> None:
        store(front, result, index, arrays.cast(front, load(front, array, index), dtype_of(result)))

    each(front, axes, item)
    return result


def apart(front: FrontEnd, array: Term, other: Term) -> Term:
    """Returns an array, or a copy of it if it may share memory with another one."""
    return array if arrays.are_apart(whole(array), whole(other)) else copied(front, array)
