"""An environment with nothing wrong, and the list of those made from it with one thing wrong each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete

BROKEN: list[tuple[Any, set[str], bool]] = []
"""What makes each broken environment, the ids of all findings it deserves, and whether only deep checks show them."""

Maker = TypeVar("Maker", bound=Callable[..., Any])


def broken(*rules: str, deep: bool = False) -> Callable[[Maker], Maker]:
    """Adds an environment to the zoo."""

    def add(maker: Maker) -> Maker:
        BROKEN.append((maker, set(rules), deep))
        return maker

    return add


class Sound(Env):
    """A walk on a line segment; it is over at an end."""

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 10}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.observation_space = Box(-1, 1, (2,), np.float32)
        self.action_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t = 0
        self.position = self.np_random.uniform(-0.2, 0.2)
        return self.observation(), self.info()

    def step(self, action):
        if not self.action_space.contains(action):
            raise ValueError(f"no action: {action}")
        self.t += 1
        self.position += (0.2 if action else -0.2) + self.np_random.uniform(-0.1, 0.1)
        return self.observation(), self.reward(), self.terminated(), self.truncated(), self.info()

    def observation(self):
        return np.clip([self.position, 0.0], -1, 1).astype(np.float32)

    def reward(self):
        return 1.0

    def terminated(self):
        return bool(abs(self.position) > 0.9)

    def truncated(self):
        return False

    def info(self):
        return {"t": self.t}

    def render(self):
        if self.render_mode == "ansi":
            return f"{self.position:.2f}"
        return np.full((4, 6, 3), self.t % 256, np.uint8)
