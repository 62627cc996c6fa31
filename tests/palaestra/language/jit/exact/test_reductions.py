"""Sums and other reductions: NumPy's order of adding, for all lengths, shapes and strides."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.palaestra.language.jit.exact.law import (
    assert_agrees,
    assert_agrees_or_refused,
    choice_of,
    compiled_of,
    difference,
)
from tests.palaestra.language.jit.exact.test_mathematics import SIZES, arrays

FLOATS = ["np.sum(a)", "a.sum()", "np.mean(a)", "a.mean()", "np.prod(a)", "a.prod()", "np.max(a)", "a.max()"]
FLOATS += ["np.min(a)", "a.min()", "np.amax(a)", "np.amin(a)", "np.sum(a * a)", "np.sum(a) - np.max(a)"]
SPECIAL = [
    [-0.0],
    [-0.0] * 7,
    [0.0, -0.0],
    [-0.0, 0.0],
    [math.nan, 1.0],
    [1.0, math.nan, math.inf],
    [math.inf, -math.inf],
]


def summed() -> Iterator[Any]:
    rng = np.random.default_rng(0)
    yield from map(np.array, SPECIAL)
    yield from arrays()
    yield from (rng.normal(0.0, 1e10, size) for size in (*SIZES, 200, 511, 5000, 8191, 8193, 20_000))
    yield from (rng.normal(0.0, 1.0, shape) for shape in ((200, 3), (3, 200), (2, 3, 50), (130, 130), (3, 0)))
    yield from (rng.normal(0.0, 1.0, 20_000)[::2], rng.normal(0.0, 1.0, 999)[::-1], np.full((3, 3), -0.0))


def test_floats_of_one_axis() -> None:
    assert_agrees(FLOATS, "a", ((a,) for a in summed() if a.ndim == 1 and a.flags.c_contiguous))


def test_floats_of_any_shape() -> None:
    others = [a for a in summed() if a.ndim > 1 or not a.flags.c_contiguous]
    assert_agrees(["np.sum(a)", "a.mean()", "np.max(a)"], "a", ((a,) for a in others))


FEW = ["np.sum(a)", "np.mean(a)", "np.prod(a)", "np.min(a)"]
_function = choice_of(FEW, "a")
_compiled = compiled_of(_function)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 600), st.sampled_from([1, 2, 3, 8, -1, -2]), st.integers(0, 7))
def test_any_length_and_stride(seed: int, size: int, stride: int, first: int) -> None:
    base = np.random.default_rng(seed).normal(0.0, 1.0, 8 + size * abs(stride)) * 1e3
    array = base[first : first + size * abs(stride)][::stride]
    found = [difference(_compiled, _function, (k, array)) for k in range(len(FEW))]
    assert found == [""] * len(FEW)


def test_integers_and_flags() -> None:
    rng = np.random.default_rng(0)
    some = [(rng.integers(-(2**62), 2**62, size),) for size in SIZES]
    assert_agrees(
        [
            *("np.sum(a)", "a.sum()", "np.prod(a)", "np.max(a)", "a.max()", "np.min(a)", "np.argmax(a)", "a.argmin()"),
            *("np.count_nonzero(a)", "np.sum(a > 3)", "(a > 3).sum()", "a.size", "len(a)", "a.shape[0]", "a.ndim"),
        ],
        "a",
        some,
    )
    flags = ["np.any(a)", "np.all(a)", "(a > 3).any()", "(a > 3).all()", "np.array_equal(a, a)"]
    assert_agrees(flags, "a", some)
    of_two_axes = ["np.sum(a)", "a.max()", "a.argmin()", "np.count_nonzero(a)", "a.size", "a.shape[1]", "a.ndim"]
    assert_agrees([*of_two_axes, "int((a > 3).any())"], "a", [(rng.integers(0, 9, (4, 5)),)])


@pytest.mark.parametrize("expression", ["np.cumsum(a)", "a.cumsum()", "np.diff(a.copy())"])
def test_accumulated_floats(expression: str) -> None:
    assert_agrees_or_refused(expression, "a", [(a,) for a in summed() if a.ndim == 1 and a.flags.c_contiguous])


def test_places_of_the_largest_and_smallest() -> None:
    """NaN is both."""
    assert_agrees_or_refused("np.argmax(a) * 10**6 + np.argmin(a)", "a", [(a,) for a in summed() if a.size])


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.bool_])
def test_short_numbers(kind: Any) -> None:
    """Sums have 64 bits; other things keep their kind, or are refused."""
    some = [(np.array([1, 0, 3, 2, 100], kind),), (np.full(150, 120, kind),), (np.zeros(0, kind),)]
    for expression in ("a.sum()", "np.max(a)", "np.prod(a)", "np.mean(a)", "np.count_nonzero(a)", "np.argmax(a)"):
        assert_agrees_or_refused(expression, "a", some)
    assert_agrees_or_refused("a.sum()", "a", [(np.full((3, 50), 120, kind),)])
