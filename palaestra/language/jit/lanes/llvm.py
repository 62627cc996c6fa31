"""Mathematics of lanes written directly as LLVM code, by calling a Python function with symbolic values.

Numba would take a second to read and lower the same code; this takes milliseconds.
"""

from __future__ import annotations

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
    intrinsic,
    ir,
    types,
)
from palaestra.language.jit.lanes import WIDTH
from palaestra.language.jit.lanes.types import FLOATS, INTS, vector_function

_BITS = ir.IntType(WIDTH)  # a bit of each lane


class Traced:
    """Lanes of floats, ints or flags that record the operations on them. Numbers become lanes that all hold them."""

    def __init__(self, context: CPUContext, builder: Builder, value: Value) -> None:
        self.context, self.builder, self.value = context, builder, value

    def of(self, value: object) -> Traced:
        """Returns other lanes of the same function."""
        return Traced(self.context, self.builder, value)

    def take(self, other: object) -> Any:
        """Returns the LLVM value of lanes, or of a number in lanes of this type."""
        if isinstance(other, Traced):
            return other.value
        return ir.Constant(self.value.type, [other] * WIDTH)

    def _is_float(self) -> bool:
        return bool(self.value.type == FLOATS.vector)

    def _math(self, operation: str, other: object) -> Traced:
        prefix = "f" if self._is_float() else ""
        return self.of(getattr(self.builder, prefix + operation)(self.value, self.take(other)))

    def _bitwise(self, operation: str, other: object) -> Traced:
        return self.of(getattr(self.builder, operation)(self.value, self.take(other)))

    def _compared(self, sign: str, other: object) -> Traced:
        if not self._is_float():
            return self.of(self.builder.icmp_signed(sign, self.value, self.take(other)))
        compare = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered
        return self.of(compare(sign, self.value, self.take(other)))

    def __add__(self, other: object) -> Traced:
        return self._math("add", other)

    def __sub__(self, other: object) -> Traced:
        return self._math("sub", other)

    def __mul__(self, other: object) -> Traced:
        return self._math("mul", other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: object) -> Traced:
        return self.of(self.take(other)) - self

    def __neg__(self) -> Traced:
        return self.of(self.builder.fneg(self.value))

    def __abs__(self) -> Traced:
        return self.of(vector_function(self.builder, "fabs", self.value))

    def __and__(self, other: object) -> Traced:
        return self._bitwise("and_", other)

    def __or__(self, other: object) -> Traced:
        return self._bitwise("or_", other)

    def __xor__(self, other: object) -> Traced:
        return self._bitwise("xor", other)

    def __lshift__(self, other: object) -> Traced:
        return self._bitwise("shl", other)

    def __lt__(self, other: object) -> Traced:
        return self._compared("<", other)

    def __gt__(self, other: object) -> Traced:
        return self._compared(">", other)

    def __ge__(self, other: object) -> Traced:
        return self._compared(">=", other)

    def is_equal(self, other: object) -> Traced:
        """Returns a mask of equal lanes."""
        return self._compared("==", other)

    def differs(self, other: object) -> Traced:
        """Returns a mask of unequal lanes; NaN is unequal."""
        return self._compared("!=", other)


def fma(x: Traced, y: Traced | float, z: Traced | float) -> Traced:
    """Returns `x * y + z`, rounded once."""
    return x.of(vector_function(x.builder, "fma", x.value, x.take(y), x.take(z)))


def bits_of(x: Traced) -> Traced:
    """Returns the bits of floats."""
    return x.of(x.builder.bitcast(x.value, INTS.vector))


def float_of(bits: Traced) -> Traced:
    """Returns the floats of bits."""
    return bits.of(bits.builder.bitcast(bits.value, FLOATS.vector))


def select(flags: Traced, a: Traced, b: Traced) -> Traced:
    """Returns the lanes of `a` where a flag is set, and those of `b` elsewhere."""
    return flags.of(flags.builder.select(flags.value, a.value, b.value))


def corrected(function: object, x: Traced, value: Traced, doubtful: Traced) -> Traced:
    """Returns the value, with `function` called for each doubtful lane of x."""
    builder = x.builder
    bits = builder.bitcast(doubtful.value, _BITS)
    before = builder.block
    with builder.if_then(builder.icmp_unsigned("!=", bits, ir.Constant(_BITS, 0)), likely=False):
        answered = _answered(x.context, builder, function, x.value, value.value, bits)
        after = builder.block
    result = builder.phi(value.value.type)
    result.add_incoming(value.value, before)
    result.add_incoming(answered, after)
    return x.of(result)


def _answered(context: CPUContext, builder: Builder, function: Any, x: Value, value: Value, bits: Value) -> Value:
    """Writes the loop over the doubtful lanes."""
    row = ir.ArrayType(ir.DoubleType(), WIDTH).as_pointer()
    with builder.goto_entry_block():
        places = [builder.alloca(FLOATS.vector) for _ in range(2)]
    for lanes, place in zip((x, value), places, strict=True):
        builder.store(lanes, place)
    inputs, outputs = (builder.bitcast(place, row) for place in places)
    first = builder.block
    loop, end = builder.append_basic_block("doubtful"), builder.append_basic_block("answered")
    builder.branch(loop)
    builder.position_at_end(loop)
    left = builder.phi(bits.type)
    lane = builder.zext(builder.cttz(left, ir.Constant(ir.IntType(1), 1)), ir.IntType(32))
    zero = ir.Constant(ir.IntType(32), 0)
    number = builder.load(builder.gep(inputs, [zero, lane]))
    answer = _called(context, builder, function, number)
    builder.store(answer, builder.gep(outputs, [zero, lane]))
    rest = builder.and_(left, builder.sub(left, ir.Constant(bits.type, 1)))
    left.add_incoming(bits, first)
    left.add_incoming(rest, builder.block)
    builder.cbranch(builder.icmp_unsigned("!=", rest, ir.Constant(bits.type, 0)), loop, end)
    builder.position_at_end(end)
    return builder.load(places[1])


def _called(context: CPUContext, builder: Builder, function: Any, number: Value) -> Value:
    """Writes the call of a function of a float."""
    typing_context = context.typing_context
    kind = typing_context.resolve_value_type(function)
    call = context.get_function(kind, typing_context.resolve_function_type(kind, (types.float64,), {}))
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, [number])


def of_lanes(function: Callable[[Traced], Traced]) -> Any:
    """Returns the replacement of a function of lanes of floats in compiled code."""

    def called(typing_context: TypingContext, x: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            return function(Traced(context, builder, arguments[0])).value

        return FLOATS(FLOATS), generate

    called.__name__ = function.__name__
    return intrinsic(called)
