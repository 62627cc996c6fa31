"""A program as LLVM's text, for one row at a time.

Slots are memory in the first block, which LLVM turns into registers. What a slot surely holds is remembered, so most
reads are no loads; a load stands where ways meet, and behind a fence if it is a float (`numbers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from palaestra.language.llvm import outward
from palaestra.language.llvm.numbers import NUMBERS, Numbers, element, number_of
from palaestra.language.llvm.reading import (
    can_be_chosen,
    kind_given,
    kind_of,
    may_join_choices,
    needed_in,
    row_of,
    slots_set,
)
from palaestra.language.llvm.routines import Sharing
from palaestra.language.llvm.squares import power
from palaestra.language.llvm.text import Module, Writer
from palaestra.language.program import (
    FIXED,
    OVERLAPS,
    Again,
    Block,
    If,
    Kind,
    Label,
    Leave,
    Loop,
    Program,
    Region,
    Routine,
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
    """Writes one program, or a routine in it.

    Args:
        program: The program.
        module: The module.
        outside: What writes that which is around the routine.
        routine: The routine.
    """

    def __init__(
        self, program: Program, module: Module, outside: _Rows | None = None, routine: Routine | None = None
    ) -> None:
        self._program, self._module, self._routine = program, module, routine
        self._writer = writer_of(program, module) if outside is None else Writer(module)
        self._numbers = Numbers(self._writer)
        if outside is None:
            self._needed, self._joins = needed_in(program), may_join_choices(program)
            self._sharing = Sharing(program, self._needed)
        else:
            self._needed, self._joins, self._sharing = outside._needed, outside._joins, outside._sharing
        self._names: dict[Value, str] = {}
        self._slots: dict[Slot, str] = {}
        self._known: Known = {}
        self._words: str | None = None  # the address of what is shared
        self._ends: dict[Label, tuple[str, list[Known]]] = {}  # the block behind a label, and what is known there

    def write(self) -> None:
        for k, value in enumerate(self._program.parameters):
            self._names[value] = f"%p{k}"
        ends = self._region(self._program.body)
        result = self._read(self._program.result) if ends else None
        if row_of(self._program) is not None:
            self._module.write(function_over_rows(self._program, self._writer, 1, result))
            return
        if ends:
            self._writer.line(f"ret i64 {result}")
        head = f'define i64 @"{self._program.name}"({parameters_of(self._program)}) nounwind'
        self._module.write(self._writer.function(head))

    def write_routine(self, routine: Routine) -> None:
        """Write the function of the routine, whose parameter is the address of what is shared."""
        for value in self._sharing.taken[routine]:
            self._names[value] = self._loaded(kind_of(value), self._shared(value))
        if self._region(routine.body):
            self._writer.line("ret void")
        head = f"define internal void {self._name_of(routine)}(ptr %shared) nounwind"
        self._module.write(self._writer.function(head))

    def _name_of(self, routine: Routine) -> str:
        return f'@"{self._program.name}.{routine.label.name}.{self._sharing.number_of(routine)}"'

    def _shared(self, thing: Slot | Value) -> str:
        """The address of a slot or a value that is shared."""
        return self._writer.value(f"getelementptr i64, ptr {self._base()}, i64 {self._sharing.places[thing]}")

    def _base(self) -> str:
        """The address of what is shared."""
        if self._words is None:
            is_within = self._routine is not None
            self._words = "%shared" if is_within else self._writer.stack(f"[{len(self._sharing.places)} x i64]")
        return self._words

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
            value = self._named(statement.value)
            if slot not in self._sharing.places:
                self._known[slot] = value
            self._writer.line(f"store {self._numbers.type(slot.kind)} {value}, ptr {self._slot(slot)}")
        return True

    def _if(self, statement: If) -> bool:
        then, otherwise, end = (self._writer.label() for _ in range(3))
        condition = self._named(statement.condition)
        rarely = statement.condition.operation == "rarely"
        self._writer.fork(condition, then, otherwise if statement.otherwise else end, rarely)
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

    def _called(self, statement: Routine) -> bool:
        _Rows(self._program, self._module, self, statement).write_routine(statement)
        return self._call_again(statement)

    def _call_again(self, statement: Routine | Again) -> bool:
        routine = self._sharing.routines[statement.label]
        for value in self._sharing.given(self._routine, routine):
            kind = self._numbers.type(kind_of(value))
            self._writer.line(f"store {kind} {self._named(value)}, ptr {self._shared(value)}")
        self._writer.line(f"call void {self._name_of(routine)}(ptr {self._base()})")
        return True

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
        if slot in self._sharing.places:
            return self._shared(slot)
        if slot not in self._slots:
            kind = self._numbers.type(slot.kind)
            place = self._slots[slot] = self._writer.stack(kind)
            self._writer.first(f"store {kind} zeroinitializer, ptr {place}")
        return self._slots[slot]

    def _loaded(self, kind: Kind, place: str) -> str:
        loaded = self._writer.effect(f"load {self._numbers.type(kind)}, ptr {place}")
        return self._numbers.fence(kind, loaded) if self._joins else loaded

    def _read(self, slot: Slot) -> str:
        """What a slot holds."""
        if slot in self._known:
            return self._known[slot]
        loaded = self._loaded(slot.kind, self._slot(slot))
        if slot not in self._sharing.places:  # a routine may set it
            self._known[slot] = loaded
        return loaded

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

    def _same(self, value: Value, arguments: list[str]) -> str:
        return arguments[0]

    def _room(self, value: Value, arguments: list[str]) -> str:
        return self._writer.stack(f"[{value.attribute} x i8]")

    def _room_each(self, value: Value, arguments: list[str]) -> str:
        return self._writer.stack_here(f"[{value.attribute} x i8]")

    def _offset(self, value: Value, arguments: list[str]) -> str:
        if arguments[1] == "0":
            return arguments[0]
        return self._writer.value(f"getelementptr i8, ptr {arguments[0]}, i64 {arguments[1]}")

    def _load(self, value: Value, arguments: list[str]) -> str:
        kind = element(kind_of(value))
        loaded = outward.loaded(self._writer, "i8" if kind == "i1" else kind, arguments[0], value.attribute == FIXED)
        if kind == "i1":
            return self._writer.value(f"icmp ne i8 {loaded}, 0")
        return self._numbers.fence(kind_of(value), loaded) if self._joins and can_be_chosen(value) else loaded

    def _store(self, value: Value, arguments: list[str]) -> None:
        written, given = element(kind_of(value.arguments[1])), arguments[1]
        if written == "i1":
            written, given = "i8", self._writer.value(f"zext i1 {given} to i8")
        self._writer.line(f"store {written} {given}, ptr {arguments[0]}, align 1")

    def _copy(self, value: Value, arguments: list[str]) -> None:
        target, source, size = arguments
        outward.copy(self._writer, target, source, size, value.attribute == OVERLAPS)

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
        return outward.invoked(self._writer, element(kind_of(value)), arguments)

    def _foreign(self, value: Value, arguments: list[str]) -> str | None:
        kind = None if value.kind is None else element(value.kind)
        taken = [element(kind_of(one)) for one in value.arguments]
        return outward.foreign(self._writer, value.attribute, kind, taken, arguments)

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


def writer_of(program: Program, module: Module) -> Writer:
    """Returns the writer of the function of a program, over rows if it has one."""
    steady = [f"%p{k}" for k in range(len(program.parameters) - 1)] + ["%high"]
    return Writer(module, None if row_of(program) is None else steady)


def function_over_rows(program: Program, writer: Writer, width: int, result: str | None) -> list[str]:
    """Returns the function over rows, `width` at a time, and the one of a row, which calls it.

    Args:
        program: The program.
        writer: What is written for a turn.
        width: The rows of a turn.
        result: The name of the result of a turn; None if it never ends.
    """
    *before, _ = program.parameters
    taken = "".join(f"{element(kind_of(value))} %p{k}, " for k, value in enumerate(before))
    head = f'define i64 @"{program.name}_rows"({taken}i64 %low, i64 %high) nounwind'
    return [
        *writer.rows(head, f"%p{len(before)}", width, result),
        *_ONE_ROW.format(name=program.name, taken=taken).splitlines(),
    ]


_ONE_ROW = """\
define i64 @"{name}"({taken}i64 %row) nounwind {{
  %next = add i64 %row, 1
  %result = call i64 @"{name}_rows"({taken}i64 %row, i64 %next)
  ret i64 %result
}}"""

_STATEMENTS: dict[type, Callable[..., bool]] = {
    Set: _Rows._set,
    If: _Rows._if,
    Block: _Rows._block,
    Loop: _Rows._loop,
    Routine: _Rows._called,
    Again: _Rows._call_again,
    Leave: _Rows._leave,
}
_OPERATIONS: dict[str, Callable[[_Rows, Value, list[str]], str | None]] = {
    "get": _Rows._get,
    "any": _Rows._same,
    "rarely": _Rows._same,
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
    "foreign": _Rows._foreign,
    "load_shared": _Rows._load_shared,
    "store_shared": _Rows._store_shared,
    "add_shared": _Rows._add_shared,
    "pause": _Rows._pause,
    "prefetch": _Rows._prefetch,
}
