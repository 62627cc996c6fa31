"""What a benchmark is: tables of cases, and for each case the candidates that do the same work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# Costs are seconds or bytes, for one of what is counted. A rate is shown as its inverse.
Unit = Literal["steps/s", "s", "B"]


@dataclass(frozen=True)
class Candidate:
    """One way to do the work of a case."""

    label: str
    interpreter: str  # a key of `peers.INTERPRETERS`
    subject: str  # `module.function` in benchmarks/subjects
    arguments: Mapping[str, Any] = field(default_factory=dict)
    wanted: float | None = None  # its cost over ours, at least
    limit: bool = False  # whether it is not a peer, but what nobody can fall below


@dataclass(frozen=True)
class Case:
    """The same work done by some candidates, ours first.

    Attributes:
        title: What the work is.
        candidates: Who does it.
        unit: What the cost of one is in.
        work: How much a round does; None for what takes the time of a round.
        rounds: The most rounds, for work that takes long.
        warm_up: Whether a round that does not count comes before.
        at_most: The cost that ours should not exceed.
        x: Where the case stands on the axis of its table's plot.
    """

    title: str
    candidates: tuple[Candidate, ...]
    unit: Unit = "steps/s"
    work: int | None = None
    rounds: int | None = None
    warm_up: bool = True
    at_most: float | None = None
    x: float | None = None


@dataclass(frozen=True)
class Table:
    """Cases that are read together.

    Attributes:
        name: What it is called on the command line and in the results.
        title: Its heading.
        note: What is measured, in a sentence or two.
        cases: Its rows.
        seconds: How long a round of one candidate lasts at least, where shorter ones would show how a machine wakes up
            rather than how it works.
        x_label: If the cost grows with something, what that is: the cases then are points of a plot.
    """

    name: str
    title: str
    note: str
    cases: tuple[Case, ...]
    x_label: str | None = None
    seconds: float = 0.0


def ours(subject: str, label: str = "palaestra", **arguments: Any) -> Candidate:
    """Returns a candidate of this project."""
    return Candidate(label, "ours", subject, arguments)


def reference(subject: str, label: str = "reference", wanted: float | None = None, **arguments: Any) -> Candidate:
    """Returns a candidate that runs where the reference, Stable-Baselines3 and ale-py are installed."""
    return Candidate(label, "reference", subject, arguments, wanted)


def envpool(subject: str, wanted: float | None = None, **arguments: Any) -> Candidate:
    """Returns a candidate of EnvPool's."""
    return Candidate("EnvPool", "envpool", subject, arguments, wanted)


def limit(subject: str, label: str, wanted: float | None = None, **arguments: Any) -> Candidate:
    """Returns what the machine or the simulator takes by itself, measured in our interpreter."""
    return Candidate(label, "ours", subject, arguments, wanted, limit=True)
