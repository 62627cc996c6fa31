"""Functions in the language under JAX, called with many arguments of the same types at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gymnasium.envs._jax import program
from gymnasium.envs._jax.library import jax, jnp
from palaestra.language.frontend.entry import _of_lists, program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.jax.rows import Rows
from palaestra.language.program import ADDRESS, INT64, Kind, Value
from palaestra.language.types import (
    Array,
    Bounded,
    Constant,
    Either,
    Number,
    Stream,
    Term,
    Tuple,
    Type,
    type_of,
)
from tests.double_precision import enable_x64
from tests.palaestra.language.machines import Failed, put_words, words_of

UINT64 = np.dtype(np.uint64)


class JaxFunction:
    """A function in the language as one of JAX.

    Args:
        function: The function.
        examples: Arguments like those that it gets.
    """

    def __init__(self, function: Callable[..., Any], *examples: Any) -> None:
        kinds = [type_of(one) for one in examples]
        columns = [column for one in kinds for column in _columns(one)]
        outputs: list[tuple[np.dtype[Any], int]] = []
        places: list[Value] = []
        self.type: Type = kinds[0] if kinds else Constant(None)

        def write(front: FrontEnd, values: dict[str, Value]) -> Value:
            given = iter(values.values())
            terms = [Term(kind, tuple(next(given) for _ in kind.kinds)) for kind in kinds]
            term = front.materialized(_of_lists(front, front.call_function(function, terms, {})))
            self.type = term.type
            for leaf in _leaves(front, term):
                places.append(Value("parameter", ADDRESS))
                outputs.append(leaf.column)
                leaf.write(front, places[-1])
            return front.number(0)

        taken: dict[str, Kind] = {f"p{k}": one for k, one in enumerate(one for kind in kinds for one in kind.kinds)}
        self.program = program_of("function", taken, write)
        self.program.parameters += places
        self._rows = Rows(self.program, [*columns, *outputs])
        self._outputs, self._kinds = outputs, kinds

    def run(self, *given: Any) -> Any:
        """Run one row; returns the result, and what is in memory."""
        return self._rows.run(*given, *(jnp.zeros(count, dtype) for dtype, count in self._outputs))

    def arguments(self, several: Sequence[tuple[Any, ...]]) -> list[np.ndarray]:
        """Returns the arguments of many calls as arrays."""
        return [np.stack(one) for one in zip(*(list(self._parts(one)) for one in several), strict=True)]

    def _parts(self, arguments: tuple[Any, ...]) -> Iterator[np.ndarray]:
        for kind, value in zip(self._kinds, arguments, strict=True):
            yield from _parts(kind, value)

    def results(self, several: Sequence[tuple[Any, ...]], outcome: Any) -> list[Any]:
        """Returns what each call returns, or `Failed` with the name; arguments that it changes are changed."""
        codes, columns = np.asarray(outcome[0]), [np.asarray(one) for one in outcome[1]]
        found: list[Any] = []
        for k, arguments in enumerate(several):
            rows = iter([column[k] for column in columns])
            for kind, value in zip(self._kinds, arguments, strict=True):
                _put_back(kind, value, rows)
            if codes[k] < 0:
                found.append(Failed(self.program.places[-int(codes[k]) - 1][1]))
            else:
                found.append(_read(self.type, rows))
        return found


def together(calls: Sequence[tuple[JaxFunction, Sequence[tuple[Any, ...]]]]) -> list[list[Any]]:
    """Returns what each function returns for each of its arguments, all as one program in double precision."""
    with enable_x64(True):
        given = [function.arguments(several) for function, several in calls]

        def run(all_given: Any) -> Any:
            return [
                jax.vmap(function.run, axis_size=len(several))(*one)
                for (function, several), one in zip(calls, all_given, strict=True)
            ]

        outcomes = jax.device_get(program.jax.jit(run)(given))  # which tests let optimise little
    return [function.results(several, outcome) for (function, several), outcome in zip(calls, outcomes, strict=True)]


def _columns(kind: Type) -> Iterator[tuple[np.dtype[Any], int]]:
    """The kind and the number of the items of each address in an argument."""
    match kind:
        case Tuple(items=items):
            for item in items:
                yield from _columns(item)
        case Array(dtype=dtype, size=size):
            yield dtype, size
        case Stream():
            yield UINT64, 5


def _put_back(kind: Type, value: Any, rows: Iterator[np.ndarray]) -> None:
    """Let an argument be as it is behind a call."""
    match kind:
        case Tuple(items=items):
            for item, one in zip(items, value, strict=True):
                _put_back(item, one, rows)
        case Array():
            row = next(rows)
            if value.flags.writeable:
                value[...] = row.reshape(value.shape)
        case Stream():
            put_words(value, next(rows))


def _parts(kind: Type, value: Any) -> Iterator[np.ndarray]:
    match kind:
        case Number(dtype=dtype):
            yield np.array(value, dtype)
        case Tuple(items=items):
            for item, one in zip(items, value, strict=True):
                yield from _parts(item, one)
        case Array():
            yield np.ascontiguousarray(value).reshape(-1)
        case Stream():
            yield words_of(value)


class _Leaf:
    """Numbers of a result, which are stored one by one."""

    def __init__(self, dtype: np.dtype[Any], parts: list[Value]) -> None:
        self.column = dtype, max(len(parts), 1)
        self._parts = parts

    def write(self, front: FrontEnd, place: Value) -> None:
        for k, part in enumerate(self._parts):
            at = front.emit("offset", ADDRESS, place, front.number(k * self.column[0].itemsize))
            front.emit("store", None, at, part)


class _Copied:
    """Items of an array whose lengths are found, which are copied."""

    def __init__(self, kind: Bounded, start: Value) -> None:
        self.column = kind.dtype, math.prod(kind.most)
        self._start = start

    def write(self, front: FrontEnd, place: Value) -> None:
        size = front.number(self.column[0].itemsize * self.column[1])
        front.emit("copy", None, place, self._start, size)


def _leaves(front: FrontEnd, term: Term) -> Iterator[Any]:
    match term.type:
        case Array(dtype=dtype, shape=shape, strides=strides):
            parts = []
            for index in np.ndindex(*shape):
                step = front.number(sum(i * one for i, one in zip(index, strides, strict=True)))
                parts.append(front.emit("load", dtype, front.emit("offset", ADDRESS, term.part, step)))
            yield _Leaf(dtype, parts)
        case Bounded():
            copy = front.operate(np.copy, term)
            assert isinstance(copy.type, Bounded)
            yield _Leaf(INT64, list(copy.parts[1:]))
            yield _Copied(copy.type, copy.parts[0])
        case Tuple():
            for item in term.items():
                yield from _leaves(front, item)
        case Either():
            yield _Leaf(INT64, [term.parts[0]])
            for item in term.items():
                yield from _leaves(front, item)
        case Constant():
            return
        case _:
            for part in term.parts:
                yield _Leaf(part.dtype, [part])


def _read(kind: Type, rows: Iterator[np.ndarray]) -> Any:
    match kind:
        case Constant(value=value):
            return value
        case Number(python=python):
            number = next(rows)[0]
            return number.item() if python else number
        case Tuple(items=items, of=of):
            values = [_read(item, rows) for item in items]
            return tuple(values) if of is tuple else of(*values)
        case Array(shape=shape, size=size):
            return next(rows)[:size].reshape(shape)
        case Bounded(most=most, open=axes):
            lengths = dict(zip(axes, next(rows), strict=True))
            held = next(rows).reshape(most)
            return held[tuple(slice(lengths.get(axis, length)) for axis, length in enumerate(most))]
        case Either(options=options):
            chosen = int(next(rows)[0])
            return [_read(option, rows) for option in options][chosen]
    raise TypeError(f"{kind} is no result")


DIGITS = {2: 2e-3, 4: 2e-6, 8: 1e-12}
"""The difference that floats of so many bytes may have, relative to their size."""


def close(one: Any, other: Any) -> bool:
    """Returns whether two results are the same: types and integers exactly, floats to some digits."""
    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(close, one, other))
    if type(one) is not type(other) or not isinstance(one, (float, np.generic, np.ndarray)):
        return type(one) is type(other) and bool(one == other)
    a, b = np.asarray(one), np.asarray(other)
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return False
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    least = DIGITS[a.dtype.itemsize]
    return bool(np.allclose(a, b, rtol=least, atol=least, equal_nan=True))
