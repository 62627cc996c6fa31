"""Clocks that subjects share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice
from statistics import median
from time import perf_counter
from typing import Any


def clock_cost(readings: int = 20_000) -> float:
    """Seconds between two readings of the clock with nothing between."""
    return median(-perf_counter() + perf_counter() for _ in range(readings))


def seconds_of(act: Callable[[Any], object], arguments: Iterable[Any]) -> float:
    """Seconds of calling `act` with each argument, the loop's own included."""
    start = perf_counter()
    for argument in arguments:
        act(argument)
    return perf_counter() - start


class Again:
    """Arguments that were made beforehand, over and over: each `take` goes on where the last one ended."""

    def __init__(self, arguments: Sequence[Any]) -> None:
        self._endless = cycle(arguments)

    def take(self, n: int) -> list[Any]:
        """Returns the next n."""
        return list(islice(self._endless, n))
