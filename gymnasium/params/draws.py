"""Distributions in compiled code: the pure functions that draw, and the NamedTuples that they take.

They are written in the language of dynamics (see `FuncEnv`), so that Python and machine code draw the same bits.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.ops import clip


class Range(NamedTuple):
    """The bounds of `Uniform`."""

    low: float
    high: float


class LogRange(NamedTuple):
    """The bounds of `LogUniform`, and their logarithms."""

    low: float
    high: float
    log_low: float
    log_high: float


class Bell(NamedTuple):
    """The bounds of `Normal` and `LogNormal`."""

    mean: float
    std: float
    low: float
    high: float


class Values(NamedTuple):
    """The bounds of `Choice`, and of `Constant` with one value.

    Attributes:
        values: An array of numbers, shape (k,); of other values a tuple.
        reached: The sums of the probabilities up to each value, shape (k,); of shape (0,) if they are equal.
    """

    values: Any
    reached: NDArray[np.float64]


def uniform(bounds: Any, rng: Any, episode: int) -> Any:
    """Returns a number of a `Range`."""
    return rng.uniform(bounds.low, bounds.high)


def log_uniform(bounds: Any, rng: Any, episode: int) -> Any:
    """Returns a number of a `LogRange`."""
    value = math.exp(rng.uniform(bounds.log_low, bounds.log_high))
    return clip(value, bounds.low, bounds.high)  # rounding may lead beyond them


def normal(bounds: Any, rng: Any, episode: int) -> Any:
    """Returns a number of a `Bell`, clipped."""
    return clip(rng.normal(bounds.mean, bounds.std), bounds.low, bounds.high)


def log_normal(bounds: Any, rng: Any, episode: int) -> Any:
    """Returns a number whose logarithm is one of a `Bell`."""
    return math.exp(rng.normal(bounds.mean, bounds.std))


def choice(bounds: Any, rng: Any, episode: int) -> Any:
    """Returns one of `Values` of equal probability."""
    return bounds.values[rng.integers(0, len(bounds.values))]


def weighted(bounds: Any, rng: Any, episode: int) -> Any:
    """Returns one of `Values`: the first up to which the probabilities add up to more than a number in [0, 1)."""
    point = rng.random()
    k = 0
    while k < len(bounds.values) - 1 and not point < bounds.reached[k]:
        k += 1
    return bounds.values[k]


def constant(bounds: Any, rng: Any, episode: int) -> Any:
    """Returns the only one of `Values`."""
    return bounds.values[0]
