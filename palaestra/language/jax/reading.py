"""What is found about a program before it runs under JAX: its rooms, and what is read behind each statement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from palaestra.language.jax.memory import Room
from palaestra.language.jax.numbers import NotUnderJax
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
    statements_of,
)

Root: TypeAlias = Value
"""The value that is the address of a room: a parameter, a room, or a constant table."""
Bits: TypeAlias = int
"""A set of slots and roots, by their numbers."""
ROOTS = frozenset(("parameter", "room", "table"))


class Roots:
    """The rooms that each address of a program may lie in.

    Args:
        program: The program.

    Attributes:
        rooms: All rooms, in their order.
        kinds: The kinds of the numbers that are loaded from and stored to each.
    """

    def __init__(self, program: Program) -> None:
        self._sets: dict[Slot, list[Value]] = {}
        self._found: dict[Value, frozenset[Root]] = {}
        self._of_slots: dict[Slot, frozenset[Root]] = {}
        values = [*program.parameters]
        for one in statements_of(program.body):
            if isinstance(one, Set):
                if one.slot.kind is ADDRESS:
                    self._sets.setdefault(one.slot, []).append(one.value)
            elif isinstance(one, Value):
                values.append(one)
                values += [given for given in one.arguments if given.operation == "table"]
        values += [one for several in self._sets.values() for one in several if one.operation == "table"]
        self.rooms = [*dict.fromkeys(one for one in values if one.kind is ADDRESS and one.operation in ROOTS)]
        self._spread()
        self.kinds = self._kinds(values)

    def _spread(self) -> None:
        """Find what slots hold, until nothing more is found."""
        self._of_slots = dict.fromkeys(self._sets, frozenset())
        while True:
            self._found.clear()
            found = {slot: frozenset[Root]().union(*map(self.of, several)) for slot, several in self._sets.items()}
            if found == self._of_slots:
                return
            self._of_slots = found

    def of(self, address: Value) -> frozenset[Root]:
        """Returns the rooms that an address may lie in."""
        if address not in self._found:
            self._found[address] = self._rooms_of(address)
        return self._found[address]

    def _rooms_of(self, address: Value) -> frozenset[Root]:
        match address.operation:
            case "parameter" | "room" | "table":
                return frozenset((address,))
            case "offset":
                return self.of(address.arguments[0])
            case "select":
                return self.of(address.arguments[1]) | self.of(address.arguments[2])
            case "get":
                return self._of_slots.get(address.attribute, frozenset())
            case "address" if address.arguments[0].operation == "constant":
                return frozenset()
        raise NotUnderJax(f"an address that is a result of {address.operation}")

    def of_slot(self, slot: Slot) -> frozenset[Root]:
        """Returns the rooms in which the address that a slot holds may lie."""
        return self._of_slots.get(slot, frozenset())

    def _kinds(self, values: list[Value]) -> dict[Root, set[np.dtype[Any]]]:
        kinds: dict[Root, set[np.dtype[Any]]] = {room: set() for room in self.rooms}
        pairs: list[tuple[Root, Root]] = []
        for one in values:
            if one.operation in ("load", "store"):
                kind = one.kind if one.operation == "load" else one.arguments[1].kind
                for room in self.of(one.arguments[0]):
                    kinds[room].add(kind)  # type: ignore[arg-type]  # addresses are in no memory, see `of`
            elif one.operation == "copy":
                pairs += [(a, b) for a in self.of(one.arguments[0]) for b in self.of(one.arguments[1])]
            elif one.operation == "loop":
                for address, kind in operands(one):
                    for room in self.of(address):
                        kinds[room].add(kind)
        for room in self.rooms:
            if room.operation == "table":
                kinds[room].add(room.attribute.dtype)
        for _ in range(len(pairs)):
            before = sum(map(len, kinds.values()))
            for a, b in pairs:
                kinds[a] |= kinds[b] if not kinds[a] else set()
                kinds[b] |= kinds[a] if not kinds[b] else set()
            if sum(map(len, kinds.values())) == before:
                break
        return kinds


def operands(loop: Value) -> list[tuple[Value, np.dtype[Any]]]:
    """Returns the addresses of the operands of a loop of NumPy's, with their kinds."""
    letters = loop.attribute.partition(":")[2].replace("->", "")
    return [(address, np.dtype(letter)) for address, letter in zip(loop.arguments, letters, strict=False)]


@dataclass
class Turn:
    """What a loop's turns change.

    Attributes:
        slots: The slots that are set in it, and read behind that.
        rooms: The rooms that are written in it, and read behind that.
        values: The values that are computed in it, and used outside.
    """

    slots: list[Slot] = field(default_factory=list)
    rooms: list[Root] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)


class Behind(NamedTuple):
    """The slots and the rooms that are read behind a statement."""

    slots: frozenset[Slot]
    rooms: frozenset[Room]


class Reading:
    """What is read behind each block, condition and loop of a program.

    Args:
        program: The program.
        roots: The rooms of its addresses.
        rooms: The same, as they are at run time.
        kept: Those that are read behind the program.

    Attributes:
        roots: The rooms of its addresses.
        behind: By statement, what is read behind it.
        turns: By loop, what its turns change.
    """

    def __init__(self, program: Program, roots: Roots, rooms: dict[Root, Room], kept: list[Root]) -> None:
        self.roots = roots
        self.turns: dict[Loop, Turn] = {}
        self._numbers: dict[Any, int] = {}
        self._things: list[Any] = []
        self._slotted = frozenset[Root]().union(*map(self.roots.of_slot, self.roots._sets)) if self.roots._sets else ()
        self._labels: dict[Label, Bits] = {}
        self._raw: dict[Statement, Bits] = {}
        self._heads: dict[Loop, Bits] = {}
        end = self._bit(program.result)
        for room in kept:
            end |= self._bit(room)
        self._region(program.body, end)
        self._find_turns(program)
        self.behind = {statement: self._behind(live, rooms) for statement, live in self._raw.items()}

    def _behind(self, live: Bits, rooms: dict[Root, Room]) -> Behind:
        slots, read = [], []
        while live:
            thing = self._things[(live & -live).bit_length() - 1]
            live &= live - 1
            if isinstance(thing, Slot):
                slots.append(thing)
            else:
                read.append(rooms[thing])
        return Behind(frozenset(slots), frozenset(read))

    def _bit(self, thing: Any) -> Bits:
        if thing not in self._numbers:
            self._numbers[thing] = len(self._things)
            self._things.append(thing)
        return 1 << self._numbers[thing]

    def _region(self, region: Region, live: Bits) -> Bits:
        """What is read from the begin of a region on, if `live` is from its end on."""
        for statement in reversed(region):
            kind = type(statement)
            if kind is Value:
                live = self._value(statement, live)  # type: ignore[arg-type]
            elif kind is Set:
                live &= ~self._bit(statement.slot)  # type: ignore[union-attr]
            elif kind is Leave:
                live = self._labels[statement.label]  # type: ignore[union-attr]
            else:
                self._raw[statement] = self._raw.get(statement, 0) | live
                live = self._parts(statement, live)
        return live

    def _parts(self, statement: Statement, live: Bits) -> Bits:
        if isinstance(statement, If):
            return self._region(statement.then, live) | self._region(statement.otherwise, live)
        assert isinstance(statement, Block | Loop)
        self._labels[statement.label] = live
        if isinstance(statement, Block):
            return self._region(statement.body, live)
        head = self._heads.get(statement, 0)
        while True:
            more = self._region(statement.body, head) | head
            if more == head:
                self._heads[statement] = head
                return head
            head = more

    def _value(self, value: Value, live: Bits) -> Bits:
        operation = value.operation
        if operation == "get":
            return live | self._bit(value.attribute)
        if operation == "room":
            return live if value in self._slotted else live & ~self._bit(value)
        if operation == "load":
            read = [value.arguments[0]]
        elif operation == "copy":
            read = [value.arguments[1]]
        elif operation == "loop":
            read = [address for address, _ in operands(value)]
        else:
            return live
        for address in read:
            for room in self.roots.of(address):
                live |= self._bit(room)
        return live

    def _find_turns(self, program: Program) -> None:
        loops = [one for one in statements_of(program.body) if isinstance(one, Loop)]
        users: list[tuple[Statement, Value]] = []
        if loops:
            users = [(one, value) for one in statements_of(program.body) for value in _taken(one)]
        for loop in loops:
            inside = {*statements_of(loop.body)}
            live = self._heads[loop] | self._raw[loop]
            for one in inside:
                live |= self._labels[one.label] if isinstance(one, Leave) else 0
            slots = {one.slot: None for one in statements_of(loop.body) if isinstance(one, Set)}
            rooms: dict[Root, None] = {}
            for address in (address for one in statements_of(loop.body) for address in _written(one)):
                rooms |= dict.fromkeys(sorted(self.roots.of(address), key=self.roots.rooms.index))
            used = {value: None for user, value in users if value in inside and user not in inside}
            self.turns[loop] = Turn(
                [one for one in slots if live & self._bit(one)],
                [one for one in rooms if live & self._bit(one)],
                [*used],
            )


def _written(value: Statement) -> list[Value]:
    """The addresses that a statement writes at."""
    if not isinstance(value, Value):
        return []
    if value.operation in ("store", "copy"):
        return [value.arguments[0]]
    return [operands(value)[-1][0]] if value.operation == "loop" else []


def _taken(statement: Statement) -> tuple[Value, ...]:
    match statement:
        case Value():
            return statement.arguments
        case Set(value=value):
            return (value,)
        case If(condition=value):
            return (value,)
    return ()
