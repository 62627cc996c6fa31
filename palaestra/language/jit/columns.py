"""Columns in compiled code: memory with a row of numbers for each environment, and params as records of numbers.

A column is an address with a known type of rows. Numba's arrays would do too, but their sizes, strides and references
are most of what Numba and LLVM have to go through in a kernel.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from palaestra.language.jit.backend import (
    Builder,
    CPUContext,
    OwnType,
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
    models,
    numba,
    operation,
    register_model,
    types,
    word_at,
)

_WORD = ir.IntType(64)


class ColumnType(OwnType):
    """The type of a column: `dtype` is that of a number, and `shape` that of a row, `()` for one number."""

    def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
        super().__init__(name=f"Column({dtype}, {shape})")
        self.dtype, self.shape = dtype, shape
        self.row: Any = types.Array(dtype, len(shape), "C") if shape else dtype

    @property
    def size(self) -> int:
        """The number of numbers in a row."""
        return math.prod(self.shape)


@register_model(ColumnType)
class _ColumnModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        pointer = manager.lookup(kind.dtype).get_data_type().as_pointer()
        super().__init__(manager, kind, pointer)  # type: ignore[no-untyped-call]  # Numba is partly typed


def column_of(dtype: Any, *shape: int) -> ColumnType:
    """Returns the type of a column with rows of this dtype and shape."""
    return ColumnType(numba.from_dtype(np.dtype(dtype)), shape)


@intrinsic
def rows_from(typing_context: TypingContext, address: Type, kind: Any) -> Typed:
    """Returns the column of a type at an address."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return kind.instance_type(types.int64, kind), generate


@intrinsic
def column_at(typing_context: TypingContext, context_at: Type, slot: Type, kind: Any) -> Typed:
    """Returns the column of a type at the address in a slot of the context."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.inttoptr(word_at(builder, *arguments[:2]), context.get_value_type(signature.return_type))

    return kind.instance_type(types.int64, types.int64, kind), generate


def number_in(builder: Builder, kind: ColumnType, column: Value, i: Value, *indices: Value) -> Value:
    """The pointer to a number of row i: to its first one without indices."""
    at = i
    for axis, size in enumerate(kind.shape):
        at = builder.mul(at, ir.Constant(_WORD, size))
        if indices:
            at = builder.add(at, indices[axis])
    return builder.gep(column, [at])


def row_in(context: CPUContext, builder: Builder, kind: ColumnType, column: Value, i: Value) -> Any:
    """Row i, an array."""
    made = context.make_array(kind.row)(context, builder)
    shape = [ir.Constant(_WORD, size) for size in kind.shape]
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [ir.Constant(_WORD, itemsize * math.prod(kind.shape[axis + 1 :])) for axis in range(len(shape))]
    data = number_in(builder, kind, column, i)
    arrays.populate_array(made, data, shape, strides, ir.Constant(_WORD, itemsize), meminfo=None)
    return made


def _indices(builder: Builder, kind: Any, index: Value) -> list[Value]:
    return cgutils.unpack_tuple(builder, index) if isinstance(kind, types.BaseTuple) else [index]


def _is_index(column: Type, index: Any) -> bool:
    """Whether an index is that of a row, or of a number in a row."""
    if not isinstance(column, ColumnType):
        return False
    parts: Any = index if isinstance(index, types.BaseTuple) else (index,)
    return len(parts) in (1, 1 + len(column.shape)) and all(isinstance(one, types.Integer) for one in parts)


def _read(typing_context: TypingContext, column: Any, index: Any) -> Any:
    if not _is_index(column, index):
        return None
    whole = isinstance(index, types.BaseTuple)
    return (column.dtype if whole else column.row)(column, _words(index))


def _written(typing_context: Any, column: Any, index: Any, value: Any) -> Any:
    """The signature of writing a number, which is converted as in an array."""
    if not _is_index(column, index) or not (isinstance(index, types.BaseTuple) or not column.shape):
        return None
    converts = typing_context.can_convert(value, column.dtype) is not None
    return types.void(column, _words(index), column.dtype) if converts else None


def _words(index: Any) -> Any:
    many: Any = types.UniTuple
    return many(types.int64, len(index)) if isinstance(index, types.BaseTuple) else types.int64


@operation(operator.getitem, _read, ColumnType)
def _write_reading(context: CPUContext, builder: Builder, signature: Any, arguments: Values) -> Value:
    kind, index = signature.args
    places = _indices(builder, index, arguments[1])
    if isinstance(signature.return_type, types.Array):
        made: Value = row_in(context, builder, kind, arguments[0], *places)._getvalue()
        return made
    return context.unpack_value(builder, kind.dtype, number_in(builder, kind, arguments[0], *places))


@operation(operator.setitem, _written, ColumnType)
def _write_writing(context: CPUContext, builder: Builder, signature: Any, arguments: Values) -> Value:
    kind, index, _ = signature.args
    place = number_in(builder, kind, arguments[0], *_indices(builder, index, arguments[1]))
    context.pack_value(builder, kind.dtype, arguments[2], place)
    return context.get_dummy_value()


class RecordType(types.Type):
    """The type of a record in the memory behind slots of the context, and of the value that it is read to.

    Each part is a record; or a number, or numbers of one type in a tuple, which are at the address in a slot.
    """

    def __init__(self, value: Any, parts: tuple[RecordType, ...]) -> None:
        super().__init__(name=f"Record({value})")
        self.value, self.parts = value, parts

    @property
    def key(self) -> Any:
        """What tells types apart: NamedTuples with other fields may have the same name."""
        return self.value, self.parts


def record_of(kind: type, *parts: Any) -> RecordType:
    """Returns the type of a tuple, or of a NamedTuple.

    Each part is a record, the dtype of a number, or the dtype and the size of a tuple of numbers.
    """
    forms = tuple(part if isinstance(part, RecordType) else _numbers_of(part) for part in parts)
    many: Any = types.BaseTuple
    return RecordType(many.from_types([form.value for form in forms], None if kind is tuple else kind), forms)


def _numbers_of(part: Any) -> RecordType:
    many: Any = types.UniTuple
    if isinstance(part, tuple):
        return RecordType(many(numba.from_dtype(np.dtype(part[0])), part[1]), ())
    return RecordType(numba.from_dtype(np.dtype(part)), ())


@intrinsic
def record_at(typing_context: TypingContext, context_at: Type, slot: Type, kind: Any) -> Typed:
    """Returns the record whose parts are at the addresses in the slots of the context from one on."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        slots = _counting(builder, arguments[1])
        return _record(context, builder, kind.instance_type, arguments[0], slots)

    return kind.instance_type.value(types.int64, types.int64, kind), generate


def _counting(builder: Builder, slot: Value) -> Iterator[Value]:
    while True:
        yield slot
        slot = builder.add(slot, ir.Constant(_WORD, 1))


def _record(
    context: CPUContext, builder: Builder, kind: RecordType, context_at: Value, slots: Iterator[Value]
) -> Value:
    value = kind.value
    if kind.parts:
        parts = [_record(context, builder, part, context_at, slots) for part in kind.parts]
        return context.make_tuple(builder, value, parts)
    is_tuple = isinstance(value, types.UniTuple)
    number = value.dtype if is_tuple else value
    first = builder.inttoptr(word_at(builder, context_at, next(slots)), context.get_data_type(number).as_pointer())
    if not is_tuple:
        return context.unpack_value(builder, number, first)
    places = [builder.gep(first, [ir.Constant(_WORD, k)]) for k in range(len(value))]
    return context.make_tuple(builder, value, [context.unpack_value(builder, number, one) for one in places])
