"""Lanes: the numbers of eight environments in one register of the processor, as types of compiled code.

Dynamics that do not branch on values that differ between environments are compiled once more with lanes instead of
numbers. Each lane computes like a number, to the bit, so trajectories do not depend on lanes. Operations without a
meaning for lanes (a branch, an index, a division of integers) are undefined for Numba's types too: the dynamics then do
not compile with lanes, and the runner steps one environment at a time.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from palaestra.language.jit.backend import (
    Builder,
    Conversion,
    CPUContext,
    OwnType,
    Type,
    TypingContext,
    Value,
    arithmetic,
    cast_to,
    ir,
    models,
    register_model,
    types,
)
from palaestra.language.jit.lanes import WIDTH

_INDEX = ir.IntType(32)


class LanesType(OwnType):
    """The type of eight numbers: `number` is the type of one, `element` its LLVM type."""

    def __init__(self, name: str, number: Type, element: ir.Type) -> None:
        super().__init__(name=name)
        self.number, self.element = number, element
        self.vector = ir.VectorType(element, WIDTH)

    def unify(self, typing_context: TypingContext, other: Type) -> Any:
        """Returns the common type of both: a number becomes lanes that all hold it."""
        return self if kind_of(other) is self else None

    def can_convert_from(self, typing_context: TypingContext, other: Type) -> Any:
        """Returns the quality of the conversion from a number to lanes."""
        return Conversion.safe if kind_of(other) is self else None


FLOATS = LanesType("Floats8", types.float64, ir.DoubleType())
INTS = LanesType("Ints8", types.int64, ir.IntType(64))
FLAGS = LanesType("Flags8", types.boolean, ir.IntType(1))


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    """A register; eight numbers in Numba's memory (for example in a list), which is not aligned like registers."""

    def __init__(self, manager: object, kind: Any) -> None:
        super().__init__(manager, kind, kind.vector)  # type: ignore[no-untyped-call]  # Numba is partly typed
        self._vector = kind.vector

    def get_data_type(self) -> Any:
        return ir.ArrayType(self._vector.element, WIDTH)

    def as_data(self, builder: Builder, value: Value) -> Value:
        numbers = ir.Constant(self.get_data_type(), ir.Undefined)
        for lane in range(WIDTH):
            numbers = builder.insert_value(numbers, builder.extract_element(value, ir.Constant(_INDEX, lane)), lane)
        return numbers

    def from_data(self, builder: Builder, value: Value) -> Value:
        lanes = ir.Constant(self._vector, ir.Undefined)
        for lane in range(WIDTH):
            lanes = builder.insert_element(lanes, builder.extract_value(value, lane), ir.Constant(_INDEX, lane))
        return lanes


def kind_of(kind: Type) -> LanesType | None:
    """Returns the lanes for values of a type, which may be one of lanes or of numbers."""
    if isinstance(kind, LanesType):
        return kind
    if isinstance(kind, types.Boolean):
        return FLAGS
    if isinstance(kind, types.Float):
        return FLOATS
    return INTS if isinstance(kind, types.Integer) else None


def spread(builder: Builder, number: Value) -> Value:
    """Returns lanes that all hold one number."""
    vector = ir.VectorType(number.type, WIDTH)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.Constant(_INDEX, 0))
    zeros = ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


def as_lanes(context: CPUContext, builder: Builder, value: Value, kind: Type, target: LanesType) -> Value:
    """Returns a value of a type, lanes or a number, as lanes of `target`."""
    if not isinstance(kind, LanesType):
        return spread(builder, context.cast(builder, value, kind, target.number))
    if kind is target:
        return value
    if kind is FLAGS:
        return (builder.uitofp if target is FLOATS else builder.zext)(value, target.vector)
    if target is FLOATS:
        return builder.sitofp(value, target.vector)
    raise NotImplementedError(f"{kind} are not taken for {target}")


def vector_function(builder: Builder, name: str, *arguments: Value) -> Value:
    """Returns the result of LLVM's function `name` of vectors."""
    kind = arguments[0].type
    suffix = f"v{kind.count}f{64 if kind.element == ir.DoubleType() else 32}"
    signature = ir.FunctionType(kind, [argument.type for argument in arguments])
    known = builder.module.globals.get(f"llvm.{name}.{suffix}")
    function = known or ir.Function(builder.module, signature, f"llvm.{name}.{suffix}")
    return builder.call(function, arguments)


@cast_to(LanesType)
def _spread_number(context: CPUContext, builder: Builder, source: Any, target: Any, value: Value) -> Value:
    return as_lanes(context, builder, value, source, target)


def _numeric(*kinds: Type) -> LanesType | None:
    """Returns the type of a computation with numbers of these types; None if there are no lanes, or other types."""
    found = [kind_of(kind) for kind in kinds]
    if None in found or not any(isinstance(kind, LanesType) for kind in kinds):
        return None
    if FLOATS in found:
        return FLOATS
    return INTS if INTS in found else None  # for bools alone, Python and NumPy differ


def _numeric_as_floats(*kinds: Type) -> LanesType | None:
    return FLOATS if _numeric(*kinds) else None


def _float_only(*kinds: Type) -> LanesType | None:
    return FLOATS if _numeric(*kinds) is FLOATS else None


def _int_only(*kinds: Type) -> LanesType | None:
    return INTS if all(kind_of(kind) is INTS for kind in kinds) and _numeric(*kinds) else None


def _comparable(*kinds: Type) -> LanesType | None:
    """Like `_numeric`, except for integers and floats together, which Python compares exactly."""
    found = {kind_of(kind) for kind in kinds}
    return None if INTS in found and FLOATS in found and INTS in kinds else _numeric(*kinds)


def _logical(*kinds: Type) -> LanesType | None:
    found = {kind_of(kind) for kind in kinds}
    return found.pop() if len(found) == 1 and found <= {FLAGS, INTS} and any(map(_is_lanes, kinds)) else None


def _is_lanes(kind: Type) -> bool:
    return isinstance(kind, LanesType)


def raise_if(context: CPUContext, builder: Builder, flags: Value, error: type[Exception], message: str) -> None:
    """Writes code that raises an exception if any lane is set: its rows are then stepped one by one."""
    bits = builder.bitcast(flags, ir.IntType(WIDTH))
    with builder.if_then(builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0)), likely=False):
        context.call_conv.return_user_exc(builder, error, (message,))


def _plainly(operation: str) -> Callable[..., Any]:
    return lambda context, builder, *arguments: getattr(builder, operation)(*arguments)


def _either(of_floats: str, of_ints: str, overflows: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the operation of floats, or of integers, which raises if the result may have more than 64 bits."""

    def generate(context: CPUContext, builder: Builder, a: Value, b: Value) -> Value:
        if a.type == FLOATS.vector:
            return getattr(builder, of_floats)(a, b)
        result = getattr(builder, of_ints)(a, b)
        raise_if(context, builder, overflows(builder, a, b, result), OverflowError, "an integer beyond 64 bits")
        return result

    return generate


def _sum_overflows(builder: Builder, a: Value, b: Value, result: Value) -> Value:
    """True where the sign differs from both that of `a` and that of `b`."""
    return _is_negative(builder, builder.and_(builder.xor(a, result), builder.xor(b, result)))


def _difference_overflows(builder: Builder, a: Value, b: Value, result: Value) -> Value:
    return _is_negative(builder, builder.and_(builder.xor(a, b), builder.xor(a, result)))


def _product_overflows(builder: Builder, a: Value, b: Value, result: Value) -> Value:
    """True where a factor has more than 32 bits: single rows check this more precisely, which is slow for lanes."""
    half = ir.Constant(INTS.vector, [1 << 31] * WIDTH)
    upper = ir.Constant(INTS.vector, [32] * WIDTH)
    beyond = builder.or_(*(builder.lshr(builder.add(factor, half), upper) for factor in (a, b)))
    return builder.icmp_signed("!=", beyond, ir.Constant(INTS.vector, [0] * WIDTH))


def _is_negative(builder: Builder, lanes: Value) -> Value:
    return builder.icmp_signed("<", lanes, ir.Constant(INTS.vector, [0] * WIDTH))


_SUBTRACT = _either("fsub", "sub", _difference_overflows)


def _negated(context: CPUContext, builder: Builder, x: Value) -> Value:
    if x.type == FLOATS.vector:
        return builder.fneg(x)
    return _SUBTRACT(context, builder, ir.Constant(INTS.vector, [0] * WIDTH), x)


def _compared(sign: str) -> Callable[..., Any]:
    def generate(context: CPUContext, builder: Builder, a: Value, b: Value) -> Value:
        if a.type != FLOATS.vector:
            return builder.icmp_signed(sign, a, b)
        return (builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered)(sign, a, b)

    return generate


def _shifted(context: CPUContext, builder: Builder, a: Value, count: Value) -> Value:
    longest = ir.Constant(INTS.vector, [62] * WIDTH)
    raise_if(context, builder, builder.icmp_unsigned(">", count, longest), OverflowError, "a shift beyond 62 bits")
    shifted = builder.shl(a, count)
    lost = builder.icmp_signed("!=", builder.ashr(shifted, count), a)
    raise_if(context, builder, lost, OverflowError, "an integer beyond 64 bits")
    return shifted


def _check_divisor(context: CPUContext, builder: Builder, y: Value) -> None:
    none = builder.fcmp_ordered("==", y, ir.Constant(FLOATS.vector, [0.0] * WIDTH))
    raise_if(context, builder, none, ZeroDivisionError, "float division by zero")


def _quotient(context: CPUContext, builder: Builder, x: Value, y: Value) -> Value:
    _check_divisor(context, builder, y)
    return builder.fdiv(x, y)


def _modulo(context: CPUContext, builder: Builder, x: Value, y: Value) -> Value:
    _check_divisor(context, builder, y)
    return _division(builder, x, y)[1]


def _floor_division(context: CPUContext, builder: Builder, x: Value, y: Value) -> Value:
    _check_divisor(context, builder, y)
    return _division(builder, x, y)[0]


def _division(builder: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    """Quotient, rounded down, and remainder, which has the sign of `y`, computed by Python's rule."""
    zero, one = (ir.Constant(FLOATS.vector, [number] * WIDTH) for number in (0.0, 1.0))
    rest = _rest(builder, x, y)
    quotient = builder.fdiv(builder.fsub(x, rest), y)
    is_zero = builder.fcmp_ordered("==", rest, zero)
    signs_differ = builder.xor(builder.fcmp_ordered("<", y, zero), builder.fcmp_ordered("<", rest, zero))
    across = builder.and_(builder.not_(is_zero), signs_differ)
    signed_zero = vector_function(builder, "copysign", zero, y)
    remainder = builder.select(is_zero, signed_zero, builder.select(across, builder.fadd(rest, y), rest))
    quotient = builder.select(across, builder.fsub(quotient, one), quotient)
    down = vector_function(builder, "floor", quotient)
    half = ir.Constant(FLOATS.vector, [0.5] * WIDTH)
    snapped = builder.select(
        builder.fcmp_ordered(">", builder.fsub(quotient, down), half), builder.fadd(down, one), down
    )
    none = vector_function(builder, "copysign", zero, builder.fdiv(x, y))
    # NaN is not zero, and stays.
    whole = builder.select(builder.fcmp_unordered("!=", quotient, zero), snapped, none)
    return whole, remainder


def _rest(builder: Builder, x: Value, y: Value) -> Value:
    """The remainder of `x` by whole multiples of `y`, with the sign of `x`; it is exact."""
    ratio = builder.fdiv(x, y)
    times = vector_function(builder, "trunc", ratio)
    rest = vector_function(builder, "fma", builder.fneg(times), y, x)
    # A ratio just below a whole number may have been rounded up to it, and the remainder has become negative.
    zero, many = (ir.Constant(FLOATS.vector, [number] * WIDTH) for number in (0.0, 2.0**31))
    step = vector_function(builder, "copysign", y, x)
    below = builder.fcmp_ordered("<", vector_function(builder, "copysign", rest, builder.fmul(rest, step)), zero)
    rest = builder.select(below, builder.fadd(rest, step), rest)
    rest = vector_function(builder, "copysign", rest, x)
    known = builder.and_(
        builder.fcmp_ordered("<", vector_function(builder, "fabs", ratio), many),
        builder.fcmp_ordered("==", rest, rest),
    )
    before = builder.block
    unknown = builder.icmp_unsigned("!=", builder.bitcast(known, ir.IntType(WIDTH)), ir.Constant(ir.IntType(WIDTH), -1))
    with builder.if_then(unknown, likely=False):
        asked = builder.frem(x, y)
        after = builder.block
    result = builder.phi(FLOATS.vector)
    result.add_incoming(rest, before)
    result.add_incoming(asked, after)
    return result


def _floored(context: CPUContext, builder: Builder, x: Value) -> Value:
    inside = builder.fcmp_ordered(
        "<", vector_function(builder, "fabs", x), ir.Constant(FLOATS.vector, [2.0**62] * WIDTH)
    )
    raise_if(context, builder, builder.not_(inside), OverflowError, "an integer beyond 62 bits")
    return builder.fptosi(vector_function(builder, "floor", x), INTS.vector)


def _square_root(context: CPUContext, builder: Builder, x: Value) -> Value:
    negative = builder.fcmp_ordered("<", x, ir.Constant(FLOATS.vector, [0.0] * WIDTH))
    raise_if(context, builder, negative, ValueError, "math domain error")
    return vector_function(builder, "sqrt", x)


def _absolute(context: CPUContext, builder: Builder, x: Value) -> Value:
    return vector_function(builder, "fabs", x)


_RULES: list[tuple[Any, int, Callable[..., LanesType | None], LanesType | None, Callable[..., Any]]] = [
    # function, number of arguments, type of the computation, type of the result (None: the same), how
    (operator.add, 2, _numeric, None, _either("fadd", "add", _sum_overflows)),
    (operator.sub, 2, _numeric, None, _SUBTRACT),
    (operator.mul, 2, _numeric, None, _either("fmul", "mul", _product_overflows)),
    (operator.truediv, 2, _float_only, None, _quotient),
    (operator.floordiv, 2, _float_only, None, _floor_division),
    (operator.mod, 2, _float_only, None, _modulo),
    (operator.neg, 1, _numeric, None, _negated),
    (operator.and_, 2, _logical, None, _plainly("and_")),
    (operator.or_, 2, _logical, None, _plainly("or_")),
    (operator.xor, 2, _logical, None, _plainly("xor")),
    (operator.lshift, 2, _int_only, None, _shifted),
    (abs, 1, _float_only, None, _absolute),
    (math.sqrt, 1, _numeric_as_floats, None, _square_root),
    (math.floor, 1, _float_only, INTS, _floored),
    *(
        (function, 2, _comparable, FLAGS, _compared(sign))
        for function, sign in (
            (operator.lt, "<"),
            (operator.le, "<="),
            (operator.gt, ">"),
            (operator.ge, ">="),
            (operator.eq, "=="),
            (operator.ne, "!="),
        )
    ),
]

_IN_PLACE = {
    operator.add: operator.iadd,
    operator.sub: operator.isub,
    operator.mul: operator.imul,
    operator.truediv: operator.itruediv,
    operator.and_: operator.iand,
    operator.or_: operator.ior,
}

for _function, _count, _kind, _result, _generate in _RULES:
    for _name in (_function, _IN_PLACE.get(_function)):
        if _name:
            arithmetic(_name, _count, LanesType, _kind, _result, as_lanes, _generate)
