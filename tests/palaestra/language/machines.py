"""Functions in the language as machine code, called with Python's objects."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from palaestra.language.frontend.entry import function_program, written_size
from palaestra.language.llvm.engine import caller, compiled
from palaestra.language.llvm.lanes import NotInLanes
from palaestra.language.program import Block, If, Loop, Program, Region, Set, Statement, Value, statements_of
from palaestra.language.types import Array, Bounded, Constant, Either, Number, Stream, Tuple, Type, type_of


class Failed(Exception):
    """Machine code ended by an exception; its argument is the name."""


def machine_of(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """Returns a function of arguments like the examples, in machine code; it raises `Failed` where Python raises.

    Lists in its result are tuples. Arrays are passed by their address, so the function may change them.
    """
    program, kind = function_program(function, [type_of(one) for one in examples])
    check_scopes(program)
    call = caller(compiled(program).address, 2)
    places = program.places
    size = max(written_size(kind), 8)

    def called(*arguments: Any) -> Any:
        parts: list[Any] = []
        kept: list[Any] = []
        for one in arguments:
            _add_parts(parts, kept, type_of(one), one)
        words = np.zeros(max(len(parts), 1), np.int64)
        for k, (dtype, value) in enumerate(parts):
            words[k : k + 1].view(np.uint8)[: dtype.itemsize] = np.array([value], dtype).view(np.uint8)
        results = np.zeros(size, np.uint8)
        failure = call(words, results)
        for finish in kept:
            if callable(finish):
                finish()
        if failure < 0:
            raise Failed(places[-failure - 1][1])
        return _read(kind, results, 0)

    return called


def lanes_of(
    function: Callable[..., Any], *examples: Any, loops: bool = True
) -> Callable[[Sequence[tuple[Any, ...]]], list[Any]]:
    """Returns a function of several arguments like the examples, run eight at a time.

    It returns what each returns, and the class `Failed` for one that raises.

    Raises:
        NotInLanes: If the program cannot be run so, or has `loops` and must not.
    """
    program, kind = function_program(function, [type_of(one) for one in examples], rows=True)
    check_scopes(program)
    if not loops and any(isinstance(one, Loop) for one in statements_of(program.body)):
        raise NotInLanes("it has loops")
    rows = compiled(program, lanes=True).rows
    assert rows is not None
    call, size = caller(rows, 4), written_size(kind) + 8

    def called(several: Sequence[tuple[Any, ...]]) -> list[Any]:
        padded = [*several, *[several[-1]] * (-len(several) % 8)]
        kept: list[Any] = []
        words = np.concatenate([_words_of_arguments(one, kept) for one in padded])
        results = np.zeros((len(padded), size), np.uint8)
        call(words, results, 0, len(several))
        for finish in kept:
            if callable(finish):
                finish()
        return [_read(kind, one, 0) if one[-8] else Failed for one in results[: len(several)]]

    return called


def check_scopes(program: Program) -> None:
    """Assert that each value is computed before it is read, in the same region or in one around it.

    A room lasts until the program ends, so its address may be read in other regions behind its own.
    """
    rooms: set[Value] = set()

    def check(region: Region, computed: set[Value]) -> None:
        computed = {*computed}
        for one in region:
            for part in _parts_read(one):
                is_there = part.operation in LASTING or part in computed or part in rooms
                assert is_there, f"{part.operation} is read outside of its region"
            match one:
                case Value():
                    (rooms if one.operation == "room" else computed).add(one)
                case If():
                    check(one.then, computed)
                    check(one.otherwise, computed)
                case Block() | Loop():
                    check(one.body, computed)

    check(program.body, {*program.parameters})


def _parts_read(statement: Statement) -> tuple[Value, ...]:
    match statement:
        case Value():
            return statement.arguments
        case Set():
            return (statement.value,)
        case If():
            return (statement.condition,)
    return ()


LASTING = "constant", "table"


def _words_of_arguments(arguments: tuple[Any, ...], kept: list[Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
    parts: list[Any] = []
    for one in arguments:
        _add_parts(parts, kept, type_of(one), one)
    words = np.zeros(len(parts), np.int64)
    for k, (dtype, value) in enumerate(parts):
        words[k : k + 1].view(np.uint8)[: dtype.itemsize] = np.array([value], dtype).view(np.uint8)
    return words


def _add_parts(parts: list[Any], kept: list[Any], kind: Type, value: Any) -> None:
    match kind:
        case Number(dtype=dtype):
            parts.append((dtype, value))
        case Tuple(items=items):
            for item, one in zip(items, value, strict=True):
                _add_parts(parts, kept, item, one)
        case Array():
            array = np.ascontiguousarray(value)
            kept.append([array])
            parts.append((np.dtype(np.int64), array.ctypes.data))
        case Stream():
            words = words_of(value)
            kept.append(lambda: put_words(value, words))
            parts.append((np.dtype(np.int64), words.ctypes.data))
        case Constant():
            pass
        case _:
            raise TypeError(f"{kind} is no argument")


MASK = 2**64 - 1


def words_of(rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Returns the five words of a PCG64 stream: state and increment, low words first, and the spare half of a draw."""
    state: Any = rng.bit_generator.state
    one, other = state["state"]["state"], state["state"]["inc"]
    spare = state["uinteger"] | state["has_uint32"] << 32
    return np.array([one & MASK, one >> 64, other & MASK, other >> 64, spare], np.uint64)


def put_words(rng: np.random.Generator, words: np.ndarray[Any, np.dtype[np.uint64]]) -> None:
    """Set the state of a generator to words of `words_of`."""
    low, high, inc_low, inc_high, spare = (int(word) for word in words)
    state: Any = rng.bit_generator.state
    state["state"] = {"state": low | high << 64, "inc": inc_low | inc_high << 64}
    state["has_uint32"], state["uinteger"] = spare >> 32, spare & 0xFFFFFFFF
    rng.bit_generator.state = state


def _read(kind: Type, memory: Any, at: int) -> Any:
    match kind:
        case Constant(value=value):
            return value
        case Number(dtype=dtype, python=python):
            number = memory[at : at + dtype.itemsize].view(dtype)[0]
            return number.item() if python else number
        case Tuple(items=items, of=of):
            values = []
            for item in items:
                values.append(_read(item, memory, at))
                at += written_size(item)
            return tuple(values) if of is tuple else of(*values)
        case Array(dtype=dtype, shape=shape):
            size = kind.size * dtype.itemsize
            return memory[at : at + size].view(dtype).reshape(shape).copy()
        case Bounded(dtype=dtype, most=most, open=axes):
            lengths = dict(zip(axes, memory[at : at + 8 * len(axes)].view(np.int64), strict=True))
            start = at + 8 * len(axes)
            items = memory[start : start + math.prod(most) * dtype.itemsize].view(dtype).reshape(most)
            return items[tuple(slice(lengths.get(axis, length)) for axis, length in enumerate(most))].copy()
        case Either(options=options):
            chosen = int(memory[at : at + 8].view(np.int64)[0])
            at += 8 + sum(map(written_size, options[:chosen]))
            return _read(options[chosen], memory, at)
    raise TypeError(f"{kind} is no result")


def same(one: Any, other: Any) -> bool:
    """Returns whether two results are the same to the bit, their types included; one NaN is as good as another."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and _same_bits(one, other)
    if isinstance(one, (float, np.floating)):
        return _same_bits(np.array(one), np.array(other))
    return bool(one == other)


def _same_bits(one: Any, other: Any) -> bool:
    if one.dtype.kind != "f":
        return bool(np.array_equal(one, other))
    nans = np.isnan(one)
    signs = np.array_equal(np.signbit(one[~nans]), np.signbit(other[~nans]))
    return bool(np.array_equal(nans, np.isnan(other)) and np.array_equal(one[~nans], other[~nans]) and signs)
