"""Arrays in programs: memory, items, views, conversions, loops over items, and what may share memory.

An array is an address; its dtype, shape and strides are its type. What NumPy decides from these alone (the shape of an
index, the layout of a result, an error) is found by NumPy itself, on an array of the same type: `example_of`.

New arrays lie in a `room`, which is the same in every turn of a loop. `frontend.carrying` moves those that a variable
takes to the next turn, so the next turn may use the room again.
"""

from __future__ import annotations

import itertools
import math
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from palaestra.language.frontend.building import NOTHING
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.program import ADDRESS, BEYOND, FLOAT64, INT64, Set, Slot, Value
from palaestra.language.types import (
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


def bounds_of(kind: Array) -> tuple[int, int]:
    """Returns where an array's bytes begin and end, counted from its first item."""
    if not kind.size:
        return 0, kind.dtype.itemsize
    ways = [(length - 1) * stride for length, stride in zip(kind.shape, kind.strides, strict=True)]
    return sum(min(way, 0) for way in ways), sum(max(way, 0) for way in ways) + kind.dtype.itemsize


def array_type(term: Term) -> Array:
    """Returns the type of an array."""
    assert isinstance(term.type, Array), term.type
    return term.type


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


def new_plain(front: FrontEnd, dtype: DType, shape: Sequence[int]) -> Term:
    """Returns a new contiguous array; its items are not set."""
    return new(front, type_like(np.empty(tuple(shape), dtype)))


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
    fixed, place = 0, array.part
    for one, stride in zip(index, array_type(array).strides, strict=True):
        if isinstance(one, int):
            fixed += one * stride
        elif stride:
            place = further(front, place, front.compute("mul", one, front.number(stride)))
    return further(front, place, fixed)


def load(front: FrontEnd, array: Term, index: Index) -> Value:
    """Returns an item."""
    return front.emit("load", array_type(array).dtype, place_of(front, array, index))


def store(front: FrontEnd, array: Term, index: Index, value: Value) -> None:
    """Write an item of the array's dtype."""
    front.emit("store", None, place_of(front, array, index), value)


def item_of(front: FrontEnd, array: Term, index: Index) -> Term:
    """Returns an item as a number of NumPy."""
    return Term(Number(array_type(array).dtype), (load(front, array, index),))


def view(front: FrontEnd, array: Term, of_example: Callable[[AnyArray], AnyArray]) -> Term:
    """Returns the part of an array, or its other shape, that a function makes of an example without copying it."""
    kind = array_type(array)
    example = example_of(kind)
    seen = answer(front, lambda: of_example(example))
    assert np.may_share_memory(seen, example) or not seen.size, of_example
    offset = seen.__array_interface__["data"][0] - example.__array_interface__["data"][0] if seen.size else 0
    return Term(type_like(seen, kind.writable and seen.flags.writeable), (further(front, array.part, offset),))


def broadcast(front: FrontEnd, array: Term, shape: tuple[int, ...]) -> Term:
    """Returns an array as one of another shape, whose items repeat; ValueError of the program if it does not fit."""
    return array if array_type(array).shape == shape else view(front, array, lambda one: np.broadcast_to(one, shape))


# Loops.


def each(front: FrontEnd, shape: Sequence[int], write: Callable[[Index], None], unrolled: int = UNROLLED) -> None:
    """Write something for each item of an array of a shape, in C's order, given its numbers along the axes."""
    if math.prod(shape) <= unrolled:
        for index in np.ndindex(*shape):
            write(index)
    else:
        count(front, shape[0], lambda k: each(front, shape[1:], lambda rest: write((k, *rest)), UNROLLED_INSIDE))


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
    """Returns whether an object is an array."""
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
        several = [list(examples(front, item)) for item in _items(front, term)]
        if math.prod(map(len, several)) > MOST_EXAMPLES:
            raise Refused(
                "an array is made of many numbers that may be of several types", "write float(...) or int(...)"
            )
        yield from map(list, itertools.product(*several))


MOST_EXAMPLES = 256


def _items(front: FrontEnd, term: Term) -> list[Term]:
    if isinstance(term.type, Range):
        raise NeedsConstant("an array of a range needs a range that is known when the program is compiled")
    items = items_of(front, term)
    if items is None:
        raise Refused(f"an array of {term.type} is not in the language")
    return items


def as_array(front: FrontEnd, term: Term, dtype: DType | None = None) -> Term:
    """Returns an object as an array, as `np.asarray` does; an array of the dtype is itself."""
    if term.known and isinstance(term.value, np.ndarray):
        term = table_of(front, term.value)
    if isinstance(term.type, Bounded):
        term = as_known(front, term, _usual(term.type))
    if isinstance(term.type, Array) and (dtype is None or dtype == term.type.dtype):  # float64 equals None
        return term
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


def array_of(front: FrontEnd, term: Term, dtype: DType | None = None) -> Term:
    """Returns a new array of a number, an array, or nested tuples and lists of them, as `np.array` does."""
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
    items = _items(front, term)
    k = next((k for k, one in enumerate(items) if isinstance(one.type, Either)), None)
    if k is None or len(items) > MOST_APART:
        raise Refused("an array has one dtype on one path and another on the other", "write float(...) or int(...)")
    return front.each_option(items[k], lambda one: array_of(front, tuple_of([*items[:k], one, *items[k + 1 :]]), dtype))


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
    kind = array_type(target)
    if is_number(term):
        value = number_as(front, term, kind.dtype)
        each(front, kind.shape, lambda index: store(front, target, index, value))
        return
    source = as_array(front, term)
    if are_same(target, source):
        return
    shape = array_type(source).shape
    while len(shape) > len(kind.shape) and shape[0] == 1:
        source, shape = view(front, source, lambda one: one[0, ...]), shape[1:]
    source = broadcast(front, source, kind.shape)
    if not are_apart(target, source):
        source = copied(front, source)
    copy_items(front, target, source)


def copy_items(front: FrontEnd, target: Term, source: Term) -> None:
    """Write the items of an array into another one of the same shape, which does not overlap, converted."""
    kind, other = array_type(target), array_type(source)
    alike = (kind.dtype, kind.strides) == (other.dtype, other.strides) and kind.contiguous
    if alike and kind.size > UNROLLED:
        front.emit("copy", None, target.part, source.part, front.number(kind.size * kind.dtype.itemsize))
        return
    each(
        front,
        kind.shape,
        lambda index: store(front, target, index, cast(front, load(front, source, index), kind.dtype)),
    )


def copied(front: FrontEnd, array: Term, order: Any = "K", dtype: DType | None = None) -> Term:
    """Returns a copy of an array, laid out as NumPy lays it out."""
    kind = array_type(array)
    made = answer(front, lambda: example_of(kind).astype(dtype or kind.dtype, order=order))
    result = new(front, type_like(made))
    copy_items(front, result, array)
    return result


def check_writable(front: FrontEnd, array: Term) -> None:
    """Refuse an array that cannot be written; note that others are."""
    front.writes(array)
    if not array_type(array).writable:
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


def are_same(a: Term, b: Term) -> bool:
    """Returns whether two arrays are surely the same memory, item by item."""
    one, other = array_type(a), array_type(b)
    if (one.dtype, one.shape, one.strides) != (other.dtype, other.shape, other.strides):
        return False
    if a.part is b.part:
        return True
    (root, offset), (root_of_b, offset_of_b) = rooted(a.part), rooted(b.part)
    return root is root_of_b and offset is not None and offset == offset_of_b


_OWN = frozenset(("room", "room_each", "table"))


def are_apart(a: Term, b: Term) -> bool:
    """Returns whether two arrays surely share no memory."""
    (root, offset), (root_of_b, offset_of_b) = rooted(a.part), rooted(b.part)
    if root is root_of_b:
        if offset is None or offset_of_b is None:
            return False
        low, high = bounds_of(array_type(a))
        low_of_b, high_of_b = bounds_of(array_type(b))
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


def dtype_of(front: FrontEnd, term: Term) -> DType | None:
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


def items_as_arrays(front: FrontEnd, term: Term) -> list[Term]:
    """Returns the arrays that a tuple or list holds, or that are the rows of an array."""
    items = items_of(front, term)
    if items is None or not (term.known or isinstance(term.type, (Tuple, Reference, Array))):
        raise Refused(f"{term.type} is not a tuple or list of arrays")
    return [as_array(front, item) for item in items]
