"""A program as LLVM's text, for one row at a time.

Slots are memory in the first block, which LLVM turns into registers. What a slot surely holds is remembered, so most
reads are no loads; a load stands where ways meet, and behind a fence if it is a float (`numbers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from palaestra.language.llvm import outward
from palaestra.language.llvm.numbers import NUMBERS, Numbers, element, number_of
from palaestra.language.llvm.reading import can_be_chosen, kind_given, kind_of, needed_in, row_of, slots_set
from palaestra.language.llvm.squares import power
from palaestra.language.llvm.text import Module, Writer
from palaestra.language.program import (
    FIXED,
    Block,
    If,
    Label,
    Leave,
    Loop,
    Program,
    Region,
    Set,
    Slot,
    Value,
)

Known: TypeAlias = "dict[Slot, str]"


def write_rows(program: Program, module: Module) -> None:
    """Write the function of a program, and for one with a row the function `NAME_rows`.

    `NAME_rows(all parameters but the row, low, high)` runs the rows from `low` to `high - 1` and returns the sum of
    their results.

    Raises:
        NotSupported: If an operation has no machine code on this processor, or a function outside is not there.
    """
    _Rows(program, module).write()


class _Rows:
    """Writes one program."""

    def __init__(self, program: Program, module: Module) -> None:
        self._program, self._module = program, module
        self._writer = Writer(module)
        self._numbers = Numbers(self._writer)
        self._needed = needed_in(program)
        self._names: dict[Value, str] = {}
        self._slots: dict[Slot, str] = {}
        self._known: Known = {}
        self._ends: dict[Label, tuple[str, list[Known]]] = {}  # the block behind a label, and what is known there

    def write(self) -> None:
        for k, value in enumerate(self._program.parameters):
            self._names[value] = f"%p{k}"
        if self._region(self._program.body):
            self._writer.line(f"ret i64 {self._read(self._program.result)}")
        taken = parameters_of(self._program)
        name = self._program.name
        if row_of(self._program) is None:
            self._module.write(self._writer.written(f'define i64 @"{name}"({taken}) nounwind'))
            return
        head = f'define internal i64 @"{name}_row"({taken}) alwaysinline nounwind'
        self._module.write(self._writer.written(head))
        self._module.write(rows_loop(self._program, 1, f'i64 @"{name}_row"').splitlines())

    def _region(self, region: Region) -> bool:
        """Write statements; returns whether what follows them is reached."""
        with self._writer.region():
            for statement in region:
                kind = type(statement)
                if kind is Value:
                    if statement in self._needed:
                        self._value(statement)  # type: ignore[arg-type]
                elif not _STATEMENTS[kind](self, statement):
                    return False
        return True

    def _set(self, statement: Set) -> bool:
        if statement in self._needed:
            slot = statement.slot
            value = self._known[slot] = self._named(statement.value)
            self._writer.line(f"store {self._numbers.type(slot.kind)} {value}, ptr {self._slot(slot)}")
        return True

    def _if(self, statement: If) -> bool:
        then, otherwise, end = (self._writer.label() for _ in range(3))
        condition = self._named(statement.condition)
        self._writer.fork(condition, then, otherwise if statement.otherwise else end)
        before, ends = dict(self._known), []
        for label, region in ((then, statement.then), (otherwise, statement.otherwise)):
            self._known = dict(before)
            if region or label == then:
                self._writer.start(label)
                if not self._region(region):
                    continue
                self._writer.branch(end)
            ends.append(self._known)
        return self._joined(end, ends)

    def _block(self, statement: Block) -> bool:
        end = self._writer.label()
        ends: list[Known] = []
        self._ends[statement.label] = end, ends
        if self._region(statement.body):
            self._writer.branch(end)
            ends.append(self._known)
        return self._joined(end, ends)

    def _loop(self, statement: Loop) -> bool:
        start, end = self._writer.label(), self._writer.label()
        ends: list[Known] = []
        self._ends[statement.label] = end, ends
        for slot in slots_set(statement.body):
            self._known.pop(slot, None)
        self._writer.branch(start)
        self._writer.start(start)
        if self._region(statement.body):
            self._writer.branch(start)
        return self._joined(end, ends)

    def _leave(self, statement: Leave) -> bool:
        end, ends = self._ends[statement.label]
        ends.append(self._known)
        self._writer.branch(end)
        return False

    def _joined(self, label: str, ends: list[Known]) -> bool:
        """Start a block at which ways meet; returns whether there are any."""
        if not ends:
            return False
        self._writer.start(label)
        first, *others = ends
        if others:
            first = {slot: name for slot, name in first.items() if all(one.get(slot) == name for one in others)}
        self._known = first
        return True

    def _slot(self, slot: Slot) -> str:
        if slot not in self._slots:
            kind = self._numbers.type(slot.kind)
            place = self._slots[slot] = self._writer.stack(kind)
            self._writer.first(f"store {kind} zeroinitializer, ptr {place}")
        return self._slots[slot]

    def _read(self, slot: Slot) -> str:
        """What a slot holds."""
        if slot not in self._known:
            loaded = self._writer.effect(f"load {self._numbers.type(slot.kind)}, ptr {self._slot(slot)}")
            self._known[slot] = self._numbers.fence(slot.kind, loaded)
        return self._known[slot]

    def _named(self, value: Value) -> str:
        """The text of a value that stands above."""
        if value.operation == "constant":
            return number_of(kind_of(value), value.attribute)
        if value.operation == "table":
            return self._module.table(value.attribute)
        return self._names[value]

    def _value(self, value: Value) -> None:
        operation = value.operation
        if operation in ("constant", "table", "parameter"):
            return
        arguments = [self._named(one) for one in value.arguments]
        if operation in NUMBERS:
            kinds = kind_of(value), kind_given(value)
            self._names[value] = self._numbers.write(operation, *kinds, arguments)
            return
        name = _OPERATIONS[operation](self, value, arguments)
        if name is not None:
            self._names[value] = name

    def _get(self, value: Value, arguments: list[str]) -> str:
        return self._read(value.attribute)

    def _any(self, value: Value, arguments: list[str]) -> str:
        return arguments[0]

    def _room(self, value: Value, arguments: list[str]) -> str:
        return self._writer.stack(f"[{value.attribute} x i8]")

    def _room_each(self, value: Value, arguments: list[str]) -> str:
        return self._writer.effect(f"alloca [{value.attribute} x i8], align 16")

    def _offset(self, value: Value, arguments: list[str]) -> str:
        if arguments[1] == "0":
            return arguments[0]
        return self._writer.value(f"getelementptr i8, ptr {arguments[0]}, i64 {arguments[1]}")

    def _load(self, value: Value, arguments: list[str]) -> str:
        kind = element(kind_of(value))
        fixed = ", !invariant.load !1" if value.attribute == FIXED else ""
        if kind != "i1":
            loaded = self._writer.effect(f"load {kind}, ptr {arguments[0]}, align 1{fixed}")
            return self._numbers.fence(kind_of(value), loaded) if can_be_chosen(value) else loaded
        byte = self._writer.effect(f"load i8, ptr {arguments[0]}, align 1{fixed}")
        return self._writer.effect(f"icmp ne i8 {byte}, 0")

    def _store(self, value: Value, arguments: list[str]) -> None:
        written, given = element(kind_of(value.arguments[1])), arguments[1]
        if written == "i1":
            written, given = "i8", self._writer.value(f"zext i1 {given} to i8")
        self._writer.line(f"store {written} {given}, ptr {arguments[0]}, align 1")

    def _copy(self, value: Value, arguments: list[str]) -> None:
        outward.copy(self._writer, *arguments)

    def _word(self, value: Value, arguments: list[str]) -> str:
        return self._writer.value(f"ptrtoint ptr {arguments[0]} to i64")

    def _address(self, value: Value, arguments: list[str]) -> str:
        return self._writer.value(f"inttoptr i64 {arguments[0]} to ptr")

    def _call(self, value: Value, arguments: list[str]) -> str:
        squared = power(self._writer, self._numbers, value, arguments)
        return squared or outward.called(self._writer, value.attribute, arguments)

    def _numpy(self, value: Value, arguments: list[str]) -> None:
        outward.looped(self._writer, value.attribute, arguments)

    def _invoke(self, value: Value, arguments: list[str]) -> str:
        return outward.invoked(self._writer, arguments)

    def _load_shared(self, value: Value, arguments: list[str]) -> str:
        return self._writer.effect(f"load atomic i64, ptr {arguments[0]} seq_cst, align 8")

    def _store_shared(self, value: Value, arguments: list[str]) -> None:
        self._writer.line(f"store atomic i64 {arguments[1]}, ptr {arguments[0]} seq_cst, align 8")

    def _add_shared(self, value: Value, arguments: list[str]) -> str:
        return self._writer.effect(f"atomicrmw add ptr {arguments[0]}, i64 {arguments[1]} seq_cst, align 8")

    def _pause(self, value: Value, arguments: list[str]) -> None:
        outward.pause(self._writer)

    def _prefetch(self, value: Value, arguments: list[str]) -> None:
        outward.prefetch(self._writer, arguments[0])


def parameters_of(program: Program) -> str:
    """Returns the parameters of a program as those of a function of LLVM."""
    return ", ".join(f"{element(kind_of(value))} %p{k}" for k, value in enumerate(program.parameters))


def rows_loop(program: Program, width: int, called: str) -> str:
    """Returns the function over rows, and the function of one row, `width` at a time, that calls `called`."""
    *before, _ = program.parameters
    declared = "".join(f"{element(kind_of(value))} %p{k}, " for k, value in enumerate(before))
    limit = "" if width == 1 else ", i64 %high"
    return _ROWS.format(name=program.name, taken=declared, width=width, called=called, limit=limit)


_ROWS = """\
define i64 @"{name}_rows"({taken}i64 %low, i64 %high) nounwind {{
entry:
  %any = icmp slt i64 %low, %high
  br i1 %any, label %body, label %end
body:
  %row = phi i64 [ %low, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %total, %body ]
  %result = call {called}({taken}i64 %row{limit})
  %total = add i64 %sum, %result
  %next = add i64 %row, {width}
  %more = icmp slt i64 %next, %high
  br i1 %more, label %body, label %end
end:
  %returned = phi i64 [ 0, %entry ], [ %total, %body ]
  ret i64 %returned
}}
define i64 @"{name}"({taken}i64 %row) nounwind {{
  %next = add i64 %row, 1
  %result = call i64 @"{name}_rows"({taken}i64 %row, i64 %next) noinline
  ret i64 %result
}}"""

_STATEMENTS: dict[type, Callable[..., bool]] = {
    Set: _Rows._set,
    If: _Rows._if,
    Block: _Rows._block,
    Loop: _Rows._loop,
    Leave: _Rows._leave,
}
_OPERATIONS: dict[str, Callable[[_Rows, Value, list[str]], str | None]] = {
    "get": _Rows._get,
    "any": _Rows._any,
    "room": _Rows._room,
    "room_each": _Rows._room_each,
    "offset": _Rows._offset,
    "load": _Rows._load,
    "store": _Rows._store,
    "copy": _Rows._copy,
    "word": _Rows._word,
    "address": _Rows._address,
    "call": _Rows._call,
    "loop": _Rows._numpy,
    "invoke": _Rows._invoke,
    "load_shared": _Rows._load_shared,
    "store_shared": _Rows._store_shared,
    "add_shared": _Rows._add_shared,
    "pause": _Rows._pause,
    "prefetch": _Rows._prefetch,
}
