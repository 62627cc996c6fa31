"""Functions of C libraries: the same from Python and from machine code."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.llvm.symbols import C_LIBRARY
from palaestra.language.operations.foreign import Foreign, drawn_at
from palaestra.language.operations.memory import column_at
from tests.palaestra.language.machines import machine_of, same

INT, LONG, FLOAT, DOUBLE = ctypes.c_int32, ctypes.c_int64, ctypes.c_float, ctypes.c_double
scaled = Foreign(C_LIBRARY, "ldexp", DOUBLE, DOUBLE, INT)
rounded = Foreign(C_LIBRARY, "roundf", FLOAT, FLOAT)
sized = Foreign(C_LIBRARY, "llabs", LONG, LONG)
filled = Foreign(C_LIBRARY, "memset", None, LONG, INT, LONG)
turned = C_LIBRARY.sin


def _calls(x: float, n: int) -> Any:
    return scaled(x, n), rounded(x), sized(n)


@pytest.mark.parametrize(("x", "n"), [(2.5, -3), (-0.1, 40), (1e-8 + 0.5, 0), (float("nan"), 2**31 - 1)])
def test_numbers_are_passed_and_returned_as_by_ctypes(x: float, n: int) -> None:
    assert same(machine_of(_calls, 1.0, 1)(x, n), _calls(x, n))


def _fills(address: int, byte: int) -> Any:
    numbers = column_at(address, np.uint8)
    before = numbers[2]
    filled(address, byte, 3)
    return before, numbers[2], numbers[3]


def test_memory_is_read_again_after_a_call() -> None:
    memory = [np.arange(8, dtype=np.uint8) for _ in range(2)]
    expected = _fills(memory[0].ctypes.data, 200)
    assert same(machine_of(_fills, 0, 0)(memory[1].ctypes.data, 200), expected)
    assert expected == (2, 200, 3)
    assert np.array_equal(*memory)


def _draws(draw: int, state: int) -> Any:
    return drawn_at(draw, state), drawn_at(draw, state)


def test_a_draw_of_numpys_generator() -> None:
    one, other = np.random.default_rng(1), np.random.default_rng(1)
    interface = other.bit_generator.ctypes
    source = ctypes.cast(interface.next_double, ctypes.c_void_p).value or 0, interface.state_address
    compiled = machine_of(_draws, 0, 0)
    assert [*_draws(*source), *compiled(*source)] == [one.random() for _ in range(4)]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x: scaled(x), "ldexp takes 2 arguments"),
        (lambda x: sized(x), "llabs takes an int"),
        (lambda x: rounded(np.float32(x)), "roundf takes numbers of Python"),
        (lambda x: turned(x), "not in the language"),
    ],
)
def test_what_ctypes_would_not_take_is_refused(function: Any, reason: str) -> None:
    """And a function of `ctypes` itself, of which nothing is known."""
    with pytest.raises(CannotCompile, match=reason):
        machine_of(function, 1.0)
