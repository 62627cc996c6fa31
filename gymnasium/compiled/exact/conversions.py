"""`int(...)` and `float(...)` of all numbers: Numba keeps the type of short integers, and has no float of a bool."""

from __future__ import annotations

from typing import Any

from gymnasium.compiled.backend import meaning_of, types, unliteral
from gymnasium.compiled.exact.numbers import float_int


def to_int(x: Any) -> Any:
    """Stands for `int` in compiled code."""
    return int(x)


def to_float(x: Any) -> Any:
    """Stands for `float` in compiled code."""
    return float(x)


STAND_INS = {int: to_int, float: to_float}


@meaning_of(to_int)
def _to_int(x: Any) -> Any:
    if isinstance(x, types.Float):
        return lambda x: float_int(types.float64(x))
    return (lambda x: types.int64(x)) if _is_whole(x) else None


@meaning_of(to_float)
def _to_float(x: Any) -> Any:
    return (lambda x: types.float64(x)) if _is_whole(x) or isinstance(x, types.Float) else None


def _is_whole(x: Any) -> bool:
    return isinstance(x, (types.Boolean, types.Integer)) and unliteral(x) != types.uint64
