"""What bends the curves of the plots, read off the figures that were measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.figures import cost, quantity

Line = tuple[np.ndarray, np.ndarray]  # x, and the cost of one step in seconds


def lines(result: dict[str, Any]) -> dict[str, Line]:
    """Returns the lines of a table's plot by their labels; what failed is left out."""
    found: dict[str, list[tuple[float, float]]] = {}
    for case in result["cases"]:
        for candidate in case["candidates"]:
            if "failed" not in candidate:
                found.setdefault(candidate["label"], []).append((case["x"], cost(candidate)))
    return {label: tuple(np.array(points).T) for label, points in found.items()}  # type: ignore[misc]


def remarks(result: dict[str, Any], machine: dict[str, Any]) -> list[str]:
    """Returns a sentence for each line of a table's plot."""
    say = _SENTENCES[result["name"]]
    return [f"{label}: {say(*line, machine, label)}." for label, line in lines(result).items() if len(line[0]) > 2]


def fitted(x: np.ndarray, y: np.ndarray, signed: bool = False) -> tuple[float, float]:
    """Returns the a and b of y = a + b x with the least relative errors, squared; neither below 0, unless signed."""
    columns = {(0, 1): np.stack([1 / y, x / y], 1), (0,): (1 / y)[:, None], (1,): (x / y)[:, None]}
    best, least = (0.0, 0.0), np.inf
    for which, matrix in columns.items():
        found, *_ = np.linalg.lstsq(matrix, np.ones_like(y), rcond=None)
        error = float(((matrix @ found - 1) ** 2).sum())
        if (signed or (found >= 0).all()) and error < least:
            both = np.zeros(2)
            both[list(which)] = found
            best, least = (float(both[0]), float(both[1])), error
    return best


def _number(n: np.ndarray, seconds: np.ndarray, machine: dict[str, Any], label: str) -> str:
    a, b = fitted(n, n * seconds)
    cheapest, last = int(seconds.argmin()), len(n) - 1
    text = (
        f"a call of n costs about {_time(a)} + n x {_time(b)}, so that up to {_count(a / b)} environments the call "
        "itself costs more than they do"
        if a and b and a / b >= n[0]
        else f"a call of n costs about n x {_time(b)}"
    )
    if seconds[last] > 1.2 * seconds[cheapest]:
        more = seconds[last] / seconds[cheapest]
        text += (
            f"; cheapest is one in {_count(n[cheapest])}, {_time(seconds[cheapest])}, and in {_count(n[last])} it "
            f"costs {more:.1f} times as much"
        )
    return text


def _workers(m: np.ndarray, seconds: np.ndarray, machine: dict[str, Any], label: str) -> str:
    cores = machine["cores"]
    rate = dict(zip(m.tolist(), (seconds[0] / seconds).tolist(), strict=True))
    best = max(rate, key=lambda k: rate[k])
    text = f"fastest with {_count(best)}, {rate[best]:.2f} times one worker's rate"
    if cores in rate and (most := max(rate)) > cores:
        text += f"; {_count(cores)}, the cores, reach {rate[cores]:.2f} and {_count(most)} {rate[most]:.2f}"
    return text


def _observation(size: np.ndarray, seconds: np.ndarray, machine: dict[str, Any], label: str) -> str:
    a, b = fitted(size, seconds)
    if not b:
        return f"{_time(a)} a step, whatever is observed"
    if not a:
        return f"{_time(1e3 * b)} a kilobyte, and nothing else to see"
    return (
        f"{_time(a)} a step and {_time(1e3 * b)} a kilobyte ({1e-9 / b:.2g} GB/s), so that from {_count(a / b)} bytes "
        "on the observation costs more than all else"
    )


def _episode(steps: np.ndarray, seconds: np.ndarray, machine: dict[str, Any], label: str) -> str:
    batch = " x " in label
    a, b = fitted(1 / (steps + 1), seconds, signed=True) if batch else fitted(1 / steps, seconds)
    reset = a + b if batch else b  # in a batch, one of steps + 1 is a reset
    return f"{_time(a)} a step and {_time(reset)} a reset, as much as {_count(reset / a)} steps"


_SENTENCES = {
    "growth_number": _number,
    "growth_workers": _workers,
    "growth_observation": _observation,
    "growth_episode": _episode,
}


def _time(seconds: float) -> str:
    return quantity(seconds, "s")


def _count(number: float) -> str:
    return f"{number:,.{0 if number >= 3 or number == round(number) else 1}f}"
