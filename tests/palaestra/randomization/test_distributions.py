"""What distributions draw, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gymnasium.functional.stream import Stream
from palaestra.randomization import (
    Choice,
    Constant,
    Distribution,
    Each,
    Function,
    LogNormal,
    LogUniform,
    Normal,
    Scale,
    Uniform,
)
from palaestra.randomization.distributions import distribution_of

COUNT = 20_000


def drawn(distribution: Distribution, count: int = COUNT) -> np.ndarray[Any, Any]:
    """Returns numbers that a distribution draws."""
    rng = Stream(np.random.PCG64(7))
    return np.array([distribution.draw(distribution.bounds, rng, k) for k in range(count)])


@pytest.mark.parametrize(
    ("distribution", "mean", "low", "high"),
    [
        (Uniform(8, 12), 10.0, 8, 12),
        (LogUniform(0.1, 10), 9.9 / math.log(100), 0.1, 10),
        (Normal(1.0, 0.5), 1.0, -math.inf, math.inf),
        (Normal(0.0, 1.0, low=-0.5, high=0.5), 0.0, -0.5, 0.5),
        (LogNormal(-2.0, 0.1), math.exp(-2 + 0.005), 0, math.inf),
        (Choice([1.0, 2.0, 6.0]), 3.0, 1, 6),
        (Choice([1.0, 2.0, 6.0], p=[0.5, 0.5, 0.0]), 1.5, 1, 2),
        (Constant(3.0), 3.0, 3, 3),
    ],
    ids=str,
)
def test_numbers_have_the_mean_and_the_bounds(distribution: Distribution, mean: float, low: float, high: float) -> None:
    numbers = drawn(distribution)
    assert numbers.min() >= low
    assert numbers.max() <= high
    assert abs(numbers.mean() - mean) <= 4 * numbers.std() / math.sqrt(COUNT) + 1e-12


def test_each_has_a_value_for_each_environment() -> None:
    each = Each([1.0, 2.0])
    assert [each.of(i) for i in range(each.count)] == [Constant(1.0), Constant(2.0)]


@pytest.mark.parametrize("kind", [Each, Choice, Constant])
def test_what_comes_is_kept_as_it_is_now(kind: Any) -> None:
    for given in (np.array([1.0, 2.0]), [1.0, 2.0]):
        if kind is Constant and isinstance(given, list):
            continue
        distribution = kind(given)
        before = [np.copy(value) for value in distribution.of(1).extremes()]
        given[:] = [8.0, 9.0]
        assert all(map(np.array_equal, before, distribution.of(1).extremes()))


def test_bounds_that_are_arrays_draw_an_array_element_by_element() -> None:
    low = np.array([[0.0, 10.0], [20.0, 30.0]])
    parts = Uniform(low, low + 1).elements()
    assert parts == [Uniform(x, x + 1) for x in (0.0, 10.0, 20.0, 30.0)]
    assert Uniform(low, 40).shape == (2, 2)


@pytest.mark.parametrize("distribution", [Uniform(0, 1), Choice([1, 2]), Constant(2), LogUniform(1, 2)], ids=str)
def test_equal_ones_are_equal(distribution: Distribution) -> None:
    assert distribution == distribution.of(0)
    assert hash(distribution) == hash(distribution.of(0))


def test_kinds_are_kept() -> None:
    assert Choice([1, 2]).of_kind(float) == Choice([1.0, 2.0])
    assert Constant(np.float64(3.0)).of_kind(int) == Constant(3)
    for distribution, kind in ((Uniform(0, 1), int), (Choice([0.5, 1.0]), int), (Choice([0, 1]), bool)):
        with pytest.raises(TypeError, match=f"type {kind.__name__}"):
            distribution.of_kind(kind)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Uniform(2, 1),
        lambda: Uniform(0, math.inf),
        lambda: Uniform(math.nan, 1),
        lambda: LogUniform(0, 1),
        lambda: Normal(0, -1),
        lambda: Normal(0, 1, low=2, high=1),
        lambda: LogNormal(math.inf, 1),
        lambda: Choice([]),
        lambda: Choice([1, 2], p=[0.5, 0.6]),
        lambda: Choice([1, 2], p=[1.0]),
        lambda: Each(3.0),
        lambda: Uniform([0, 1], [1, 2, 3]),
    ],
)
def test_invalid_bounds_are_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="need"):
        make()


@pytest.mark.parametrize(
    "make", [lambda: Uniform("a", 1), lambda: Choice(3), lambda: Function(3), lambda: Scale(Scale(1))]
)
def test_other_types_are_refused(make: Any) -> None:
    with pytest.raises(TypeError):
        make()


def test_a_number_an_array_and_a_function_are_distributions() -> None:
    assert distribution_of("x", 3) == Constant(3)
    assert isinstance(distribution_of("x", np.arange(3)), Each)
    assert isinstance(distribution_of("x", lambda rng, episode: 1.0), Function)
    with pytest.raises(TypeError, match="x needs a distribution"):
        distribution_of("x", object())
