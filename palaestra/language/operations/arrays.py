"""Arrays in programs: memory, items, views, conversions, loops over items, and what may share memory.

An array is an address; its dtype, shape and strides are its type. What NumPy decides from these alone (the shape of an
index, the layout of a result, an error) is found by NumPy itself, on an array of the same type: `example_of`.

Some lengths may be found when the program runs: an `Axis` has a length that is an int or a value. Functions that take
the axes of arrays are good for both; those that take their shapes need `as_array`, which makes them known.

New arrays lie in a `room`, which is the same in every turn of a loop. `frontend.carrying` moves those that a variable
takes to the next turn, so the next turn may use the room again.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from palaestra.language.frontend import growing
from palaestra.language.frontend.building import NOTHING
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.program import ADDRESS, BEYOND, FLOAT64, INT64, Set, Slot, Value
from palaestra.language.types import (
    PYTHON,
    UNBOUND,
    Array,
    Bounded,
    Either,
    Number,
    Range,
    Reference,
    Term,
    Tuple,
    constant,
    plain,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.building import Target
    from palaestra.language.frontend.front import FrontEnd

AnyArray: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
DType: TypeAlias = "np.dtype[Any]"
Index: TypeAlias = "Sequence[Value | int]"
"""The numbers of an item along each axis."""

UNROLLED = 16
"""As many items are written one behind the other; more are a loop."""
UNROLLED_INSIDE = 4
"""As many are in a loop's body: LLVM unrolls it if that is good."""


# Types.


def type_like(array: AnyArray, writable: bool = True) -> Array:
    """Returns the type of an array; strides of axes that have one item, which mean nothing, are always the same."""
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise Refused(f"arrays of {array.dtype} are not in the language")
    if array.flags.c_contiguous or not array.size:
        return plain(array.dtype, array.shape, writable)
    strides: list[int] = []
    step = array.itemsize
    for length, stride in zip(reversed(array.shape), reversed(array.strides), strict=True):
        strides.insert(0, stride if length > 1 else step)
        step = abs(strides[0]) * length
    return Array(array.dtype, array.shape, tuple(strides), writable)


@lru_cache(maxsize=256)
def example_of(kind: Array) -> AnyArray:
    """Returns an array of a type, of zeros, of which NumPy is asked what it does with such arrays; do not write it."""
    low, high = bounds_of(kind)
    memory = np.zeros(max(high - low, 1), np.uint8)
    return np.ndarray(kind.shape, kind.dtype, memory, -low, kind.strides)


def bounds_of(kind: Array | Bounded) -> tuple[int, int]:
    """Returns where an array's bytes begin and end, counted from its first item."""
    if 0 in kind.most:
        return 0, kind.dtype.itemsize
    ways = [(length - 1) * stride for length, stride in zip(kind.most, kind.strides, strict=True)]
    return sum(min(way, 0) for way in ways), sum(max(way, 0) for way in ways) + kind.dtype.itemsize


def array_type(term: Term) -> Array:
    """Returns the type of an array of known shape."""
    if not isinstance(term.type, Array):
        raise Refused(f"{term.type} is used where an array of one shape is needed", "let it have one shape")
    return term.type


def kind_of(term: Term) -> Array | Bounded:
    """Returns the type of an array."""
    assert isinstance(term.type, Array | Bounded), term.type
    return term.type


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

    @property
    def is_one(self) -> bool:
        """Whether it has surely one item, which repeats."""
        return isinstance(self.length, int) and self.length == 1


def known_axis(length: int, stride: int = 0) -> Axis:
    """Returns an axis of a known length."""
    return Axis(length, length, length, stride)


def axes_of(term: Term) -> list[Axis]:
    """Returns the axes of an array."""
    kind = kind_of(term)
    axes = [*map(known_axis, kind.most, kind.strides)]
    if isinstance(kind, Bounded):
        for axis, usual, length in zip(kind.open, kind.usual, term.parts[1:], strict=True):
            axes[axis] = axes[axis]._replace(length=length, usual=usual)
    return axes


def lengths_of(term: Term) -> list[int | Value]:
    """Returns the lengths of an array's axes."""
    return [axis.length for axis in axes_of(term)]


def value_of(front: FrontEnd, length: int | Value) -> Value:
    """Returns a length as a value."""
    return front.number(length) if isinstance(length, int) else length


def int_of(length: int | Value) -> Term:
    """Returns a length as an int of Python."""
    return constant(length) if isinstance(length, int) else Term(PYTHON[int], (length,))


def size_of(front: FrontEnd, lengths: Sequence[int | Value]) -> int | Value:
    """Returns the number of items."""
    known = math.prod(one for one in lengths if isinstance(one, int))
    found = [one for one in lengths if isinstance(one, Value)]
    if not found:
        return known
    total = found[0]
    for one in [*found[1:], *([front.number(known)] if known != 1 else [])]:
        total = front.compute("mul", total, one)
    return total


def array_at(place: Value, dtype: DType, axes: Sequence[Axis], writable: bool = True) -> Term:
    """Returns the array whose first item is at an address."""
    most, strides = tuple(axis.most for axis in axes), tuple(axis.stride for axis in axes)
    found = [(k, axis) for k, axis in enumerate(axes) if isinstance(axis.length, Value)]
    if not found:
        return Term(type_like(example_of(Array(dtype, most, strides)), writable), (place,))
    kind = Bounded(dtype, most, strides, tuple(k for k, _ in found), tuple(axis.usual for _, axis in found), writable)
    return Term(kind, (place, *[axis.length for _, axis in found if isinstance(axis.length, Value)]))


def answer(front: FrontEnd, function: Callable[[], Any]) -> Any:
    """Returns what NumPy answers about examples; where it raises, so does the program."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function()
    except (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, np.exceptions.AxisError) as error:
        raise_as(front, error)


def raise_as(front: FrontEnd, error: Exception) -> NoReturn:
    """End the path by an exception that NumPy has raised."""
    front.raise_(type(error).__name__.lstrip("_"))


# Memory.


def new(front: FrontEnd, kind: Array) -> Term:
    """Returns an array in memory of its own; its items are not set."""
    low, high = bounds_of(kind)
    room = front.emit("room", ADDRESS, attribute=max(8, -(-(high - low) // 8) * 8))
    kind = Array(kind.dtype, kind.shape, kind.strides)
    return Term(kind, (further(front, room, -low),))


def new_plain(front: FrontEnd, dtype: DType, axes: Sequence[int | Axis]) -> Term:
    """Returns a new contiguous array with some lengths, or lengths like those of axes; its items are not set."""
    alike = [known_axis(one) if isinstance(one, int) else one for one in axes]
    made = new(front, type_like(np.empty([axis.most for axis in alike], dtype)))
    strides = array_type(made).strides
    laid = [axis._replace(stride=stride) for axis, stride in zip(alike, strides, strict=True)]
    return array_at(made.part, dtype, laid)


def new_like(front: FrontEnd, dtype: DType, axes: Sequence[Axis], made: Callable[[], AnyArray]) -> Term:
    """Returns a new array with some axes: if all are known, of the layout of NumPy's; its items are not set."""
    if any(isinstance(axis.length, Value) for axis in axes):
        return new_plain(front, dtype, axes)
    return new(front, type_like(answer(front, made)))


def further(front: FrontEnd, place: Value, size: Value | int) -> Value:
    """Returns an address some bytes further."""
    if isinstance(size, int):
        if size == 0:
            return place
        size = front.number(size)
    return front.emit("offset", ADDRESS, place, size)


def table_of(front: FrontEnd, array: AnyArray) -> Term:
    """Returns an array that exists already, with its strides, as a constant of the program."""
    kind = type_like(array, writable=False)
    low, high = bounds_of(kind)
    memory = np.zeros(high - low, np.uint8)
    np.ndarray(kind.shape, kind.dtype, memory, -low, kind.strides)[...] = array
    memory = memory.view(kind.dtype) if memory.size % kind.dtype.itemsize == 0 else memory
    return Term(kind, (further(front, front.emit("table", ADDRESS, attribute=memory), -low),))


def place_of(front: FrontEnd, array: Term, index: Index) -> Value:
    """Returns the address of an item."""
    fixed, place = 0, array.parts[0]
    for one, stride in zip(index, kind_of(array).strides, strict=True):
        if isinstance(one, int):
            fixed += one * stride
        elif stride:
            place = further(front, place, front.compute("mul", one, front.number(stride)))
    return further(front, place, fixed)


def load(front: FrontEnd, array: Term, index: Index) -> Value:
    """Returns an item."""
    return front.emit("load", kind_of(array).dtype, place_of(front, array, index))


def store(front: FrontEnd, array: Term, index: Index, value: Value) -> None:
    """Write an item of the array's dtype."""
    front.emit("store", None, place_of(front, array, index), value)


def item_of(front: FrontEnd, array: Term, index: Index) -> Term:
    """Returns an item as a number of NumPy."""
    return Term(Number(kind_of(array).dtype), (load(front, array, index),))


def view(front: FrontEnd, array: Term, of_example: Callable[[AnyArray], AnyArray]) -> Term:
    """Returns the part of an array, or its other shape, that a function makes of an example without copying it."""
    kind = array_type(array)
    example = example_of(kind)
    seen = answer(front, lambda: of_example(example))
    assert np.may_share_memory(seen, example) or not seen.size, of_example
    offset = seen.__array_interface__["data"][0] - example.__array_interface__["data"][0] if seen.size else 0
    place = further(front, array.part, offset)
    if not seen.flags.writeable:
        front.read_only.add(place)
    return Term(type_like(seen, kind.writable and seen.flags.writeable), (place,))


def broadcast(front: FrontEnd, array: Term, shape: tuple[int, ...]) -> Term:
    """Returns an array as one of another shape, whose items repeat; ValueError of the program if it does not fit."""
    return array if array_type(array).shape == shape else view(front, array, lambda one: np.broadcast_to(one, shape))


def check_equal(front: FrontEnd, one: int | Value, other: int | Value, error: str) -> None:
    """Raise an exception if two lengths differ; one of them that is 1 would repeat, and is left to Python."""
    if one is other or (isinstance(one, int) and one == other):
        return
    if isinstance(one, int) and isinstance(other, int):
        front.raise_(error)
    a, b = value_of(front, one), value_of(front, other)
    differ = front.compare("ne", a, b)
    is_one = front.compute("or", *(front.compare("eq", length, front.number(1)) for length in (a, b)))
    front.raise_if(front.compute("and", differ, is_one), BEYOND)
    front.raise_if(differ, error)


def together(front: FrontEnd, several: Sequence[Sequence[Axis]], error: str = "ValueError") -> list[Axis]:
    """Returns the axes of what arrays give together, whose strides mean nothing; the program raises if they do not."""
    ndim = max(map(len, several), default=0)
    return [
        _axis_of_all(front, [axes[k - ndim + len(axes)] for axes in several if k - ndim + len(axes) >= 0], error)
        for k in range(ndim)
    ]


def _axis_of_all(front: FrontEnd, axes: Sequence[Axis], error: str) -> Axis:
    wide = [axis for axis in axes if not axis.is_one]
    if not wide:
        return known_axis(1)
    first = next((axis for axis in wide if isinstance(axis.length, int)), wide[0])
    for other in wide:
        check_equal(front, other.length, first.length, error)
    if isinstance(first.length, int):
        return known_axis(first.length)
    usual = next((axis.usual for axis in wide if axis.usual is not None), None)
    return Axis(first.length, min(axis.most for axis in wide), usual, 0)


def index_in(array: Term, index: Index) -> Index:
    """Returns the numbers of an item of an array that is broadcast: a known length of 1 repeats."""
    axes = axes_of(array)
    return [0 if axis.is_one else k for axis, k in zip(axes, index[len(index) - len(axes) :], strict=True)]


# Loops.


def each(
    front: FrontEnd, lengths: Sequence[int | Value], write: Callable[[Index], None], unrolled: int = UNROLLED
) -> None:
    """Write something for each item of an array with some lengths, in C's order, given its numbers along the axes."""
    known = [one for one in lengths if isinstance(one, int)]
    if len(known) == len(lengths) and math.prod(known) <= unrolled:
        for index in np.ndindex(*known):
            write(index)
    else:
        count(front, lengths[0], lambda k: each(front, lengths[1:], lambda rest: write((k, *rest)), UNROLLED_INSIDE))


def count(front: FrontEnd, length: int | Value, write: Callable[[Value], None], start: int | Value = 0) -> None:
    """Write a loop over the numbers from `start` to before `length`."""
    counter = Slot(INT64, "item")
    bounds = [front.number(one) if isinstance(one, int) else one for one in (start, length)]
    front.region.append(Set(counter, bounds[0]))

    def turn(again: Target, out: Target) -> None:
        k = front.get(counter)

        def stop() -> Term:
            front.leave(out)
            return NOTHING

        front.branch(front.compare("lt", k, bounds[1]), lambda: NOTHING, stop)
        write(k)
        front.region.append(Set(counter, front.compute("add", k, front.number(1))))

    front.loop("items", (), turn)


# Numbers.


def cast(front: FrontEnd, value: Value, dtype: DType) -> Value:
    """Returns a number as `astype` converts it; a float that is beyond an integer's range is left to Python."""
    source = value.dtype
    if dtype.kind == "b" and source.kind != "b":
        return front.compare("ne", value, front.number(0, source))
    if source.kind == "f" and dtype.kind in "iu":
        whole = front.compute("trunc", value)
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        low = front.compare("ge", whole, _bound(front, least, source))
        high = front.compare("lt", whole, _bound(front, most + 1, source))
        front.raise_if(front.compute("not", front.compute("and", low, high)), BEYOND)
        return front.convert(whole, dtype)
    return front.convert(value, dtype)


def _bound(front: FrontEnd, number: int, dtype: DType) -> Value:
    with np.errstate(over="ignore"):
        return front.number(dtype.type(float(number)), dtype)


def number_as(front: FrontEnd, term: Term, dtype: DType) -> Value:
    """Returns a number as an assignment to an item of an array converts it.

    A number of Python that does not fit is an OverflowError, or left to Python.
    """
    if term.known:
        holder = np.zeros((), dtype)
        answer(front, lambda: holder.__setitem__((), term.value))
        return front.number(holder[()], dtype)
    assert isinstance(term.type, Number), term.type
    value = term.part
    if not term.type.python or value.dtype.kind == "b" or dtype.kind == "b":
        return cast(front, value, dtype)
    if value.dtype.kind == "i" and dtype.kind in "iu":
        return whole_as(front, value, dtype)
    return cast(front, front.convert(value, FLOAT64) if dtype.kind == "f" else value, dtype)


def whole_as(front: FrontEnd, value: Value, dtype: DType) -> Value:
    """Returns an int of Python as an integer of NumPy, which raises OverflowError if it does not fit."""
    bounds = np.iinfo(dtype)
    if bounds.min > -(2**63):
        front.raise_if(front.compare("lt", value, front.number(int(bounds.min))), "OverflowError")
    if bounds.max < 2**63 - 1:
        front.raise_if(front.compare("gt", value, front.number(int(bounds.max))), "OverflowError")
    return front.convert(value, dtype)


# Objects as arrays.


def is_number(term: Term) -> bool:
    """Returns whether an object is a number, of Python or NumPy."""
    if term.known:
        return isinstance(term.value, (bool, int, float, np.bool_, np.integer, np.floating))
    return isinstance(term.type, Number)


def is_array(term: Term) -> bool:
    """Returns whether an object is an array of known shape."""
    return isinstance(term.type, Array) or (term.known and isinstance(term.value, np.ndarray))


def example(front: FrontEnd, term: Term) -> Any:
    """Returns an object of which NumPy makes an array of the same dtype and shape as of this one."""
    if term.known:
        return term.value
    match term.type:
        case Number(dtype=dtype, python=python):
            return dtype.type(0).item() if python else dtype.type(0)
        case Array():
            return example_of(term.type)
    return [example(front, item) for item in _items(front, term)]


def examples(front: FrontEnd, term: Term) -> Iterator[Any]:
    """Yields what `example` returns, for each option of the items that may be of several types."""
    if isinstance(term.type, Either):
        for option in term.items():
            yield from examples(front, option)
    elif term.known or isinstance(term.type, Number | Array):
        yield example(front, term)
    else:
        made: list[list[Any]] = [[]]
        for item in _items(front, term):
            options = list(examples(front, item))
            made = list({_looks(one): one for one in ([*before, k] for before in made for k in options)}.values())
        yield from made


def _looks(value: Any) -> tuple[Any, frozenset[DType]]:
    """What decides an array's shape and dtype: the lengths of lists, and the dtypes of what is in them."""
    if isinstance(value, (list, tuple)):
        looks = [_looks(one) for one in value]
        return (len(value), *dict.fromkeys(shape for shape, _ in looks)), frozenset().union(
            *(kinds for _, kinds in looks)
        )
    array = np.asarray(value)
    return array.shape, frozenset([array.dtype])


def _items(front: FrontEnd, term: Term) -> list[Term]:
    if isinstance(term.type, Range):
        raise NeedsConstant("an array of a range needs a range that is known when the program is compiled")
    items = items_of(front, term)
    if items is None:
        raise Refused(f"an array of {term.type} is not in the language")
    return items


def as_array(front: FrontEnd, term: Term, dtype: DType | None = None) -> Term:
    """Returns an object as an array of known shape, as `np.asarray` does; an array of the dtype is itself."""
    if isinstance(term.type, Bounded):
        term = as_known(front, term, _usual(term.type))
    return open_array(front, term, dtype)


def open_array(front: FrontEnd, term: Term, dtype: DType | None = None) -> Term:
    """Returns an object as an array, some of whose lengths may be found when the program runs."""
    if term.known and isinstance(term.value, np.ndarray):
        term = table_of(front, term.value)
    if isinstance(term.type, Array | Bounded):  # float64 equals None
        return term if dtype is None or dtype == term.type.dtype else copied(front, term, "K", dtype)
    return array_of(front, term, dtype)


def as_known(front: FrontEnd, term: Term, shape: tuple[int, ...]) -> Term:
    """Returns an array whose lengths are found at run time as one of a known shape, of the same memory.

    Rows in which a length is another are left to Python; other objects are returned as they are.

    Raises:
        Refused: If the array can never have the shape.
    """
    kind = term.type
    if not isinstance(kind, Bounded):
        return term
    closed = [axis for axis in range(len(kind.most)) if axis not in kind.open]
    fits = len(shape) == len(kind.most) and all(map(operator.le, shape, kind.most))
    if not fits or any(shape[axis] != kind.most[axis] for axis in closed):
        raise Refused(f"{kind} is used where one of shape {shape} is needed")
    for axis, length in zip(kind.open, term.parts[1:], strict=True):
        front.raise_if(front.compare("ne", length, front.number(shape[axis])), BEYOND)
    known = type_like(example_of(Array(kind.dtype, shape, kind.strides)), kind.writable)
    return Term(known, term.parts[:1])


def _usual(kind: Bounded) -> tuple[int, ...]:
    """The shape that an array has unless the end of another one cuts it."""
    usual = dict(zip(kind.open, kind.usual, strict=True))
    shape = [usual.get(axis, length) for axis, length in enumerate(kind.most)]
    if None in shape:
        raise Refused(f"{kind}, is used where its length must be known when the program is compiled", "write a loop")
    return tuple(length for length in shape if length is not None)


def array_of_list(x: Any, dtype: Any) -> Any:
    """The array of a list that grows: `operations.growing` says what it means."""


def array_of(front: FrontEnd, term: Term, dtype: DType | None = None) -> Term:
    """Returns a new array of a number, an array, or nested tuples and lists of them, as `np.array` does."""
    if (storage := growing.storage_of(front, term)) is not None:
        if growing.kind_of(storage).of not in (list, deque):
            raise Refused(f"an array of {term.type} is an array of one object", "write np.array(sorted(...))")
        return front.operate(array_of_list, term, constant(dtype))
    kinds = {type_like(answer(front, lambda one=one: np.array(one, dtype))) for one in examples(front, term)}  # type: ignore[misc]
    if len(kinds) > 1:
        return _array_of_each(front, term, dtype)
    result = new(front, kinds.pop())
    _fill(front, result, term)
    return result


def _array_of_each(front: FrontEnd, term: Term, dtype: DType | None) -> Term:
    """An array for each of the types that the first item may be of whose type is not known."""
    if isinstance(term.type, Either):
        return front.each_option(term, lambda one: array_of(front, one, dtype))
    made = _each_of_first(front, term, lambda one: array_of(front, one, dtype))
    if made is None:
        raise Refused("an array has one dtype on one path and another on the other", "write float(...) or int(...)")
    return made


def split_items(front: FrontEnd, term: Term, then: Callable[[Term], Term]) -> Term:
    """Returns what `then` returns for a tuple or list, for each of the types that its items may be of."""
    made = _each_of_first(front, term, lambda one: split_items(front, one, then))
    return then(term) if made is None else made


def _each_of_first(front: FrontEnd, term: Term, then: Callable[[Term], Term]) -> Term | None:
    """What `then` returns for each of the types of the first item that may be of several; None if there is no such."""
    items = items_of(front, term) or []
    k = next((k for k, one in enumerate(items) if isinstance(one.type, Either)), None)
    if k is None or len(items) > MOST_APART:
        return None
    return front.each_option(items[k], lambda one: then(tuple_of([*items[:k], one, *items[k + 1 :]])))


MOST_APART = 4


def _fill(front: FrontEnd, target: Term, term: Term) -> None:
    if isinstance(term.type, Either):

        def fill(one: Term) -> Term:
            _fill(front, target, one)
            return NOTHING

        front.each_option(term, fill)
        return
    if is_array(term) or is_number(term):
        assign(front, target, term)
        return
    for k, item in enumerate(_items(front, term)):
        _fill(front, view(front, target, lambda one, k=k: one[k, ...]), item)  # type: ignore[misc]


def assign(front: FrontEnd, target: Term, term: Term) -> None:
    """Write an object into all items of an array, broadcast and converted as by `target[...] = term`."""
    places = Places(kind_of(target).dtype, lengths_of(target), lambda index: place_of(front, target, index))
    if is_number(term):
        write(front, places, term, target)
        return
    source = open_array(front, term)
    if not are_same(target, source):
        source = fitted(front, source, places.lengths, target)
        if not _copied_at_once(front, target, source):
            write(front, places, source, target)


class Places(NamedTuple):
    """Items that are written: their dtype, their lengths along the axes, and where each is."""

    dtype: DType
    lengths: Sequence[int | Value]
    place: Callable[[Index], Value]


def write(front: FrontEnd, target: Places, term: Term, memory: Term) -> None:
    """Write an object, broadcast and converted, into items that lie in the memory of an array."""
    if is_number(term):
        number = number_as(front, term, target.dtype)
    else:
        source = fitted(front, open_array(front, term), target.lengths, memory)

    def item(index: Index) -> None:
        value = number if is_number(term) else cast(front, load(front, source, index_in(source, index)), target.dtype)
        front.emit("store", None, target.place(index), value)

    each(front, target.lengths, item)


def fitted(front: FrontEnd, source: Term, lengths: Sequence[int | Value], memory: Term) -> Term:
    """Returns an array that can be broadcast to some lengths, apart from the memory of another one."""
    axes = axes_of(source)
    while len(axes) > len(lengths) and axes[0].is_one:
        axes = axes[1:]
    if len(axes) > len(lengths):
        front.raise_("ValueError")
    for axis, length in zip(axes[::-1], lengths[::-1], strict=False):
        if not axis.is_one:
            check_equal(front, axis.length, length, "ValueError")
    kind = kind_of(source)
    return apart(front, array_at(source.parts[0], kind.dtype, axes, kind.writable), memory)


def apart(front: FrontEnd, array: Term, other: Term) -> Term:
    """Returns an array, or a copy of it if it may share memory with another one."""
    return array if are_apart(array, other) else copied(front, array)


def copy_items(front: FrontEnd, target: Term, source: Term) -> None:
    """Write the items of an array into another one of the same lengths, which does not overlap, converted."""
    if not _copied_at_once(front, target, source):
        dtype = kind_of(target).dtype
        each(
            front,
            lengths_of(target),
            lambda index: store(front, target, index, cast(front, load(front, source, index), dtype)),
        )


def _copied_at_once(front: FrontEnd, target: Term, source: Term) -> bool:
    """Copy the bytes of an array, if it is one block and has many."""
    kind = target.type
    if not isinstance(kind, Array) or _layout(target) != _layout(source):
        return False
    if not kind.contiguous or kind.size <= UNROLLED:
        return False
    front.emit("copy", None, target.part, source.part, front.number(kind.size * kind.dtype.itemsize))
    return True


def copied(front: FrontEnd, array: Term, order: Any = "K", dtype: DType | None = None) -> Term:
    """Returns a copy of an array, laid out as NumPy lays it out, or in C's order if lengths are found."""
    kind = kind_of(array)
    kept = dtype or kind.dtype
    result = new_like(front, kept, axes_of(array), lambda: example_of(kind.whole).astype(kept, order=order))
    copy_items(front, result, array)
    return result


def check_writable(front: FrontEnd, array: Term) -> None:
    """Refuse an array that cannot be written; note that others are."""
    kind = kind_of(array)
    front.writes(Term(kind.whole, array.parts[:1]))
    if not kind.writable:
        raise Refused("a constant or read-only array is written", "make a copy: array.copy()")


# What shares memory.


def rooted(value: Value) -> tuple[Value, int | None]:
    """Returns where an address is counted from, and its bytes from there, if they are known."""
    offset: int | None = 0
    while value.operation == "offset":
        value, by = value.arguments
        known = offset is not None and by.operation == "constant"
        offset = offset + by.attribute if known and offset is not None else None
    return value, offset


def _layout(array: Term) -> object:
    kind = kind_of(array)
    return type(kind), kind.dtype, kind.most, kind.strides, kind.open if isinstance(kind, Bounded) else ()


def are_same(a: Term, b: Term) -> bool:
    """Returns whether two arrays are surely the same memory, item by item."""
    if _layout(a) != _layout(b) or a.parts[1:] != b.parts[1:]:
        return False
    if a.parts[0] is b.parts[0]:
        return True
    (root, offset), (root_of_b, offset_of_b) = rooted(a.parts[0]), rooted(b.parts[0])
    return root is root_of_b and offset is not None and offset == offset_of_b


_OWN = frozenset(("room", "room_each", "table"))


def are_apart(a: Term, b: Term) -> bool:
    """Returns whether two arrays surely share no memory."""
    (root, offset), (root_of_b, offset_of_b) = rooted(a.parts[0]), rooted(b.parts[0])
    if root is root_of_b:
        if offset is None or offset_of_b is None:
            return False
        low, high = bounds_of(kind_of(a))
        low_of_b, high_of_b = bounds_of(kind_of(b))
        return offset + high <= offset_of_b + low_of_b or offset_of_b + high_of_b <= offset + low
    outside = frozenset(("parameter", "address"))
    both = root.operation, root_of_b.operation
    return all(one in _OWN | outside for one in both) and any(one in _OWN for one in both)


# Arguments.


def lengths(front: FrontEnd, term: Term, what: str) -> tuple[int, ...]:
    """Returns a shape, or other ints, that must be known; an int is a tuple of one."""
    if is_number(term):
        return (front.integer(term, what),)
    items = items_of(front, term)
    if items is None:
        raise Refused(f"{what} of {term.type} is not in the language")
    return tuple(front.integer(item, what) for item in items)


def given_dtype(front: FrontEnd, term: Term) -> DType | None:
    """Returns a dtype that is given by an object; None for None."""
    if not term.known:
        raise NeedsConstant("a dtype must be known when the program is compiled")
    if term.value is None:
        return None
    dtype: DType = answer(front, lambda: np.dtype(term.value))
    if dtype.kind not in "biuf" or dtype.itemsize > 8 or not dtype.isnative:
        raise Refused(f"arrays of {dtype} are not in the language")
    return dtype


def known(term: Term, what: str) -> Any:
    """Returns an argument that must be known."""
    if not term.known:
        raise NeedsConstant(f"{what} must be known when the program is compiled")
    return term.value


def refuse_given(**given: Term) -> None:
    """Refuse arguments that are not None."""
    for name, term in given.items():
        if term != constant(None):
            raise Refused(f"the argument {name} is not in the language here", f"leave out {name}=")


def _items_of_full(front: FrontEnd, term: Term) -> list[Term] | None:
    """The items of a deque with a `maxlen`, in rows where it is full; None for other objects."""
    storage = growing.storage_of(front, term)
    most = growing.most_of(growing.kind_of(storage)) if storage is not None else None
    if storage is None or most is None or most > MOST_ITEMS or growing.kind_of(storage).item == UNBOUND:
        return None
    front.raise_if(front.compare("ne", growing.length_of(front, storage), front.number(most)), BEYOND)
    return [growing.item_at(front, storage, front.number(k)) for k in range(most)]


MOST_ITEMS = 64


def items_as_arrays(front: FrontEnd, term: Term) -> list[Term]:
    """Returns the arrays that a tuple or list holds, or a deque that is full, or that are the rows of an array."""
    items = _items_of_full(front, term) or items_of(front, term)
    if items is None or not (term.known or isinstance(term.type, (Tuple, Reference, Array))):
        raise Refused(f"{term.type} is not a tuple or list of arrays")
    return [as_array(front, item) for item in items]
