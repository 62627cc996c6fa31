"""Arrays that a turn of a loop leaves to the next one.

An array that is made in a loop lies in a `room`, which is the same in every turn. So before the next turn begins, each
room of which a carried variable (or an item of a carried list) holds an array is copied to a place of its own, and all
carried addresses within the room are moved there together: what was one array for several names stays one. There are
as many places for a room as variables can hold arrays of it, and one more if it is not known which do; a place is free
if no carried address lies in it. Arrays from before the loop, and constants, stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from palaestra.language.frontend.writing import Writer
from palaestra.language.program import ADDRESS, BOOL, INT64, Region, Set, Slot, Value, statements_of

Pairs = list[tuple[Slot, Value]]


def carried(writer: Writer, body: Region, ends: list[tuple[Region, Pairs]], places: dict[Value, Value]) -> list[Pairs]:
    """Returns what slots are set to at each end of a loop's turn, after arrays in rooms have been moved.

    Args:
        writer: The writer; the copies are written into the ends' regions.
        body: The loop's body, with all that is in it.
        ends: For each end, its region, and the carried slots with their values.
        places: Gets the places, with the rooms whose arrays are moved there.
    """
    moves = _Moves(writer, body, [pairs for _, pairs in ends])
    result = []
    for region, pairs in ends:
        with writer.writing(region):
            for room in moves.rooms:
                pairs = moves.moved(room, pairs)
        result.append(pairs)
    body[:0] = moves.made  # where every end can read them: an end may be one that is never reached
    places |= {place: room for room in moves.rooms for place in moves.places_of(room)}
    return result


class _Moves:
    """The rooms of a loop whose arrays are carried, and their places."""

    def __init__(self, writer: Writer, body: Region, ends: list[Pairs]) -> None:
        self._writer = writer
        self._sets: dict[Slot, list[Value]] = {}
        self._carried = {slot for pairs in ends for slot, _ in pairs}
        self._roots: dict[Value, frozenset[Value | Slot]] = {}
        self.rooms: list[Value] = []
        self.made: Region = []
        pairs = [pair for pairs in ends for pair in pairs if pair[0].kind is ADDRESS]
        if not pairs:
            return
        inside: list[Value] = []
        for one in statements_of(body):
            if isinstance(one, Set) and one.slot.kind is ADDRESS:
                self._sets.setdefault(one.slot, []).append(one.value)
            elif isinstance(one, Value) and one.operation == "room":
                inside.append(one)
        found = {root for _, part in pairs for root in self._roots_of(part)}
        self.rooms = [room for room in inside if room in found]  # in an order that is the same each time
        self._holders = {room: self._holders_of(room, pairs) for room in self.rooms}
        self._places: dict[Value, list[Value]] = {}

    def _roots_of(self, value: Value) -> frozenset[Value | Slot]:
        """The rooms that an address may lie in, and the carried slots whose address it may be derived from."""
        if value not in self._roots:
            found: set[Value | Slot] = set()
            self._collect(value, found, set())
            self._roots[value] = frozenset(found)
        return self._roots[value]

    def _collect(self, value: Value, found: set[Value | Slot], seen: set[Value | Slot]) -> None:
        if value in seen:
            return
        seen.add(value)
        match value.operation:
            case "room":
                found.add(value)
            case "offset":
                self._collect(value.arguments[0], found, seen)
            case "select":
                self._collect(value.arguments[1], found, seen)
                self._collect(value.arguments[2], found, seen)
            case "get" if value.attribute in self._carried:
                found.add(value.attribute)
            case "get":
                for one in self._sets.get(value.attribute, ()):
                    self._collect(one, found, seen)

    def _holders_of(self, room: Value, pairs: Pairs) -> set[Slot]:
        """The slots that may hold an address in a room, or in one of its places."""
        holders: set[Slot] = set()
        while True:
            more = {slot for slot, part in pairs if {room, *holders} & self._roots_of(part)}
            if more == holders:
                return holders
            holders = more

    def places_of(self, room: Value) -> list[Value]:
        """Returns the places of a room."""
        return self._places.get(room, [])

    def moved(self, room: Value, pairs: Pairs) -> Pairs:
        """Returns slots with their values, in which those in a room are moved to a free place."""
        holders = self._holders[room]
        inside = [part for slot, part in pairs if slot in holders and room in self._roots_of(part)]
        if not inside:
            return pairs
        older = [part for slot, part in pairs if slot in holders and holders & self._roots_of(part)]
        place = self._free_place(room, inside, older)
        self._writer.emit("copy", None, place, room, self._writer.number(room.attribute))
        return [
            (slot, self._at_place(room, place, part) if part in inside and slot.kind is ADDRESS else part)
            for slot, part in pairs
        ]

    def _free_place(self, room: Value, inside: list[Value], older: list[Value]) -> Value:
        is_sure = any(_is_surely_in(part, room) for part in inside)
        count = len(self._holders[room]) + (not is_sure)
        places = self._places.setdefault(room, [])
        while len(places) < count:
            with self._writer.writing(self.made):
                places.append(self._writer.emit("room", ADDRESS, attribute=room.attribute))
        if not older:
            return places[0]
        chosen = places[-1]
        for place in places[-2::-1]:
            is_used = self._any(self._within(part, place, room.attribute)[0] for part in older)
            chosen = self._writer.emit("select", ADDRESS, is_used, chosen, place)
        return chosen

    def _at_place(self, room: Value, place: Value, part: Value) -> Value:
        """An address in a room as one in a place; others as they are."""
        is_inside, distance = self._within(part, room, room.attribute)
        there = self._writer.emit("offset", ADDRESS, place, distance)
        if _is_surely_in(part, room):
            return there
        value = self._writer.emit("select", ADDRESS, is_inside, there, part)
        self._roots[value] = self._roots_of(part) - {room}
        return value

    def _within(self, part: Value, start: Value, size: int) -> tuple[Value, Value]:
        """Whether an address lies in some bytes, and its distance from the first of them."""
        writer = self._writer
        one, other = (writer.emit("word", INT64, value) for value in (part, start))
        distance = writer.compute("sub", one, other)
        is_inside = writer.compute(
            "and",
            writer.compare("ge", distance, writer.number(0)),
            writer.compare("lt", distance, writer.number(size)),
        )
        return is_inside, distance

    def _any(self, truths: Iterable[Value]) -> Value:
        return reduce(lambda a, b: self._writer.emit("or", BOOL, a, b), truths)


def _is_surely_in(part: Value, room: Value) -> bool:
    while part.operation == "offset":
        part = part.arguments[0]
    return part is room
