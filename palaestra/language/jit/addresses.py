"""Access to addresses in compiled code: rows of numbers, or a function that steps them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from palaestra.language.jit.backend import (
    ArrayType,
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
    populate_array,
    types,
    word_at,
)

CONTEXT = types.int64[::1]

Words: TypeAlias = NDArray[np.int64]  # of such a context, or of a table, in the signatures of kernels


@intrinsic
def rows_at(typing_context: TypingContext, address: Type, shape: Any, dtype: Any) -> Typed:
    """Returns an array with this shape and dtype at an address."""
    kind = types.Array(dtype.dtype, len(shape), "C")

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return _array(context, builder, kind, *arguments[:2])

    return kind(types.int64, shape, dtype), generate


def _array(context: CPUContext, builder: Builder, kind: ArrayType, address: Value, shape: Value) -> Value:
    """An array with a shape at an address."""
    array = context.make_array(kind)(context, builder)
    sizes = cgutils.unpack_tuple(builder, shape)
    itemsize = ir.Constant(ir.IntType(64), context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [itemsize]
    for size in reversed(sizes[1:]):
        strides.insert(0, builder.mul(strides[0], size))
    data = builder.inttoptr(address, array.data.type)
    populate_array(array, data=data, shape=sizes, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()


@intrinsic
def array_at(typing_context: TypingContext, context_at: Type, slot: Type, shape: Any, dtype: Any) -> Typed:
    """Returns an array at the address in a slot of the context: `rows_at(context[slot], shape, dtype)`."""
    kind = types.Array(dtype.dtype, len(shape), "C")

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return _array(context, builder, kind, word_at(builder, *arguments[:2]), arguments[2])

    return kind(types.int64, types.int64, shape, dtype), generate


@intrinsic
def number_at(typing_context: TypingContext, context_at: Type, slot: Type, dtype: Any) -> Typed:
    """Returns the number at the address in a slot of the context."""
    kind = dtype.dtype

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        pointer = context.get_data_type(kind).as_pointer()
        place = builder.inttoptr(word_at(builder, *arguments[:2]), pointer)
        return context.unpack_value(builder, kind, place)

    return kind(types.int64, types.int64, dtype), generate


@intrinsic
def called_at(typing_context: TypingContext, address: Type, given: Any) -> Typed:
    """Calls a kernel at an address with a tuple of int64, as in `step_rows(context, low, high)`: same result or error.

    Its machine code is thus made once, and not again in each of its callers.
    """
    taken = (types.int64,) * len(given)

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        convention = context.call_conv
        function = convention.get_function_type(types.int64, taken)
        pointer = builder.inttoptr(arguments[0], function.as_pointer())
        words = cgutils.unpack_tuple(builder, arguments[1])
        status, result = convention.call_function(builder, pointer, types.int64, taken, words)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    return types.int64(types.int64, given), generate


@intrinsic
def copied_at(typing_context: TypingContext, target: Type, source: Type, size: Type) -> Typed:
    """Copy `size` bytes from one address to another."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        byte = ir.IntType(8).as_pointer()
        to, of = (builder.inttoptr(argument, byte) for argument in arguments[:2])
        cgutils.raw_memcpy(builder, to, of, arguments[2], 1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate
