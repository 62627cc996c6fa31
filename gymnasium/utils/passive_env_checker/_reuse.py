"""Checks that two calls return different objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.logger import warn


def env_data_reuse_passive_checker(
    previous_data: tuple[Any, Any], data: tuple[Any, Any], previous_source: str, source: str
) -> None:
    """Warn if two calls returned the same mutable objects.

    Args:
        previous_data: Observation and info of the earlier call.
        data: Those of the later.
        previous_source: The earlier method's name, for the messages.
        source: The later's.
    """
    for name, before, now in zip(("observation", "info"), previous_data, data, strict=True):
        if data_shares_objects(before, now):
            warn(
                f"G411: Each call must return an {name} of its own, but that of {source}() shares memory with that of "
                f"{previous_source}() before it, so a stored one changes later; return a copy"
            )


def data_shares_objects(data_1: Any, data_2: Any) -> bool:
    """Returns whether two observations or infos of equal structure share a dict or an array."""
    a, b = data_1, data_2
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a is b or any(data_shares_objects(a[key], b[key]) for key in a.keys() & b.keys())
    if isinstance(a, tuple):
        return any(map(data_shares_objects, a, b))
    if isinstance(a, np.ndarray):
        if a.dtype == object or b.dtype == object:
            return a is b or any(map(data_shares_objects, a.flat, b.flat))
        return np.shares_memory(a, b)
    return False
