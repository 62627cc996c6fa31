"""Lanes compute what numbers do, to the bit."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
from numba import njit

import gymnasium.compiled.ops  # noqa: F401  (it teaches Numba what sine and cosine of lanes are)
from gymnasium.compiled import CompiledVectorEnv
from gymnasium.compiled.lane_memory import loaded, stored
from gymnasium.envs.classic_control.acrobot import Acrobot
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.classic_control.mountain_car import MountainCar
from gymnasium.envs.classic_control.pendulum import Pendulum
from gymnasium.functional import ops
from tests.unit.compiled.dynamics import Listed, Walk

N = 80_000
EDGES = [0.0, -0.0, math.nan, math.inf, -math.inf, 1e-320, 5e-324, 1e308, 1.0, -1.0, 0.5, 2.0**-27, 1e9, 1e22]


def numbers(seed: int, scale: float) -> Any:
    drawn = np.random.default_rng(seed).uniform(-scale, scale, N)
    drawn[: len(EDGES)] = EDGES
    drawn[100:1100] = np.arange(-500, 500) * math.pi / 2.0  # where sine or cosine is near zero
    drawn[1100:2100] = np.arange(-500, 500) * math.pi / 4.0
    return drawn


def assert_bits(ours: Any, theirs: Any) -> None:
    same = (ours.view(np.int64) == theirs.view(np.int64)) | (np.isnan(ours) & np.isnan(theirs))
    assert same.all(), (ours[~same][:5], theirs[~same][:5])


@pytest.mark.parametrize("scale", [0.01, 1.0, 7.0, 1000.0, 3e5])
@pytest.mark.parametrize("function", [math.sin, math.cos, math.sqrt, abs, ops.float32, ops.pow2, ops.pow2f])
def test_a_function_of_one_number(function: Any, scale: float) -> None:
    @njit(error_model="numpy")
    def in_lanes(x, out):
        for i in range(0, len(x), 8):
            stored(out, i, function(loaded(x, i)))

    @njit(error_model="numpy")
    def one_by_one(x, out):
        for i in range(len(x)):
            out[i] = function(x[i])

    x = numbers(0, scale)
    ours, theirs = np.zeros(N), np.zeros(N)
    in_lanes(x, ours)
    one_by_one(x, theirs)
    assert_bits(ours, theirs)


@pytest.mark.parametrize("function", [math.sin, math.cos])
def test_a_million_angles_of_all_sizes(function: Any) -> None:
    """From the smallest floats to the largest, where the library is asked for most lanes."""

    @njit(error_model="numpy")
    def in_lanes(x, out):
        for i in range(0, len(x), 8):
            stored(out, i, function(loaded(x, i)))

    rng = np.random.default_rng(5)
    x = rng.uniform(-1.0, 1.0, 1_000_000) * 10.0 ** rng.uniform(-12.0, 7.0, 1_000_000)
    x[:50_000] *= 10.0 ** rng.uniform(-300.0, 300.0, 50_000)
    ours = np.zeros(len(x))
    in_lanes(x, ours)
    assert_bits(ours, np.array([function(one) for one in x.tolist()]))


@pytest.mark.parametrize(
    "function",
    [
        *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
        *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
        *(ops.minimum, ops.maximum),
    ],
)
def test_a_function_of_two_numbers(function: Any) -> None:
    @njit(error_model="numpy")
    def in_lanes(x, y, out, const):
        for i in range(0, len(x), 8):
            stored(out, i, function(loaded(x, i), loaded(y, i)))
            stored(const, i, function(loaded(x, i), 6.25))

    @njit(error_model="numpy")
    def one_by_one(x, y, out, const):
        for i in range(len(x)):
            out[i], const[i] = function(x[i], y[i]), function(x[i], 6.25)

    x, y = numbers(0, 30.0), numbers(1, 3.0)[::-1].copy()
    x[3000:4000] = y[3000:4000] * np.arange(-500, 500)  # whole multiples, and their neighbours
    x[4000:5000] = np.nextafter(x[3000:4000], 0.0)
    results = np.zeros((4, N))
    in_lanes(x, y, results[0], results[1])
    one_by_one(x, y, results[2], results[3])
    assert_bits(results[0], results[2])
    assert_bits(results[1], results[3])


@pytest.mark.parametrize("kind", [Acrobot, CartPole, MountainCar, Pendulum, Listed])
def test_dynamics_that_do_not_branch_are_stepped_in_lanes(kind: Any) -> None:
    envs = CompiledVectorEnv(kind(), 8, num_threads=1)
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
    assert envs._runner._kernels.in_lanes(frozenset())


def test_others_are_not() -> None:
    for _ in range(2):
        envs = CompiledVectorEnv(Walk(), 8, num_threads=1)
        envs.reset(seed=0)
        envs.step(envs.action_space.sample())
        assert not envs._runner._kernels.in_lanes(frozenset())
