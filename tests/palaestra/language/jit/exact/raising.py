"""Dynamics that raise; not in a module of tests, whose `assert` pytest writes anew."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete


class Broken(Exception):
    """A user's own exception."""


class State(NamedTuple):
    x: float
    t: int = 0


class Params(NamedTuple):
    chance: float = 0.0
    table: tuple[float, ...] = tuple(float(k) for k in range(12))
    weights: Any = np.array([1.0, 2.0, 3.0])


class Raising(FuncEnv):
    """Each action but 0 raises, if this is not the first step."""

    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Discrete(18)

    def get_default_params(self, **kwargs: Any) -> Params:
        return Params(**kwargs)

    @staticmethod
    def initial(rng, params):
        x = rng.random()
        if x < params.chance:
            raise Broken("no beginning")
        return State(x)

    @staticmethod
    def transition(state, action, rng, params):
        x, t = rng.random() + state.x, state.t
        if t > 0:
            if action == 1:
                x = 1.0 / (x - x)
            elif action == 2:
                x = float(7 // (t - t))
            elif action == 3:
                x = x % (x - x)
            elif action == 4:
                x = math.sqrt(-1.0 - x)
            elif action == 5:
                x = math.log(x - x)
            elif action == 6:
                x = math.exp(1000.0 + x)
            elif action == 7:
                x = float(rng.integers(3, 3 - t))
            elif action == 8:
                x = rng.uniform(1.0, x - x)
            elif action == 9:
                x = rng.normal(0.0, -1.0 - x)
            elif action == 10:
                x = params.table[12 * t]
            elif action == 11:
                x = params.weights[-4 * t]
            elif action == 12:
                assert t < 0, f"never at {t}"
            elif action == 13:
                raise Broken("own", 3)
            elif action == 14:
                raise ValueError(f"x of {t} is {x}")
            elif action == 15:
                x = float(int(x * np.nan))
            elif action == 16:
                x = (x - x) ** -1.0
            elif action == 17:
                x = (x + 10.0) ** 400.0
        return State(x, t + 1)

    @staticmethod
    def observation(state, rng, params):
        return state.x, state.t

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.x

    @staticmethod
    def terminal(state, rng, params):
        return False


class Smooth(Raising):
    """Dynamics that lanes can compute."""

    action_space = Box(-np.inf, np.inf, (3,), np.float64)

    @staticmethod
    def initial(rng, params):
        return State(rng.random())

    @staticmethod
    def transition(state, action, rng, params):
        whole = math.floor(action[2]) + state.t
        return State(state.x + math.sqrt(action[0]) / action[1] + whole * 0.5 + rng.random(), state.t + 1)
