"""Helpers of the toy text environments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["categorical_sample"]


def categorical_sample(prob_n: Sequence[float] | NDArray[np.floating], np_random: np.random.Generator) -> np.int64:
    """Returns a random index, distributed as `prob_n`; takes exactly one `random()` from `np_random`."""
    return np.int64(np.argmax(np.cumsum(prob_n) > np_random.random()))


def probability(name: str, value: float) -> float:
    """Returns `value` as a float.

    Raises:
        ValueError: If it is not a number in [0, 1].
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} must be a probability, a number from 0 to 1, but {value!r} came")
    return number


def found_in(module: str, *names: str) -> Callable[[str], Any]:
    """Returns a `__getattr__` for a module: it finds `names` in another `module`, imported only on access."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"There is no {name!r} here; {module} offers {', '.join(names)}")
        return getattr(import_module(module), name)

    return find
