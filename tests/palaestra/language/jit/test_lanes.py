"""Lanes compute what numbers do, to the bit."""

from __future__ import annotations

import math
import operator
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba import njit

import palaestra.language.jit.ops  # noqa: F401  (it teaches Numba what sine and cosine of lanes are)
from gymnasium.envs.classic_control.acrobot import Acrobot
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.classic_control.mountain_car import MountainCar
from gymnasium.envs.classic_control.pendulum import Pendulum
from gymnasium.functional import ops
from palaestra.language.jit.lanes import WIDTH
from palaestra.language.jit.lanes.memory import loaded, stored
from palaestra.runner import CompiledVectorEnv
from tests.palaestra.runner.dynamics import Listed, Walk
from tests.thorough import THOROUGH

N = 80_000 if THOROUGH else 16_000
ANGLES = 1_000_000 if THOROUGH else 200_000
EDGES = [0.0, -0.0, math.nan, math.inf, -math.inf, 1e-320, 5e-324, 1e308, 1.0, -1.0, 0.5, 2.0**-27, 1e9, 1e22]


def numbers(seed: int, scale: float) -> Any:
    drawn = np.random.default_rng(seed).uniform(-scale, scale, N)
    drawn[: len(EDGES)] = EDGES
    drawn[100:1100] = np.arange(-500, 500) * math.pi / 2.0  # where sine or cosine is near zero
    drawn[1100:2100] = np.arange(-500, 500) * math.pi / 4.0
    return drawn


def assert_bits(ours: Any, theirs: Any) -> None:
    same = (ours.view(np.int64) == theirs.view(np.int64)) | ((ours != ours) & (theirs != theirs))
    assert same.all(), (ours[~same][:5], theirs[~same][:5])


@cache
def compiled(function: Any, count: int, constant: Any = None) -> Any:
    """What computes eight rows from row i on; compiled once for all tests of a function."""
    if constant is not None:

        @njit(error_model="numpy")
        def at(i, out, x):
            stored(out, i, function(loaded(x, i), constant))

    elif count == 1:

        @njit(error_model="numpy")
        def at(i, out, x):
            stored(out, i, function(loaded(x, i)))

    else:

        @njit(error_model="numpy")
        def at(i, out, x, y):
            stored(out, i, function(loaded(x, i), loaded(y, i)))

    return at


def assert_lanes(function: Any, *columns: Any, constant: Any = None) -> None:
    """Eight numbers are what Python makes of each, and raise where it does for any of them, and nowhere else."""
    at = compiled(function, len(columns), constant)
    n = len(columns[0])
    ours, theirs = np.zeros(n, columns[0].dtype), np.zeros(n, columns[0].dtype)
    constants = () if constant is None else (constant,)
    raised, expected = np.zeros(n // WIDTH, np.bool_), np.zeros(n, np.bool_)
    with np.errstate(all="ignore"):
        for row, arguments in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            try:
                theirs[row] = function(*arguments, *constants)
            except (ArithmeticError, ValueError):
                expected[row] = True
    for group in range(n // WIDTH):
        try:
            at(WIDTH * group, ours, *columns)
        except (ArithmeticError, ValueError):
            raised[group] = True
    wrong = raised != expected.reshape(-1, WIDTH).any(1)
    assert not wrong.any(), [column.reshape(-1, WIDTH)[wrong][:3] for column in columns]
    kept = np.repeat(~raised, WIDTH)
    assert_bits(ours[kept], theirs[kept])


@pytest.mark.parametrize("function", [math.sin, math.cos, math.sqrt, abs, ops.float32, ops.pow2, ops.pow2f])
def test_a_function_of_one_number(function: Any) -> None:
    """Of all sizes, one after the other: the function is compiled once."""
    for scale in (0.01, 1.0, 7.0, 1000.0, 3e5):
        x = numbers(0, scale)
        assert_lanes(function, abs(x) if function is math.sqrt else x)


@pytest.mark.parametrize("function", [math.sin, math.cos, math.sqrt, math.floor, ops.pow2, abs, ops.float32])
def test_one_of_eight_that_raises(function: Any) -> None:
    edges = [edge for edge in EDGES if function is not math.floor or abs(edge) < 2.0**62 or not math.isfinite(edge)]
    lanes = np.full((len(edges), WIDTH, WIDTH), 0.75)
    for lane in range(WIDTH):
        lanes[:, lane, lane] = edges
    assert_lanes(function, lanes.ravel())


@pytest.mark.parametrize("function", [math.sin, math.cos])
def test_many_angles_of_all_sizes(function: Any) -> None:
    """From the smallest floats to the largest, where the library is asked for most lanes."""

    @njit(error_model="numpy")
    def in_lanes(x, out):
        for i in range(0, len(x), 8):
            stored(out, i, function(loaded(x, i)))

    rng = np.random.default_rng(5)
    x = rng.uniform(-1.0, 1.0, ANGLES) * 10.0 ** rng.uniform(-12.0, 7.0, ANGLES)
    x[: ANGLES // 20] *= 10.0 ** rng.uniform(-300.0, 300.0, ANGLES // 20)
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
    x, y = numbers(0, 30.0), numbers(1, 3.0)[::-1].copy()
    x[3000:4000] = y[3000:4000] * np.arange(-500, 500)  # whole multiples, and their neighbours
    x[4000:5000] = np.nextafter(x[3000:4000], 0.0)
    assert_lanes(function, x, y)
    assert_lanes(function, x, constant=6.25)


@pytest.mark.parametrize(
    "function", [operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor, operator.lt]
)
def test_integers_raise_where_they_leave_64_bits(function: Any) -> None:
    edges = np.array([0, 1, -1, 3, -7, 2**31, 2**32 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63), -(2**63) + 1])
    if function is operator.mul:  # lanes leave longer factors to be multiplied one by one
        edges = np.array([0, 1, -1, 3, -7, 2**31 - 1, -(2**31)])
    x, y = (np.concatenate([side.ravel(), np.zeros(8, np.int64)]) for side in np.meshgrid(edges, edges))
    x, y = x[: len(x) // WIDTH * WIDTH], y[: len(y) // WIDTH * WIDTH]
    for lane in range(WIDTH):
        assert_lanes(function, np.roll(x, lane), np.roll(y, lane))
    for column in (x, y):
        assert_lanes(operator.neg, column)
        assert_lanes(operator.lshift, column, constant=3)


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
