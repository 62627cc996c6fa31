"""Checks of integer arguments."""

from __future__ import annotations

import numpy as np


def checked_integer(value: object, name: str, *, at_least: int) -> int:
    """Returns `value` as an int.

    Raises:
        TypeError: If it is not an integer.
        ValueError: If it is below `at_least`.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be an integer, but {value!r} (of type {type(value).__name__}) came")
    if value < at_least:
        raise ValueError(f"{name} must be {at_least} or more, but {value} came")
    return int(value)


def checked_length(value: object, name: str) -> int | None:
    """Returns the length of a queue: an int of 0 or more, or None for any length; raises as `checked_integer`."""
    return None if value is None else checked_integer(value, name, at_least=0)
