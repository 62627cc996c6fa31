"""Arrays in any memory, and indices that are parts of what they change, give what they give in NumPy, or raise."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tests.palaestra.language.jit.exact.law import assert_agrees, bits, compiled_of, function_of, refusal

ARRAYS = ["np.exp(a)", "np.maximum(a, b)", "np.maximum(3.0, a)", "np.clip(a, 1.0, 4.0)", "a % 2.5", "a ** 3"]
NUMBERS = ["np.sum(a)", "a.max()"]

ROW = np.arange(1.0, 8.0)
ODD = [ROW[:, None], ROW[None, :], ROW[3:4, None], ROW[::-1][None, ::-1], np.broadcast_to(ROW[2:3], (1, 1))]


def test_arrays_whose_axes_of_one_element_have_any_stride() -> None:
    """`weights[:, None]` lies in one piece, and NumPy gives the new axis a stride of 0."""
    grid = [(one, one.copy() * 0.5) for one in ODD if one.flags.c_contiguous]
    assert len(grid) > 3
    assert_agrees(ARRAYS, "a, b", grid)
    assert_agrees(NUMBERS, "a, b", grid)


def test_a_global_column() -> None:
    function = function_of("def total(k):\n    return np.sum(TABLE * k), np.sum(TABLE), np.exp(TABLE)\n", "total")
    function.__globals__["TABLE"] = ROW[:, None]
    assert bits(compiled_of(function)(2.0)) == bits(function(2.0))


def changed(*statements: str) -> Any:
    """A function that changes a copy of an array by one of the statements."""
    lines = "".join(f"    if chosen == {k}:\n        {one}\n" for k, one in enumerate(statements))
    return function_of(f"def changed(chosen, a, b):\n    a = a.copy()\n{lines}    return a\n", "changed")


INDICES = [np.array(one) for one in itertools.product(range(-4, 4), [0, 1, 3], [0, 2], [1, 3])]


def test_indices_that_are_a_part_of_the_array() -> None:
    statements = ["a[a] = b[0]", "a[a] = b", "a[a[::-1]] = a", "a[a] = a[::-1]", "v = a[::-1]; v[a] = True"]
    function = changed(*statements)
    ours = compiled_of(function)
    values = np.array([7, 8, 9, 10])
    for a, k in itertools.product(INDICES, range(len(statements))):
        assert bits(ours(k, a, values)) == bits(function(k, a, values)), (a, k)


def test_masks_that_are_a_part_of_the_array() -> None:
    """They raise where NumPy, which reads many of them before it writes, would not keep to an order."""
    function = changed("a[a] = False", "a[a[::-1]] = False", "a[a[::-1]] = b[:1]", "a[1:][a[:-1]] = b[0]")
    ours = compiled_of(function)
    b = np.ones(2, np.bool_)
    for flags, k in itertools.product(itertools.product([False, True], repeat=4), range(4)):
        a = np.array(flags)
        if k == 0:
            assert bits(ours(k, a, b)) == bits(function(k, a, b))
        else:
            with pytest.raises(ValueError, match="behind it"):
                ours(k, a, b)


SHAPES = [(3,), (1,), (0,), (2,), (4,), (2, 3), (1, 3), (2, 1), (1, 1), (3, 2), (2, 4), (0, 3), (3, 0)]


def test_shapes_of_what_is_added_in_place() -> None:
    statements = ["a += b * 2", "a[::-1] *= -b"]
    function = changed(*statements)
    ours = compiled_of(function)
    for left, right, k in itertools.product(SHAPES, SHAPES, range(len(statements))):
        a, b = (np.arange(float(np.prod(shape))).reshape(shape) for shape in (left, right))
        if b.ndim > a.ndim:
            continue
        try:
            expected = function(k, a, b)
        except ValueError:
            with pytest.raises(ValueError, match="broadcast"):
                ours(k, a, b)
        else:
            assert bits(ours(k, a, b)) == bits(expected), (left, right, k)


def test_more_axes_than_the_array_has() -> None:
    assert "more axes" in refusal(changed("a += b * 2"), 0, np.ones(3), np.ones((1, 3)))


def test_differences_of_no_order_are_refused() -> None:
    """NumPy returns the array itself, which is then changed with them."""
    assert "literal number above 0" in refusal(changed("d = np.diff(a, 0); d[0] = b[0]"), 0, np.ones(3), np.ones(3))


def test_axes_that_are_named_twice() -> None:
    """Also as 0 and -2, which Numba takes for two, and so would read beyond the array."""
    function = function_of(
        "def turned(a, i, j, k):\n    return a.transpose(i, j, k), np.transpose(a, (i, j, k))\n", "turned"
    )
    ours = compiled_of(function)
    cube = np.arange(24.0).reshape(2, 3, 4)
    for axes in itertools.product(range(-4, 4), repeat=3):
        try:
            expected = function(cube, *axes)
        except ValueError:
            with pytest.raises(ValueError, match=r"ax[ei]s"):
                ours(cube, *axes)
        else:
            assert bits(ours(cube, *axes)) == bits(expected), axes


def test_ranges_as_arrays() -> None:
    ranges = ["np.arange(i, j)", "np.arange(i, 3)", "np.arange(i, j, 2)", "np.arange(i, j, -3)", "np.arange(j)"]
    grid = [*itertools.product(range(-5, 6), repeat=2), (2**63 - 3, 2**63 - 1), (-(2**63) + 2, -(2**63))]
    assert_agrees(ranges[:4], "i, j", grid)
    assert_agrees(ranges[4:], "i, j", grid[:121])


def test_sums_of_numbers_are_refused() -> None:
    """NumPy makes an array of them, Numba a number."""
    assert "takes an array" in refusal(function_of("def total(x):\n    return np.cumsum(x)\n", "total"), 3)
