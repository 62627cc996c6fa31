"""Columns and records in compiled code hold what NumPy's arrays and Python's tuples hold."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from numba import njit

from palaestra.language.jit.columns import column_of, record_at, record_of, rows_from
from palaestra.language.jit.exact.rows import copied_row, stored_numbers, stored_row

DTYPES = [np.bool_, np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64]


def numbers(dtype: Any, *shape: int) -> np.ndarray:
    return (np.arange(np.prod(shape)) % (2 if dtype is np.bool_ else 100)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_are_read_and_written(dtype: Any) -> None:
    kind = column_of(dtype)
    source, target = numbers(dtype, 5), np.zeros(5, dtype)

    @njit
    def move(source_at, target_at):
        source, target = rows_from(source_at, kind), rows_from(target_at, kind)
        for i in range(5):
            target[i] = source[i]

    move(source.ctypes.data, target.ctypes.data)

    assert np.array_equal(source, target)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 1, 2)])
@pytest.mark.parametrize("dtype", [np.bool_, np.int32, np.float64])
def test_rows_are_arrays_and_are_written_as_arrays_and_as_other_rows(dtype: Any, shape: tuple[int, ...]) -> None:
    kind = column_of(dtype, *shape)
    source, copied, stored = numbers(dtype, 4, *shape), np.zeros((4, *shape), dtype), np.zeros((4, *shape), dtype)

    @njit
    def move(source_at, copied_at, stored_at):
        source, copied, stored = rows_from(source_at, kind), rows_from(copied_at, kind), rows_from(stored_at, kind)
        for i in range(1, 4):
            copied_row(copied, i, source)
            stored_row(stored, i, source[i])

    move(source.ctypes.data, copied.ctypes.data, stored.ctypes.data)

    for target in (copied, stored):
        assert np.array_equal(target[1:], source[1:])
        assert not target[0].any()


def test_numbers_in_rows_have_an_index_for_each_axis() -> None:
    kind = column_of(np.int64, 2, 3)
    array = np.zeros((4, 2, 3), np.int64)

    @njit
    def write(at):
        column = rows_from(at, kind)
        column[2, 1, 0] = 7
        column[2, 0, 2] = column[2, 1, 0] + 1
        stored_numbers(column, 3, ((1, 2, 3), (4, 5, 6)))

    write(array.ctypes.data)

    assert array.tolist() == [[[0] * 3] * 2, [[0] * 3] * 2, [[0, 0, 8], [7, 0, 0]], [[1, 2, 3], [4, 5, 6]]]


def test_numbers_are_converted_as_in_arrays() -> None:
    column_type, array = column_of(np.float32), np.zeros(2, np.float32)

    @njit
    def write(at):
        column = rows_from(at, column_type)
        column[0], column[1] = 3, 0.1

    write(array.ctypes.data)

    assert array.tolist() == [3.0, float(np.float32(0.1))]


def test_records_are_nested_tuples_of_what_is_at_the_addresses() -> None:
    Inner = namedtuple("Inner", ["flag", "pair"])
    Outer = namedtuple("Outer", ["x", "inner", "k"])
    kind = record_of(Outer, np.float64, record_of(Inner, np.bool_, (np.int64, 2)), np.int64)
    values = [np.array(2.5), np.array(True), np.array([3, 4]), np.array(-1)]
    context = np.array([0, *(value.ctypes.data for value in values)], np.int64)

    @njit
    def read(context_at):
        record = record_at(context_at, 1, kind)
        return record.x, record.inner.flag, record.inner.pair, record.k

    assert read(context.ctypes.data) == (2.5, True, (3, 4), -1)


def test_records_of_classes_with_the_same_name_are_told_apart() -> None:
    found = []
    value = np.array(1.5)
    context = np.array([value.ctypes.data], np.int64)
    for field in ("gravity", "length"):
        kind = record_of(namedtuple("Params", [field]), np.float64)
        read = njit(eval(f"lambda at: record_at(at, 0, kind).{field}", {"record_at": record_at, "kind": kind}))
        found.append(read(context.ctypes.data))

    assert found == [1.5, 1.5]
