"""Writing values: operations and constants, one behind the other, into a region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from palaestra.language.frontend.size import Size
from palaestra.language.program import (
    ADDRESS,
    BOOL,
    INT64,
    OPERATIONS,
    Kind,
    Place,
    Region,
    Set,
    Slot,
    Value,
    statements_of,
)


class Writer:
    """Writes values.

    Attributes:
        region: The region that grows.
        place: The line of the source that is being translated.
        size: How much was written: operations and statements, those included that were dropped again.
    """

    def __init__(self) -> None:
        self.region: Region = []
        self.place: Place | None = None
        self.size = Size()

    def emit(self, operation: str, kind: Kind | None, *arguments: Value, attribute: Any = None) -> Value:
        """Write an operation, and return its value."""
        assert operation in OPERATIONS, operation
        value = Value(operation, kind, arguments, attribute, self.place)
        self.region.append(value)
        self.size.count += 1
        return value

    def number(self, value: Any, dtype: np.dtype[Any] = INT64) -> Value:
        """Returns a constant number."""
        return self.emit("constant", dtype, attribute=dtype.type(value).item())

    def compute(self, operation: str, *arguments: Value, kind: Kind | None = None) -> Value:
        """Returns an operation of numbers; its kind is that of the first unless it is given."""
        return self.emit(operation, kind or arguments[0].kind, *arguments)

    def compare(self, operation: str, a: Value, b: Value) -> Value:
        """Returns whether two numbers are `eq`, `ne`, `lt`, `le`, `gt` or `ge`."""
        return self.emit(operation, BOOL, a, b)

    def convert(self, value: Value, dtype: np.dtype[Any]) -> Value:
        """Returns a number as another kind."""
        if value.kind == dtype:
            return value
        if value.operation == "constant" and (value.dtype.kind in "biu" or dtype.kind == "f"):
            with np.errstate(over="ignore"):
                return self.number(np.array(value.attribute, value.dtype).astype(dtype)[()], dtype)
        return self.emit("convert", dtype, value)

    def get(self, slot: Slot) -> Value:
        """Returns what a slot holds now."""
        return self.emit("get", slot.kind, attribute=slot)

    @contextmanager
    def writing(self, region: Region) -> Iterator[None]:
        """Write into another region meanwhile."""
        before, self.region = self.region, region
        yield
        self.region = before


def root_of(address: Value) -> Value:
    """Returns the address that another is counted from."""
    while address.operation == "offset":
        address = address.arguments[0]
    return address


def is_within(effect: Value, own: set[Value]) -> bool:
    """Returns whether an operation makes memory, or writes into some that `own` values have made."""
    return effect.operation == "room" or (effect.operation in ("store", "copy") and root_of(effect.arguments[0]) in own)


def roots_of(address: Value, sets: Mapping[Slot, list[Value]]) -> set[Value]:
    """Returns the addresses that an address may be counted from."""
    found: set[Value] = set()
    waiting, seen = [address], set[Value]()
    while waiting:
        one = root_of(waiting.pop())
        if one in seen:
            continue
        seen.add(one)
        if one.operation == "select":
            waiting += one.arguments[1:]
        elif one.operation == "get":
            waiting += sets.get(one.attribute, ())
        else:
            found.add(one)
    return found


def sets_of(body: Region) -> dict[Slot, list[Value]]:
    """Returns the addresses that slots are set to."""
    sets: dict[Slot, list[Value]] = {}
    for statement in statements_of(body):
        if isinstance(statement, Set) and statement.slot.kind is ADDRESS:
            sets.setdefault(statement.slot, []).append(statement.value)
    return sets
