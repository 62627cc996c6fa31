"""The reference of the contract: a tiny interpreter of programs, on real memory, one row at a time."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from palaestra.language.llvm import symbols
from palaestra.language.program import (
    Again,
    Block,
    If,
    Label,
    Leave,
    Loop,
    Program,
    Region,
    Routine,
    Set,
    Slot,
    Statement,
    Value,
    statements_of,
)


class _Left(Exception):
    def __init__(self, label: Label) -> None:
        self.label = label


def run(program: Program, *arguments: int) -> int:
    """Run a program with words for its parameters; returns its result."""
    with np.errstate(all="ignore"):
        return _Run(program, arguments).result()


def run_rows(program: Program, *arguments: int) -> int:
    """Run the rows from the last but one argument to the one before the last; returns the sum of their results."""
    *given, low, high = arguments
    return sum(run(program, *given, row) for row in range(low, high))


class _Run:
    def __init__(self, program: Program, arguments: tuple[int, ...]) -> None:
        self._program = program
        self._values: dict[Value, Any] = {
            value: _number(value, word) for value, word in zip(program.parameters, arguments, strict=True)
        }
        self._slots: dict[Slot, Any] = {}
        self._rooms: dict[Value, Any] = {}
        self._kept: list[Any] = []
        self._routines: dict[Label, tuple[Routine, set[Slot]]] = {}

    def result(self) -> int:
        self._region(self._program.body)
        return int(self._slots.get(self._program.result, 0))

    def _region(self, region: Region) -> None:
        for statement in region:
            match statement:
                case Value():
                    self._values[statement] = self._value(statement)
                case Set(slot=slot, value=value):
                    self._slots[slot] = self._read(value)
                case If(condition=condition, then=then, otherwise=otherwise):
                    self._region(then if self._read(condition) else otherwise)
                case Block(label=label, body=body):
                    self._until_left(label, body)
                case Loop(label=label, body=body):
                    while not self._until_left(label, body):
                        pass
                case Routine(label=label):
                    self._routines[label] = statement, _own_slots(statement, self._program)
                    self._anew(label)
                case Again(label=label):
                    self._anew(label)
                case Leave(label=label):
                    raise _Left(label)

    def _anew(self, label: Label) -> None:
        """Run a routine with slots, rooms and values of its own; behind it are those of the run around again."""
        routine, own = self._routines[label]
        values, rooms, slots = dict(self._values), self._rooms, {slot: self._slots.pop(slot, None) for slot in own}
        self._rooms = dict(rooms)
        for one in statements_of(routine.body):
            if isinstance(one, Value):
                self._rooms.pop(one, None)
        self._region(routine.body)
        self._values, self._rooms = values, rooms
        self._slots.update({slot: one for slot, one in slots.items() if one is not None})

    def _until_left(self, label: Label, body: Region) -> bool:
        try:
            self._region(body)
        except _Left as left:
            if left.label is not label:
                raise
            return True
        return False

    def _read(self, value: Value) -> Any:
        if value.operation == "constant":
            return _number(value, value.attribute)
        if value.operation == "table":
            return value.attribute.ctypes.data
        return self._values[value]

    def _value(self, value: Value) -> Any:
        given = [self._read(one) for one in value.arguments]
        match value.operation:
            case "constant" | "table" | "parameter":
                return self._read(value)
            case "get":
                slot = value.attribute
                return self._slots[slot] if slot in self._slots else _number(value, 0)
            case "any" | "rarely":
                return self._read(value.arguments[0])
            case "room" | "room_each":
                if value.operation == "room_each" or value not in self._rooms:
                    self._rooms[value] = ctypes.create_string_buffer(value.attribute)
                    self._kept.append(self._rooms[value])
                return ctypes.addressof(self._rooms[value])
            case "offset":
                return given[0] + int(given[1])
            case "load":
                return _memory(given[0], value.dtype)[0]
            case "store":
                _memory(given[0], value.arguments[1].dtype)[0] = given[1]
                return None
            case "prefetch":
                return None
            case "copy":
                ctypes.memmove(given[0], given[1], int(given[2]))
                return None
            case "word":
                return np.int64(given[0])
            case "address":
                return int(given[0])
            case "call":
                return _called(value.attribute, given)
            case "loop":
                return _looped(value.attribute, given)
            case operation:
                return _computed(operation, value, given)


def _own_slots(routine: Routine, program: Program) -> set[Slot]:
    """The slots that are used in a routine alone."""
    inside = set(map(id, statements_of(routine.body)))
    used: dict[bool, set[Slot]] = {True: set(), False: {program.result}}
    for one in statements_of(program.body):
        used[id(one) in inside].update(_slots_of(one))
    return used[True] - used[False]


def _slots_of(statement: Statement) -> list[Slot]:
    if isinstance(statement, Set):
        return [statement.slot]
    return [statement.attribute] if isinstance(statement, Value) and statement.operation == "get" else []


def _number(value: Value, number: Any) -> Any:
    return value.kind.type(number) if isinstance(value.kind, np.dtype) else int(number)


def _memory(address: int, dtype: np.dtype[Any]) -> Any:
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(address), dtype)


def _called(symbol: str, given: list[Any]) -> Any:
    double = symbol in symbols.C_FUNCTIONS
    function = getattr(symbols.C_LIBRARY, symbol)
    kind = ctypes.c_double if double else ctypes.c_float
    function.restype, function.argtypes = kind, [kind] * len(given)
    return (np.float64 if double else np.float32)(function(*map(float, given)))


def _looped(symbol: str, given: list[Any]) -> None:
    """The ufunc itself, one item after the other."""
    name, _, types = symbol.partition(":")
    ufunc = getattr(np, name)
    kinds = [np.dtype(letter) for letter in types.replace("->", "")]
    count = len(kinds)
    for k in range(int(given[-1])):
        places = [
            _memory(place + k * int(step), kind)
            for place, step, kind in zip(given[:count], given[count:-1], kinds, strict=True)
        ]
        ufunc(*places[:-1], out=places[-1])


def _computed(operation: str, value: Value, given: list[Any]) -> Any:
    kind = value.kind
    first = given[0]
    bits = getattr(first, "itemsize", 8) * 8
    plain = {
        "eq": lambda: first == given[1],
        "ne": lambda: first != given[1],
        "lt": lambda: first < given[1],
        "le": lambda: first <= given[1],
        "gt": lambda: first > given[1],
        "ge": lambda: first >= given[1],
    }
    if operation in plain:
        return np.bool_(plain[operation]())
    if operation == "select":
        return given[1] if first else given[2]
    if operation == "convert":
        return np.bool_(first != 0) if kind == np.dtype(bool) else np.asarray(first).astype(kind)[()]
    if operation == "bits":
        return np.asarray(first).view(kind)[()]
    if operation == "mulhi":
        return np.uint64(int(first) * int(given[1]) >> 64)
    if operation.endswith("_overflows"):
        exact = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}[operation[:3]](int(first), int(given[1]))
        return np.bool_(not -(1 << bits - 1) <= exact < 1 << bits - 1)
    if operation == "fma":
        return _fma(*given)
    if operation in ("div", "rem") and value.dtype.kind != "f":
        quotient = abs(int(first)) // abs(int(given[1]))
        quotient = -quotient if (first < 0) != (given[1] < 0) else quotient
        return _wrapped(quotient if operation == "div" else int(first) - quotient * int(given[1]), kind)
    ufunc = _UFUNCS[operation]
    result = ufunc(*given)
    return np.asarray(result, kind)[()] if np.asarray(result).dtype == kind else _wrapped(result, kind)


def _wrapped(number: Any, kind: Any) -> Any:
    bits = 8 * kind.itemsize
    return np.array([int(number) % (1 << bits)], f"u{kind.itemsize}").view(kind)[0]


def _fma(x: Any, y: Any, z: Any) -> Any:
    function = symbols.C_LIBRARY.fma if isinstance(x, np.float64) else symbols.C_LIBRARY.fmaf
    kind = ctypes.c_double if isinstance(x, np.float64) else ctypes.c_float
    function.restype, function.argtypes = kind, [kind] * 3
    return type(x)(function(float(x), float(y), float(z)))


_UFUNCS = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "shl": np.left_shift,
    "shr": np.right_shift,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
    "fabs": np.fabs,
    "copysign": np.copysign,
}
