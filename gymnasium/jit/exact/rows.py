"""Rows of columns written from tuples, arrays and other rows, number by number, in compiled code.

As a slice Numba would first copy operands that may overlap, and loops and indices in a kernel's text take it long.
"""

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
    arrays,
    cgutils,
    intrinsic,
    ir,
    types,
)

_WORD = ir.IntType(64)


def _row_of(context: CPUContext, builder: Builder, kind: Any, column: Value, i: Value) -> tuple[Value, Value]:
    """Returns the type of a row of a column, and the row."""
    whole = context.make_array(kind)(context, builder, column)
    row = types.Array(kind.dtype, kind.ndim - 1, "C")
    made = context.make_array(row)(context, builder)
    shape, strides = (cgutils.unpack_tuple(builder, part) for part in (whole.shape, whole.strides))
    size = ir.Constant(_WORD, 1)
    for length in shape[1:]:
        size = builder.mul(size, length)
    data = builder.gep(whole.data, [builder.mul(size, i)])
    itemsize = ir.Constant(_WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    arrays.populate_array(made, data, shape[1:], strides[1:], itemsize, meminfo=None)
    return row, made


def _copy(context: CPUContext, builder: Builder, source: tuple[Any, Any], target: tuple[Any, Any]) -> None:
    (kind, array), (to_kind, to) = source, target
    shape = cgutils.unpack_tuple(builder, to.shape)
    places = [cgutils.unpack_tuple(builder, one) for one in (array.shape, array.strides, to.shape, to.strides)]
    with cgutils.loop_nest(builder, shape, _WORD) as indices:
        at = cgutils.get_item_pointer2(context, builder, array.data, *places[:2], kind.layout, indices)
        number = arrays.load_item(context, builder, kind, at)
        number = context.cast(builder, number, kind.dtype, to_kind.dtype)
        at = cgutils.get_item_pointer2(context, builder, to.data, *places[2:], to_kind.layout, indices)
        arrays.store_item(context, builder, to_kind, number, at)


def _numbers(builder: Builder, kind: Any, value: Value) -> Iterator[tuple[Any, Value]]:
    """Yields the types of the numbers in nested tuples, and the numbers."""
    is_tuple = isinstance(kind, types.BaseTuple)
    if not is_tuple:
        yield kind, value
        return
    for part, taken in zip(kind.types, cgutils.unpack_tuple(builder, value, len(kind)), strict=True):
        yield from _numbers(builder, part, taken)


@intrinsic
def stored_numbers(typing_context: TypingContext, column: ArrayType, i: Type, value: Type) -> Typed:
    """Write the numbers of nested tuples, which have the shape of a row, into row i of a column."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        array = context.make_array(column)(context, builder, arguments[0])
        numbers = list(_numbers(builder, value, arguments[2]))
        first = builder.mul(arguments[1], ir.Constant(_WORD, len(numbers)))
        for k, (kind, number) in enumerate(numbers):
            at = builder.gep(array.data, [builder.add(first, ir.Constant(_WORD, k))])
            arrays.store_item(context, builder, column, context.cast(builder, number, kind, column.dtype), at)
        return context.get_dummy_value()

    return types.void(column, types.int64, value), generate


@intrinsic
def stored_row(typing_context: TypingContext, column: ArrayType, i: Type, value: Type) -> Typed:
    """Write an array with the shape of a row into row i of a column."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        array = context.make_array(value)(context, builder, arguments[2])
        _copy(context, builder, (value, array), _row_of(context, builder, column, *arguments[:2]))
        return context.get_dummy_value()

    return types.void(column, types.int64, value), generate


@intrinsic
def copied_row(typing_context: TypingContext, column: ArrayType, i: Type, source: Type) -> Typed:
    """Write row i of one column into that of another."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        to, i, of = arguments
        _copy(context, builder, _row_of(context, builder, source, of, i), _row_of(context, builder, column, to, i))
        return context.get_dummy_value()

    return types.void(column, types.int64, source), generate
