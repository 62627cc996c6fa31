"""Memory at addresses: the same in Python and in machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.entry import function_program
from palaestra.language.llvm.engine import compiled
from palaestra.language.operations.memory import column_at, copy_at, rarely, row_at, sum_at
from palaestra.language.types import type_of
from tests.palaestra.language.machines import Failed, lanes_of, machine_of, same


def _sum(address: int, count: int) -> Any:
    return sum_at(address, np.float32, count), sum_at(row_at(address, 4, 1), np.float32, count - 1)


@pytest.mark.parametrize("count", [1, 7, 8, 129, 1000, 4097])
def test_a_sum_is_that_of_numpy(count: int) -> None:
    numbers = np.random.default_rng(count).normal(size=count).astype(np.float32)
    expected = numbers.sum(), numbers[1:].sum()
    assert same(_sum(numbers.ctypes.data, count), expected)
    assert same(machine_of(_sum, 0, 0)(numbers.ctypes.data, count), expected)


def test_a_sum_of_negative_zeros_is_that_of_numpy() -> None:
    numbers = np.full(3, -0.0, np.float32)
    assert same(machine_of(_sum, 0, 0)(numbers.ctypes.data, 3), (numbers.sum(), numbers[1:].sum()))


def _quotient_of_python(address: int) -> Any:
    return column_at(address, np.float64)[0] / column_at(address, np.float64)[1]


def _quotient_of_numpy(address: int) -> Any:
    numbers = column_at(address, np.float64, (), numpy=True)
    return numbers[0] / numbers[1]


def test_a_column_has_numbers_of_python_or_of_numpy() -> None:
    numbers = np.array([1.0, 0.0])
    assert same(machine_of(_quotient_of_numpy, 0)(numbers.ctypes.data), np.float64(np.inf))
    with pytest.raises(Failed, match="ZeroDivisionError"):
        machine_of(_quotient_of_python, 0)(numbers.ctypes.data)


def _copied_rows(target: int, source: int) -> int:
    for i in range(3):
        copy_at(row_at(target, 4, 2 - i), row_at(source, 4, i), 4)
    return row_at(target, -8, 2) - target


@pytest.mark.parametrize("made", [lambda function: function, lambda function: machine_of(function, 0, 0)])
def test_rows_lie_one_behind_the_other(made: Callable[[Any], Any]) -> None:
    target, source = np.zeros(3, np.int32), np.array([5, 6, 7], np.int32)
    assert made(_copied_rows)(target.ctypes.data, source.ctypes.data) == -16
    assert target.tolist() == [7, 6, 5]


def _cut(x: float, most: float) -> float:
    if rarely(x > most):
        x = most
    elif rarely(x < -most):
        x = -most
    return x * 2


def test_what_happens_rarely_gives_the_same() -> None:
    given = [(x, 1.5) for x in (0.5, -0.0, 2.0, -7.0, float("inf"), float("nan"), 1.5)]
    expected = [_cut(*one) for one in given]
    machine = machine_of(_cut, 0.0, 0.0)
    assert all(map(same, [machine(*one) for one in given], expected))
    assert all(map(same, lanes_of(_cut, 0.0, 0.0)(given), expected))


def test_what_happens_rarely_is_a_branch() -> None:
    program, _ = function_program(_cut, [type_of(1.0)] * 2)
    assert compiled(program).text.count("!prof") == 2


def test_what_is_known_is_rarely_a_branch() -> None:
    assert machine_of(lambda x: 1 if rarely(True) else x, 2)(5) == 1
