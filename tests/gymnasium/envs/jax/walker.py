"""An environment as users write them: arrays in state and params, a helper module's way of naming, all draws."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Box, Discrete

SLOPES = (0.0, 0.5, -0.5)


class State(NamedTuple):
    position: float
    trail: Any  # shape (3,)
    count: int = 0


class Params(NamedTuple):
    goal: float = 2.0
    noise: float = 0.0
    heights: tuple[float, ...] = (1.0, 2.0, 3.0)
    patient: bool = True


def slope(action: int) -> float:
    return SLOPES[action]


class Walker(FuncEnv):
    observation_space = Box(-100.0, 100.0, (2,), np.float32)
    action_space = Discrete(3)

    def get_default_params(self, **kwargs: Any) -> Params:
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params) -> State:
        return State(rng.random(), np.zeros(3) + params.heights[rng.integers(0, 3)])

    @staticmethod
    def transition(state: State, action: int, rng: Any, params: Params) -> State:
        step = slope(action) + math.sin(state.position) * ops.sqrt(0.01) + params.noise * rng.normal(0.0, 1.0)
        trail = np.append(state.trail[1:], state.position)
        return State(state.position + step, trail, state.count + 1)

    @staticmethod
    def observation(state: State, rng: Any, params: Params) -> tuple[float, float]:
        return state.position, state.trail[0]

    @staticmethod
    def reward(state: State, action: int, next_state: State, rng: Any, params: Params) -> float:
        bonus = ops.where(Walker.terminal(next_state, rng, params), 1.0, 0.0)
        return bonus if params.patient else bonus - 0.5

    @staticmethod
    def terminal(state: State, rng: Any, params: Params) -> bool:
        return abs(state.position) > params.goal

    @staticmethod
    def state_info(state: State, params: Params) -> dict[str, Any]:
        return {"count": state.count, "new": True}

    @staticmethod
    def transition_info(state: State, action: int, next_state: State, params: Params) -> dict[str, Any]:
        return {"count": next_state.count}


class Countdown(FuncEnv):
    """Ends after `params` steps; the observation counts them, so that what a batch does is seen at a glance."""

    observation_space = Box(0, 100, (1,), np.int32)
    action_space = Box(-1.0, 1.0, (1,), np.float32)

    def get_default_params(self, **kwargs: Any) -> Any:
        return Length(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Any) -> Any:
        return Count(0, params.length + rng.integers(0, params.spread))

    @staticmethod
    def transition(state: Any, action: Any, rng: Any, params: Any) -> Any:
        return Count(state.steps + 1, state.length)

    @staticmethod
    def observation(state: Any, rng: Any, params: Any) -> Any:
        return (state.steps,)

    @staticmethod
    def reward(state: Any, action: Any, next_state: Any, rng: Any, params: Any) -> float:
        return 1.0

    @staticmethod
    def terminal(state: Any, rng: Any, params: Any) -> bool:
        return state.steps >= state.length

    @staticmethod
    def transition_info(state: Any, action: Any, next_state: Any, params: Any) -> dict[str, Any]:
        return {"steps": next_state.steps}


class Count(NamedTuple):
    steps: int
    length: int


class Length(NamedTuple):
    length: int = 2
    spread: int = 1
