"""The functions of `math` and of NumPy on numbers: exactly those that Python calls, with its errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gymnasium.jit.backend import compiled, named
from gymnasium.jit.exact.loops import c_function, loop_of
from gymnasium.jit.lanes.squares import pow64
from gymnasium.jit.symbols import UFUNCS, is_readable

_DOMAIN, _RANGE = "math domain error", "math range error"


def _of_one(name: str, can_overflow: bool) -> Any:
    """Returns `math`'s function of a float: NaN for a number, and infinity for a finite one, are errors."""
    asked = c_function(name)

    @compiled
    def function(x: Any) -> Any:
        result = asked(x)
        if not math.isfinite(result):
            if math.isnan(result) and not math.isnan(x):
                raise ValueError(_DOMAIN)
            if math.isinf(result) and math.isfinite(x):
                if can_overflow:
                    raise OverflowError(_RANGE)
                raise ValueError(_DOMAIN)
        return result

    named(function, f"math_{name}")
    return function


_atan2 = c_function("atan2")
_fmod = c_function("fmod")


@compiled
def math_atan2(y: float, x: float) -> Any:
    """`math.atan2`, which has no errors."""
    return _atan2(y, x)


@compiled
def math_copysign(x: float, y: float) -> float:
    """`math.copysign`; LLVM does not keep the sign of a NaN."""
    if y != y:
        raise ValueError("the sign of a NaN is beyond machine code")
    return math.copysign(x, y)


@compiled
def math_fmod(x: float, y: float) -> Any:
    """`math.fmod`."""
    result = _fmod(x, y)
    if math.isnan(result) and not math.isnan(x) and not math.isnan(y):
        raise ValueError("math domain error")
    return result


@compiled
def math_pow(x: float, y: float) -> Any:
    """`math.pow`."""
    result = pow64(x, y)
    if not math.isfinite(result) and math.isfinite(x) and math.isfinite(y):
        if math.isnan(result) or x == 0.0:
            raise ValueError("math domain error")
        raise OverflowError("math range error")
    return result


@compiled
def math_sqrt(x: float) -> float:
    """`math.sqrt`."""
    if x < 0.0:
        raise ValueError("math domain error")
    return math.sqrt(x)


@compiled
def math_degrees(x: float) -> float:
    """`math.degrees`."""
    return x * 57.29577951308232


@compiled
def math_radians(x: float) -> float:
    """`math.radians`."""
    return x * 0.017453292519943295


OF_FLOATS: dict[Any, Callable[..., Any]] = {
    math.atan2: math_atan2,
    math.fmod: math_fmod,
    math.pow: math_pow,
    math.sqrt: math_sqrt,
    math.degrees: math_degrees,
    math.radians: math_radians,
}
"""Maps functions of `math` to their versions for floats in compiled code."""

_WITHOUT_OVERFLOW = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "tanh", "asinh", "acosh", "atanh"),
    *("log", "log1p", "log2", "log10", "erf", "erfc"),
)
_WITH_OVERFLOW = "exp", "expm1", "sinh", "cosh"
for _name in _WITHOUT_OVERFLOW:
    OF_FLOATS[getattr(math, _name)] = _of_one(_name, can_overflow=False)
for _name in _WITH_OVERFLOW:
    OF_FLOATS[getattr(math, _name)] = _of_one(_name, can_overflow=True)

LOOPS: dict[Any, tuple[int, Any, Any]] = {
    ufunc: (count, *loop_of(ufunc, count)) for count, ufuncs in UFUNCS.items() for ufunc in ufuncs if is_readable()
}
"""Maps a ufunc to the number of its float arguments, and its loop for numbers and for arrays."""

_log = OF_FLOATS[math.log]


@compiled
def math_log_to(x: float, base: float) -> Any:
    """`math.log` of two numbers."""
    above, below = _log(x * 1.0), _log(base * 1.0)
    if below == 0.0:
        raise ZeroDivisionError("float division by zero")
    return above / below
