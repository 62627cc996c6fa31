"""Small environments that the tests of adapters share."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

import gymnasium as gym
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete


class Rooms(gym.Env):
    """Observes a place and a room; ends by chance, is cut off after seven steps, and reports now and then."""

    observation_space = Dict({"place": Box(-1, 1, (3,)), "room": Discrete(4)})
    action_space: ClassVar[Any] = MultiDiscrete([2, 3])
    size = 1.0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t = 0
        return self._observed(), {"begun_with": dict(options or {}).get("level", 0)}

    def step(self, action):
        assert self.action_space.contains(np.asarray(action, self.action_space.dtype))
        self.t += 1
        info = {"t": self.t, "parts": {"sum": float(np.sum(action))}} if self.t % 2 else {}
        return self._observed(), self.size * np.sum(action), bool(self.np_random.random() < 0.1), self.t >= 7, info

    def _observed(self):
        place = self.np_random.uniform(-1, 1, 3).astype(np.float32)
        return {"place": place, "room": self.np_random.integers(4)}

    def added(self, one, two=0):
        self.size += one + two
        return self.size


class Bits(Rooms):
    """The same with bits as actions."""

    action_space = MultiBinary(3)


class Masked(Rooms):
    """The same with one action, the allowed values of which are in the infos."""

    observation_space = Box(0, 1, (2,))
    action_space = Discrete(4)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._observed(), {"action_mask": self._mask()}

    def step(self, action):
        assert self.allowed[action] == 1, "an action that the mask forbids"
        observation, reward, terminated, truncated, _ = super().step(action)
        return observation, reward, terminated, truncated, {"action_mask": self._mask()}

    def _mask(self):
        self.allowed = np.zeros(4, np.int8)
        self.allowed[self.np_random.choice(4, 2, replace=False)] = 1
        return self.allowed.copy()

    def _observed(self):
        return self.np_random.random(2).astype(np.float32)


class Reach(gym.Env):
    """Move a point to a goal within five steps."""

    observation_space = Dict({key: Box(-1, 1, (2,)) for key in ("observation", "achieved_goal", "desired_goal")})
    action_space: ClassVar[Any] = Box(-1, 1, (2,))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.point, self.goal = self.np_random.uniform(-1, 1, (2, 2)).astype(np.float32)
        self.t = 0
        return self._observed(), {}

    def step(self, action):
        self.t += 1
        self.point = np.clip(self.point + action, -1, 1).astype(np.float32)
        reward = self.compute_reward(self.point, self.goal, {})
        return self._observed(), float(reward), False, self.t >= 5, {}

    def compute_reward(self, achieved, desired, info):
        return -np.linalg.norm(achieved - desired, axis=-1)

    def _observed(self):
        return {"observation": self.point, "achieved_goal": self.point, "desired_goal": self.goal}
