"""Palaestra: an independent implementation of the Gymnasium reinforcement-learning API.

Example:
    ```python
    env = gymnasium.make("CartPole-v1", render_mode="human")
    observation, info = env.reset(seed=42)
    for _ in range(1000):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        if terminated or truncated:
            observation, info = env.reset()
    env.close()
    ```
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gymnasium.core import ActionWrapper, Env, ObservationWrapper, RewardWrapper, Wrapper
from gymnasium.envs.registration import (
    VectorizeMode,
    make,
    make_vec,
    pprint_registry,
    register,
    register_envs,
    registry,
    spec,
)
from gymnasium.spaces.space import Space
from gymnasium.utils._missing import missing_name

from . import envs, error, experimental, logger, spaces, utils, wrappers

if TYPE_CHECKING:
    from . import functional as functional
    from . import vector

__all__ = [
    "ActionWrapper",
    "Env",
    "ObservationWrapper",
    "RewardWrapper",
    "Space",
    "VectorizeMode",
    "Wrapper",
    "envs",
    "error",
    "experimental",
    "logger",
    "make",
    "make_vec",
    "pprint_registry",
    "register",
    "register_envs",
    "registry",
    "spaces",
    "spec",
    "utils",
    "vector",
    "wrappers",
]

__version__ = "1.4.0+palaestra.1"

# pygame prints a greeting on import; programs that use environments do not want it.
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "hide"

# Many programs use neither, so each is imported on first access.
_LATE_MODULES = ("functional", "vector")

_GONE = {
    "GoalEnv": "the class of the package gymnasium-robotics",
    "Monitor": "`gymnasium.wrappers.RecordVideo`",
    "VectorEnv": "`gymnasium.vector.VectorEnv`",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _LATE_MODULES:
            return import_module(f"{__name__}.{name}")
        raise missing_name(__name__, name, _GONE.get(name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE_MODULES})
