"""What tests of wrappers share."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete
from gymnasium.specs import EnvSpec


@pytest.fixture(scope="module")
def quick_garbage_collection():
    """Videos collect garbage after each episode: of what hundreds of tests have left, all of it takes a second."""
    gc.collect()
    gc.freeze()


class CountingEnv(Env):
    """Counts its steps; ends after `length` of them. Its frames show the count."""

    metadata = {"render_modes": ["rgb_array", "depth_array"], "render_fps": 1000}
    action_space = Discrete(2)

    def __init__(self, length=1000, render_mode=None):
        self.length = length
        self.render_mode = render_mode
        self.observation_space = Box(0, 1000, (1,), np.float32)
        self.t = 0
        self.resets = []
        self.actions = []
        self.closed = 0
        self.spec = EnvSpec("Counting-v0", entry_point="nowhere:CountingEnv", order_enforce=False)
        self.spec.disable_env_checker = True

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.resets.append((seed, options))
        self.t = 0
        return self.observation(), {"t": 0}

    def step(self, action):
        self.actions.append(action)
        self.t += 1
        return self.observation(), float(self.t), self.t >= self.length, False, {"t": self.t}

    def observation(self):
        return np.array([self.t], np.float32)

    def render(self):
        if self.render_mode == "depth_array":
            return np.full((4, 6), float(self.t), np.float32)
        return np.full((4, 6, 3), self.t, np.uint8)

    def close(self):
        self.closed += 1


@pytest.fixture
def counting():
    """The class of an environment that counts."""
    return CountingEnv
