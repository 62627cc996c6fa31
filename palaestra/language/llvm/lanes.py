"""A program as LLVM's text, for eight rows at a time.

It is one walk over the statements with a mask of the lanes that are there. Where no lanes disagree, code branches as
for one row. Where they do, both regions of a condition are run under masks; a region that is long, or could do harm
where no lane is, only if some lane is there. A way out that some lanes take alone is noted in memory that belongs to
its label: behind every statement, the lanes that are there are those from before it, less those that have gone further.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from palaestra.language.llvm import symbols
from palaestra.language.llvm.forms import Form, Forms, Lanes, Place, Rising, Uniform
from palaestra.language.llvm.lane_operations import LaneOperations
from palaestra.language.llvm.numbers import is_float, number_of
from palaestra.language.llvm.reading import kind_of, needed_in, row_of, slots_set
from palaestra.language.llvm.rows import function_over_rows, writer_of
from palaestra.language.llvm.text import Module
from palaestra.language.llvm.uniformity import Uniformity
from palaestra.language.program import (
    ADDRESS,
    INT64,
    WIDTH,
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
    Statement,
    Value,
    statements_of,
)

Known: TypeAlias = "dict[Slot, Form]"


class NotInLanes(Exception):
    """A program cannot run eight rows at a time."""


def write_lanes(program: Program, module: Module) -> None:
    """Write the function of a program for eight rows, and the function `NAME_rows`.

    `NAME_rows(all parameters but the row, low, high)` runs the rows from `low`, a multiple of eight, to `high - 1`, and
    returns the sum of their results. It also runs the rows behind these up to the next multiple of eight, which all
    columns have, and whose results do not count.

    Raises:
        NotInLanes: If it cannot be done.
        NotSupported: If an operation has no machine code on this processor, or a function outside is not there.
    """
    if row_of(program) is None:
        raise NotInLanes("the program has no row")
    if any(type(one) is Routine for one in statements_of(program.body)):
        raise NotInLanes("a function calls itself, in each row to its own depth")
    needed = needed_in(program)
    uniformity = Uniformity(program, needed)
    for statement in statements_of(program.body):
        if type(statement) is Value and statement in uniformity.reached:
            _check(statement, uniformity)
    _Lanes(program, module, needed, uniformity).write()


def _check(value: Value, uniformity: Uniformity) -> None:
    """Refuse what has to happen in the order of rows.

    Raises:
        NotInLanes: Always then.
    """
    if value.operation in _IN_ORDER:
        raise NotInLanes(f"{value.operation} happens in the order of rows")
    written = 0 if value.operation in ("store", "copy") else None
    loop = symbols.loop(value.attribute) if value.operation == "loop" else None
    if loop is not None:
        written = loop.operands - 1
    if written is not None and not uniformity.varies(value.arguments[written]):
        raise NotInLanes(f"{value.operation} writes to one place for all rows")


_IN_ORDER = frozenset(("invoke", "foreign", "load_shared", "store_shared", "add_shared", "pause"))
_LONG = 20  # operations, from which on a region is left out if no lane is in it
_CARELESS = frozenset(("call", "loop", "copy"))


class _Lanes:
    """Writes one program."""

    def __init__(self, program: Program, module: Module, needed: set[Statement], uniformity: Uniformity) -> None:
        self._program, self._module = program, module
        self._needed, self._uniformity = needed, uniformity
        self._writer = writer_of(program, module)
        self._forms = Forms(self._writer)
        self._operations = LaneOperations(program, self._writer, self._forms, uniformity)
        self._values: dict[Value, Form] = {}
        self._slots: dict[Slot, str] = {}
        self._known: Known = {}
        self._mask: str | None = None  # the lanes that are there; None for all eight
        self._ends: dict[Label, tuple[str, list[Known]]] = {}  # the block behind a label, and what is known there
        self._gone: dict[Label, str] = {}  # where the lanes are noted that have gone behind a label alone

    def write(self) -> None:
        *before, row = self._program.parameters
        for k, value in enumerate(before):
            self._values[value] = Place(f"%p{k}", 0, steady=True) if value.kind is ADDRESS else Uniform(f"%p{k}")
        self._values[row] = Rising(f"%p{len(before)}", 1)
        result = self._result(f"%p{len(before)}") if self._region(self._program.body) else None
        self._module.write(function_over_rows(self._program, self._writer, WIDTH, result))

    def _result(self, row: str) -> str:
        """The sum of the results of the rows below `%high`."""
        words = f"<{WIDTH} x i64>"
        result = self._forms.lanes(self._read(self._program.result), INT64)
        rows, high = self._forms.lanes(Rising(row, 1), INT64), self._forms.spread("i64", "%high")
        counted = self._writer.value(f"icmp slt {words} {rows}, {high}")
        counts = self._writer.value(f"select <{WIDTH} x i1> {counted}, {words} {result}, {words} zeroinitializer")
        name = f"@llvm.vector.reduce.add.v{WIDTH}i64"
        self._module.declare(name, f"declare i64 {name}({words})")
        return self._writer.value(f"call i64 {name}({words} {counts})")

    def _region(self, region: Region) -> bool:
        """Write statements; returns whether the processor comes to what follows them, with lanes or without."""
        for k, statement in enumerate(region):
            kind = type(statement)
            if kind is Value:
                if statement in self._needed:
                    self._value(statement)  # type: ignore[arg-type]
                continue
            if not _STATEMENTS[kind](self, statement):
                return False
            if kind is Leave or statement in self._uniformity.ended:
                return True
            rest = region[k + 1 :]
            if self._uniformity.left.get(statement) and self._is_careless(rest):
                return self._guarded(rest)
        return True

    def _is_careless(self, region: Region) -> bool:
        """Returns whether a region should be left out if no lane is in it."""
        count = 0
        for statement in statements_of(region):
            if type(statement) is Loop:
                return True
            if type(statement) is Value and statement in self._needed:
                count += 1
                if count > _LONG or self._does_harm(statement):
                    return True
        return False

    def _does_harm(self, value: Value) -> bool:
        if value.operation in ("div", "rem"):
            return not is_float(value.kind)
        if value.operation in ("load", "store"):
            return not self._uniformity.is_steady(value.arguments[0])
        return value.operation in _CARELESS

    def _guarded(self, region: Region) -> bool:
        """Write statements that are left out if no lane is there."""
        if self._mask is None:
            return self._region(region)
        body, end = self._writer.label(), self._writer.label()
        self._writer.fork(self._any(self._mask), body, end)
        ends = [dict(self._known)]
        self._writer.start(body)
        with self._writer.region():
            if self._region(region):
                self._writer.branch(end)
                ends.append(self._known)
        return self._joined(end, ends)

    def _set(self, statement: Set) -> bool:
        if statement not in self._needed:
            return True
        slot, form = statement.slot, self._form(statement.value)
        if slot not in self._uniformity.slots:
            text = form.base if isinstance(form, Place) else form[0]
            self._writer.line(f"store {self._forms.one.type(slot.kind)} {text}, ptr {self._slot(slot)}")
        else:
            kind = _kind_in_lanes(slot.kind)
            lanes = self._forms.lanes(form, kind)
            if statement in self._uniformity.masked and self._mask is not None:
                before = self._forms.lanes(self._read(slot), kind)
                lanes = self._forms.eight.write("select", kind, kind, [self._mask, lanes, before])
                form = Lanes(lanes)
            self._writer.line(f"store {self._forms.eight.type(kind)} {lanes}, ptr {self._slot(slot)}")
        self._known[slot] = form
        return True

    def _if(self, statement: If) -> bool:
        if not self._uniformity.varies(statement.condition):
            return self._uniform_if(statement)
        condition = self._forms.lanes(self._form(statement.condition), statement.condition.dtype)
        before = self._mask
        for negated, region in ((False, statement.then), (True, statement.otherwise)):
            if region:
                self._mask = self._with(before, condition, negated)
                (self._guarded if self._is_careless(region) else self._region)(region)
        self._mask = self._without(before, statement)
        return True

    def _uniform_if(self, statement: If) -> bool:
        then, otherwise, end = (self._writer.label() for _ in range(3))
        condition = self._form(statement.condition)[0]
        self._writer.fork(str(condition), then, otherwise)
        mask, before, ends = self._mask, self._known, []
        for label, region in ((then, statement.then), (otherwise, statement.otherwise)):
            self._known, self._mask = dict(before), mask
            self._writer.start(label)
            with self._writer.region():
                if self._region(region):
                    self._writer.branch(end)
                    ends.append(self._known)
        reached = self._joined(end, ends)
        if reached:
            self._mask = self._without(mask, statement)
        return reached

    def _block(self, statement: Block) -> bool:
        mask, label = self._mask, statement.label
        end = self._writer.label()
        ends: list[Known] = []
        self._ends[label] = end, ends
        self._prepare(label)
        with self._writer.region():
            reached = self._region(statement.body)
        if ends:
            if reached:
                self._writer.branch(end)
                ends.append(self._known)
            reached = self._joined(end, ends)
        if reached:
            self._mask = self._without(mask, statement)
        return reached

    def _loop(self, statement: Loop) -> bool:
        mask, label = self._mask, statement.label
        start, end = self._writer.label(), self._writer.label()
        ends: list[Known] = []
        self._ends[label] = end, ends
        self._prepare(label)
        for slot in slots_set(statement.body):
            self._known.pop(slot, None)
        self._writer.branch(start)
        self._writer.start(start)
        with self._writer.region():
            self._round(statement, end, ends)
            if self._region(statement.body):
                self._writer.branch(start)
        reached = self._joined(end, ends)
        if reached:
            self._mask = self._without(mask, statement)
        return reached

    def _round(self, statement: Loop, end: str, ends: list[Known]) -> None:
        """Write the beginning of a round of a loop: it ends when no lane is left."""
        own = {statement.label} & self._uniformity.alone
        gone = self._uniformity.left[statement] | own
        if gone:
            self._mask = self._less(self._mask, gone)
            assert self._mask is not None
            body = self._writer.label()
            self._writer.fork(self._any(self._mask), body, end)
            ends.append(dict(self._known))
            self._writer.start(body)

    def _leave(self, statement: Leave) -> bool:
        label = statement.label
        if statement not in self._uniformity.leaves:
            end, ends = self._ends[label]
            ends.append(self._known)
            self._writer.branch(end)
            return False
        assert self._mask is not None
        place = self._gone[label]
        gone = self._writer.effect(f"load {_FLAGS}, ptr {place}")
        self._writer.line(f"store {_FLAGS} {self._writer.value(f'or {_FLAGS} {gone}, {self._mask}')}, ptr {place}")
        return True

    def _prepare(self, label: Label) -> None:
        """Write that no lane has gone behind a label yet."""
        if label in self._uniformity.alone:
            self._gone[label] = self._writer.stack(_FLAGS)
            self._writer.line(f"store {_FLAGS} zeroinitializer, ptr {self._gone[label]}")

    def _joined(self, label: str, ends: list[Known]) -> bool:
        """Start a block at which ways meet; returns whether there are any."""
        if not ends:
            return False
        self._writer.start(label)
        first, *others = ends
        self._known = {
            slot: form for slot, form in first.items() if not others or all(one.get(slot) == form for one in others)
        }
        return True

    def _with(self, mask: str | None, condition: str, negated: bool) -> str:
        """Lanes for which a condition is true, or false; it need not be defined in others."""
        if negated:
            condition = self._writer.value(f"xor {_FLAGS} {condition}, splat (i1 true)")
        if mask is None:
            return condition
        return self._writer.value(f"select {_FLAGS} {mask}, {_FLAGS} {condition}, {_FLAGS} zeroinitializer")

    def _without(self, mask: str | None, statement: If | Block | Loop) -> str | None:
        """Lanes that have not gone further from within a statement."""
        return self._less(mask, self._uniformity.left[statement])

    def _less(self, mask: str | None, labels: frozenset[Label]) -> str | None:
        for label in sorted(labels, key=lambda one: self._gone[one]):
            gone = self._writer.effect(f"load {_FLAGS}, ptr {self._gone[label]}")
            stayed = self._writer.value(f"xor {_FLAGS} {gone}, splat (i1 true)")
            mask = stayed if mask is None else self._writer.value(f"and {_FLAGS} {mask}, {stayed}")
        return mask

    def _any(self, mask: str) -> str:
        bits = self._writer.value(f"bitcast {_FLAGS} {mask} to i{WIDTH}")
        return self._writer.value(f"icmp ne i{WIDTH} {bits}, 0")

    def _slot(self, slot: Slot) -> str:
        if slot not in self._slots:
            varies = slot in self._uniformity.slots
            kind = self._forms.eight.type(_kind_in_lanes(slot.kind)) if varies else self._forms.one.type(slot.kind)
            place = self._slots[slot] = self._writer.stack(kind, 64)
            self._writer.first(f"store {kind} zeroinitializer, ptr {place}")
        return self._slots[slot]

    def _read(self, slot: Slot) -> Form:
        """What a slot holds."""
        found = self._known.get(slot)
        if found is None:
            varies = slot in self._uniformity.slots
            numbers = self._forms.eight if varies else self._forms.one
            kind = _kind_in_lanes(slot.kind) if varies else slot.kind
            loaded = self._writer.effect(f"load {numbers.type(kind)}, ptr {self._slot(slot)}")
            text = numbers.fence(kind, loaded)
            found = Lanes(text) if varies else (Place(text, 0) if slot.kind is ADDRESS else Uniform(text))
            self._known[slot] = found
        return found

    def _form(self, value: Value) -> Form:
        """A value that stands above."""
        if value.operation == "constant":
            text = number_of(kind_of(value), value.attribute)
            return Place(text, 0) if value.kind is ADDRESS else Uniform(text)
        if value.operation == "table":
            return Place(self._module.table(value.attribute), 0, steady=True)
        return self._values[value]

    def _value(self, value: Value) -> None:
        if value.operation in ("constant", "table", "parameter"):
            return
        if value.operation == "get":
            self._values[value] = self._read(value.attribute)
            return
        form = self._operations.write(value, [self._form(one) for one in value.arguments], self._mask)
        if form is not None:
            self._values[value] = form


def _kind_in_lanes(kind: Kind) -> Kind:
    return INT64 if kind is ADDRESS else kind


_FLAGS = f"<{WIDTH} x i1>"
_STATEMENTS: dict[type, Callable[..., bool]] = {
    Set: _Lanes._set,
    If: _Lanes._if,
    Block: _Lanes._block,
    Loop: _Lanes._loop,
    Leave: _Lanes._leave,
}
