"""Info functions that a batch calls in Python get what those of a single environment get; and so do exceptions."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.runner import CompiledVectorEnv
from tests.contracts.compiled_law import assert_same


class Move(IntEnum):
    LEFT = 0
    RIGHT = 2


class State(NamedTuple):
    x: float
    n: int
    alive: bool
    move: int
    m: Any
    v: Any


class Telling(FuncEnv):
    """NumPy's numbers, members of an enum, and arrays with gaps in its states; a text in its infos."""

    observation_space = Box(-np.inf, np.inf, (1,), np.float64)
    action_space = Discrete(2)

    @staticmethod
    def initial(rng, params):
        a = rng.integers(5, 9, size=2)
        return State(np.sin(1.0), a[0], a[0] > 0, Move.LEFT, rng.normal(size=(9, 9)).T, rng.normal(size=18)[::2])

    @staticmethod
    def transition(state, action, rng, params):
        m, v = rng.normal(size=(9, 9)).T, rng.normal(size=18)[::2]
        return State(np.sin(state.x), state.n, state.alive, Move.RIGHT if action else Move.LEFT, m, v)

    @staticmethod
    def observation(state, rng, params):
        return (state.x,)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return 0.0

    @staticmethod
    def terminal(state, rng, params):
        return rng.random() < 0.3

    @staticmethod
    def state_info(state, params):
        return {
            "text": f"{(state.x, state.n, state.alive, state.move)}",
            "far": state.n * 2**62 % 1000003,
            "count": state.alive + state.alive,
            "move": state.move,
            "mean": state.m.mean(axis=0),
            "product": state.v @ state.v,
        }

    @staticmethod
    def transition_info(state, action, next_state, params):
        return Telling.state_info(next_state, params) | {"before": f"{state.x!r}"}


class Failing(Telling):
    """Raises an exception with arguments, in the middle of an episode or at its beginning."""

    class Illegal(ValueError):
        def __init__(self, move, t):
            super().__init__(f"illegal move {move} at {t}")

    @staticmethod
    def initial(rng, params):
        if rng.random() > 0.9:
            raise RuntimeError("no start", rng.random())
        return Count(1)

    @staticmethod
    def transition(state, action, rng, params):
        if action == 1 and state.n > 10**12:
            raise Failing.Illegal(action, state.n)
        return Count(state.n * 1000)

    @staticmethod
    def observation(state, rng, params):
        return (0.5,)

    @staticmethod
    def state_info(state, params):
        return {}

    @staticmethod
    def transition_info(state, action, next_state, params):
        return {}


class Count(NamedTuple):
    n: int


class Growing(Failing):
    """Integers of states that grow beyond 64 bits."""

    @staticmethod
    def initial(rng, params):
        return Count(3)

    @staticmethod
    def transition(state, action, rng, params):
        return Count(state.n * 1000)

    @staticmethod
    def terminal(state, rng, params):
        return False


MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


@pytest.mark.parametrize("mode", MODES)
def test_infos_are_those_of_single_environments(mode: AutoresetMode) -> None:
    ours, sync = batches(Telling, mode)
    for envs in (ours, sync):
        envs.action_space.seed(1)
    assert_same(ours.reset(seed=1), sync.reset(seed=1), "reset")
    for t in range(12):
        assert_same(ours.step(ours.action_space.sample()), sync.step(sync.action_space.sample()), f"step {t}")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("dynamics", "action"), [(Failing, 1), (Failing, 0), (Growing, 0)])
def test_exceptions_are_those_of_single_environments(dynamics: Any, action: int, mode: AutoresetMode) -> None:
    told = []
    for envs in batches(dynamics, mode):
        with pytest.raises((ValueError, RuntimeError, OverflowError)) as raised:
            run(envs, action)
        told.append((type(raised.value), str(raised.value)))
    assert told[0] == told[1]


def batches(dynamics: Callable[[], FuncEnv], mode: AutoresetMode, n: int = 3) -> tuple[Any, Any]:
    """Returns a compiled batch, and one of single environments."""
    ours = CompiledVectorEnv(dynamics(), n, autoreset_mode=mode)
    return ours, SyncVectorEnv([lambda: FunctionalEnv(dynamics())] * n, autoreset_mode=mode)


def run(envs: Any, action: int) -> None:
    """Steps until something is raised."""
    envs.reset(seed=4)
    for _ in range(300):
        envs.step(np.full(envs.num_envs, action))
