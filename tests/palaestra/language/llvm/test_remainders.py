"""Remainders in lanes, against the C library's."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np

from palaestra.language.llvm.symbols import C_LIBRARY
from palaestra.language.program import FLOAT64
from tests.palaestra.language.llvm.building import Building, assert_same, column, run_compiled

SPECIAL = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 2.2e-308, 1.7e308, -1.7e308, np.inf, -np.inf, np.nan, 2.0**31, 3.0]


def _pairs() -> tuple[np.ndarray, np.ndarray]:
    """Numbers and divisors: any, next to multiples of the divisor, with few bits, and special ones."""
    rng, n = np.random.default_rng(7), 40_000
    divisors = rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n)
    with np.errstate(over="ignore"):
        near = divisors * rng.integers(0, 2**33, n)
        beside = np.nextafter(near, np.where(rng.random(n) < 0.5, np.inf, -np.inf))
        other = divisors * 10.0 ** rng.uniform(-3, 12, n) * rng.normal(size=n)
    tiny = 5e-324 * rng.integers(-2000, 2000, (2, n))
    whole = rng.integers(-1000, 1000, (2, n)).astype(float)
    special = np.array(list(itertools.product(SPECIAL, SPECIAL)))
    x = np.concatenate([near, beside, other, tiny[0], whole[0], special[:, 0], rng.normal(size=n)])
    y = np.concatenate([divisors, divisors, divisors, tiny[1], whole[1], special[:, 1], np.full(n, 2 * np.pi)])
    return column(x, float), column(y, float)


def test_remainders_have_the_bits_of_the_library() -> None:
    x, y = _pairs()
    building = Building("x", "y", "result")
    given = [building.load(FLOAT64, building.place(k, 8)) for k in range(2)]
    building.store(building.place(2, 8), building.value("call", FLOAT64, *given, attribute="fmod"))
    function = C_LIBRARY.fmod
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * 2
    expected = np.array([function(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
    for lanes in (False, True):
        found = np.zeros(len(x))
        run_compiled(building.program(), x, y, found, 0, len(x), lanes=lanes)
        assert_same(found, expected)
