"""Counts of environments, threads and processes."""

from __future__ import annotations

import os
from numbers import Integral


def cores() -> int:
    """Returns the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def positive(name: str, number: object) -> int:
    """Returns a count as an int.

    Raises:
        ValueError: If it is not a positive integer.
    """
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise ValueError(f"`{name}` must be a positive integer, but {number!r} came")
    return int(number)
