"""The mathematics of dynamics."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.functional import ops

finite = st.floats(-1e30, 1e30)


def test_exports_exist_and_trigonometry_is_that_of_math():
    assert all(hasattr(ops, name) for name in ops.__all__)
    assert (ops.sin, ops.cos, ops.sqrt, ops.atan2) == (math.sin, math.cos, math.sqrt, math.atan2)


@given(st.booleans(), finite, finite)
def test_where_chooses(condition, a, b):
    assert ops.where(condition, a, b) == float(np.where(condition, a, b))


@given(finite, finite, finite)
def test_clip_minimum_and_maximum_are_numpys(x, a, b):
    low, high = sorted((a, b))
    assert ops.clip(x, low, high) == np.clip(x, low, high)
    assert ops.minimum(a, b) == np.minimum(a, b)
    assert ops.maximum(a, b) == np.maximum(a, b)


@given(finite)
def test_float32_rounds_as_numpy(x):
    assert ops.float32(x) == float(np.float32(x))
    assert ops.float32(ops.float32(x)) == ops.float32(x)


@given(st.floats(-(2.0**50), 2.0**50, width=32), st.floats(-(2.0**50), 2.0**50, width=32))
def test_rounded_operations_are_those_of_single_precision(a, b):
    """`+ - *` in double precision, rounded, are the operations of float32 to the bit."""
    x, y = np.float32(a), np.float32(b)
    assert (ops.float32(a + b), ops.float32(a - b), ops.float32(a * b)) == (float(x + y), float(x - y), float(x * y))


@given(st.floats(-1e10, 1e10), st.floats(-(2.0**40), 2.0**40, width=32))
def test_squares_are_the_powers_of_numpys_scalars(x, single):
    assert ops.pow2(x) == float(np.float64(x) ** 2)
    assert ops.pow2f(single) == float(np.float32(single) ** 2)
    assert ops.pow2(x) == pytest.approx(x * x, rel=3e-16)
