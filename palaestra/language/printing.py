"""Programs as text for people: with the names of variables, and the lines of the source that they come from."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from palaestra.language.program import (
    EFFECTS,
    FIXED,
    INT64,
    Again,
    Block,
    If,
    Leave,
    Loop,
    Place,
    Program,
    Region,
    Routine,
    Set,
    Statement,
    Value,
    statements_of,
)

INFIX = {
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "rem", "and": "&", "or": "|", "xor": "^"},
    **{"shl": "<<", "shr": ">>", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="},
}


def printed(program: Program) -> str:
    """Returns the text of a program.

    It reads like Python. A comment holds the line of the source from which the following lines come. `raise` is written
    for what sets the number of a place that raises, and leaves.
    """
    return "\n".join(_Printer(program).lines()) + "\n"


class _Printer:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._names: dict[Any, str] = {}
        self._taken: set[str] = set()
        self._place: Place | None = None
        self._uses = _uses(program)

    def lines(self) -> Iterator[str]:
        program = self._program
        taken = ", ".join(f"{self._named(value, str(value.attribute))}: {value.kind}" for value in program.parameters)
        yield f"def {program.name}({taken}):"
        yield from self._region(program.body, 1)
        yield f"    return {self._named(program.result, program.result.name)}"

    def _region(self, region: Region, depth: int) -> Iterator[str]:
        pad = "    " * depth
        lines = [line for statement in region for line in self._statement(statement, depth)]
        yield from lines or [f"{pad}pass"]

    def _statement(self, statement: Statement, depth: int) -> Iterator[str]:
        pad = "    " * depth
        match statement:
            case Value(operation="constant"):
                pass
            case Value():
                if statement in self._uses and not self._is_inside(statement):
                    yield from self._located(statement, pad)
                    yield pad + self._line(statement)
            case Set(slot=slot, value=value):
                yield f"{pad}{self._named(slot, slot.name)} = {self._read(value)}"
            case If():
                yield from self._branch(statement, depth)
            case Block(label=label, body=body):
                yield f"{pad}with block('{self._named(label, label.name)}'):"
                yield from self._region(body, depth + 1)
            case Loop(label=label, body=body):
                yield f"{pad}while True:  # {self._named(label, label.name)}"
                yield from self._region(body, depth + 1)
            case Routine(label=label, body=body):
                yield f"{pad}def {self._named(label, label.name)}():"
                yield from self._region(body, depth + 1)
                yield f"{pad}{self._named(label, label.name)}()"
            case Again(label=label):
                yield f"{pad}{self._named(label, label.name)}()"
            case Leave(label=label):
                yield f"{pad}leave('{self._named(label, label.name)}')"

    def _branch(self, statement: If, depth: int) -> Iterator[str]:
        pad, condition = "    " * depth, self._read(statement.condition)
        error = self._raised(statement.then)
        if error and not statement.otherwise:
            yield f"{pad}if {condition}: raise {error}"
            return
        yield f"{pad}if {condition}:"
        yield from self._region(statement.then, depth + 1)
        if statement.otherwise:
            yield f"{pad}else:"
            yield from self._region(statement.otherwise, depth + 1)

    def _raised(self, region: Region) -> str:
        """The exception that a region raises, if that is all it does."""
        match region:
            case [Value(operation="constant", attribute=number), Set(slot=slot), Leave()] if slot.name == "failure":
                return str(self._program.places[number - 1][1]).replace(" ", "_")
        return ""

    def _located(self, value: Value, pad: str) -> Iterator[str]:
        if value.place is not None and value.place != self._place:
            self._place = place = value.place
            text = linecache.getline(place.file, place.line).strip()
            yield f"{pad}# {Path(place.file).name}:{place.line}  {text}"

    def _line(self, value: Value) -> str:
        return (
            self._expression(value) if value.kind is None else f"{self._named(value, 'v')} = {self._expression(value)}"
        )

    def _expression(self, value: Value) -> str:
        given = [self._read(one) for one in value.arguments]
        operation = value.operation
        if operation == "get":
            return self._named(value.attribute, value.attribute.name)
        if operation in INFIX:
            return f"{given[0]} {INFIX[operation]} {given[1]}"
        if operation == "select":
            return f"{given[1]} if {given[0]} else {given[2]}"
        if operation == "offset":
            return given[0] if given[1] == "0" else f"{given[0]} + {given[1]}"
        if operation == "address":
            return given[0]
        if operation == "neg":
            return f"-{given[0]}"
        if operation in ("convert", "bits", "load"):
            return f"{operation}_{value.kind}({', '.join(given)})"
        if operation in ("call", "loop"):
            return f"{_word(str(value.attribute))}({', '.join(given)})"
        if value.attribute is not None:
            given.append(_short(value.attribute))
        return f"{_word(operation)}({', '.join(given)})"

    def _is_inside(self, value: Value) -> bool:
        """Whether a value is written where it is used: addresses, and fixed memory."""
        is_size = value.operation == "mul" and value.kind == INT64  # of rows
        simple = value.operation in ("offset", "address") or value.attribute is FIXED or is_size
        return simple and not value.name and self._uses[value] == 1

    def _read(self, value: Value) -> str:
        if value in self._uses and self._is_inside(value):
            return self._expression(value)
        if value.operation == "constant":
            return repr(value.attribute) if np.isfinite(value.attribute) else f"float('{value.attribute}')"
        return self._named(value, "v")

    def _named(self, thing: Any, name: str) -> str:
        if thing not in self._names:
            word = _word(getattr(thing, "name", "") or name)
            number = len(self._names)
            self._names[thing] = made = f"{word}{number}" if word in self._taken or word == "v" else word
            self._taken.add(made)
        return self._names[thing]


def _uses(program: Program) -> dict[Value, int]:
    """How often each value is used, of those from which something comes: an effect, a branch, what a slot holds."""
    found: dict[Value, int] = {}
    waiting: list[Value] = []
    for statement in statements_of(program.body):
        match statement:
            case Value(operation=operation) if operation in EFFECTS:
                waiting.append(statement)
            case Set(value=value) | If(condition=value):
                waiting.append(value)
    while waiting:
        value = waiting.pop()
        found[value] = found.get(value, 0) + 1
        if found[value] == 1:
            waiting += value.arguments
    return found


def _word(text: str) -> str:
    """A text as a name of Python."""
    word = "".join(letter if letter.isalnum() else "_" for letter in text)
    return f"{word}_" if word in ("and", "or", "not", "in", "is") else word


def _short(attribute: object) -> str:
    if isinstance(attribute, np.ndarray):
        return f"'{attribute.dtype}{list(attribute.shape)}'"
    return repr(attribute)
