"""Environments without dynamics, which cost what they are told to cost.

    busy:SECONDS          keeps its core busy for so long at each step
    uneven:SECONDS        for times drawn from the exponential distribution with this mean
    observing:84x84x4     observes as many bytes; `observing:4f` four floats
    episode:STEPS         Pendulum, which never ends of itself, cut off after so many steps

Any other name is an id.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import gymnasium
from gymnasium.spaces import Box, Discrete


class Idle(gymnasium.Env[Any, Any]):
    """Returns the same things whatever is done."""

    action_space = Discrete(2)

    def __init__(self, shape: tuple[int, ...] = (4,), dtype: Any = np.float32) -> None:
        self.observation_space = Box(0, 255 if dtype == np.uint8 else 1, shape, dtype)
        self.result = (np.ones(shape, dtype), 0.0, False, False, {})

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self.result[0], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self.result


class Busy(Idle):
    """Keeps its core busy for some time at each step."""

    def __init__(self, seconds: float, uneven: bool = False) -> None:
        super().__init__()
        self.seconds, self.uneven = seconds, uneven

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seconds = self.np_random.exponential(self.seconds) if self.uneven else self.seconds
        ends = time.perf_counter() + seconds
        while time.perf_counter() < ends:
            pass
        return self.result


def maker(name: str) -> Callable[[], Any]:
    """Returns what makes the environment of a name."""
    kind, _, value = name.partition(":")
    if kind in ("busy", "uneven"):
        return partial(Busy, float(value), kind == "uneven")
    if kind == "observing":
        floats = value.endswith("f")
        shape = tuple(int(length) for length in value.rstrip("f").split("x"))
        return partial(Idle, shape, np.float32 if floats else np.uint8)
    if kind == "episode":
        return partial(_short, int(value))
    return partial(gymnasium.make, name)


def _short(steps: int) -> Any:
    """A Pendulum, which never ends of itself, cut off after some steps."""
    return gymnasium.make("Pendulum-v1", max_episode_steps=steps)
