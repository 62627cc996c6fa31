"""Operations of numbers with Python's results; if a result does not fit into 64 bits, they raise.

An element of an array is a NumPy number in Python. Where Python's numbers and NumPy's differ (a division by zero raises
or gives infinity, an overflow grows or wraps), these raise, because the type does not show which of the two it is.
"""

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
    named,
    types,
)
from palaestra.language.jit.lanes.squares import number_pow2, pow64

TOO_LONG = "an integer beyond 64 bits"
WHOLE = 1 << 53
"""Every integer up to this is exact as a float."""


def _checked(name: str, operation: str) -> Callable[[int, int], int]:
    """Returns the operation of two integers that raises if the result has more than 64 bits."""

    def called(typing_context: TypingContext, a: Type, b: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            pair = getattr(builder, operation)(*arguments)
            with cgutils.if_unlikely(builder, builder.extract_value(pair, 1)):
                context.call_conv.return_user_exc(builder, OverflowError, (TOO_LONG,))
            return builder.extract_value(pair, 0)

        return types.int64(types.int64, types.int64), generate

    called.__name__ = name
    return intrinsic(called)


int_add = _checked("int_add", "sadd_with_overflow")
int_sub = _checked("int_sub", "ssub_with_overflow")
int_mul = _checked("int_mul", "smul_with_overflow")


@intrinsic
def _raw_shift(typing_context: TypingContext, a: Type, count: Type) -> Typed:
    """`a << count` for counts of 0 to 63."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.shl(*arguments)

    return types.int64(types.int64, types.int64), generate


@compiled
def int_neg(a: int) -> int:
    """`-a`."""
    return int_sub(0, a)


@compiled
def int_abs(a: int) -> int:
    """`abs(a)`."""
    return int_sub(0, a) if a < 0 else a


@compiled
def int_lshift(a: int, count: int) -> Any:
    """`a << count`."""
    if count < 0:
        raise ValueError("negative shift count")
    if a == 0:
        return 0
    if count > 62:
        raise OverflowError("an integer beyond 64 bits")
    shifted = _raw_shift(a, count)
    if shifted >> count != a:
        raise OverflowError("an integer beyond 64 bits")
    return shifted


@compiled
def int_rshift(a: int, count: int) -> int:
    """`a >> count`."""
    if count < 0:
        raise ValueError("negative shift count")
    return a >> min(count, 63)


@intrinsic
def _quotient(typing_context: TypingContext, a: Type, b: Type) -> Typed:
    """`a // b` towards zero, for a divisor that is neither 0 nor -1."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.sdiv(*arguments)

    return types.int64(types.int64, types.int64), generate


@compiled
def int_floordiv(a: int, b: int) -> Any:
    """`a // b`."""
    if b == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    if b == -1:
        return int_sub(0, a)
    quotient = _quotient(a, b)
    rest = a - quotient * b
    if rest != 0 and (rest < 0) != (b < 0):
        quotient -= 1
    return quotient


@compiled
def int_mod(a: int, b: int) -> Any:
    """`a % b`."""
    if b == 0:
        raise ZeroDivisionError("integer modulo by zero")
    if b == -1:
        return 0
    rest = a - _quotient(a, b) * b
    if rest != 0 and (rest < 0) != (b < 0):
        rest += b
    return rest


@compiled
def int_pow(a: int, n: int) -> int:
    """`a ** n` for a literal n that is not negative."""
    result = 1
    base = a
    while n > 0:
        if n & 1:
            result = int_mul(result, base)
        n >>= 1
        if n > 0:
            base = int_mul(base, base)
    return result


@compiled
def int_truediv(a: int, b: int) -> Any:
    """`a / b`, which Python rounds once, for integers of any length."""
    if b == 0:
        raise ZeroDivisionError("division by zero")
    return whole_float(a) / whole_float(b)


@compiled
def whole_float(a: Any) -> Any:
    """The float equal to an integer; raises if there is none."""
    if a > 9007199254740992 or a < -9007199254740992:
        raise OverflowError("an integer beyond 53 bits where a float is needed")
    return float(a)


@compiled
def whole_beside(a: Any, x: Any) -> Any:
    """The float of an integer, for a comparison with another float.

    It raises where Python, which compares exactly, and NumPy, which rounds the integer first, see it otherwise.
    """
    rounded = float(a)
    if (a > 9007199254740992 or a < -9007199254740992) and _order(a, x) != (rounded > x) - (rounded < x):
        raise OverflowError("an integer beyond 53 bits where a float is needed")
    return rounded


@compiled
def _order(a: Any, x: Any) -> Any:
    """1, 0 or -1 for an integer above, at or below a float; 0 beside NaN."""
    if x != x:
        return 0
    if not -9223372036854775808.0 <= x < 9223372036854775808.0:
        return -1 if x > 0.0 else 1
    whole = _towards_zero(x)
    if a != whole:
        return 1 if a > whole else -1
    rest = x - float(whole)
    return (rest < 0.0) - (rest > 0.0)


@compiled
def float_neg(x: float) -> float:
    """`-x`."""
    return -x


@compiled
def float_truediv(a: float, b: float) -> float:
    """`a / b`."""
    if b == 0.0:
        raise ZeroDivisionError("float division by zero")
    return a / b


@intrinsic
def _rest(typing_context: TypingContext, a: Type, b: Type) -> Typed:
    """`math.fmod(a, b)` without its errors."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.frem(*arguments)

    return types.float64(types.float64, types.float64), generate


@compiled
def float_mod(a: float, b: float) -> Any:
    """`a % b`: its sign is that of b."""
    if b == 0.0:
        raise ZeroDivisionError("float modulo by zero")
    rest = _rest(a, b)
    if rest == 0.0:
        return math.copysign(0.0, b)
    if (b < 0.0) != (rest < 0.0):
        rest += b
    return rest


@compiled
def float_floordiv(a: float, b: float) -> Any:
    """`a // b`."""
    if b == 0.0:
        raise ZeroDivisionError("float floor division by zero")
    rest = _rest(a, b)
    quotient = (a - rest) / b
    if rest != 0.0 and (b < 0.0) != (rest < 0.0):
        quotient -= 1.0
    if quotient == 0.0:
        return math.copysign(0.0, a / b)
    down = _floor(quotient)
    if quotient - down > 0.5:
        down += 1.0
    return down


@intrinsic
def _floor(typing_context: TypingContext, x: Type) -> Typed:
    """The largest whole float that is at most x."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.call(builder.module.declare_intrinsic("llvm.floor", [ir.DoubleType()]), arguments)

    return types.float64(types.float64), generate


@intrinsic
def _even(typing_context: TypingContext, x: Type) -> Typed:
    """The nearest whole float, or the even one of two."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.call(builder.module.declare_intrinsic("llvm.rint", [ir.DoubleType()]), arguments)

    return types.float64(types.float64), generate


@intrinsic
def _towards_zero(typing_context: TypingContext, x: Type) -> Typed:
    """The integer part of a float, which is known to fit."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.fptosi(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@compiled
def int_divmod(a: int, b: int) -> Any:
    """`divmod(a, b)` of integers."""
    return int_floordiv(a, b), int_mod(a, b)


@compiled
def float_divmod(a: float, b: float) -> Any:
    """`divmod(a, b)` of floats."""
    return float_floordiv(a, b), float_mod(a, b)


@compiled
def float_pow(a: float, b: float) -> Any:
    """`a ** b` of floats."""
    if a == 0.0 and b < 0.0 and math.isfinite(b):
        raise ZeroDivisionError("zero to a negative power")
    if a < 0.0 and math.isfinite(a) and math.isfinite(b) and _floor(b) != b:
        raise ValueError("a negative number to a fractional power is complex")
    result = number_pow2(a) if b == 2.0 else pow64(a, b)
    if math.isinf(result) and math.isfinite(a) and math.isfinite(b):
        raise OverflowError("Numerical result out of range")
    return result


@compiled
def int_range(start: int, stop: int) -> Any:
    """`range` of two ints, whose length Numba computes without looking for an overflow."""
    return range(start, stop) if start < stop and int_sub(stop, start) else range(0, 0)


@compiled
def int_range_by(start: int, stop: int, step: int) -> Any:
    """`range` of three ints."""
    runs = (start < stop and int_sub(stop, start)) if step > 0 else (stop < start and int_sub(start, stop))
    return range(start, stop, step) if runs else range(0, 0, 1)


@compiled
def float_int(x: Any) -> Any:
    """`int(x)` of a float."""
    if x != x:
        raise ValueError("cannot convert float NaN to integer")
    if not -9223372036854775808.0 <= x < 9223372036854775808.0:
        raise OverflowError("an integer beyond 64 bits")
    return _towards_zero(x)


@compiled
def float_floor(x: float) -> Any:
    """`math.floor(x)` of a float."""
    return float_int(_floor(x))


@compiled
def float_ceil(x: float) -> Any:
    """`math.ceil(x)` of a float."""
    return float_int(-_floor(-x))


@compiled
def float_even(x: float) -> Any:
    """The nearest whole float, or the even one of two."""
    return _even(x)


@compiled
def float_round(x: float) -> Any:
    """`round(x)` of a float."""
    return float_int(_even(x))


@compiled
def int_near(x: Any) -> Any:
    """`math.floor` and `math.ceil` of an integer; those of NumPy's integers convert to float first."""
    if x > 9007199254740992 or x < -9007199254740992:
        raise OverflowError("an integer beyond 53 bits where NumPy makes a float of it")
    return x


@compiled
def same(x: Any) -> Any:
    """The value itself: `int`, `round` or `math.floor` of an integer."""
    return x


def _narrowed(name: str, kind: Any) -> Any:
    """Returns the function that converts an integer to fewer bits; raises if it does not fit."""
    lowest, highest = kind.minval, kind.maxval

    @compiled
    def narrow(x: Any) -> Any:
        if x < lowest or x > highest:
            raise OverflowError("an integer out of bounds for its type")
        return kind(x)

    named(narrow, name)
    return narrow


NARROWED: dict[Any, Callable[..., Any]] = {
    kind: _narrowed(f"as_{kind}", kind)
    for kind in (types.int8, types.int16, types.int32, types.uint8, types.uint16, types.uint32)
}
