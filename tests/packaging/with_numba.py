"""Dynamics call functions that a user's Numba compiles: machine code takes their Python source."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np

import gymnasium
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.classes.vector_env import PlainVectorEnv


class State(NamedTuple):
    place: float
    steps: int


@numba.njit()
def pulled(place: float, action: int) -> float:
    force = 0.1 * (action - 1)
    for k in range(3):
        force -= 0.01 * math.sin(place + k)
    return place + force


@numba.njit()
def moved(state: State, action: int) -> State:
    return State(pulled(state.place, action), state.steps + 1)


@numba.njit(fastmath=True)
def loosely_pulled(place: float, action: int) -> float:
    return place + 0.1 * (action - 1)


class Dynamics(FuncEnv):
    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Discrete(3)

    @staticmethod
    def initial(rng: Any, params: Any = None) -> Any:
        return State(rng.uniform(-0.5, 0.5), 0)

    @staticmethod
    def transition(state: Any, action: Any, rng: Any, params: Any = None) -> Any:
        return moved(state, action)

    @staticmethod
    def observation(state: Any, rng: Any, params: Any = None) -> Any:
        return np.array([state.place, state.steps])

    @staticmethod
    def reward(state: Any, action: Any, next_state: Any, rng: Any, params: Any = None) -> Any:
        return -(next_state.place**2)

    @staticmethod
    def terminal(state: Any, rng: Any, params: Any = None) -> Any:
        return abs(state.place) > 0.9


class Ordinary(gymnasium.Env[Any, Any]):
    observation_space = Box(-np.inf, np.inf, (1,), np.float64)
    action_space = Discrete(3)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self.place = float(self.np_random.uniform(-0.5, 0.5))
        return np.array([self.place]), {}

    def step(self, action: Any) -> Any:
        self.place = pulled(self.place, int(action))
        return np.array([self.place]), self.place, abs(self.place) > 0.9, False, {}


class Loose(Ordinary):
    def step(self, action: Any) -> Any:
        self.place = loosely_pulled(self.place, int(action))
        return np.array([self.place]), self.place, abs(self.place) > 0.9, False, {}


def played(envs: Any) -> list[Any]:
    """Returns the bits of 50 steps."""
    envs.action_space.seed(1)
    told = [envs.reset(seed=1)[0].tobytes()]
    for _ in range(50):
        *arrays, _ = envs.step(envs.action_space.sample())
        told += [(one.dtype, one.tobytes()) for one in arrays]
    envs.close()
    return told


if __name__ == "__main__":
    assert played(CompiledVectorEnv(Dynamics(), 16)) == played(SyncVectorEnv([lambda: FunctionalEnv(Dynamics())] * 16))
    assert played(PlainVectorEnv(Ordinary, 16)) == played(SyncVectorEnv([Ordinary] * 16))
    assert pulled.signatures and moved.signatures  # in sync, they ran as Numba compiles them
    try:
        PlainVectorEnv(Loose, 16).reset(seed=1)
    except CannotCompile as error:
        assert "rounds in its own way" in str(error), error
    else:
        raise AssertionError("what rounds in its own way was compiled")
