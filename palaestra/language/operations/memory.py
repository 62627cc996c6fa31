"""Memory: columns, which the frame of a batch reads and writes row by row, and what is at addresses.

The functions run in Python, too, so that the frame does.
"""

from __future__ import annotations

import ctypes
import math
import operator
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.functional.stream_rows import generator_at, row_of
from palaestra.language.frontend.building import Heap, State
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import built
from palaestra.language.operations.ufuncs import by_loop
from palaestra.language.program import ADDRESS, BOOL, FULL, INT64, Set, Slot, Value
from palaestra.language.types import (
    PYTHON,
    Array,
    Bounded,
    Column,
    Number,
    Packed,
    Stream,
    Term,
    Tuple,
    Words,
    constant,
    tuple_of,
)

EMPTY, FALSE = constant(()), constant(False)
UNROLLED = 16  # numbers of an array that are copied one by one: rows that are stepped together copy them together

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def _place(front: FrontEnd, column: Term, index: Term) -> Value:
    assert isinstance(column.type, Column)
    size = front.number(column.type.size)
    return front.emit("offset", ADDRESS, column.part, front.compute("mul", front.convert(index.part, INT64), size))


@built((operator.getitem, "column"))
def _getitem(front: FrontEnd, column: Term, index: Term) -> Term:
    assert isinstance(column.type, Column)
    place = _place(front, column, front.materialized(index))
    item = column.type.item
    return Term(item, (place if isinstance(item, Array | Packed) else front.emit("load", column.type.dtype, place),))


@built((operator.setitem, "column"))
def _setitem(front: FrontEnd, column: Term, index: Term, value: Term) -> Term:
    assert isinstance(column.type, Column)
    place = _place(front, column, front.materialized(index))
    term = front.materialized(value)
    if column.type.shape:
        return _set_array(front, column.type, place, term)
    if not isinstance(term.type, Number):
        raise Refused(f"{term.type} does not fit {column.type}")
    front.emit("store", None, place, front.convert(term.part, column.type.dtype))
    return constant(None)


def _set_array(front: FrontEnd, column: Column, place: Value, term: Term) -> Term:
    if isinstance(term.type, Bounded) and (term.type.dtype, term.type.most) == (column.dtype, column.shape):
        return _set_items(front, column, place, term)
    if not isinstance(term.type, Array) or (term.type.dtype, term.type.shape) != (column.dtype, column.shape):
        raise Refused(f"{term.type} does not fit {column}")
    if not term.type.contiguous:
        raise Refused("an array with gaps does not fit a column")
    if term.type.size <= UNROLLED:
        for k in range(term.type.size):
            at = front.number(k * column.dtype.itemsize)
            item = front.emit("load", column.dtype, front.emit("offset", ADDRESS, term.part, at))
            front.emit("store", None, front.emit("offset", ADDRESS, place, at), item)
    else:
        front.emit("copy", None, place, term.part, front.number(column.size))
    return constant(None)


def _set_items(front: FrontEnd, column: Column, place: Value, term: Term) -> Term:
    """The items of a list, of which there may be fewer than there is room for."""
    assert isinstance(term.type, Bounded)
    if term.type.open != (0,) or not term.type.whole.contiguous:
        raise Refused(f"{term.type} does not fit {column}")
    start, length = term.parts
    front.emit("copy", None, place, start, front.compute("mul", length, front.number(term.type.strides[0])))
    return constant(None)


def stream_at(streams: Any, i: int) -> Any:
    """Returns the random generator whose words are row i of `streams`, which draws advance."""
    return _StreamInPython(streams, i)


class _StreamInPython:
    """A generator that writes its words back after each draw."""

    def __init__(self, streams: Any, i: int) -> None:
        self._row, self._generator = streams[i], generator_at(streams[i])

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._generator, name)

        def drawn(*arguments: Any, **named: Any) -> Any:
            result = method(*arguments, **named)
            self._row[:] = row_of(self._generator.bit_generator)
            return result

        return drawn


@built(stream_at)
def _stream_at(front: FrontEnd, streams: Term, i: Term) -> Term:
    return Term(Stream(), (_place(front, streams, front.materialized(i)),))


def attempt(function: Any, *arguments: Any) -> Any:
    """Returns whether a function raises for some arguments, and what it returns if it does not."""
    try:
        return False, function(*arguments)
    except Exception:
        return True, None


@built(attempt, folds=False, takes_options=True)
def _attempt(front: FrontEnd, function: Term, *terms: Term) -> Term:
    """What is returned is read from slots, which the paths that raise do not set; rooms are there on all paths."""
    handler = front.begin_attempt()
    places, heap = len(front.places), Heap(front.state.heap)
    front.ran_out = None
    term = front.block("attempt", lambda _: front.materialized(call(front, function, terms, {})))
    front.state = State(front.state.names, heap)  # what the function has made is out of reach
    if not front.live:  # it always raises
        front.end_attempt(handler)
        return constant((True, None))
    if len(front.places) == places:
        front.end_attempt(handler)
        return tuple_of([constant(False), term])
    slots = {
        part: Slot(part.kind, "result") for part in term.parts if part.kind is not None and part.operation != "room"
    }
    front.region += [Set(slot, part) for part, slot in slots.items()]
    failure = front.end_attempt(handler)
    failed = front.compare("ne", failure, front.number(0))
    front.ran_out = _no_room(front, failure, places)
    result = Term(term.type, tuple(front.get(slots[part]) if part in slots else part for part in term.parts))
    return _pair(Term(PYTHON[bool], (failed,)), result)


def ran_out() -> bool:
    """Returns whether the last attempt failed because there was no room for the items of a list."""
    return False


@built(ran_out, folds=False)
def _ran_out(front: FrontEnd) -> Term:
    return constant(False) if front.ran_out is None else Term(PYTHON[bool], (front.ran_out,))


def _no_room(front: FrontEnd, failure: Value, places: int) -> Value | None:
    """Whether one of the places behind the first `places` has failed at which a list has no room; None if none is."""
    numbers = [k for k, (_, error) in enumerate(front.places, 1) if k > places and error == FULL]
    truths = [front.compare("eq", failure, front.number(k)) for k in numbers]
    return reduce(lambda a, b: front.compute("or", a, b), truths) if truths else None


def _pair(a: Term, b: Term) -> Term:
    return Term(Tuple((a.type, b.type)), (*a.parts, *b.parts))


# Addresses are ints: in Python those of arrays, which the caller keeps alive.


def column_at(address: int, dtype: Any, shape: tuple[int, ...] = (), numpy: bool = False) -> Any:
    """Returns a column of numbers, or of contiguous arrays, whose first row is at an address.

    Machine code reads 64 bits as numbers of Python, unless they are to be NumPy's.
    """
    row = math.prod(shape) * np.dtype(dtype).itemsize
    rows = _MOST // max(row, 1)
    memory = (ctypes.c_char * (rows * row)).from_address(int(address))
    return np.ndarray((rows, *shape), dtype, memory)


_MOST = 1 << 40  # bytes of a column in Python, of which only those are touched that are there


@built(column_at, folds=False)
def _column_at(front: FrontEnd, address: Term, dtype: Term, shape: Term = EMPTY, numpy: Term = FALSE) -> Term:
    return Term(Column(np.dtype(dtype.value), shape.value, numpy=numpy.value), (_address(front, address),))


def _address(front: FrontEnd, word: Term) -> Value:
    return front.emit("address", ADDRESS, front.convert(front.materialized(word).part, INT64))


def row_at(address: int, size: int, i: int) -> int:
    """Returns the address of row i of rows of `size` bytes."""
    return address + size * i


@built(row_at, folds=False)
def _row_at(front: FrontEnd, address: Term, size: Term, i: Term) -> Term:
    """It is no sum of Python's ints, whose size is checked: loops run over addresses."""
    start, step, number = (front.convert(front.materialized(one).part, INT64) for one in (address, size, i))
    return Term(PYTHON[int], (front.compute("add", start, front.compute("mul", step, number)),))


def sum_at(address: int, dtype: Any, count: int) -> Any:
    """Returns the sum of some floats at an address, one behind the other, as NumPy adds them: in pairs."""
    return column_at(address, dtype)[:count].sum()


@built(sum_at, folds=False)
def _sum_at(front: FrontEnd, address: Term, dtype: Term, count: Term) -> Term:
    kind = np.dtype(dtype.value)
    total, zero, size = front.emit("room", ADDRESS, attribute=8), front.number(0), front.number(kind.itemsize)
    front.emit("store", None, total, front.number(0.0, kind))
    places, number = [total, _address(front, address), total], front.convert(front.materialized(count).part, INT64)
    by_loop(front, np.add, (kind,) * 3, places, [zero, size, zero], number)
    return Term(Number(kind), (front.emit("load", kind, total),))


def words_at(address: int, names: dict[str, int]) -> Any:
    """Returns the words of memory at an address: an attribute for each name, at its place."""
    return _WordsInPython(column_at(address, np.int64), names)


class _WordsInPython:
    def __init__(self, words: Any, names: dict[str, int]) -> None:
        object.__setattr__(self, "_words", words)
        object.__setattr__(self, "_names", names)

    def __getattr__(self, name: str) -> Any:
        return int(self._words[self._names[name]])

    def __setattr__(self, name: str, value: Any) -> None:
        self._words[self._names[name]] = value


@built(words_at, folds=False)
def _words_at(front: FrontEnd, address: Term, names: Term) -> Term:
    return Term(Words(tuple(names.value.items())), (_address(front, address),))


def copy_at(target: int, source: int, size: int) -> None:
    """Copy bytes from one address to another; they do not overlap."""
    ctypes.memmove(int(target), int(source), int(size))


def call_at(address: int, *words: int) -> int:
    """Returns the int64 that the machine code at an address returns for int64 arguments."""
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(words))(address)
    return int(function(*words))


def prefetch_at(address: int) -> None:
    """Announce that the line of memory at an address will be written; any address may be given."""


def rarely(truth: bool) -> bool:
    """Returns a truth; machine code branches on it, and goes on as if it were false until it is there."""
    return truth


@built(rarely, folds=False)
def _rarely(front: FrontEnd, truth: Term) -> Term:
    answer = front.truth(truth)
    return constant(answer) if isinstance(answer, bool) else Term(PYTHON[bool], (front.emit("rarely", BOOL, answer),))


def load_shared(address: int) -> int:
    """Returns a word that other threads write, in one order for all."""
    return ctypes.c_int64.from_address(address).value


def store_shared(address: int, word: int) -> None:
    """Write a word that other threads read."""
    ctypes.c_int64.from_address(address).value = word


def add_shared(address: int, word: int) -> int:
    """Add to a word that other threads change, and return what it was."""
    before = load_shared(address)
    store_shared(address, before + word)
    return before


def pause() -> None:
    """Let the processor know that this is a waiting loop."""


def _effect(called: Any, operation: str, gives: bool, addresses: int = 1) -> None:
    """Add an operation of words, the first of which are addresses."""

    @built(called, folds=False)
    def build(front: FrontEnd, *terms: Term) -> Term:
        words = [front.convert(front.materialized(term).part, INT64) for term in terms]
        places = [front.emit("address", ADDRESS, word) for word in words[:addresses]]
        value = front.emit(operation, INT64 if gives else None, *places, *words[addresses:])
        return Term(PYTHON[int], (value,)) if gives else constant(None)


_effect(copy_at, "copy", gives=False, addresses=2)
_effect(call_at, "invoke", gives=True)
_effect(prefetch_at, "prefetch", gives=False)
_effect(load_shared, "load_shared", gives=True)
_effect(store_shared, "store_shared", gives=False)
_effect(add_shared, "add_shared", gives=True)
_effect(pause, "pause", gives=False)
