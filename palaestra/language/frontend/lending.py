"""Arrays of which something has a copy where Python has the array itself: neither may be changed in place any more.

Lists that grow, and objects in pools, keep arrays by value. So what they get is lent, and what is read from them, too;
a program that changes one of these is refused. An array that a turn of a loop makes is another one in each turn: it may
be changed until it is lent, unless a turn leaves it to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import roots_of, sets_of
from palaestra.language.program import Region, Slot, Value, statements_of

Sets = Mapping[Slot, list[Value]]


class Lent(Refused):
    """An array is changed in place of which a list or an object has a copy, or that is one."""

    def __init__(self) -> None:
        reason = "an array of an object or list, which has a copy of it, is changed in place"
        super().__init__(reason, "assign a new array: a = a + b, or a copy")


class Lending:
    """What is written and lent in a program.

    Attributes:
        written: The addresses of arrays that are written.
        lent: The arrays that are lent, with the number of the first of `written` that would change one.
        places: The rooms to which arrays of other rooms are moved, from one turn of a loop to the next.
    """

    def __init__(self) -> None:
        self.written: list[Value] = []
        self.lent: dict[Value, int] = {}
        self.places: dict[Value, Value] = {}

    def check(self, body: Region, loop: Region | None = None, start: int = 0) -> None:
        """Check that nothing changes an array that is lent.

        Args:
            body: The program, as far as it is written.
            loop: The body of a loop that has just been written: a turn may change what an earlier one has lent.
            start: How many addresses had been written before the loop.

        Raises:
            Lent: If something may.
        """
        if not self.lent:
            return
        sets = sets_of(body)
        inside = {one for one in statements_of(loop) if isinstance(one, Value)} if loop is not None else set()
        changed = [self._rooms_of([one], sets) for one in self.written]
        for array, begin in self.lent.items():
            own = self._rooms_of([array], sets)
            if loop is not None and begin >= start and not own <= inside - {*self.places.values()}:
                begin = start
            if any(own & one for one in changed[begin:]):
                raise Lent

    def _rooms_of(self, addresses: Iterable[Value], sets: Sets) -> set[Value]:
        found = {root for one in addresses for root in roots_of(one, sets)}
        return {self.places.get(one, one) for one in found}
