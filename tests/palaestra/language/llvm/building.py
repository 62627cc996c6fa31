"""Programs of tests, and a run of them on columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from palaestra.language.llvm.engine import caller, compiled
from palaestra.language.program import (
    ADDRESS,
    INT64,
    Block,
    If,
    Kind,
    Label,
    Leave,
    Loop,
    Program,
    Region,
    Set,
    Slot,
    Value,
)


class Building:
    """A program that is being built.

    Attributes:
        region: Where statements are added.
        row: The row.
        result: The slot of the result.
    """

    def __init__(self, *names: str) -> None:
        self.columns = [Value("parameter", ADDRESS, (), name) for name in names]
        self.row = Value("parameter", INT64, (), "row")
        self.result = Slot(INT64, "result")
        self.region: Region = []

    def program(self, name: str = "tested") -> Program:
        return Program(name, [*self.columns, self.row], self.region, self.result)

    def value(self, operation: str, kind: Kind | None, *arguments: Value, attribute: Any = None) -> Value:
        made = Value(operation, kind, arguments, attribute)
        self.region.append(made)
        return made

    def number(self, number: Any, kind: Any = INT64) -> Value:
        return Value("constant", np.dtype(kind), (), number)

    def place(self, column: int, size: int, at: int | Value = 0) -> Value:
        """The address of bytes of this row, in a column with `size` bytes a row."""
        start = self.value("mul", INT64, self.row, self.number(size))
        place = self.value("offset", ADDRESS, self.columns[column], start)
        offset = self.number(at) if isinstance(at, int) else at
        return self.value("offset", ADDRESS, place, offset)

    def load(self, kind: Any, place: Value) -> Value:
        return self.value("load", np.dtype(kind), place)

    def store(self, place: Value, value: Value) -> None:
        self.value("store", None, place, value)

    def get(self, slot: Slot) -> Value:
        return self.value("get", slot.kind, attribute=slot)

    def set(self, slot: Slot, value: Value) -> None:
        self.region.append(Set(slot, value))

    def leave(self, label: Label) -> None:
        self.region.append(Leave(label))

    def within(self, region: Region) -> _Within:
        """What is added within goes into a region."""
        return _Within(self, region)

    def block(self, label: Label) -> _Within:
        block = Block(label)
        self.region.append(block)
        return self.within(block.body)

    def loop(self, label: Label) -> _Within:
        loop = Loop(label)
        self.region.append(loop)
        return self.within(loop.body)

    def when(self, condition: Value) -> _Within:
        chosen = If(condition)
        self.region.append(chosen)
        return self.within(chosen.then)

    def otherwise(self) -> _Within:
        chosen = self.region[-1]
        assert isinstance(chosen, If)
        return self.within(chosen.otherwise)


class _Within:
    def __init__(self, building: Building, region: Region) -> None:
        self._building, self._region = building, region

    def __enter__(self) -> None:
        self._building.region, self._region = self._region, self._building.region

    def __exit__(self, *error: object) -> None:
        self._building.region = self._region


def run_compiled(program: Program, *given: Any, lanes: bool = False) -> int:
    """Run `NAME_rows` on columns, and the first and the last row but one."""
    machine = compiled(program, lanes=lanes)
    assert machine.rows is not None
    return caller(machine.rows, len(given))(*given)


def column(values: Any, kind: Any) -> np.ndarray[Any, Any]:
    """An array of numbers, whose length is a multiple of eight; what is added repeats the last one."""
    array = np.asarray(values, kind)
    return np.concatenate([array, np.repeat(array[-1:], -len(array) % 8, axis=0)])


def assert_same(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> None:
    """Equal to the bit, but that NaN is NaN."""
    assert found.dtype == expected.dtype
    if found.dtype.kind == "f":
        numbers = ~(np.isnan(found) & np.isnan(expected))
        found, expected = found[numbers], expected[numbers]
    if found.tobytes() != expected.tobytes():
        differ = [k for k in range(found.size) if found.ravel()[k].tobytes() != expected.ravel()[k].tobytes()]
        raise AssertionError(f"items {differ[:8]}: {found.ravel()[differ[:8]]} for {expected.ravel()[differ[:8]]}")
