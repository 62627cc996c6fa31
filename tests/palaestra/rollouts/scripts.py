"""Environments whose episodes follow a script, and steps of them as one would take them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv

# For each step that an environment takes: its reward, and whether it terminates or truncates the episode.
Script = Sequence[tuple[float, bool, bool]]


class Scripted(Env[Any, Any]):
    """Observes which episode and step it is in, and goes through a script; after its end, nothing happens."""

    observation_space = Box(0, 1000, (2,), np.float64)
    action_space = Discrete(1000)

    def __init__(self, script: Script) -> None:
        self._events = iter(script)
        self.episode, self.t = 0, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        self.episode, self.t = self.episode + 1, 0
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.t += 1
        return self._observation(), *next(self._events, (0.0, False, False)), {}

    def _observation(self) -> Any:
        return np.array([self.episode, self.t], np.float64)


class Step(NamedTuple):
    """What one environment went through in a step."""

    valid: bool
    observation: Any
    action: int
    reward: float
    terminated: bool
    truncated: bool
    next_observation: Any


def batch(scripts: Sequence[Script], mode: AutoresetMode) -> SyncVectorEnv[Any, Any]:
    return SyncVectorEnv([partial(Scripted, script) for script in scripts], autoreset_mode=mode)


def policy(observations: Any) -> tuple[Any, dict[str, Any]]:
    """Acts by the step, and values observations by a function of each."""
    return observations[:, 1].astype(np.int64), {"value": value(observations)}


def value(observations: Any) -> Any:
    return np.sin(3 * observations[..., 0] + 0.7 * observations[..., 1])


def by_hand(script: Script, steps: int, mode: AutoresetMode) -> list[Step]:
    """What one environment alone goes through."""
    env = Scripted(script)
    observation, _ = env.reset()
    over, found = False, []
    for _ in range(steps):
        action = int(observation[1])
        if over and mode is AutoresetMode.NEXT_STEP:
            fresh, _ = env.reset()
            found.append(Step(False, observation, action, 0.0, False, False, fresh))
            observation, over = fresh, False
            continue
        following, reward, terminated, truncated, _ = env.step(action)
        found.append(Step(True, observation, action, reward, terminated, truncated, following))
        observation, over = following, terminated or truncated
        if over and mode is not AutoresetMode.NEXT_STEP:
            observation, _ = env.reset()
    return found
