"""A program run on JAX's arrays, for one row: what `jax.vmap`, `jax.jit` and `lax.scan` take.

It is one walk over the statements. Both regions of a condition are run, and where ways meet, what they leave is chosen
by the conditions under which each was taken: no way has to be left. A loop whose turns are known is run turn by turn;
another one is a `lax.while_loop`, which carries what its turns change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gymnasium.envs._jax.library import jax, lax
from palaestra.language.jax import calls
from palaestra.language.jax.memory import NULL, Address, Items, Room, chosen, copied, merged
from palaestra.language.jax.numbers import (
    NUMBERS,
    NotUnderJax,
    Number,
    as_array,
    both,
    choose,
    compute,
    either,
    is_known,
    negated,
)
from palaestra.language.jax.reading import Behind, Reading, Root, Roots, Turn
from palaestra.language.llvm.reading import needed_in
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
    Routine,
    Set,
    Slot,
    Statement,
    Value,
    statements_of,
)

Held: TypeAlias = "Number | Address"
ON = INT64.type(-1)

MOST = {"cpu": (16, 100)}
MOST_ELSEWHERE = 32, 400
"""The turns of a loop that is run turn by turn, at most, and the operations of all of them, by the kind of device.

Each turn of a `while_loop` costs a wait elsewhere, and little on a CPU, where long programs are compiled slowly."""


class Outcome(NamedTuple):
    """What a program leaves.

    Attributes:
        result: Its result, an int64.
        columns: What the memory of each parameter that is an address holds, an array.
    """

    result: Number
    columns: list[Any]


class Rows:
    """A program, ready to be run.

    Args:
        program: The program.
        columns: For each parameter that is an address, the kind and the number of its items.

    Raises:
        NotUnderJax: If it has routines.
    """

    def __init__(self, program: Program, columns: Sequence[tuple[np.dtype[Any], int]]) -> None:
        if any(isinstance(one, Routine) for one in statements_of(program.body)):
            raise NotUnderJax("a function that calls itself to a depth found at run time")
        self.program = program
        self._needed = needed_in(program)
        self._columns = [one for one in program.parameters if one.kind is ADDRESS]
        roots = Roots(program)
        sizes = dict(zip(self._columns, columns, strict=True))
        self._rooms = {one: self._room(k, one, roots.kinds[one], sizes.get(one)) for k, one in enumerate(roots.rooms)}
        self._reading = Reading(program, roots, self._rooms, self._columns)

    @staticmethod
    def _room(number: int, root: Root, kinds: set[np.dtype[Any]], column: tuple[np.dtype[Any], int] | None) -> Room:
        if column is not None:
            return Room(number, column[0], column[0].itemsize * column[1])
        size = root.attribute.nbytes if root.operation == "table" else int(root.attribute)
        sizes = {one.itemsize for one in kinds}
        kind = min(kinds, key=str) if len(sizes) == 1 else None
        if kind is not None and size % kind.itemsize:
            size += kind.itemsize - size % kind.itemsize
        return Room(number, kind, size)

    def run(self, *given: Any) -> Outcome:
        """Returns what the program leaves for arguments: numbers, and flat arrays for addresses.

        Raises:
            NotUnderJax: If an operation has no counterpart under JAX.
        """
        walk = _Walk(self.program, self._needed, self._reading, self._rooms)
        for value, one in zip(self.program.parameters, given, strict=True):
            if value.kind is ADDRESS:
                room = self._rooms[value]
                walk.values[value] = Address((room,), INT64.type(room.number), INT64.type(0))
                walk.state.memory[room] = Items(room, one)
            else:
                walk.values[value] = one
        walk.region(self.program.body)
        columns = [walk.items(self._rooms[one]).array() for one in self._columns]
        return Outcome(walk.slot(self.program.result), columns)


class _State:
    """What slots and rooms hold."""

    __slots__ = ("memory", "slots")

    def __init__(self, slots: dict[Slot, Held], memory: dict[Room, Items]) -> None:
        self.slots, self.memory = slots, memory

    def copy(self) -> _State:
        return _State(dict(self.slots), dict(self.memory))

    def apart(self) -> _State:
        """A copy for the turns of a loop, whose items are not those of outside."""
        return _State(dict(self.slots), {room: one.apart() for room, one in self.memory.items()})


class _Way(NamedTuple):
    """A way that leads to a place: the condition under which it is taken, None for always, and what it leaves."""

    here: Number | None
    state: _State


@dataclass
class _Ends:
    """The ways to the places behind labels, and the conditions that were known and led there."""

    ways: dict[Label, list[_Way]] = field(default_factory=dict)
    known: set[Label] = field(default_factory=set)


class _Unknown(Exception):
    """The turns of a loop are not known."""


class _Walk:
    """One run of a program."""

    def __init__(self, program: Program, needed: set[Statement], reading: Reading, rooms: dict[Root, Room]) -> None:
        self._needed, self._reading, self._rooms = needed, reading, rooms
        self._outermost = next((one.label for one in program.body if isinstance(one, Block)), None)
        self.values: dict[Value, Held] = {}
        self.state = _State({}, {})
        self._here: Number | None = None  # the condition under which this is reached; None if it always is
        self._ends = _Ends()
        self._left: set[Label] = set()  # the labels that some way has led to since a block or condition began
        self._unknown: set[Loop] = set()
        self._count = 0  # the operations that are not known

    # Statements. Each returns whether what follows it is reached.

    def region(self, region: Region) -> bool:
        """Run statements; returns whether what follows them is reached."""
        for statement in region:
            kind = type(statement)
            if kind is Value:
                if statement in self._needed:
                    self._value_at(statement)  # type: ignore[arg-type]
            elif not _STATEMENTS[kind](self, statement):
                return False
        return True

    def _set(self, statement: Set) -> bool:
        if statement in self._needed:
            self.state.slots[statement.slot] = self._held(statement.value)
        return True

    def _leave(self, statement: Leave) -> bool:
        self._ends.ways[statement.label].append(_Way(self._here, self.state))
        self._left.add(statement.label)
        return False

    def _if(self, statement: If) -> bool:
        condition = self._held(statement.condition)
        if is_known(condition):
            self._note_known(statement)
            return self.region(statement.then if condition else statement.otherwise)
        before, here, left = self.state, self._here, self._left
        ways = []
        self._left = set()
        for region, taken in ((statement.then, condition), (statement.otherwise, negated(condition))):
            self.state, self._here = before.copy(), both(here, taken)
            if self.region(region):
                ways.append(_Way(self._here, self.state))
        is_whole = not self._left
        self._left |= left
        if not ways:
            return False
        if len(ways) == 1:
            self._here, self.state = ways[0]
            return True
        self.state = self._chosen(condition, ways[0].state, ways[1].state, self._reading.behind[statement])
        self._here = here if is_whole else either(ways[0].here, ways[1].here)
        return True

    def _note_known(self, statement: If) -> None:
        """Note the labels that lie behind a condition that is known."""
        for region in (statement.then, statement.otherwise):
            self._ends.known.update(one.label for one in statements_of(region) if isinstance(one, Leave))

    def _block(self, statement: Block) -> bool:
        here, left = self._here, self._left
        self._left = set()
        self._ends.ways[statement.label] = []
        if self.region(statement.body):
            self._ends.ways[statement.label].append(_Way(self._here, self.state))
        return self._behind(statement, self._ends.ways.pop(statement.label), here, left)

    def _behind(self, statement: Block | Loop, ways: list[_Way], here: Number | None, left: set[Label]) -> bool:
        """Go on behind a block or a loop, to which ways lead."""
        self._left.discard(statement.label)
        is_whole = not self._left
        self._left |= left
        if not ways:
            return False
        if statement.label is self._outermost:
            self.state = self._after_failures(statement, ways)
            self._here = here
            return True
        *others, last = ways
        reached, state = last
        for way in others:
            assert way.here is not None
            state = self._chosen(way.here, way.state, state, self._reading.behind[statement])
            reached = either(reached, way.here)
        self.state, self._here = state, here if is_whole else reached
        return True

    def _after_failures(self, statement: Block | Loop, ways: list[_Way]) -> _State:
        """What is left behind the outermost block: what a row that raised has written does not count."""
        *others, last = ways
        for slot in self._reading.behind[statement].slots:
            held = last.state.slots.get(slot)
            for way in others:
                before = way.state.slots.get(slot)
                held = self._one_of(slot.kind, way.here, before, held)
            if held is not None:
                last.state.slots[slot] = held
        return last.state

    def _chosen(self, condition: Number, one: _State, other: _State, behind: Behind) -> _State:
        """The first state if a condition is true, and else the second."""
        found = {}
        for slot in behind.slots:
            if slot in one.slots or slot in other.slots:
                held = self._one_of(slot.kind, condition, one.slots.get(slot), other.slots.get(slot))
                found[slot] = held
        memory = {}
        for room in behind.rooms:
            if room not in one.memory and room not in other.memory:
                continue
            a, b = one.memory.get(room), other.memory.get(room)
            if a is None or b is None:
                memory[room] = a or b or Items(room)
            else:
                memory[room] = merged(condition, a, b)
        return _State(found, memory)

    def _one_of(self, kind: Kind, condition: Number | None, one: Held | None, other: Held | None) -> Held:
        one, other = (_zero(kind) if held is None else held for held in (one, other))
        if condition is None:
            return one
        if isinstance(one, Address):
            assert isinstance(other, Address)
            return one if one is other else chosen(condition, one, other)
        return choose(condition, one, other)

    # Loops.

    def _loop(self, statement: Loop) -> bool:
        here, left = self._here, self._left
        self._left = set()
        ways = None
        if statement not in self._unknown:
            ways = self._turn_by_turn(statement)
        if ways is None:
            self._unknown.add(statement)
            ways = self._while(statement)
        return self._behind(statement, ways, here, left)

    def _turn_by_turn(self, statement: Loop) -> list[_Way] | None:
        """Run the turns of a loop; returns the ways out of it, or None if it is not known how many there are."""
        before = self.state.copy(), self._here, {label: len(ways) for label, ways in self._ends.ways.items()}
        label = statement.label
        self._ends.ways[label] = []
        self._ends.known.discard(label)
        turns, operations = MOST.get(jax.default_backend(), MOST_ELSEWHERE)
        most = self._count + operations
        for _ in range(turns + 1):
            if not self.region(statement.body):
                return self._ends.ways.pop(label)
            if label not in self._ends.known or self._count > most:
                break
        self.state, self._here, counts = before
        self._left = set()
        del self._ends.ways[label]
        for one, ways in self._ends.ways.items():
            del ways[counts[one] :]
        return None

    def _while(self, statement: Loop) -> list[_Way]:
        """Run a loop as a `lax.while_loop`; returns the way out of it, if there is one.

        A row goes on as long as its code is `ON`; another code is the number of the label that it has left for.
        """
        turn, outside, here, ends = self._reading.turns[statement], self.state, self._here, self._ends
        values, labels, found = dict(self.values), [statement.label, *ends.ways], set[Label]()

        def body(given: Any) -> Any:
            self._bring_in(turn, given[1], outside, values)
            self._here, self._ends, self._left = None, _Ends({label: [] for label in labels}), set()
            ways = [(ON, _Way(self._here, self.state))] if self.region(statement.body) else []
            for k, label in enumerate(labels):
                ways += [(INT64.type(k), way) for way in self._ends.ways[label]]
                found.update([label] if self._ends.ways[label] else [])
            code, state = self._one_way(turn, ways)
            return code, self._brought_out(turn, state)

        first = ON if here is None else choose(here, ON, INT64.type(-2))
        code, last = lax.while_loop(
            lambda given: lax.eq(given[0], ON), body, (as_array(first), self._brought_out(turn, outside))
        )
        self._bring_in(turn, last, outside, values)
        self._here, self._ends, self._left = here, ends, set()
        others = [label for label in labels[1:] if label in found]
        for label in others:
            taken = both(here, lax.eq(code, INT64.type(labels.index(label))))
            ends.ways[label].append(_Way(taken, self.state.copy()))
            self._left.add(label)
        if statement.label not in found:
            return []
        return [_Way(both(here, lax.eq(code, INT64.type(0))) if others else here, self.state)]

    def _one_way(self, turn: Turn, ways: list[tuple[Number, _Way]]) -> tuple[Any, _State]:
        """The code of the way that a turn has taken, and what it leaves."""
        behind = Behind(frozenset(turn.slots), frozenset(self._rooms[one] for one in turn.rooms))
        *others, (code, (_, state)) = ways
        for other, way in others:
            assert way.here is not None
            state = self._chosen(way.here, way.state, state, behind)
            code = choose(way.here, other, code)
        return as_array(code), state

    def _bring_in(self, turn: Turn, carried: Any, outside: _State, values: dict[Value, Held]) -> None:
        """Begin a turn, or go on behind the last one, with what it changes."""
        slots, items, made = carried
        self.values, self.state = {**values, **dict(zip(turn.values, made, strict=True))}, outside.apart()
        for slot, one in zip(turn.slots, slots, strict=True):
            self.state.slots[slot] = self._taken_in(slot, one)
        for root, array in zip(turn.rooms, items, strict=True):
            room = self._rooms[root]
            self.state.memory[room] = Items(room, array)

    def _brought_out(self, turn: Turn, state: _State) -> Any:
        """What a turn leaves to the next one, arrays."""
        slots = [_put_out(state.slots.get(slot, _zero(slot.kind))) for slot in turn.slots]
        rooms = [self._rooms[one] for one in turn.rooms]
        items = [as_array(state.memory.get(room, Items(room)).array()) for room in rooms]
        return slots, items, [_put_out(self.values.get(one, _zero(one.dtype))) for one in turn.values]

    def _taken_in(self, slot: Slot, carried: Any) -> Held:
        if slot.kind is not ADDRESS:
            return carried
        rooms = tuple(self._rooms[one] for one in self._reading.roots.rooms if one in self._reading.roots.of_slot(slot))
        number, offset = carried
        return Address(rooms, INT64.type(rooms[0].number) if len(rooms) == 1 else number, offset) if rooms else NULL

    # Values.

    def slot(self, slot: Slot) -> Held:
        """Returns what a slot holds."""
        held = self.state.slots.get(slot)
        return _zero(slot.kind) if held is None else held

    def items(self, room: Room) -> Items:
        """Returns what a room holds."""
        items = self.state.memory.get(room)
        if items is None:
            items = self.state.memory[room] = Items(room)
        return items

    def _held(self, value: Value) -> Held:
        if value.operation == "constant":
            kind = value.kind
            if kind is ADDRESS:
                return NULL
            return value.dtype.type(_wrapped(value.dtype, value.attribute))
        if value.operation == "table":
            return self._table(value)
        return self.values[value]

    def _table(self, value: Value) -> Address:
        room = self._rooms[value]
        if room not in self.state.memory:
            self.state.memory[room] = Items(room, np.ascontiguousarray(value.attribute).reshape(-1))
        return Address((room,), INT64.type(room.number), INT64.type(0))

    def _value_at(self, value: Value) -> None:
        try:
            self._value(value)
        except NotUnderJax as error:
            if error.place is None and value.place is not None:
                error.place = value.place.file, value.place.line
            raise

    def _value(self, value: Value) -> None:
        operation = value.operation
        if operation in ("constant", "table", "parameter"):
            return
        arguments = [self._held(one) for one in value.arguments]
        self._count += not is_known(*arguments)
        if operation in NUMBERS:
            if operation == "select" and value.kind is ADDRESS:
                self.values[value] = chosen(*arguments)
            elif value.arguments[-1].kind is ADDRESS:
                words = [one.word() if isinstance(one, Address) else one for one in arguments]
                self.values[value] = compute(operation, value.dtype, words)
            else:
                self.values[value] = compute(operation, value.dtype, arguments)
            return
        found = _OPERATIONS.get(operation)
        if found is None:
            raise NotUnderJax(f"the operation {operation}")
        held = found(self, value, arguments)
        if held is not None:
            self.values[value] = held

    def _get(self, value: Value, arguments: list[Any]) -> Held:
        return self.slot(value.attribute)

    def _same(self, value: Value, arguments: list[Any]) -> Held:
        held: Held = arguments[0]
        return held

    def _made_room(self, value: Value, arguments: list[Any]) -> Address:
        room = self._rooms[value]
        return Address((room,), INT64.type(room.number), INT64.type(0))

    def _offset(self, value: Value, arguments: list[Any]) -> Address:
        address: Address = arguments[0]
        return address.further(arguments[1])

    def _word(self, value: Value, arguments: list[Any]) -> Number:
        return arguments[0].word()

    def _address(self, value: Value, arguments: list[Any]) -> Address:
        return NULL

    def _load(self, value: Value, arguments: list[Any]) -> Number:
        address: Address = arguments[0]
        found: Any = None
        for room, condition in address.options():
            number = self.items(room).load(value.dtype, address.offset)
            found = number if found is None else choose(condition, number, found)
        return _zero(value.dtype) if found is None else found

    def _store(self, value: Value, arguments: list[Any]) -> None:
        address, number = arguments
        for room, condition in address.options():
            before = self.items(room)
            after = before.store(address.offset, number)
            self.state.memory[room] = after if condition is None else merged(condition, after, before)

    def _copy(self, value: Value, arguments: list[Any]) -> None:
        target, source, size = arguments
        for room, condition in target.options():
            before = self.items(room)
            for other, there in source.options():
                after = copied(before, target.offset, self.items(other), source.offset, size)
                taken = both(condition, there)
                before = after if taken is None else merged(taken, after, before)
            self.state.memory[room] = before

    def _call(self, value: Value, arguments: list[Any]) -> Number:
        return calls.called(value.attribute, value.dtype, arguments)

    def _numpy(self, value: Value, arguments: list[Any]) -> None:
        calls.looped(self, value.attribute, arguments)

    def write(self, address: Address, steps: Any, numbers: Any) -> None:
        """Store an array of numbers at an address and some bytes further."""
        for room, condition in address.options():
            before = self.items(room)
            after = calls.stored(before, address.offset, steps, numbers)
            self.state.memory[room] = after if condition is None else merged(condition, after, before)


def _zero(kind: Kind) -> Held:
    return NULL if not isinstance(kind, np.dtype) else kind.type(0)


def _wrapped(kind: np.dtype[Any], number: Any) -> Any:
    """A constant, which may be an int beyond its kind."""
    if kind.kind not in "iu" or type(number) is not int:
        return number
    count = 8 * kind.itemsize
    wrapped = number & ((1 << count) - 1)
    return wrapped - (1 << count) if kind.kind == "i" and wrapped >> (count - 1) else wrapped


def _put_out(held: Held) -> Any:
    if isinstance(held, Address):
        return as_array(held.number), as_array(held.offset)
    return as_array(held)


_STATEMENTS: dict[type, Callable[..., bool]] = {
    Set: _Walk._set,
    If: _Walk._if,
    Block: _Walk._block,
    Loop: _Walk._loop,
    Leave: _Walk._leave,
}
_OPERATIONS: dict[str, Callable[[_Walk, Value, list[Any]], Held | None]] = {
    "get": _Walk._get,
    "any": _Walk._same,
    "rarely": _Walk._same,
    "room": _Walk._made_room,
    "offset": _Walk._offset,
    "word": _Walk._word,
    "address": _Walk._address,
    "load": _Walk._load,
    "store": _Walk._store,
    "copy": _Walk._copy,
    "call": _Walk._call,
    "loop": _Walk._numpy,
}
