"""Loops over the items of generators: the names of the two functions, of which one waits while the other runs.

`generators` says what they are for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from palaestra.language.frontend.building import Names, Target
from palaestra.language.types import Term

_WAITS, _YIELDED = "<", ">"


@dataclass
class Consumer:
    """A loop over the items of a generator.

    Attributes:
        number: The number of loops over generators around.
        carried: The names that a turn may change for the next one, or for what is behind the loop.
        out: Where `break` leads.
        since: See `Builder`.
        write: Writes the body of the loop for an item; its argument is where `continue` leads.
    """

    number: int
    carried: list[str]
    out: Target
    since: int
    write: Callable[[Term, Target], None]

    def entered(self, names: Names) -> Names:
        """Returns the names of the function with the loop, as they wait when the generator begins."""
        return {self._waits + name: term for name, term in names.items()}

    def left(self, names: Names) -> Names:
        """Returns them as they are in that function again; those of the generator wait now."""
        return _swapped(names, self._waits, self._yielded)

    def resumed(self, names: Names) -> Names:
        """Returns the names as they are in the generator again."""
        return _swapped(names, self._yielded, self._waits)

    def ended(self, names: Names) -> Names:
        """Returns the names of the function with the loop, without those of the generator."""
        return {name: term for name, term in names.items() if not name.startswith(self._yielded)}

    def carried_within(self) -> list[str]:
        """Returns the names that a turn may change, as they are in the generator."""
        return [self._waits + name for name in self.carried]

    @property
    def _waits(self) -> str:
        return f"{_WAITS}{self.number} "

    @property
    def _yielded(self) -> str:
        return f"{_YIELDED}{self.number} "


def _swapped(names: Names, sign: str, other: str) -> Names:
    return {name[len(sign) :] if name.startswith(sign) else other + name: term for name, term in names.items()}


def kept_behind(names: Names) -> Names:
    """Returns the names that are left when a function returns: none, but of what runs over the items that it yields."""
    return {name: term for name, term in names.items() if name.startswith(_WAITS)}
