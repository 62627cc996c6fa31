"""Vector environments and policies that the tests share."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Dict, Discrete, Space, Text, Tuple
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

N = 3


class Echo(Env[Any, Any]):
    """Observes samples of a space and takes actions of another; each fourth step ends an episode."""

    def __init__(self, observed: Space[Any], taken: Space[Any]) -> None:
        self.observation_space, self.action_space = observed, taken
        self.actions: list[Any] = []

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self.observation_space.sample(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.actions.append(action)
        return self.observation_space.sample(), 1.0, len(self.actions) % 4 == 0, False, {}


def echoes(observed: Space[Any], taken: Space[Any] | None = None, mode: Any = "NextStep") -> SyncVectorEnv[Any, Any]:
    observed.seed(1)
    taken = Discrete(5) if taken is None else taken
    return SyncVectorEnv([partial(Echo, observed, taken)] * N, autoreset_mode=mode)


def still(observations: Any) -> Any:
    return np.zeros(N, np.int64)


BOX = Box(-1, 1, (2,), np.float32)
NESTED = Dict(place=BOX, rest=Tuple([Discrete(4), Dict(name=Text(3))]))


class Counter(VectorEnv[Any, Any]):
    """Somebody else's batch of two environments that count their steps; the first ends an episode at every other."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
    num_envs = 2
    single_observation_space = Box(0, 100, (1,))
    single_action_space = Discrete(2)
    t = 0.0

    def reset(self, *, seed=None, options=None):
        self.t = 0.0
        return np.zeros((2, 1), np.float32), {}

    def step(self, actions):
        self.t += 1
        over = np.array([self.t % 2 == 0, False])
        final = np.array([np.array([self.t], np.float32), None], object)
        infos = {"final_obs": final, "_final_obs": over} if over.any() else {}
        observations = np.where(over, 0, self.t).astype(np.float32)[:, None]
        return observations, np.ones(2, np.float32), over, np.zeros(2, bool), infos


def policy_of_one_value(observations):
    return still(observations), {"value": observations[:, 0]}


def by_row(observations):
    return (observations[:, 2] > 0).astype(np.int64), {"sum": observations[:, 0] + observations[:, 1]}
