"""The loops of a network over registers, each of which holds one number of some rows, as LLVM code.

A block of rows is an array of shape (numbers, ROWS), so that a register is read from one place. LLVM is told what to
keep in registers; it reorders no additions and fuses none with products, so that rows have the bits of `functional`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    intrinsic,
    ir,
    types,
)
from palaestra.language.jit.engine import target
from palaestra.policies._network import TANH_LIMIT, TANH_P, TANH_Q

ROWS = 16  # of a block: a register of AVX-512; LLVM uses several shorter ones otherwise
TOGETHER = 8 if "+avx512f" in target() else 4  # outputs computed at once, with each input read once for all of them

_WORD, _FLOAT, _INDEX = ir.IntType(64), ir.FloatType(), ir.IntType(32)
_ROW = ir.VectorType(_FLOAT, ROWS)
_LINE = 64  # bytes


@intrinsic
def reserved(typing_context: TypingContext, size: Type) -> Typed:
    """Returns the address of so many bytes on the stack, until the function returns."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        place = builder.alloca(ir.IntType(8), arguments[0])
        place.align = _LINE
        return builder.ptrtoint(place, _WORD)

    return types.int64(types.int64), generate


def _at(builder: Builder, address: Value, index: Value, size: int, kind: ir.Type) -> Value:
    """Returns the pointer to an element of an array whose elements have a size in bytes."""
    offset = builder.mul(index, ir.Constant(_WORD, size))
    return builder.inttoptr(builder.add(address, offset), kind.as_pointer())


def _spread(builder: Builder, number: Value) -> Value:
    first = builder.insert_element(ir.Constant(_ROW, ir.Undefined), number, ir.Constant(_INDEX, 0))
    zeros = ir.Constant(ir.VectorType(_INDEX, ROWS), [0] * ROWS)
    return builder.shuffle_vector(first, ir.Constant(_ROW, ir.Undefined), zeros)


def _dense(outputs: int) -> Callable[..., Any]:
    """Returns a function that computes so many outputs of a layer, without the activation, for a block of rows.

    It takes the addresses of the inputs, of the first output's weight, bias and place, and the numbers of inputs and of
    outputs of the layer.
    """

    def dense(
        typing_context: TypingContext,
        inputs: Type,
        weights: Type,
        bias: Type,
        results: Type,
        taken: Type,
        given: Type,
    ) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            inputs, weights, bias, results, taken, given = arguments
            sums = [cgutils.alloca_once(builder, _ROW) for _ in range(outputs)]
            places = [ir.Constant(_WORD, j) for j in range(outputs)]
            for total, j in zip(sums, places, strict=True):
                builder.store(_spread(builder, builder.load(_at(builder, bias, j, 4, _FLOAT), align=4)), total)
            with cgutils.for_range(builder, taken, intp=_WORD) as loop:
                row = builder.load(_at(builder, inputs, loop.index, 4 * ROWS, _ROW), align=_LINE)
                first = builder.add(weights, builder.mul(builder.mul(loop.index, given), ir.Constant(_WORD, 4)))
                for total, j in zip(sums, places, strict=True):
                    weight = _spread(builder, builder.load(_at(builder, first, j, 4, _FLOAT), align=4))
                    builder.store(builder.fadd(builder.load(total), builder.fmul(row, weight)), total)
            for total, j in zip(sums, places, strict=True):
                builder.store(builder.load(total), _at(builder, results, j, 4 * ROWS, _ROW), align=_LINE)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 6), generate

    return intrinsic(dense)


dense_together = _dense(TOGETHER)
dense_one = _dense(1)


def _activation(function: Callable[[Builder, Value], Value]) -> Callable[..., Any]:
    """Returns a function that replaces numbers of a block, at an address, by what `function` makes of each."""

    def activation(typing_context: TypingContext, address: Type, count: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            with cgutils.for_range(builder, arguments[1], intp=_WORD) as loop:
                place = _at(builder, arguments[0], loop.index, 4 * ROWS, _ROW)
                builder.store(function(builder, builder.load(place, align=_LINE)), place, align=_LINE)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    return intrinsic(activation)


def _constant(number: float) -> Value:
    return ir.Constant(_ROW, [number] * ROWS)


def _within(builder: Builder, x: Value, limit: float) -> Value:
    low, high = _constant(-limit), _constant(limit)
    x = builder.select(builder.fcmp_ordered("<", x, low), low, x)
    return builder.select(builder.fcmp_ordered(">", x, high), high, x)


def _polynomial(builder: Builder, coefficients: Sequence[float], x: Value, square: Value) -> Value:
    a, b, c, d, e = map(_constant, coefficients)
    upper = builder.fadd(builder.fmul(e, square), builder.fadd(builder.fmul(d, x), c))
    return builder.fadd(builder.fmul(upper, square), builder.fadd(builder.fmul(b, x), a))


def _tanh(builder: Builder, x: Value) -> Value:
    x = _within(builder, x, TANH_LIMIT)
    square = builder.fmul(x, x)
    fourth = builder.fmul(square, square)
    above = builder.fmul(x, _polynomial(builder, TANH_P, square, fourth))
    return _within(builder, builder.fdiv(above, _polynomial(builder, TANH_Q, square, fourth)), 1.0)


def _relu(builder: Builder, x: Value) -> Value:
    zero = _constant(0.0)
    return builder.select(builder.fcmp_ordered("<", x, zero), zero, x)


tanh_rows = _activation(_tanh)
relu_rows = _activation(_relu)
