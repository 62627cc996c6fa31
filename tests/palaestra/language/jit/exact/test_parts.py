"""Parts of an array that are assigned to parts of the same array give what they give in NumPy, or raise."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tests.palaestra.language.jit.exact.law import bits, compiled_of, function_of

N = 6
SQUARE = np.arange(N * N).reshape(N, N) * 1.5
CUBE = np.arange(4**3).reshape(4, 4, 4)
SPANS = [(0, 3), (1, 4), (2, 5)]
NAMES = "a, i, j, start, stop, begin, end"


def outcomes(statements: list[str], a: Any) -> list[tuple[int, int]]:
    """How often each statement gives what it gives in NumPy, and how often it raises; all else fails."""
    lines = "".join(f"    if chosen == {k}:\n        {one}\n" for k, one in enumerate(statements))
    function = function_of(f"def assigned(chosen, {NAMES}):\n    a = a.copy()\n{lines}    return a\n", "assigned")
    ours = compiled_of(function)
    return [_outcomes(ours, function, a, k) for k in range(len(statements))]


def _outcomes(ours: Any, function: Any, a: Any, chosen: int) -> tuple[int, int]:
    agree = raised = 0
    for i, j, span, other in itertools.product(range(4), range(4), SPANS, SPANS):
        arguments = (chosen, a, i, j, *span, *other)
        try:
            came = ours(*arguments)
        except ValueError as error:
            assert "write .copy() behind it" in str(error)
            raised += 1
        else:
            assert bits(came) == bits(function(*arguments)), arguments
            agree += 1
    return agree, raised


def test_parts_that_lie_in_one_direction() -> None:
    """None raises: NumPy reads each number before it writes there."""
    statements = [
        "a[i, start:stop] = a[j, begin:end]",
        "a[start:stop, i] = a[begin:end, j]",
        "a[i, start:stop] = a[begin:end, j].copy()",
        "a[i, stop:start:-1] = a[j, begin + 1 : end + 1]",
    ]
    assert {raised for _, raised in outcomes(statements, SQUARE)} == {0}


def test_rows_and_columns_that_cross() -> None:
    """They raise where they meet in two places of their order, as NumPy writes them from one of their ends."""
    for agree, raised in outcomes(["a[start:stop, i] = a[j, begin:end]", "a[i, start:stop] = a[begin:end, j]"], SQUARE):
        assert 10 < raised < agree


def test_parts_with_steps() -> None:
    statements = [
        "a[i : i + 5 : 2] = a[begin:end]",
        "a[start:stop] = a[j : j + 5 : 2]",
        "a[i : i + 5 : 2] = a[j : j + 5 : 2]",
        "a[i : i + 5 : 2] = a[j + 5 : j : -2]",
    ]
    raised = [often for _, often in outcomes(statements, np.arange(12.0))]
    assert min(raised[:2]) > 0
    assert raised[2:] == [0, 0]


def test_parts_of_three_axes() -> None:
    statements = [
        "a[i, ::-1, 1::-1] = a[:, j, :1:-1]",
        "a[i, 1:, 1:] = a[j, :-1, :-1]",
        "a[i, j, 2:] = a[i, j, 1:3]",
    ]
    assert {raised for _, raised in outcomes(statements, CUBE)} == {0}


@pytest.mark.parametrize("index", ["1:, 6", "-7, 1:", "6, 5::-2"])
def test_a_part_beyond_the_array(index: str) -> None:
    function = function_of(
        f"def assigned(a):\n    a = a.copy()\n    a[{index}] = a[0, 0:5]\n    return a\n", "assigned"
    )
    with pytest.raises(IndexError):
        compiled_of(function)(SQUARE)
