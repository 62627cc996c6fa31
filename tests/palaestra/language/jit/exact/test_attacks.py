"""Differences that an attack from outside found, each with its kin."""

from __future__ import annotations

import functools
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.batch.trial import tried
from tests.contracts.compiled_law import assert_same
from tests.palaestra.language.jit.exact.law import assert_agrees
from tests.palaestra.language.jit.exact.twins import twins

EDGES = [0, 1, 5, -5, 2**31, 2**33, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1]


def test_integers_of_arrays_wrap() -> None:
    """Also where the optimizer could take `m + 1 > m` for true, and a sum with the lowest integer for a bit of it."""
    generator = "m * 6364136223846793005 + 1442695040888963407"
    grid = [(m, np.full(len(EDGES), k)) for m in (np.array(EDGES), np.array(EDGES[::-1])) for k in (1, -1, 2**62)]
    assert_agrees(["m + k > m", "m - k < m", "m * m > 0", f"({generator}) * 2 > 0", "(m + k) - k == m"], "m, k", grid)
    assert_agrees(["m + -(2**63)", "m + k", "m * k - m"], "m, k", grid)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.int32], ids=lambda dtype: dtype.__name__)
def test_short_integers_of_arrays_wrap_within_an_expression(dtype: Any) -> None:
    edges = np.array([np.iinfo(dtype).max, np.iinfo(dtype).min, 0, 1], dtype)
    assert_agrees(["(u + w > u).sum()", "((u + w) == 0).sum()"], "u, w", [(edges, np.ones(4, dtype)), (edges, edges)])


def test_shapes_of_empty_arrays_and_lengths_that_are_left_out() -> None:
    lengths = [-3, -1, 0, 1, 2, 3, 6]
    grid = [(v, a, b) for v in (np.zeros(0), np.arange(6.0)) for a in lengths for b in lengths]
    shapes = ["a, b", "(a, b)", "a, 3", "0, a", "-1, a", "(-1, b)", "(2, -1)"]
    assert_agrees([f"v.reshape({shape})" for shape in shapes], "v, a, b", grid)
    assert_agrees(["v.reshape(a)", "v.reshape((b,))", "v.reshape(-1)"], "v, a, b", grid)


def test_ranges_of_far_bounds() -> None:
    class Ranging(Line):
        @staticmethod
        def transition(state, action, rng, params):
            count = 0
            for _ in range(state.n, -(2**63) + 7, 2):
                count += 1
                if count > 5:
                    break
            for _ in range(state.n + 5, state.n - 5, -3):
                count += 10
            return State(float(count), state.n + 1)

    played(Ranging())


class State(NamedTuple):
    x: float
    n: int


class Params(NamedTuple):
    gain: float = 2.0


class Line(FuncEnv):
    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space: Any = Discrete(3)

    def get_default_params(self, **kwargs: Any) -> Params:
        return Params(**kwargs)

    @staticmethod
    def initial(rng, params):
        return State(0.5, 1)

    @staticmethod
    def transition(state, action, rng, params):
        return State(state.x + params.gain, rng.integers(-(2**63), 2**63 - 1))

    @staticmethod
    def observation(state, rng, params):
        return state.x, float(state.n)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.x

    @staticmethod
    def terminal(state, rng, params):
        return False


def played(dynamics: FuncEnv, steps: int = 5) -> None:
    ours, sync = twins(dynamics, 7)  # too few for lanes, which these dynamics do not fit
    assert_same(ours.reset(seed=1), sync.reset(seed=1), "reset")
    sync.action_space.seed(1)
    for t in range(steps):
        actions = sync.action_space.sample()
        assert_same(ours.step(actions), sync.step(actions), f"step {t}")
        assert ours.get_attr("state") == sync.get_attr("state")


def test_integers_drawn_from_all_words() -> None:
    played(Line())


def test_bounds_are_checked_where_nothing_is_drawn() -> None:
    class Empty(Line):
        @staticmethod
        def transition(state, action, rng, params):
            k = 2 - state.n % 3
            draws = rng.uniform(1.0, 0.0 if k == 0 else 2.0, size=k)
            return State(state.x + draws.sum(), state.n + 1)

    ours, sync = twins(Empty(), 7)
    for envs in (ours, sync):
        envs.reset(seed=1)
        with pytest.raises(ValueError, match="high - low < 0"):
            for _ in range(3):
                envs.step(np.zeros(7, np.int64))


@pytest.mark.parametrize("dtype", [np.float64, np.int64], ids=lambda dtype: dtype.__name__)
def test_actions_of_one_number(dtype: Any) -> None:
    class One(Line):
        action_space = Box(-5, 5, (), dtype)

        @staticmethod
        def transition(state, action, rng, params):
            return State(float(state.x + action * 0.1), int(action * 2))

    played(One())


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint8], ids=lambda dtype: dtype.__name__)
def test_short_actions_of_one_number_are_refused(dtype: Any) -> None:
    class One(Line):
        action_space = Box(0, 5, (), dtype)

    with pytest.raises(TypeError, match="shape="):
        CompiledVectorEnv(One(), 2)


def test_actions_are_tuples() -> None:
    class Two(Line):
        action_space = Box(0, 1, (2,), np.int64)

        @staticmethod
        def transition(state, action, rng, params):
            return State(state.x + float(action == (1, 0)) + len(action + action), action[0] + action[1])

    played(Two())


def test_long_actions_are_no_arrays() -> None:
    class Many(Line):
        action_space = Box(-5, 5, (65,), np.float64)

        @staticmethod
        def transition(state, action, rng, params):
            return State((action * 2)[3], len(action))

    class Indexed(Many):
        @staticmethod
        def transition(state, action, rng, params):
            return State(action[3] + action[64] * 0.1, len(action))

    played(Indexed())
    with pytest.raises(TypeError, match="long tuple"):
        CompiledVectorEnv(Many(), 2).reset(seed=0)


class Clipped(namedtuple("Clipped", "x n")):
    __slots__ = ()

    def __new__(cls, x, n=0):
        return super().__new__(cls, max(-1.0, min(1.0, x)), n)


class Equal(NamedTuple):
    x: float
    n: int

    def __eq__(self, other):
        return True


@pytest.mark.parametrize("kind", [Clipped, Equal])
def test_records_with_methods_of_their_own_are_refused(kind: Any) -> None:
    class Own(Line):
        @staticmethod
        def initial(rng, params):
            return kind(0.5, 1)

        @staticmethod
        def transition(state, action, rng, params):
            return kind(state.x + 0.4, state.n + 1)

    with pytest.raises(TypeError, match=f"{kind.__name__} defines __"):
        CompiledVectorEnv(Own(), 2).reset(seed=0)


def halved(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(state, params):
        return {key: value / 2 for key, value in wrapper.__wrapped__(state, params).items()}

    return wrapper


def test_infos_of_decorated_functions_and_of_defaults() -> None:
    class Decorated(Line):
        @staticmethod
        @halved
        def state_info(state, params):
            return {"x": state.x}

        @staticmethod
        def transition_info(state, action, next_state, params, scale=3.0):
            return {"x": next_state.x * scale}

    played(Decorated())


def test_params_are_attributes() -> None:
    ours, sync = CompiledVectorEnv(Line(), 3), SyncVectorEnv([lambda: FunctionalEnv(Line())] * 3)
    for envs in (ours, sync):
        envs.reset(seed=1)
        envs.set_attr("gain", [1.0, 2.0, 4.0])
        assert envs.get_attr("gain") == (1.0, 2.0, 4.0)
        np.testing.assert_array_equal(envs.step(np.zeros(3, np.int64))[1], [1.5, 2.5, 4.5])


class Weights(NamedTuple):
    each: Any = np.arange(3.0)


class Weighing(Line):
    def get_default_params(self, **kwargs: Any) -> Any:
        return Weights(**kwargs)

    @staticmethod
    def transition(state, action, rng, params):
        return State(state.x + (params.each * 2)[action], state.n)


def test_a_param_is_an_array_or_a_tuple_as_it_was_set() -> None:
    """Twice an array is no tuple twice: the batch takes other kernels for a tuple, or refuses it."""
    ours = CompiledVectorEnv(Weighing(), 2)
    ours.reset(seed=1)
    with pytest.raises(TypeError, match="numbers, tuples and arrays of numbers"):
        ours.set_attr("each", [[1.0, 2.0, 3.0]] * 2)
    ours.set_attr("each", [(1.0, 2.0, 3.0)] * 2)
    with pytest.raises(TypeError, match="cannot be compiled"):
        ours.step(np.zeros(2, np.int64))


def test_the_trial_compares_a_step_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the first reset compiles."""
    single, steps = FunctionalEnv(Line()), []
    step = FunctionalEnv.step

    def counted(env: Any, action: Any) -> Any:
        steps.append(action)
        return step(env, action)

    monkeypatch.setattr(FunctionalEnv, "step", counted)

    assert tried(single, single.params, rows=3, longest=0.0)
    assert len(steps) == 3
