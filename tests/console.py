"""A game of our own with the emulator's interface, whose frames tell themselves apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete


class Emulator:
    """A screen whose left half is drawn in even frames, and whose right half in odd ones."""

    def __init__(self) -> None:
        self.t = 0
        self.left = 5

    def lives(self) -> int:
        return self.left

    def screen(self) -> Any:
        picture = np.zeros((210, 160), np.uint8)
        half = slice(0, 80) if self.t % 2 == 0 else slice(80, 160)
        picture[:, half] = 10 + self.t % 200
        return picture

    def getScreenGrayscale(self, out: Any) -> None:  # noqa: N802  # ale-py's name
        out[:] = self.screen()

    def getScreenRGB(self, out: Any) -> None:  # noqa: N802
        out[:] = self.screen()[:, :, np.newaxis]


class Game(Env[Any, Any]):
    """Loses a life in each seventh frame, and ends after `length`."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 60}

    def __init__(
        self,
        length: int = 1000,
        frameskip: int = 1,
        meanings: tuple[str, ...] = ("NOOP", "FIRE"),
        render_mode: str | None = None,
    ) -> None:
        self.observation_space: Any = Box(0, 255, (210, 160, 3), np.uint8)
        self.action_space = Discrete(2)
        self.render_mode = render_mode
        self.length = length
        self.meanings = list(meanings)
        self._frameskip = frameskip
        self.ale = Emulator()
        self.seeds: list[int | None] = []

    def get_action_meanings(self) -> list[str]:
        return self.meanings

    def observe(self) -> Any:
        picture = np.empty(self.observation_space.shape, np.uint8)
        self.ale.getScreenRGB(picture)
        return picture

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.seeds.append(seed)
        self.ale.t, self.ale.left = 0, 5
        return self.observe(), {"began": True}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.ale.t += 1
        self.ale.left -= self.ale.t % 7 == 0
        return self.observe(), 1.0, self.ale.t >= self.length, False, {"t": self.ale.t}
