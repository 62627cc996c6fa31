"""Numbers as people read them, from the costs that were measured."""

from __future__ import annotations

from statistics import median
from typing import Any, NamedTuple

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_LARGE = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


class Ratio(NamedTuple):
    """How many times a candidate's cost is ours, round by round: the median, the least and the greatest."""

    median: float
    least: float
    greatest: float

    def __str__(self) -> str:
        digits = 2 if self.median < 10 else 1
        return f"{self.median:.{digits}f}x [{self.least:.{digits}f}-{self.greatest:.{digits}f}]"


def cost(candidate: dict[str, Any]) -> float:
    """Returns the median of a candidate's costs."""
    return float(median(candidate["costs"]))


def ratio(candidate: dict[str, Any], own: dict[str, Any]) -> Ratio:
    """Returns how many times our cost a candidate's is."""
    each = [theirs / mine for mine, theirs in zip(own["costs"], candidate["costs"], strict=True)]
    return Ratio(median(each), min(each), max(each))


def shown(candidate: dict[str, Any], unit: str) -> str:
    """Returns a candidate's median, and half the distance of its extremes in per cent of it."""
    if "failed" in candidate:
        return "failed"
    costs = candidate["costs"]
    spread = 50 * (max(costs) - min(costs)) / median(costs)
    return f"{quantity(median(costs), unit)} ±{spread:.0f} %"


def quantity(value: float, unit: str) -> str:
    """Returns a cost as a rate, a time or an amount of memory."""
    if unit == "steps/s":
        return _scaled(1 / value, _LARGE) + "/s"
    return _scaled(value, _TIMES if unit == "s" else _LARGE) + ("B" if unit == "B" else "")


def _scaled(value: float, scales: tuple[tuple[float, str], ...]) -> str:
    factor, prefix = next((scale for scale in scales if abs(value) >= scale[0]), scales[-1])
    number = value / factor
    return f"{number:,.{2 if abs(number) < 10 else 1 if abs(number) < 100 else 0}f} {prefix}"
