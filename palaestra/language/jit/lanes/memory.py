"""Loads and stores of lanes in the columns of a batch, in compiled code: lane k is row `i + k`."""

from __future__ import annotations

from collections.abc import Iterator
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
from palaestra.language.jit.columns import ColumnType, number_in
from palaestra.language.jit.lanes import CACHE_LINE, WIDTH
from palaestra.language.jit.lanes.types import FLAGS, FLOATS, INTS, LanesType, as_lanes, kind_of

_INDEX, _WORD = ir.IntType(32), ir.IntType(64)


@intrinsic
def loaded(typing_context: TypingContext, column: Any, i: Type) -> Typed:
    """Returns rows of a column of numbers."""
    kind = _kind(column.dtype)

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        at = _lanes_at(context, builder, signature.args[0], arguments)
        raw = builder.load(at, align=context.get_abi_sizeof(at.type.pointee.element))
        return _widened(builder, raw, column.dtype, kind)

    return kind(column, types.int64), generate


@intrinsic
def gathered(typing_context: TypingContext, column: Any, i: Type, part: Type) -> Typed:
    """Returns one number of each row of a column whose rows have several."""
    kind = _kind(column.dtype)

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        data = arguments[0]
        raw = ir.Constant(ir.VectorType(data.type.pointee, WIDTH), ir.Undefined)
        for lane, at in enumerate(_places(builder, column, *arguments[1:])):
            raw = builder.insert_element(raw, builder.load(builder.gep(data, [at])), ir.Constant(_INDEX, lane))
        return _widened(builder, raw, column.dtype, kind)

    return kind(column, types.int64, types.int64), generate


@intrinsic
def stored(typing_context: TypingContext, column: Any, i: Type, value: Type) -> Typed:
    """Write rows of a column of numbers: lanes, or one number for all."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        at = _lanes_at(context, builder, signature.args[0], arguments)
        raw = _narrowed(context, builder, arguments[2], signature.args[2], column.dtype)
        builder.store(raw, at, align=context.get_abi_sizeof(at.type.pointee.element))
        return context.get_dummy_value()

    return types.void(column, types.int64, value), generate


@intrinsic
def stored_below(typing_context: TypingContext, column: Any, i: Type, high: Type, value: Type) -> Typed:
    """Write a number into those of eight rows of a column that are below another row."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        data, i, high, value = arguments
        left = builder.sub(high, i)
        width = ir.Constant(left.type, WIDTH)
        count = builder.select(builder.icmp_signed("<", left, width), left, width)
        with cgutils.for_range(builder, count) as loop:
            context.pack_value(builder, column.dtype, value, builder.gep(data, [builder.add(i, loop.index)]))
        return context.get_dummy_value()

    return types.void(column, types.int64, types.int64, column.dtype), generate


@intrinsic
def scattered(typing_context: TypingContext, column: Any, i: Type, part: Type, value: Type) -> Typed:
    """Write one number of each row of a column whose rows have several."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        data = arguments[0]
        raw = _narrowed(context, builder, arguments[3], signature.args[3], column.dtype)
        for lane, at in enumerate(_places(builder, column, *arguments[1:3])):
            builder.store(builder.extract_element(raw, ir.Constant(_INDEX, lane)), builder.gep(data, [at]))
        return context.get_dummy_value()

    return types.void(column, types.int64, types.int64, value), generate


@intrinsic
def fetched(typing_context: TypingContext, column: Any, i: Type) -> Typed:
    """Prefetch eight rows of a column; they may be beyond the last one."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        line = CACHE_LINE // context.get_abi_sizeof(context.get_data_type(column.dtype))
        first = number_in(builder, column, *arguments)
        for k in range(0, column.size * WIDTH, line):
            _fetch(builder, builder.gep(first, [ir.Constant(_WORD, k)]))
        return context.get_dummy_value()

    return types.void(column, types.int64), generate


@intrinsic
def fetched_row(typing_context: TypingContext, column: Any, i: Type) -> Typed:
    """Prefetch a row of at most a cache line's length, which may lie in two."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        first = number_in(builder, column, *arguments)
        for k in (0, column.size - 1):
            _fetch(builder, builder.gep(first, [ir.Constant(_WORD, k)]))
        return context.get_dummy_value()

    return types.void(column, types.int64), generate


def _fetch(builder: Builder, place: Value) -> None:
    """Prefetch the line of the cache at a place."""
    at, word = builder.bitcast(place, ir.IntType(8).as_pointer()), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [at.type, word, word, word])
    name = "llvm.prefetch.p0"
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    to_read, near, data_cache = (ir.Constant(word, k) for k in (0, 3, 1))
    builder.call(function, [at, to_read, near, data_cache])


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


def _lanes_at(context: CPUContext, builder: Builder, kind: Any, arguments: Values) -> Value:
    """The pointer to the rows from i on of a column, or of an array."""
    is_column = isinstance(kind, ColumnType)
    data = arguments[0] if is_column else context.make_array(kind)(context, builder, arguments[0]).data
    lanes = ir.VectorType(data.type.pointee, WIDTH)
    return builder.bitcast(builder.gep(data, [arguments[1]]), lanes.as_pointer())


def _places(builder: Builder, column: ColumnType, row: Value, part: Value) -> Iterator[Value]:
    first = builder.add(builder.mul(row, ir.Constant(_WORD, column.size)), part)
    for lane in range(WIDTH):
        yield builder.add(first, ir.Constant(_WORD, lane * column.size))


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
