"""Rows of columns written from tuples, arrays and other rows, number by number, in compiled code.

As a slice Numba would first copy operands that may overlap, and loops and indices in a kernel's text take it long.
"""

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
    arrays,
    cgutils,
    intrinsic,
    ir,
    types,
)
from palaestra.language.jit.columns import number_in, row_in

_WORD = ir.IntType(64)


def _numbers(builder: Builder, kind: Any, value: Value) -> Iterator[tuple[Any, Value]]:
    """Yields the types of the numbers in nested tuples, and the numbers."""
    is_tuple = isinstance(kind, types.BaseTuple)
    if not is_tuple:
        yield kind, value
        return
    for part, taken in zip(kind.types, cgutils.unpack_tuple(builder, value, len(kind)), strict=True):
        yield from _numbers(builder, part, taken)


@intrinsic
def stored_numbers(typing_context: TypingContext, column: Any, i: Type, value: Type) -> Typed:
    """Write the numbers of nested tuples, which have the shape of a row, into row i of a column."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        first = number_in(builder, column, *arguments[:2])
        for k, (kind, number) in enumerate(_numbers(builder, value, arguments[2])):
            place = builder.gep(first, [ir.Constant(_WORD, k)])
            context.pack_value(builder, column.dtype, context.cast(builder, number, kind, column.dtype), place)
        return context.get_dummy_value()

    return types.void(column, types.int64, value), generate


@intrinsic
def stored_row(typing_context: TypingContext, column: Any, i: Type, value: Any) -> Typed:
    """Write an array with the shape of a row into row i of a column."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        array = context.make_array(value)(context, builder, arguments[2])
        row = row_in(context, builder, column, *arguments[:2])
        shapes = [cgutils.unpack_tuple(builder, part) for one in (array, row) for part in (one.shape, one.strides)]
        with cgutils.loop_nest(builder, shapes[2], _WORD) as indices:
            at = cgutils.get_item_pointer2(context, builder, array.data, *shapes[:2], value.layout, indices)
            number = arrays.load_item(context, builder, value, at)
            number = context.cast(builder, number, value.dtype, column.dtype)
            at = cgutils.get_item_pointer2(context, builder, row.data, *shapes[2:], "C", indices)
            context.pack_value(builder, column.dtype, number, at)
        return context.get_dummy_value()

    return types.void(column, types.int64, value), generate


@intrinsic
def copied_row(typing_context: TypingContext, column: Any, i: Type, source: Any) -> Typed:
    """Write row i of one column into that of another with rows of the same type."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        to, of = (number_in(builder, column, one, arguments[1]) for one in (arguments[0], arguments[2]))
        itemsize = context.get_abi_sizeof(context.get_data_type(column.dtype))
        cgutils.raw_memcpy(builder, to, of, ir.Constant(_WORD, column.size), itemsize)
        return context.get_dummy_value()

    return types.void(column, types.int64, column), generate
