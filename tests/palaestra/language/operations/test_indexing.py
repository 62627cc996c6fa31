"""Items and parts of arrays: indices of all kinds, read and written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.palaestra.language.machines import machine_of
from tests.palaestra.language.operations.asking import check, check_machine

A = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize("k", [0, 2, -3, 3, -4])
def test_numbers_of_items(k: int) -> None:
    check(lambda a, k: a[1, k, -1], A, k)
    check(lambda a, k: a[:, k], A, k)

    def write(a: Any, k: int) -> Any:
        a[0, k] = 7
        a[1][k][0] += 2
        return a

    check(write, A, k)


def test_slices() -> None:
    check(lambda a: a[::-1, 1:, ::2], A)
    check(lambda a: a[..., None, 0], A)
    check(lambda a: a[5:], A)
    check(lambda a: a[0, 0, 0, ...], A)
    machine = machine_of(lambda a, k: a[0, 0, k : k + 2], A, 0)
    for k in range(-5, 5):
        check_machine(machine, lambda a, k: a[0, 0, k : k + 2], A, k)


def test_arrays_as_indices() -> None:
    i, j = np.array([0, -1, 1]), np.array([[2], [0]])
    check(lambda a, i: a[i], A, i)
    check(lambda a, i: a[:, i], A, i)
    check(lambda a, i: a[i, :, i], A, i)
    check(lambda a, i, j: a[i, j], A, i, j)
    check(lambda a, i, k: a[k, :, i], A, i, 1)
    check(lambda a, i: a[i], A, np.array([2]))
    check(lambda a: a[[True, False]], A)

    def write(a: Any, i: Any) -> Any:
        a[:, i] = a[:, ::-1]
        a[i, 0] += 1
        return a

    check(write, A, i)


def test_masks() -> None:
    def numbers(a: Any, mask: Any) -> Any:
        a[mask] = -1
        return a

    check(numbers, A, A % 3 == 0)
    check(numbers, A, np.array([True, False]))
    assert isinstance(check(numbers, A, np.array([True, False, True])), IndexError)

    def rows(a: Any, mask: Any, values: Any) -> Any:
        a[mask] = values
        return a

    mask = np.array([True, False, True, True])
    check(rows, np.zeros(4), mask, np.array([1, 2, 3]))
    check(rows, np.zeros(4), mask, np.array([5.0]))
    check(rows, np.zeros((4, 2)), mask, np.array([1.0, 2.0]))
    assert isinstance(check(rows, np.zeros(4), mask, np.array([1, 2])), ValueError)
    check(lambda a: a[a > 0], A)


def test_a_mask_of_no_length_is_one_of_any_length() -> None:
    def chosen(a: Any, mask: Any) -> Any:
        a[mask[mask]] = 7
        return a, a[mask[mask]]

    def known(a: Any, mask: Any) -> Any:
        a[np.zeros((0, 4), np.bool_)] = 7
        return a, a[mask], a[np.zeros(0, np.bool_)]

    machine = machine_of(chosen, np.zeros(3), np.array([True, False, True]))
    for mask in ([False] * 3, [True, False, True], [True] * 3):
        check_machine(machine, chosen, np.zeros(3), np.array(mask))
    check(known, np.ones((4, 4)), np.zeros((4, 0), np.bool_))
    assert isinstance(check(lambda a, mask: a[mask], np.ones(3), np.zeros((0, 3), np.bool_)), IndexError)
    assert isinstance(check(known, np.ones(4), np.zeros(4, np.bool_)), IndexError)


def test_items_behind_a_mask_are_changed_in_place() -> None:
    def change(a: Any) -> Any:
        a[a < 5] += 10
        a[a > 20] *= 0.5
        return a

    check(change, A)
    check(lambda a: change(a[0].T[::-1]), A)


def test_assignments_convert_and_broadcast() -> None:
    def write(a: Any, b: Any) -> Any:
        a[:] = b
        return a

    check(write, np.zeros((2, 3), np.int8), np.array([1.7, -2.2, 300.0]), may_be_left=True)
    check(write, np.zeros((2, 3), np.float32), np.array([[[0.1], [0.2]]]))
    check(write, np.zeros((2, 3)), 3)
    assert isinstance(check(write, np.zeros((2, 3)), np.zeros(2)), ValueError)
    assert isinstance(check(write, np.zeros(3, np.int8), 300), OverflowError)


def test_none_is_nan_in_floats_only() -> None:
    def write(a: Any, k: int) -> Any:
        a[1] = 2 if k else None
        return a

    for k in (0, 1):
        check(write, np.zeros(2), k)
        assert isinstance(check(write, np.zeros(2, np.int64), k), np.ndarray if k else TypeError)


def test_views_are_of_the_same_memory() -> None:
    def alias(a: Any) -> Any:
        row = a[0]
        part = row[1:]
        part[0] = 100
        a[0, 0, 0] = 50
        for one in a:
            one[1] = 9
        return a, row

    check(alias, A)


def test_rows_are_unpacked() -> None:
    def unpack(a: Any) -> Any:
        x, y = a
        (p, *q), _, _ = x
        return p, y[0, 0], q[0], 5.0 in a, len(a)

    check(unpack, A)
