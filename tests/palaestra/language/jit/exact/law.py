"""What it means that machine code computes what Python does: the same bits, or an exception wherever Python has one."""

from __future__ import annotations

import linecache
import math
import struct
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError

from gymnasium.functional import ops
from palaestra.language.jit.diagnosis import explained
from palaestra.language.jit.exact.language import Refused
from palaestra.language.jit.lowering import Lowering

BEYOND = "beyond"
"""In the message of what only machine code raises: integers that need more bits than it has."""
GLOBALS = {"math": math, "np": np, "ops": ops}
_numbers = count()


def function_of(source: str, name: str, **names: Any) -> Any:
    """The function `name` of a text, whose lines errors can show."""
    file = f"<snippet {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace = {**GLOBALS, **names, "__name__": __name__}
    exec(compile(source, file, "exec"), namespace)
    return namespace[name]


def choice_of(expressions: Sequence[str], arguments: str) -> Any:
    """One function of many expressions: the first argument says which, for compiling each would take long."""
    lines = [f"    if chosen == {k}:\n        return {one}\n" for k, one in enumerate(expressions)]
    return function_of(f"def choice(chosen, {arguments}):\n{''.join(lines)}    return {expressions[0]}\n", "choice")


def compiled_of(function: Any) -> Any:
    return Lowering().function(function)


def refusal(function: Any, *arguments: Any) -> str:
    """What is said of a function that has no machine code for these arguments."""
    lowering = Lowering()
    ours = lowering.function(function)
    with pytest.raises(TypeError) as caught, explained("Dynamics", lowering.functions):
        ours(*arguments)
    return str(caught.value)


def bits(value: Any) -> Any:
    """A value that equals another one only if all bits do; one NaN is as good as another."""
    if isinstance(value, float):  # most are, and so is np.float64
        return "NaN" if math.isnan(value) else struct.pack("<d", value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, tuple(map(bits, value.ravel().tolist()))
    return type(value).__name__, value


@contextmanager
def quiet() -> Iterator[None]:
    """NumPy warns of nothing: of what overflows, of an empty mean."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def outcome(function: Callable[..., Any], arguments: Iterable[Any]) -> Any:
    """The bits of what a function returns, or the exception that it raises; not that it cannot be compiled."""
    try:
        return bits(function(*arguments))
    except (NumbaError, Refused):
        raise
    except Exception as error:
        return error


def has_no_place(expected: Any) -> bool:
    """Whether Python's result is none of machine code: an integer of more than 64 bits, a complex number."""
    return isinstance(expected, tuple) and (
        expected[:1] == ("complex",) or (expected[:1] == ("int",) and not -(2**63) <= expected[1] < 2**63)
    )


def difference(ours: Callable[..., Any], function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """What machine code does otherwise than Python; "" for nothing."""
    with quiet():
        return quiet_difference(ours, function, arguments)


def quiet_difference(ours: Callable[..., Any], function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """As `difference`, which for many arguments would take most of the time to be quiet."""
    came, expected = outcome(ours, arguments), outcome(function, arguments)
    if isinstance(expected, Exception):
        same = isinstance(came, (ArithmeticError, ValueError, LookupError, AssertionError))
    elif has_no_place(expected):
        same = isinstance(came, (OverflowError, ValueError))
    elif isinstance(came, OverflowError) and BEYOND in str(came):
        same = any(isinstance(one, (int, float)) and abs(one) > 2**53 for one in (*arguments, expected[1]))
    else:
        same = came == expected
    return "" if same else f"({shown(arguments)}): {came!r:.300} rather than {expected!r:.300}"


def shown(arguments: Sequence[Any]) -> str:
    """Values of arguments, of long arrays only the shapes."""
    return ", ".join(
        f"{one.dtype}{one.shape}" if isinstance(one, np.ndarray) and one.size > 9 else repr(one) for one in arguments
    )


def assert_agrees(expressions: Sequence[str], names: str, grid: Iterable[Sequence[Any]]) -> None:
    """The expressions of some names give in machine code what they give in Python, for all values of a grid."""
    function = choice_of(expressions, names)
    ours = compiled_of(function)
    values = list(grid)
    found: list[str] = []
    with quiet():
        for k, one in enumerate(expressions):
            texts = [text for arguments in values if (text := quiet_difference(ours, function, (k, *arguments)))]
            found += [f"{one}, {len(texts)} times: {text}" for text in texts[:2]]
    assert not found, "\n" + "\n".join(found)


def assert_agrees_or_refused(expression: str, names: str, grid: Sequence[Sequence[Any]]) -> None:
    """An expression gives what it gives in Python, for values of each type, or is refused with a remedy."""
    kinds: dict[Any, list[Sequence[Any]]] = {}
    for arguments in grid:
        kinds.setdefault(tuple(map(numba.typeof, arguments)), []).append(arguments)
    for values in kinds.values():
        try:
            assert_agrees([expression], names, values)
        except (NumbaError, Refused) as error:
            assert "write" in str(error) or "use" in str(error) or "No implementation" in str(error), error
