"""What `gymnasium.functional.ops` mean in compiled code, for numbers and for lanes of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium.compiled.backend import compiled, intrinsic, ir, meaning_of, types
from gymnasium.compiled.circle import cosine_of, sine_of
from gymnasium.compiled.lane_math import bits_of, float_of, fma, library_pow2, library_pow2f, select, single
from gymnasium.compiled.lanes import FLAGS, FLOATS, INTS, LanesType
from gymnasium.compiled.library import NEAR_SQUARE, pow32, pow64
from gymnasium.functional import ops

MEANINGS: frozenset[Callable[..., Any]] = frozenset(
    {ops.where, ops.clip, ops.minimum, ops.maximum, ops.float32, ops.pow2, ops.pow2f}
)
"""The functions written in Python that Numba is taught here; those of the module `math` it knows for numbers."""

_EXPONENT, _MANTISSA = 0x7FF << 52, (1 << 52) - 1
_LOWEST, _HIGHEST = 1e-6, 1e6  # between which squares are exact enough


def _lanes(*kinds: Any) -> bool:
    return any(isinstance(kind, LanesType) for kind in kinds)


@meaning_of(math.sin)
def _sin(x: Any) -> Any:
    return (lambda x: sine_of(x)) if x is FLOATS else None


@meaning_of(math.cos)
def _cos(x: Any) -> Any:
    return (lambda x: cosine_of(x)) if x is FLOATS else None


@meaning_of(ops.where)
def _where(condition: Any, a: Any, b: Any) -> Any:
    if condition is FLAGS:
        return lambda condition, a, b: select(condition, a, b)
    return lambda condition, a, b: a if condition else b


@meaning_of(ops.clip)
def _clip(x: Any, low: Any, high: Any) -> Any:
    if _lanes(x, low, high):
        return lambda x, low, high: select(x < low, low, select(x > high, high, x))
    return lambda x, low, high: low if x < low else high if x > high else x


@meaning_of(ops.minimum)
def _minimum(a: Any, b: Any) -> Any:
    return (lambda a, b: select(b < a, b, a)) if _lanes(a, b) else (lambda a, b: b if b < a else a)


@meaning_of(ops.maximum)
def _maximum(a: Any, b: Any) -> Any:
    return (lambda a, b: select(b > a, b, a)) if _lanes(a, b) else (lambda a, b: b if b > a else a)


@meaning_of(ops.float32)
def _float32(x: Any) -> Any:
    if x is FLOATS or x is INTS:
        return lambda x: single(x * 1.0)
    return lambda x: np.float64(np.float32(x))


@meaning_of(ops.pow2)
def _pow2(x: Any) -> Any:
    return (lambda x: _lanes_pow2(x)) if x is FLOATS else (lambda x: _number_pow2(x))


@meaning_of(ops.pow2f)
def _pow2f(x: Any) -> Any:
    return (lambda x: _lanes_pow2f(x)) if x is FLOATS else (lambda x: _number_pow2f(x))


@compiled
def _lanes_pow2(x: Any) -> Any:
    square = x * x
    bits = bits_of(square)
    half_unit = float_of(bits & _EXPONENT) * 2.0**-53
    # Beside a power of two the floats below lie closer.
    clear = (abs(fma(x, x, -square)) < NEAR_SQUARE * half_unit) & ((bits & _MANTISSA) != 0)
    clear &= (square > _LOWEST) & (square < _HIGHEST)
    return library_pow2(x, square, clear ^ True)


@compiled
def _lanes_pow2f(x: Any) -> Any:
    return library_pow2f(x, x, (x == x) | True)  # glibc's `powf` may be 0.8 units off: every lane is in doubt


@intrinsic
def _remainder(typing_context: Any, x: Any, square: Any) -> Any:
    """`x * x - square`, rounded once: what rounding took from the square."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, square = arguments
        return builder.fma(x, x, builder.fneg(square))

    return types.float64(types.float64, types.float64), generate


@intrinsic
def _bits(typing_context: Any, x: Any) -> Any:
    """The 64 bits of a float."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.uint64(types.float64), generate


@intrinsic
def _float_of(typing_context: Any, bits: Any) -> Any:
    """The float of 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.uint64), generate


@compiled
def _number_pow2(x: Any) -> Any:
    square = x * x
    bits = _bits(square)
    half_unit = _float_of(bits & types.uint64(_EXPONENT)) * 2.0**-53
    clear = abs(_remainder(x, square)) < NEAR_SQUARE * half_unit
    if clear and bits & types.uint64(_MANTISSA) != types.uint64(0) and _LOWEST < square < _HIGHEST:
        return square
    return pow64(x, 2.0)


@compiled
def _number_pow2f(x: Any) -> Any:
    return np.float64(pow32(np.float32(x), np.float32(2.0)))
