"""Small environments to register and make."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env, Wrapper
from gymnasium.spaces import Discrete
from gymnasium.utils.record_constructor import RecordConstructorArgs


class Toy(Env[Any, Any]):
    """An environment that keeps what it was made with."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(self, size: int = 1, render_mode: str | None = None) -> None:
        self.size, self.render_mode = size, render_mode
        self.observation_space, self.action_space = Discrete(3), Discrete(2)
        self.closed = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return np.int64(0), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return np.int64(1), 0.0, False, False, {}

    def render(self) -> NDArray[np.uint8]:
        return np.zeros((2, 2, 3), np.uint8)

    def close(self) -> None:
        self.closed = True


class Silent(Toy):
    """It has no render mode, and takes none."""

    metadata = {"render_modes": ["rgb_array"]}

    def __init__(self) -> None:
        super().__init__()


class Recorded(Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """A wrapper that can be made again, also from a file."""

    safe_in_files = True

    def __init__(self, env: Env[Any, Any], bonus: int = 0) -> None:
        RecordConstructorArgs.__init__(self, bonus=bonus)
        Wrapper.__init__(self, env)
        self.bonus = bonus


class Unrecorded(Wrapper[Any, Any, Any, Any]):
    """A wrapper that cannot be made again."""


def wrapped_toy(bonus: int = 1, **kwargs: Any) -> Env[Any, Any]:
    """Returns an environment that comes with a wrapper of its own."""
    return Recorded(Toy(**kwargs), bonus=bonus)


def no_env() -> str:
    """Returns something else."""
    return "no environment"
