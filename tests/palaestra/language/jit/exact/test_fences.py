"""LLVM joins two choices with one constant, as if neither NaN nor -0.0 existed; fences keep them apart."""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Box
from tests.palaestra.language.jit.exact.law import assert_agrees, compiled_of, difference
from tests.palaestra.language.jit.exact.twins import assert_same_episodes, twins

EDGES = [math.nan, -0.0, 0.0, 1.0, -1.0, 0.5, math.inf, -math.inf]
GRID = [(x,) for x in EDGES]


def test_choices_of_choices() -> None:
    forms = ["{f}({c}, {g}({c}, x))", "{f}({c}, {g}(x, {c}))", "{f}({g}(x, {c}), {c})", "{f}({g}({c}, x), {c})"]
    pairs = itertools.product(("min", "max", "ops.minimum", "ops.maximum"), repeat=2)
    texts = [form.format(f=f, g=g, c=c) for f, g in pairs for form in forms for c in ("0.0", "1.0")]
    assert_agrees([*texts, "ops.clip(ops.clip(x, 0.0, 1.0), 0.0, 1.0)", "max(0.0, 255 - x, 0.0)"], "x", GRID)


def at_least(x: float) -> float:
    if x < 0.0:
        return 0.0
    return x


def positive(x: float, low: float = 0.0) -> float:
    return x if x > low else low


def positive_later(x: float) -> float:
    y = 0.0
    if x > y:
        y = x
    return y


def both(x: float) -> float:
    return positive(at_least(x))


def mixed(x: float) -> float:
    return max(0.0, at_least(x)) + positive_later(max(x, 0.0)) * 2.0


def looped(x: float) -> float:
    for _ in range(3):
        x = 0.0 if x < 0.0 else x
    if x > 0.0:
        return x
    return 0.0


def in_tuples(x: float) -> float:
    pair = (0.0, 1) if x < 0.0 else (x, 2)
    other = (pair[0], 3) if pair[0] > 0.0 else (0.0, 4)
    return other[0]


def in_arrays(x: float) -> float:
    a = np.zeros(2)
    if x < 0.0:
        a[0] = 0.0
    else:
        a[0] = x
    a[1] = a[0] if a[0] > 0.0 else 0.0
    return float(a[1])


@pytest.mark.parametrize("function", [both, mixed, looped, in_tuples, in_arrays], ids=lambda one: one.__name__)
def test_conditions(function: Any) -> None:
    ours = compiled_of(function)
    assert not [text for given in GRID if (text := difference(ours, function, given))]


class State(NamedTuple):
    x: float
    up: float
    down: float
    chosen: float


class Clamped(FuncEnv):
    """It has no branches, so that batches step eight environments at once."""

    observation_space = Box(-np.inf, np.inf, (4,), np.float64)
    action_space = Box(-1.0, 1.0, (1,), np.float64)

    @staticmethod
    def initial(rng, params=None):
        return State(-0.0, 0.0, 0.0, 0.0)

    @staticmethod
    def transition(state, action, rng, params=None):
        x = state.x * action[0]
        y = ops.where(x < 0.0, 0.0, x)
        up, down = ops.maximum(0.0, ops.maximum(x, 0.0)), ops.minimum(0.0, ops.minimum(x, 0.0))
        return State(ops.where(rng.random() < 0.5, -0.0, 0.0), up, down, ops.where(y > 0.0, y, 0.0))

    @staticmethod
    def observation(state, rng, params=None):
        return state.x, state.up, state.down, state.chosen

    @staticmethod
    def reward(state, action, next_state, rng, params=None):
        return next_state.up

    @staticmethod
    def terminal(state, rng, params=None):
        return False


@pytest.mark.parametrize("n", [64, 1])
def test_lanes(n: int) -> None:
    assert_same_episodes(*twins(Clamped(), n), steps=30)
