"""Constants are told apart by their bits and their classes, whatever their classes write about them."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Any

import numpy as np
import pytest

from palaestra.language.jit.reach import Reach
from tests.architecture.source import ROOT


class Quiet:
    """Its text hides its value, as that of all classes here."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return type(self).__name__


class Slotted:
    __slots__ = ("__hidden",)

    def __init__(self, value: Any) -> None:
        self.__hidden = value

    __repr__ = Quiet.__repr__


class Whole(int):
    __repr__ = Quiet.__repr__


class Real(float):
    __repr__ = Quiet.__repr__


class Word(str):
    __slots__ = ()
    __repr__ = Quiet.__repr__


class Row(tuple):
    __slots__ = ()
    __repr__ = Quiet.__repr__


class Table(np.ndarray):
    """Its attributes hide its dtype and its order in memory."""

    dtype = property(lambda self: "numbers")  # type: ignore[assignment]
    strides = property(lambda self: (8,))  # type: ignore[assignment]
    __repr__ = Quiet.__repr__


def member(kind: type, value: Any) -> Any:
    made: Any = kind("Prize", {"GOLD": value})
    made.__repr__ = Quiet.__repr__
    return made.GOLD


def table(*values: Any, dtype: Any = np.int64) -> Any:
    return np.array(values, dtype).view(Table)


def circle(value: Any) -> Any:
    ring = [value]
    ring.append(ring)
    return ring


def nan(payload: int) -> float:
    found: float = struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | payload))[0]
    return found


PAIRS: dict[str, tuple[Callable[..., Any], Any, Any]] = {
    "object": (Quiet, 1, 2),
    "slots": (Slotted, 1, 2),
    "int": (Whole, 1, 2),
    "float": (Real, 1.0, 2.0),
    "str": (Word, "a", "b"),
    "tuple": (Row, (1,), (2,)),
    "IntEnum": (lambda value: member(IntEnum, value), 5, 7),
    "Enum": (lambda value: member(Enum, value), 5, 7),
    "kind of Enum": (lambda kind: member(kind, 5), IntEnum, Enum),
    "array": (lambda value: table(1, value), 1, 2),
    "dtype": (lambda dtype: table(1, dtype=dtype), np.int64, np.uint64),
    "order": (lambda order: np.zeros((2, 2), order=order).view(Table), "C", "F"),
    "mask": (lambda mask: np.ma.array([1, 2], mask=[mask, 0]), 0, 1),
    "array of objects": (lambda value: np.array([Quiet(value)], object), 1, 2),
    "names of fields": (lambda name: np.zeros(1, [(name, np.int64)]), "a", "b"),
    "zero": (float, 0.0, -0.0),
    "complex zero": (lambda part: complex(0.0, part), 0.0, -0.0),
    "NaN": (nan, 1, 2),
    "class": (lambda kind: kind(1), int, float),
    "subclass": (lambda kind: kind(1), int, Whole),
    "bool": (lambda kind: kind(1), int, bool),
    "scalar": (lambda kind: kind(1), float, np.float32),
    "set": (lambda value: {Quiet(value)}, 1, 2),
    "dict": (lambda value: {"key": Quiet(value)}, 1, 2),
    "depth": (lambda value: (1, value, Row((Quiet(value),))), 1, 2),
    "nesting": (lambda value: value, ((1, 2), 3), (1, (2, 3))),
    "ends": (lambda value: value, ("a", "b"), ("a\0b",)),
    "circle": (circle, 1, 2),
    "range": (range, 3, 4),
    "bytearray": (bytearray, b"a", b"b"),
    "huge": (lambda value: Whole(10**5000 + value), 1, 2),
}


def digest(constant: Any) -> str:
    reach = Reach()

    def function() -> Any:
        return CONSTANT  # type: ignore[name-defined]  # noqa: F821

    globals()["CONSTANT"] = constant
    reach.function(function)  # type: ignore[arg-type]
    return reach.digest()


@pytest.mark.parametrize("name", PAIRS)
def test_constants_of_other_bits_or_classes_have_another_digest(name: str) -> None:
    make, one, other = PAIRS[name]
    assert digest(make(one)) != digest(make(other))
    assert digest(make(one)) == digest(make(one))


def test_objects_that_cannot_be_written_are_like_no_other() -> None:
    one, other = (lambda: 0), (lambda: 0)
    assert digest((one,)) == digest((one,)) != digest((other,))


def test_another_process_finds_the_same_digests() -> None:
    program = """
from tests.palaestra.language.jit import test_reach as t
print(*(t.digest(t.PAIRS[n][0](t.PAIRS[n][1])) for n in t.PAIRS))
"""
    here = [digest(make(one)) for make, one, _ in PAIRS.values()]
    for seed in ("1", "2"):
        there = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
        assert subprocess.check_output([sys.executable, "-c", program], env=there, text=True).split() == here


FAMILIES = """
from palaestra.box2d.stand_ins import STAND_INS
from palaestra.box2d import lander, walker
from palaestra.language.jit.reach import Reach

for family in (lander, walker):
    reach = Reach(STAND_INS)
    for function in family.FUNCTIONS:
        reach.function(function)
    print(reach.digest())
"""


def test_another_process_finds_the_machine_code_of_box2d() -> None:
    """Its functions reach intrinsics and functions of C, which Numba pickles by a number of the process."""
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    first, second = (subprocess.check_output([sys.executable, "-c", FAMILIES], env=there, text=True) for _ in range(2))
    assert first == second
    assert len(set(first.split())) == 2
