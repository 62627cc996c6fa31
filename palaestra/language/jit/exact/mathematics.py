"""The functions of `math` and of NumPy on numbers: exactly those that Python calls, with its errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from palaestra.language.jit.backend import (
    Builder,
    CPUContext,
    Signature,
    Type,
    Typed,
    TypingContext,
    Value,
    Values,
    cgutils,
    compiled,
    intrinsic,
    ir,
    types,
)
from palaestra.language.jit.exact.loops import c_function, loop_of
from palaestra.language.jit.lanes.squares import pow64
from palaestra.language.jit.symbols import UFUNCS, c_symbol, is_readable

_DOMAIN, _RANGE = "math domain error", "math range error"


def _of_one(name: str, can_overflow: bool) -> Any:
    """Returns `math`'s function of a float: NaN for a number, and infinity for a finite one, are errors."""

    def called(typing_context: TypingContext, x: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])
            result = builder.call(cgutils.get_or_insert_function(builder.module, kind, c_symbol(name)), arguments)
            with cgutils.if_unlikely(builder, builder.not_(_is_finite(builder, result))):
                _refuse(context, builder, arguments[0], result, can_overflow)
            return result

        return types.float64(types.float64), generate

    called.__name__ = f"math_{name}"
    return intrinsic(called)


def _refuse(context: CPUContext, builder: Builder, x: Value, result: Value, can_overflow: bool) -> None:
    """Raise what `math` raises for a result that is not finite."""
    is_nan = builder.fcmp_unordered("uno", result, result)
    with cgutils.if_unlikely(builder, builder.and_(is_nan, builder.fcmp_ordered("ord", x, x))):
        context.call_conv.return_user_exc(builder, ValueError, (_DOMAIN,))
    with cgutils.if_unlikely(builder, builder.and_(builder.not_(is_nan), _is_finite(builder, x))):
        if can_overflow:
            context.call_conv.return_user_exc(builder, OverflowError, (_RANGE,))
        else:
            context.call_conv.return_user_exc(builder, ValueError, (_DOMAIN,))


def _is_finite(builder: Builder, x: Value) -> Value:
    size = builder.call(builder.module.declare_intrinsic("llvm.fabs", [x.type]), [x])
    return builder.fcmp_ordered("<", size, ir.Constant(x.type, math.inf))


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
