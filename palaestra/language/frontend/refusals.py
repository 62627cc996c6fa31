"""What the language does not take, and why."""

from __future__ import annotations

from typing import NamedTuple

from palaestra.language.program import Place
from palaestra.language.types import Constant, Either, Iterated, Term


class Refused(Exception):
    """An expression that the language does not take.

    Args:
        reason: What is wrong, a clause that names the operands' types.
        remedy: What to write instead; "" if there is nothing.

    Attributes:
        place: Where the innermost expression around is, once that is known.
        expression: Its text.
    """

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(f"{reason}: {remedy}" if remedy else reason)
        self.reason, self.remedy = reason, remedy
        self.place: Place | None = None
        self.expression = ""

    def locate(self, place: Place, expression: str) -> None:
        """Set the place, unless a place within it is known."""
        if self.place is None:
            self.place, self.expression = place, expression.partition("\n")[0]


class NeedsConstant(Refused):
    """An index or an argument that must be known when the program is compiled; in a loop, it may be once unrolled."""


class Follows(Refused):
    """An expression that may be wrong only because another one was refused: it is reported if none was."""


class _Unknown:
    """What an expression would have been that was refused."""

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = Constant(_Unknown())


def is_unknown(term: Term) -> bool:
    """Returns whether an object would have been that of a refused expression, at least on one path."""
    kind = term.type
    if isinstance(kind, Either):
        return UNKNOWN in kind.options
    return isinstance(kind, Constant) and kind.value is UNKNOWN.value


class Refusal(NamedTuple):
    """A refused expression."""

    place: Place
    expression: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.place.function}, line {self.place.line} of {self.place.file}"
        advice = f". {self.remedy[:1].upper()}{self.remedy[1:]}" if self.remedy else ""
        return f"{where}: `{self.expression}`: {self.reason}{advice}"


class CannotCompile(TypeError):
    """A program with refused expressions; `refusals` are all of them, in the order of the program."""

    def __init__(self, refusals: list[Refusal]) -> None:
        super().__init__("; ".join(map(str, refusals)))
        self.refusals = refusals


ONCE: tuple[str, ...] = "enumerate", "zip", "reversed", "generator", "chain", "islice", "pairwise", "zip_longest"
ONCE += "accumulate", "repeat", "product", "chosen", "ndenumerate", "flat"
"""The iterators, whose items can be read once."""


class ReadOnce:
    """An object whose items can be read once."""


def check_kept(term: Term) -> None:
    """Check that an object may have a name.

    Raises:
        Refused: If it is an iterator: the items that are read by one name are gone for the other.
    """
    for kind in term.type.options if isinstance(term.type, Either) else (term.type,):
        if isinstance(kind, Constant) and isinstance(kind.value, ReadOnce):
            raise Refused("a generator is kept, whose items can be read only once", "keep a list: list(...)")
        if isinstance(kind, Iterated) and kind.by in ONCE:
            raise Refused(f"{kind} is kept, of which each item can be read only once", "keep a list: list(...)")
