"""Squares with the bits of the C library's `pow(x, 2)` and `powf(x, 2)`, of numbers and of lanes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from palaestra.language.jit.backend import (
    Builder,
    CPUContext,
    Signature,
    Type,
    Typed,
    TypingContext,
    Value,
    Values,
    compiled,
    intrinsic,
    ir,
    types,
)
from palaestra.language.jit.c_library import NEAR_SQUARE
from palaestra.language.jit.lanes.llvm import Traced, bits_of, corrected, float_of, fma, of_lanes
from palaestra.language.jit.symbols import POW, POWF

pow64: Any = types.ExternalFunction(POW, types.float64(types.float64, types.float64))
pow32: Any = types.ExternalFunction(POWF, types.float32(types.float32, types.float32))

_EXPONENT, _MANTISSA = 0x7FF << 52, (1 << 52) - 1
_LOWEST, _HIGHEST = 1e-6, 1e6  # between which squares are exact enough


@of_lanes
def lanes_pow2(x: Traced) -> Traced:
    """Returns the squares of lanes."""
    square = x * x
    bits = bits_of(square)
    half_unit = float_of(bits & _EXPONENT) * 2.0**-53
    # Next to a power of two, the floats below are closer together.
    clear = (abs(fma(x, x, -square)) < half_unit * NEAR_SQUARE) & (bits & _MANTISSA).differs(0)
    clear = clear & (square > _LOWEST) & (square < _HIGHEST)
    return corrected(_pow64, x, square, clear ^ 1)


@of_lanes
def lanes_pow2f(x: Traced) -> Traced:
    """Returns the squares of lanes in single precision: glibc's error may be 0.8 units, so every lane is doubtful."""
    return corrected(number_pow2f, x, x, x.differs(x) | 1)


@compiled
def number_pow2(x: Any) -> Any:
    """Returns the square of a number."""
    square = x * x
    bits = _bits(square)
    half_unit = _float_of(bits & types.uint64(_EXPONENT)) * 2.0**-53
    clear = abs(_remainder(x, square)) < NEAR_SQUARE * half_unit
    if clear and bits & types.uint64(_MANTISSA) != types.uint64(0) and _LOWEST < square < _HIGHEST:
        return square
    return _pow64(x)


@compiled
def number_pow2f(x: Any) -> Any:
    """Returns the square of a number in single precision."""
    return np.float64(pow32(np.float32(x), np.float32(2.0)))


@compiled
def _pow64(x: Any) -> Any:
    square = pow64(x, 2.0)
    if math.isinf(square) and math.isfinite(x):
        raise OverflowError("Numerical result out of range")
    return square


@intrinsic
def _remainder(typing_context: TypingContext, x: Type, square: Type) -> Typed:
    """`x * x - square`, rounded once: the rounding error of the square."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        x, square = arguments
        return builder.fma(x, x, builder.fneg(square))

    return types.float64(types.float64, types.float64), generate


@intrinsic
def _bits(typing_context: TypingContext, x: Type) -> Typed:
    """The 64 bits of a float."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.uint64(types.float64), generate


@intrinsic
def _float_of(typing_context: TypingContext, bits: Type) -> Typed:
    """The float of 64 bits."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.uint64), generate
