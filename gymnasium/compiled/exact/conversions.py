"""`int(...)` of all numbers, for which Numba keeps the type of short integers."""

from __future__ import annotations

from typing import Any

from gymnasium.compiled.backend import meaning_of, types
from gymnasium.compiled.exact.numbers import float_int


def to_int(x: Any) -> Any:
    """Stands for `int` in compiled code."""
    return int(x)


@meaning_of(to_int)
def _to_int(x: Any) -> Any:
    if isinstance(x, types.Float):
        return lambda x: float_int(types.float64(x))
    if isinstance(x, types.Boolean) or (isinstance(x, types.Integer) and x != types.uint64):
        return lambda x: types.int64(x)
    return None
