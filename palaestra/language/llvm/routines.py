"""What a routine shares with the program around it: words of memory, whose address each of its runs gets.

They hold the slots that are used in a routine and outside of it, and the values that a routine takes from outside. As a
run of a routine around may not be the latest one, its values are written again before each call; those of the program
itself stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from palaestra.language.program import (
    Again,
    Block,
    If,
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

Owner = Routine | None
"""The innermost routine around a statement; None for the program itself."""
_EVERYWHERE = frozenset(("constant", "table"))


class Sharing:
    """The words that the routines of a program share with it.

    Args:
        program: The program.
        needed: Its values and settings of slots that count.

    Attributes:
        routines: The routines, by their labels; those around come first.
        places: Maps what is shared, slots and values, to the numbers of their words.
        taken: For each routine, the values that it takes from outside.
    """

    def __init__(self, program: Program, needed: set[Statement]) -> None:
        self.routines = {one.label: one for one in statements_of(program.body) if type(one) is Routine}
        self.places: dict[Slot | Value, int] = {}
        self.taken: dict[Owner, dict[Value, None]] = {one: {} for one in (None, *self.routines.values())}
        self._owners: dict[Value, Owner] = {}
        self._around: dict[Routine, Owner] = {}
        self._users: dict[Slot, set[Owner]] = {}
        self._calls: list[tuple[Owner, Routine]] = []
        if self.routines:
            self._find(program.body, None, needed)
            self._take_for_calls()
            shared: list[Slot | Value] = [one for one, users in self._users.items() if len(users) > 1]
            shared += dict.fromkeys(value for several in self.taken.values() for value in several)
            self.places = {one: k for k, one in enumerate(shared)}

    def number_of(self, routine: Routine) -> int:
        """Returns the number of a routine."""
        return [*self.routines].index(routine.label)

    def given(self, owner: Owner, routine: Routine) -> Iterator[Value]:
        """Yields the values that are written before a routine is called, by another one or by the program."""
        for value in self.taken[routine]:
            if owner is None or self._owners.get(value) is not None:
                yield value

    def _find(self, region: Region, owner: Owner, needed: set[Statement]) -> None:
        for one in region:
            match one:
                case Value() if one in needed:
                    self._owners[one] = owner
                    for value in one.arguments:
                        self._take(value, owner)
                    if one.operation == "get":
                        self._users.setdefault(one.attribute, set()).add(owner)
                case Set(slot=slot, value=value) if one in needed:
                    self._take(value, owner)
                    self._users.setdefault(slot, set()).add(owner)
                case If():
                    self._take(one.condition, owner)
                    self._find(one.then, owner, needed)
                    self._find(one.otherwise, owner, needed)
                case Block(body=body) | Loop(body=body):
                    self._find(body, owner, needed)
                case Routine():
                    self._around[one] = owner
                    self._calls.append((owner, one))
                    self._find(one.body, one, needed)
                case Again(label=label):
                    self._calls.append((owner, self.routines[label]))

    def _take(self, value: Value, owner: Owner) -> bool:
        """Let a routine, and those around it, take a value that is from outside; returns whether it is new."""
        is_new = False
        while owner is not None and self._owners.get(value) is not owner and value.operation not in _EVERYWHERE:
            is_new |= value not in self.taken[owner]
            self.taken[owner][value] = None
            owner = self._around[owner]
        return is_new

    def _take_for_calls(self) -> None:
        """Let routines take what they have to give to those that they call."""
        while any([self._take(one, owner) for owner, called in self._calls for one in [*self.given(owner, called)]]):
            pass
