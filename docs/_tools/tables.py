"""Tables in Markdown, and numbers and spaces as they are shown in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gymnasium.spaces import Box, Discrete, Tuple

_WHOLE_TURNS = {2 * np.pi: "2 pi", np.pi: "pi", 4 * np.pi: "4 pi", 9 * np.pi: "9 pi"}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table; the first row is the head, whose last column is the wide one."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def number(x: Any) -> str:
    """Returns a number as short as possible: `inf`, multiples of pi, at most four digits."""
    x = float(x) + 0.0  # no -0
    for value, name in _WHOLE_TURNS.items():
        if np.isclose(abs(x), value, rtol=1e-6):
            return name if x > 0 else f"-{name}"
    return f"{x:.4g}"


def space(of: Any) -> str:
    """Returns a space in a few words, bounds of a Box only where they are all the same."""
    if isinstance(of, Box):
        low, high = of.low.flat[0], of.high.flat[0]
        same = (of.low == low).all() and (of.high == high).all()
        bounds = f" within [{number(low)}, {number(high)}]" if same and np.isfinite(low) else ""
        return f"`Box` of shape {of.shape}, {of.dtype}{bounds}"
    if isinstance(of, Discrete):
        return f"`Discrete({of.n})`"
    return f"`{of}`"


def meanings(of: Any, names: Sequence[str]) -> str:
    """Returns the table of the meaning of each action, or of each number of an observation.

    Raises:
        ValueError: If there are more or fewer names than the space has elements.
    """
    if isinstance(of, Discrete):
        return _of_discrete(of, names)
    if isinstance(of, Tuple):
        _check(of, names, len(of.spaces))
        rows = [(str(k), space(part), name) for k, (part, name) in enumerate(zip(of.spaces, names, strict=True))]
        return table(("part", "space", "meaning"), rows)
    if len(of.shape) > 1:
        return table(("range", "meaning"), [(f"{of.low.min()} to {of.high.max()}", names[0])])
    _check(of, names, of.shape[0])
    numbers = enumerate(zip(of.low, of.high, names, strict=True))
    return table(
        ("index", "low", "high", "meaning"), [(str(k), number(a), number(b), name) for k, (a, b, name) in numbers]
    )


def _of_discrete(of: Discrete, names: Sequence[str]) -> str:
    if len(names) == 1:  # the number of a state
        return table(("range", "meaning"), [(f"{of.start} to {of.start + of.n - 1}", names[0])])
    _check(of, names, int(of.n))
    return table(("action", "meaning"), [(str(of.start + k), name) for k, name in enumerate(names)])


def _check(of: Any, names: Sequence[str], expected: int) -> None:
    if len(names) != expected:
        raise ValueError(f"{of} has {expected} elements, but {len(names)} are described: {names}")
