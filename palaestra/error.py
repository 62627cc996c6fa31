"""Exceptions of what only we have. Both are also `gymnasium.error.Error`s."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gymnasium.error import Error
from gymnasium.states.plain import CannotSnapshot

__all__ = ["CannotCompile", "CannotSnapshot", "Reason"]


class Reason(NamedTuple):
    """A place of an environment's class that cannot become machine code."""

    file: str
    line: int
    expression: str
    """The text of that line, or the part of it."""
    reason: str
    instead: str
    """The remedy, other code for this line."""

    def __str__(self) -> str:
        text = f" (`{self.expression}`)" if self.expression else ""
        place = f"{self.file}, line {self.line}{text}: " if self.file else ""
        return f"{place}{self.reason}" + (f": {self.instead}" if self.instead else "")


class CannotCompile(Error, TypeError):
    """An environment's class cannot become machine code that gives the same results.

    Attributes:
        reasons: All reasons that were found, each with its place.
    """

    def __init__(self, name: str, reasons: Sequence[Reason]) -> None:
        elsewhere = bool(reasons) and all("vectorization_mode" in one.instead for one in reasons)
        if elsewhere and len(reasons) == 1 and not reasons[0].file:
            text = f": {reasons[0].reason}; {reasons[0].instead}"
        else:
            lines = "".join(f"\n  {reason}" for reason in reasons)
            text = f":{lines}" if elsewhere else f'; vectorization_mode="sync" runs it as it is.{lines}'
        super().__init__(f"{name} cannot be compiled{text}")
        self.name, self.reasons = name, tuple(reasons)

    def __reduce__(self) -> tuple[type[CannotCompile], tuple[str, tuple[Reason, ...]]]:
        return CannotCompile, (self.name, self.reasons)
