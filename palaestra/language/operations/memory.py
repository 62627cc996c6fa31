"""Memory: columns, which the frame of a batch reads and writes row by row, and what is at addresses.

The functions run in Python, too, so that the frame does.
"""

from __future__ import annotations

import ctypes
import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.functional.stream_rows import generator_at, row_of
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, INT64, Set, Slot, Value
from palaestra.language.types import (
    PYTHON,
    Array,
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

EMPTY = constant(())

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
    if not isinstance(term.type, Array) or (term.type.dtype, term.type.shape) != (column.dtype, column.shape):
        raise Refused(f"{term.type} does not fit {column}")
    if not term.type.contiguous:
        raise Refused("an array with gaps does not fit a column")
    if column.size:
        front.emit("copy", None, place, term.part, front.number(column.size))
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
    """What is returned is read from slots: the paths that raise do not set them."""
    handler = front.begin_attempt()
    places = len(front.places)
    term = front.block("attempt", lambda _: front.materialized(call(front, function, terms, {})))
    if not front.live:  # it always raises
        front.end_attempt(handler)
        return constant((True, None))
    if len(front.places) == places:
        front.end_attempt(handler)
        return tuple_of([constant(False), term])
    slots = [Slot(part.kind, "result") for part in term.parts if part.kind is not None]
    front.region += [Set(slot, part) for slot, part in zip(slots, term.parts, strict=True)]
    failure = front.end_attempt(handler)
    failed = front.compare("ne", failure, front.number(0))
    result = Term(term.type, tuple(map(front.get, slots)))
    return _pair(Term(PYTHON[bool], (failed,)), result)


def _pair(a: Term, b: Term) -> Term:
    return Term(Tuple((a.type, b.type)), (*a.parts, *b.parts))


# Addresses are ints: in Python those of arrays, which the caller keeps alive.


def column_at(address: int, dtype: Any, shape: tuple[int, ...] = ()) -> Any:
    """Returns a column of numbers, or of contiguous arrays, whose first row is at an address."""
    row = math.prod(shape) * np.dtype(dtype).itemsize
    rows = _MOST // max(row, 1)
    memory = (ctypes.c_char * (rows * row)).from_address(address)
    return np.ndarray((rows, *shape), dtype, memory)


_MOST = 1 << 40  # bytes of a column in Python, of which only those are touched that are there


@built(column_at, folds=False)
def _column_at(front: FrontEnd, address: Term, dtype: Term, shape: Term = EMPTY) -> Term:
    return Term(Column(np.dtype(dtype.value), shape.value), (_address(front, address),))


def _address(front: FrontEnd, word: Term) -> Value:
    return front.emit("address", ADDRESS, front.convert(front.materialized(word).part, INT64))


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
    ctypes.memmove(target, source, size)


def call_at(address: int, *words: int) -> int:
    """Returns the int64 that the machine code at an address returns for int64 arguments."""
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(words))(address)
    return int(function(*words))


def prefetch_at(address: int) -> None:
    """Announce that the line of memory at an address will be written; any address may be given."""


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
