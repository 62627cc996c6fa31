"""The compiled counterparts of those `gymnasium.functional.ops` that as they are would not compile, or not be exact."""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium.compiled.backend import compiled, intrinsic, ir, llvm, types
from gymnasium.functional import ops

# The C library's functions under names of our own: LLVM knows `pow`, and would turn pow(x, 2) into x * x.
_POW, _POWF = "palaestra_pow", "palaestra_powf"
_library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
llvm.add_symbol(_POW, ctypes.cast(_library.pow, ctypes.c_void_p).value)
llvm.add_symbol(_POWF, ctypes.cast(_library.powf, ctypes.c_void_p).value)

_pow: Any = types.ExternalFunction(_POW, types.float64(types.float64, types.float64))
_powf: Any = types.ExternalFunction(_POWF, types.float32(types.float32, types.float32))


@compiled
def _float32(x: Any) -> Any:
    return np.float64(np.float32(x))


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


_EXPONENT, _MANTISSA = 0x7FF << 52, (1 << 52) - 1
# The error of glibc's `pow` before it rounds is below 0.04 units in the last place (its source says so), and so where
# the exact square is further than 0.05 from the middle of two floats, both round it alike. Others are always called.
_NEAR = 0.9 if platform.libc_ver()[0] == "glibc" else 0.0


@compiled
def _pow2(x: Any) -> Any:
    square = x * x
    bits = _bits(square)
    half_unit = _float_of(bits & types.uint64(_EXPONENT)) * 2.0**-53
    clear = abs(_remainder(x, square)) < _NEAR * half_unit
    # Beside a power of two the floats below lie closer; near zero the remainder itself is rounded.
    if clear and bits & types.uint64(_MANTISSA) != types.uint64(0) and square > 1e-280:
        return square
    return _pow(x, 2.0)


@compiled
def _pow2f(x: Any) -> Any:
    return np.float64(_powf(np.float32(x), np.float32(2.0)))


COUNTERPARTS: dict[Callable[..., Any], Any] = {ops.float32: _float32, ops.pow2: _pow2, ops.pow2f: _pow2f}
