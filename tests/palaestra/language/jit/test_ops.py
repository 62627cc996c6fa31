"""Squares as the C library's `pow` gives them."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba import njit

from gymnasium.functional import ops
from palaestra.language.jit import ops as meanings  # noqa: F401  (it teaches Numba the functions)
from palaestra.language.jit.reach import TAUGHT
from tests.thorough import THOROUGH

N = 100_000 if THOROUGH else 20_000

EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    math.inf,
    -math.inf,
    1e-320,
    1e200,
    -1e200,
    1e-160,
    1e-154,
    3.0,
    math.sqrt(2.0),
]
EDGES += [math.nextafter(edge, toward) for edge in (1.0, math.sqrt(2.0), 2.0, 1e-154) for toward in (0.0, 9.0)]


@cache
def compiled(function: Any) -> Any:
    """What computes a function of many numbers; compiled once for all tests of it."""

    @njit
    def each(numbers, out):
        for k in range(len(numbers)):
            out[k] = function(numbers[k])

    return each


@pytest.mark.parametrize("scale", [1e-140, 1e-3, 1.0, 30.0, 1e100])
@pytest.mark.parametrize("name", ["pow2", "pow2f", "float32"])
def test_compiled_and_python_agree_to_the_bit(name: str, scale: float) -> None:
    function = getattr(ops, name)
    assert function in TAUGHT
    each = compiled(function)
    numbers = np.append(np.random.default_rng(0).normal(0.0, scale, N), EDGES)
    if name == "pow2f":
        with np.errstate(over="ignore"):
            numbers = numbers.astype(np.float32).astype(np.float64)
    fits = np.array([_fits(function, number) for number in numbers.tolist()])
    out = np.zeros(fits.sum())
    each(numbers[fits], out)

    with np.errstate(over="ignore"):
        assert out.tolist() == [function(number) for number in numbers[fits].tolist()]
    for number in numbers[~fits][:3]:
        with pytest.raises(OverflowError):
            each(np.array([number]), out)


def _fits(function, number):
    try:
        with np.errstate(over="ignore"):
            function(number)
    except OverflowError:
        return False
    return True
