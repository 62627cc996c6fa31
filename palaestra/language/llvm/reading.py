"""What both kinds of machine code need from a program before they are written."""

from __future__ import annotations

from palaestra.language.llvm.numbers import is_float
from palaestra.language.program import (
    EFFECTS,
    FIXED,
    If,
    Kind,
    Program,
    Region,
    Set,
    Slot,
    Statement,
    Value,
    statements_of,
)

COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))


def row_of(program: Program) -> Value | None:
    """Returns the parameter of a program that is its row: the last one, with the attribute "row"."""
    last = program.parameters[-1] if program.parameters else None
    return last if last is not None and last.attribute == "row" else None


def kind_of(value: Value) -> Kind:
    """Returns the kind of a value that is a number or an address."""
    assert value.kind is not None
    return value.kind


def kind_given(value: Value) -> Kind:
    """Returns the kind of the numbers that an operation is given; a choice is also given a truth, before them."""
    return kind_of(value.arguments[1 if value.operation == "select" else 0])


def slots_set(region: Region) -> set[Slot]:
    """Returns the slots that a region may write."""
    return {one.slot for one in statements_of(region) if type(one) is Set}


def may_join_choices(program: Program) -> bool:
    """Returns whether LLVM may join choices of floats: only if they are compared, and it may know one of them."""
    values = [one for one in statements_of(program.body) if type(one) is Value]
    compares = any(one.operation in COMPARISONS and is_float(one.arguments[0].kind) for one in values)
    return compares and any(map(_may_be_known, (given for one in values for given in (one, *one.arguments))))


def _may_be_known(value: Value) -> bool:
    """Whether LLVM may know a float: a constant, or what it finds in memory with constants of other numbers."""
    if value.operation == "store":
        return not is_float(value.arguments[1].kind)
    return value.operation == "table" or (value.operation in _OF_CONSTANTS and is_float(value.kind))


_OF_CONSTANTS = frozenset(("constant", "convert", "bits", "get"))


def can_be_chosen(load: Value) -> bool:
    """Returns whether a loaded number may have been stored by one of two ways through the program."""
    place = load.arguments[0]
    while place.operation == "offset":
        place = place.arguments[0]
    return place.operation != "table" and load.attribute != FIXED


def needed_in(program: Program) -> set[Statement]:
    """Returns the values and the settings of slots that are read, or that have effects."""
    everything = list(statements_of(program.body))
    read = {one.attribute for one in everything if type(one) is Value and one.operation == "get"}
    read.add(program.result)
    needed: set[Statement] = set()
    for one in reversed(everything):
        if type(one) is Set:
            if one.slot in read:
                needed.update((one, one.value))
        elif type(one) is If:
            needed.add(one.condition)
        elif type(one) is Value and (one in needed or one.operation in EFFECTS):
            needed.add(one)
            needed.update(one.arguments)
    return needed


def shared_rooms(program: Program) -> dict[Value, int]:
    """Returns the rooms that are only loaded from and stored to, in items of one size, with that size in bytes.

    Lanes can share such a room item by item; any other must be in one piece for each lane.
    """
    rooms: dict[Value, Value] = {}
    sizes: dict[Value, set[int]] = {}
    for one in statements_of(program.body):
        if type(one) is Set:
            _use(rooms, sizes, one.value, 0)
        elif type(one) is Value:
            if one.operation in ("room", "room_each"):
                rooms[one], sizes[one] = one, set()
            for k, argument in enumerate(one.arguments):
                if one.operation == "offset" and k == 0 and argument in rooms:
                    rooms[one] = rooms[argument]
                else:
                    _use(rooms, sizes, argument, _size_of(one) if k == 0 else 0)
    found = {room: max(several, default=1) for room, several in sizes.items() if len(several) <= 1}
    return {room: size for room, size in found.items() if size and room.attribute % size == 0}


def _use(rooms: dict[Value, Value], sizes: dict[Value, set[int]], value: Value, size: int) -> None:
    """Note a use of an address in items of a size; zero for one as a whole."""
    if value in rooms:
        sizes[rooms[value]].add(size)


def _size_of(value: Value) -> int:
    if value.operation == "load":
        kind = value.kind
    elif value.operation == "store":
        kind = value.arguments[1].kind
    else:
        return 0
    return 0 if kind is None else kind.itemsize
