"""Loads and stores of lanes in the columns of a batch, in compiled code: lane k is row `i + k`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gymnasium.jit.backend import (
    ArrayType,
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
from gymnasium.jit.lanes import WIDTH
from gymnasium.jit.lanes.types import FLAGS, FLOATS, INTS, LanesType, as_lanes, kind_of

_INDEX = ir.IntType(32)


@intrinsic
def loaded(typing_context: TypingContext, column: ArrayType, i: Type) -> Typed:
    """Returns rows of a column of numbers."""
    kind = _kind(column.dtype)

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        element = data.type.pointee
        at = builder.bitcast(builder.gep(data, [arguments[1]]), ir.VectorType(element, WIDTH).as_pointer())
        raw = builder.load(at, align=context.get_abi_sizeof(element))
        return _widened(builder, raw, column.dtype, kind)

    return kind(column, types.int64), generate


@intrinsic
def gathered(typing_context: TypingContext, column: ArrayType, i: Type, size: Type, part: Type) -> Typed:
    """Returns one number of each row of a flat column whose rows have `size` numbers."""
    kind = _kind(column.dtype)

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        array, row, size, part = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        raw = ir.Constant(ir.VectorType(data.type.pointee, WIDTH), ir.Undefined)
        for lane, at in enumerate(_places(builder, row, size, part)):
            raw = builder.insert_element(raw, builder.load(builder.gep(data, [at])), ir.Constant(_INDEX, lane))
        return _widened(builder, raw, column.dtype, kind)

    return kind(column, types.int64, types.int64, types.int64), generate


@intrinsic
def stored(typing_context: TypingContext, column: ArrayType, i: Type, value: Type) -> Typed:
    """Write rows of a column of numbers: lanes, or one number for all."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        element = data.type.pointee
        at = builder.bitcast(builder.gep(data, [arguments[1]]), ir.VectorType(element, WIDTH).as_pointer())
        raw = _narrowed(context, builder, arguments[2], signature.args[2], column.dtype)
        builder.store(raw, at, align=context.get_abi_sizeof(element))
        return context.get_dummy_value()

    return types.void(column, types.int64, value), generate


@intrinsic
def scattered(typing_context: TypingContext, column: ArrayType, i: Type, size: Type, part: Type, value: Type) -> Typed:
    """Write one number of each row of a flat column whose rows have `size` numbers."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        array, row, size, part, value = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        raw = _narrowed(context, builder, value, signature.args[4], column.dtype)
        for lane, at in enumerate(_places(builder, row, size, part)):
            builder.store(builder.extract_element(raw, ir.Constant(_INDEX, lane)), builder.gep(data, [at]))
        return context.get_dummy_value()

    return types.void(column, types.int64, types.int64, types.int64, value), generate


@intrinsic
def fetched(typing_context: TypingContext, column: ArrayType, number: Type) -> Typed:
    """Prefetch a number of a column, counted over all rows; it may be beyond the last one."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        at = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [at.type, word, word, word])
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        to_read, near, data_cache = (ir.Constant(word, k) for k in (0, 3, 1))
        builder.call(function, [at, to_read, near, data_cache])
        return context.get_dummy_value()

    return types.void(column, types.int64), generate


@intrinsic
def counted(typing_context: TypingContext, steps: Type) -> Typed:
    """Returns counts, each plus one; none of them is near the end of its range."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.add(arguments[0], ir.Constant(INTS.vector, [1] * WIDTH))

    return INTS(INTS), generate


@intrinsic
def any_of(typing_context: TypingContext, flags: Type) -> Typed:
    """Returns whether any lane is set."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        lanes = as_lanes(context, builder, arguments[0], signature.args[0], FLAGS)
        bits = builder.bitcast(lanes, ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(flags), generate


@intrinsic
def outermost(typing_context: TypingContext, flags: Type, i: Type, other: Type) -> Typed:
    """Returns the first and the last of the rows from `i` on that are set; twice `other` if none is."""
    pair: Any = types.UniTuple

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        lanes = as_lanes(context, builder, arguments[0], signature.args[0], FLAGS)
        word = ir.IntType(64)
        bits = builder.zext(builder.bitcast(lanes, ir.IntType(WIDTH)), word)
        none = builder.icmp_unsigned("==", bits, ir.Constant(word, 0))
        defined = ir.Constant(ir.IntType(1), 0)  # for 0 too
        first = builder.cttz(bits, defined)
        last = builder.sub(ir.Constant(word, 63), builder.ctlz(bits, defined))
        rows = [builder.select(none, arguments[2], builder.add(arguments[1], lane)) for lane in (first, last)]
        return context.make_tuple(builder, signature.return_type, rows)

    return pair(types.int64, 2)(flags, types.int64, types.int64), generate


def _places(builder: Builder, row: Value, size: Value, part: Value) -> Iterator[Value]:
    first = builder.add(builder.mul(row, size), part)
    for lane in range(WIDTH):
        yield builder.add(first, builder.mul(size, ir.Constant(size.type, lane)))


def _kind(number: Any) -> LanesType:
    kind = kind_of(number)
    assert kind is not None
    return kind


def _widened(builder: Builder, raw: Value, number: Any, kind: LanesType) -> Value:
    """Converts values from memory to lanes."""
    if kind is FLAGS:
        return builder.icmp_unsigned("!=", raw, ir.Constant(raw.type, None))
    if raw.type == kind.vector:
        return raw
    if kind is FLOATS:
        return builder.fpext(raw, kind.vector)
    return (builder.sext if number.signed else builder.zext)(raw, kind.vector)


def _narrowed(context: CPUContext, builder: Builder, value: Value, kind: Type, number: Type) -> Value:
    """Converts lanes, or a number for all of them, to values for memory."""
    target = _kind(number)
    lanes = as_lanes(context, builder, value, kind, target)
    memory = ir.VectorType(context.get_data_type(number), WIDTH)
    if lanes.type == memory:
        return lanes
    if target is FLAGS:
        return builder.zext(lanes, memory)
    return (builder.fptrunc if target is FLOATS else builder.trunc)(lanes, memory)
