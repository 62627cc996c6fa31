"""Small dynamics for the tests of the compiled runner."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Tuple


class State(NamedTuple):
    x: float
    t: int = 0


class Params(NamedTuple):
    speed: float = 1.0
    goal: float = 5.0
    table: tuple[float, ...] = tuple(float(k) for k in range(20))


class Walk(FuncEnv):
    """Steps of random length."""

    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Discrete(3, start=-1)
    metadata = {"render_modes": ["rgb_array"]}

    def get_default_params(self, **kwargs: Any) -> Params:
        return Params(**kwargs)

    @staticmethod
    def initial(rng, params):
        return State(rng.uniform(-1.0, 1.0))

    @staticmethod
    def transition(state, action, rng, params):
        return State(state.x + action * params.speed + rng.normal(0.0, 0.1), state.t + 1)

    @staticmethod
    def observation(state, rng, params):
        return state.x, state.t

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return ops.where(action == 0, 0.0, -params.table[next_state.t % 20])

    @staticmethod
    def terminal(state, rng, params):
        return abs(state.x) > params.goal


class Grown(NamedTuple):
    heights: NDArray[np.float64]  # (2, 3)
    sown: bool


class Garden(Walk):
    """An array in the state, a Tuple of observations, and actions of several numbers."""

    observation_space = Tuple((Box(-np.inf, np.inf, (2, 3), np.float32), Discrete(2)))
    action_space = MultiDiscrete([2, 3])

    @staticmethod
    def initial(rng, params):
        return Grown(np.zeros((2, 3)), False)

    @staticmethod
    def transition(state, action, rng, params):
        heights = state.heights.copy()
        heights[action[0], action[1]] += rng.random()
        return Grown(heights, True)

    @staticmethod
    def observation(state, rng, params):
        return state.heights, int(state.sown)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return float(next_state.heights.max()) - float(state.heights.max())

    @staticmethod
    def terminal(state, rng, params):
        return bool(state.heights.max() > 3.0)


class Telling(Walk):
    """Infos that are more than one `return {...}`, so that they are called in Python."""

    @staticmethod
    def state_info(state, params=None):
        return {"name": "begin"}

    @staticmethod
    def transition_info(state, action, next_state, params=None):
        info = {"gone": next_state.x - state.x, "action": action}
        if next_state.t % 2:
            info["odd"] = {"t": next_state.t}
        return info


class Measured(Walk):
    """Infos that are compiled: of another type at a reset, of an array, and of one key only in steps."""

    @staticmethod
    def state_info(state, params=None):
        return {"x": 1, "pair": np.zeros(2)}

    @staticmethod
    def transition_info(state, action, next_state, params=None):
        pair = np.array([state.x, next_state.x])
        return {"x": next_state.x, "pair": pair.copy(), "late": next_state.t > 3}


class Masked(Walk):
    """Infos with names that machine code uses too, where params are drawn."""

    @staticmethod
    def state_info(state, params):
        return {"mask": state.t, "param_speed": state.x, "MASK_SPEED": state.t > 0}

    @staticmethod
    def transition_info(state, action, next_state, params):
        return {"mask": next_state.t, "param_speed": next_state.x, "MASK_SPEED": state.t > 0}


class Raising(Walk):
    """An exception after some steps."""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        if next_state.t > 3:
            raise ValueError("too late")
        return 1.0


class Scalar(Walk):
    """Observations and actions without an axis."""

    observation_space = Tuple((Box(-np.inf, np.inf, (), np.float32), Discrete(1000, dtype=np.int32)))
    action_space = Box(-1.0, 1.0, (), np.float64)

    @staticmethod
    def observation(state, rng, params):
        return state.x, state.t


class Bits(Walk):
    """Actions of booleans, a single number to see, and noise in what is seen."""

    observation_space = Box(-np.inf, np.inf, (), np.float32)
    action_space = MultiBinary((2, 2))

    @staticmethod
    def transition(state, action, rng, params):
        return State(state.x + int(action[0, 1]) - int(action[1, 0]), state.t + 1)

    @staticmethod
    def observation(state, rng, params):
        return state.x + rng.random()

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return int(action.astype(np.int64).sum())


class Listed(Walk):
    """Numbers in a list and a tuple, and a branch on params only."""

    @staticmethod
    def transition(state, action, rng, params):
        x = 0.0
        for part in [state.x, action * params.speed]:
            x = x + part
        if params.speed > 0.0:
            x = x + rng.uniform(-0.1, 0.1)
        return State(x, state.t + 1)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        if params.speed > 100.0:
            return 0.0
        return -abs(next_state.x) % 0.7

    @staticmethod
    def terminal(state, rng, params):
        return (abs(state.x) > params.goal) | (state.t >= 12)
