"""What is the same in all lanes of a program: values, slots, conditions, ways out.

Every region has a depth. The level of a place is the smallest depth such that all lanes that are still in the region
of that depth are at the place together: zero where nothing has divided the lanes. A condition that lanes disagree on
divides them relative to all regions around it; lanes that leave a block alone divide the others relative to the regions
around that block. What varies is found by walking through the program until nothing new is found to vary.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from palaestra.language.llvm.reading import row_of
from palaestra.language.program import (
    ADDRESS,
    Block,
    If,
    Label,
    Leave,
    Loop,
    Program,
    Region,
    Set,
    Slot,
    Statement,
    Value,
)

Structure: TypeAlias = "If | Block | Loop"
_STEADY = frozenset(("offset", "add", "sub", "mul", "shl"))  # depend on what their arguments depend on


class Uniformity:
    """What varies between the lanes of a program.

    Attributes:
        reached: The values that are ever computed.
        values: The values that vary.
        slots: The slots that vary.
        masked: The settings of slots at which not all lanes are present that may read the slot.
        leaves: The ways out that some lanes take alone.
        alone: The labels of those.
        left: The labels behind which lanes may have gone alone from within a statement, and have not come back.
        ended: The statements behind which there is no lane.
        steady: The addresses and offsets that depend on the row and constants alone: they are good in every lane.
    """

    def __init__(self, program: Program, needed: set[Statement]) -> None:
        self.reached: set[Value] = set()
        self.values: set[Value] = set()
        self.slots: set[Slot] = set()
        self.masked: set[Statement] = set()
        self.leaves: set[Leave] = set()
        self.alone: set[Label] = set()
        self.left: dict[Statement, frozenset[Label]] = {}
        self.ended: set[Statement] = set()
        self.steady: set[Value] = set(program.parameters)
        self._needed, self._homes = needed, _Homes(program)
        self._depths: dict[Label, int] = {}
        self._left: set[Label] = set()
        self._changed = True
        row = row_of(program)
        if row is not None:
            self.values.add(row)
        self.steady -= {one for one in program.parameters if one.kind is not ADDRESS and one is not row}
        while self._changed:
            self._changed = False
            self._region(program.body, 0, 0)

    def varies(self, value: Value) -> bool:
        """Returns whether a value varies."""
        return value in self.values

    def _region(self, region: Region, depth: int, level: int) -> tuple[set[Label], bool]:
        """Walk through a region; returns the labels of ways out taken alone, and whether lanes reach the end."""
        left: set[Label] = set()
        for statement in region:
            kind = type(statement)
            if kind is Value:
                if statement in self._needed:
                    self._value(statement, level)  # type: ignore[arg-type]
            elif kind is Set:
                if statement in self._needed:
                    self._set(statement, level)  # type: ignore[arg-type]
            elif kind is Leave:
                return left | self._leave(statement, level), False  # type: ignore[arg-type]
            else:
                gone, reached = self._structure(statement, depth, level)  # type: ignore[arg-type]
                left |= gone
                level = max([level, *(self._depths[label] for label in gone)])
                if not reached:
                    self.ended.add(statement)
                    return left, False
                self.ended.discard(statement)
        return left, True

    def _value(self, value: Value, level: int) -> None:
        operation = value.operation
        if operation in ("parameter", "constant", "table"):
            return
        self.reached.add(value)
        if value in self.values:
            varies = True
        elif operation == "any":
            varies = False
        elif operation == "get":
            varies = value.attribute in self.slots
        else:
            varies = operation in ("room", "room_each") or any(one in self.values for one in value.arguments)
        if varies and value not in self.values:
            self.values.add(value)
            self._changed = True
        (self.steady.add if self._can_be_steady(value, level) else self.steady.discard)(value)

    def _can_be_steady(self, value: Value, level: int) -> bool:
        operation = value.operation
        if operation in _STEADY:
            return all(map(self.is_steady, value.arguments))
        return operation in ("room", "room_each") or (operation == "load" and value.kind is ADDRESS and level == 0)

    def is_steady(self, value: Value) -> bool:
        """Returns whether a value depends on the row and constants alone."""
        return value.operation in ("constant", "table") or value in self.steady

    def _set(self, statement: Set, level: int) -> None:
        if level > self._homes.depth(statement) and statement not in self.masked:
            self.masked.add(statement)
            self._changed = True
        varies = statement in self.masked or statement.value in self.values
        if varies and statement.slot not in self.slots:
            self.slots.add(statement.slot)
            self._changed = True

    def _leave(self, statement: Leave, level: int) -> set[Label]:
        self._left.add(statement.label)
        if level > self._depths[statement.label] and statement not in self.leaves:
            self.leaves.add(statement)
            self._changed = True
        return {statement.label} if statement in self.leaves else set()

    def _structure(self, statement: Structure, depth: int, level: int) -> tuple[set[Label], bool]:
        if type(statement) is If:
            gone, reached = self._if(statement, depth, level)
        else:
            assert type(statement) is Block or type(statement) is Loop
            gone, reached = self._labelled(statement, depth, level)
        if gone != self.left.get(statement, frozenset()):
            self._changed = True
        self.left[statement] = frozenset(gone)
        return gone, reached

    def _if(self, statement: If, depth: int, level: int) -> tuple[set[Label], bool]:
        within = depth + 1 if statement.condition in self.values else level
        gone, reached = self._region(statement.then, depth + 1, within)
        others, also = self._region(statement.otherwise, depth + 1, within)
        return gone | others, reached or also

    def _labelled(self, statement: Block | Loop, depth: int, level: int) -> tuple[set[Label], bool]:
        """A block, or a loop: lanes that left it in an earlier round are missing from its beginning."""
        label = statement.label
        self._depths[label] = depth + 1
        looping = type(statement) is Loop
        if looping:
            missing = {*self.left.get(statement, ()), *([label] if label in self.alone else ())}
            level = max([level, *(self._depths[one] for one in missing)])
        gone, reached = self._region(statement.body, depth + 1, level)
        if label in gone and label not in self.alone:
            self.alone.add(label)
            self._changed = True
        return gone - {label}, (reached and not looping) or label in self._left


class _Homes:
    """Where slots are at home: the innermost regions that hold all that is said of them.

    A slot that is set at the beginning of its region, each time anew, does not concern lanes that are not there. What
    is set for the first time concerns no other lane either, unless that time comes again.
    """

    def __init__(self, program: Program) -> None:
        self._paths: dict[Slot, tuple[int, ...]] = {}
        self._first: dict[Slot, tuple[Statement, tuple[int, ...]]] = {}
        self._fresh: set[Statement] = set()
        self._path: list[int] = []
        self._loops = 0
        self._region(program.body)
        self._meet(program.result, program.body[0] if program.body else None, ())
        self._fresh -= {one for one in self._fresh if type(one) is Set and one.slot is program.result}

    def depth(self, statement: Set) -> float:
        """Returns the depth of the region that has to be present for a slot to be set in all lanes."""
        if statement in self._fresh:
            return math.inf
        slot = statement.slot
        first, path = self._first[slot]
        home = self._paths[slot]
        return len(home) - 1 if type(first) is Set and path == home else 0

    def _region(self, region: Region) -> None:
        self._path.append(id(region))
        path = tuple(self._path)
        for statement in region:
            match statement:
                case Set(slot=slot):
                    if slot not in self._first and not self._loops:
                        self._fresh.add(statement)
                    self._meet(slot, statement, path)
                case Value(operation="get", attribute=slot):
                    self._meet(slot, statement, path)
                case If(then=then, otherwise=otherwise):
                    self._region(then)
                    self._region(otherwise)
                case Block(body=body):
                    self._region(body)
                case Loop(body=body):
                    self._loops += 1
                    self._region(body)
                    self._loops -= 1
        self._path.pop()

    def _meet(self, slot: Slot, statement: Statement | None, path: tuple[int, ...]) -> None:
        if statement is not None:
            self._first.setdefault(slot, (statement, path))
        before = self._paths.get(slot, path)
        shared = 0
        while shared < min(len(before), len(path)) and before[shared] == path[shared]:
            shared += 1
        self._paths[slot] = path[:shared]
