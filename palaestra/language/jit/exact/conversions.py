"""Functions that Numba lacks, or gives another type.

`int(...)` keeps the type of short integers, and there is no `float(...)` of a bool, `np.clip` of a number, `math.fmod`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Meaning, Type, meaning_of, types, unliteral
from palaestra.language.jit.exact.containers import of_long_tuple
from palaestra.language.jit.exact.mathematics import math_fmod, math_log_to
from palaestra.language.jit.exact.numbers import float_int


def to_int(x: Any) -> Any:
    """Replaces `int` in compiled code."""
    return int(x)


def to_float(x: Any) -> Any:
    """Replaces `float` in compiled code."""
    return float(x)


STAND_INS = {int: to_int, float: to_float}


@meaning_of(to_int)
def _to_int(x: Type) -> Meaning:
    if isinstance(x, types.Float):
        return lambda x: float_int(types.float64(x))
    return (lambda x: types.int64(x)) if _is_whole(x) else None


@meaning_of(to_float)
def _to_float(x: Type) -> Meaning:
    return (lambda x: types.float64(x)) if _is_whole(x) or isinstance(x, types.Float) else None


def _is_whole(x: object) -> bool:
    return isinstance(x, (types.Boolean, types.Integer)) and unliteral(x) != types.uint64


@meaning_of(np.clip)
def _clip(a: Type, a_min: Type, a_max: Type) -> Meaning:
    """For numbers; in dynamics the rules replace it with NumPy's own loop."""
    if not all(isinstance(kind, types.Number) for kind in (a, a_min, a_max)):
        return None
    if types.float64 in (a, a_min, a_max):
        return lambda a, a_min, a_max: np.minimum(np.maximum(a * 1.0, a_min), a_max)
    return lambda a, a_min, a_max: min(max(a, a_min), a_max)


@meaning_of(np.round)
def _round(a: Type, decimals: Any = 0) -> Meaning:
    """For arrays; in dynamics the rules replace it."""
    return (lambda a, decimals=0: a.copy()) if isinstance(a, types.Array) else None


@meaning_of(math.fmod)
def _fmod(x: Type, y: Type) -> Meaning:
    return lambda x, y: math_fmod(x * 1.0, y * 1.0)


@meaning_of(math.log)
def _log(x: Type, base: Type) -> Meaning:
    return lambda x, base: math_log_to(x, base)


@meaning_of(np.array)
def _array(a: Type, dtype: Any = None) -> Meaning:
    """Of an array, which is copied; Numba knows that of lists and tuples."""
    if not isinstance(a, types.Array):
        return None
    if not a.aligned:  # a long tuple of the params
        if isinstance(dtype, (types.NoneType, types.Omitted)) or dtype is None:
            return lambda a, dtype=None: of_long_tuple(a)
        return lambda a, dtype=None: of_long_tuple(a).astype(dtype)
    if isinstance(dtype, (types.NoneType, types.Omitted)) or dtype is None:
        return lambda a, dtype=None: a.copy()
    return lambda a, dtype=None: a.astype(dtype)
