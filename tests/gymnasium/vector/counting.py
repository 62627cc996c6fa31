"""A small environment whose every result is known beforehand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete

Observation = NDArray[np.int64]


class Counting(Env[Any, Any]):
    """Observes `[episode, t]`, pays 10 * episode + t, and ends with t = `length`; an action of 3 raises `Boom`."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, length: int = 3, name: str = "counting", high: int = 1000) -> None:
        self.length, self.name, self.render_mode = length, name, "ansi"
        self.observation_space = Box(0, high, (2,), np.int64)
        self.action_space = Discrete(4)
        self.episode, self.t = 0, 0
        self.actions: list[Any] = []
        self.options: list[Any] = []
        self.closed = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.options.append(options)
        self.episode, self.t = self.episode + 1, 0
        return self._observation(), {"begun": self.episode}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if action == 3:
            raise Boom(self.name)
        self.actions.append(action)
        self.t += 1
        reward = float(10 * self.episode + self.t)
        return self._observation(), reward, self.t >= self.length, False, {"stepped": self.t}

    def render(self) -> str:
        return f"{self.name} {self.t}"

    def close(self) -> None:
        self.closed += 1

    def add(self, a: int, b: int = 0) -> int:
        return self.length + a + b

    def _observation(self) -> Observation:
        return np.array([self.episode, self.t])


class Boom(Exception):
    """What an environment raises."""


def counting(*lengths: int) -> list[Callable[[], Counting]]:
    """Functions that make environments with episodes of these lengths."""
    return [partial(Counting, length, f"env {i}") for i, length in enumerate(lengths)]


def moves(envs: Any) -> list[tuple[int, int, int]]:
    """How far each environment of a sync vector environment is: episode, t, and how often it was stepped."""
    return [(env.episode, env.t, len(env.actions)) for env in envs.envs]
