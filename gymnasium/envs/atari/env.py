"""One Atari game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from gymnasium.envs.atari import library
from gymnasium.functional.boundary import action_reader
from gymnasium.spaces import Discrete


class AtariEnv(library.env.AtariEnv):
    """An Atari game, played by the emulator of ale-py.

    It is ale-py's class, which here refuses actions that the game lacks, and can skip unused drawing.
    """

    _drawn = True

    def step(self, action: Any) -> Any:
        """Take an action for `frameskip` frames.

        Raises:
            gymnasium.error.ActionOutsideSpace: If `action` is not in the action space; nothing moves then.
        """
        return super().step(self._read_action(action))

    @cached_property
    def _read_action(self) -> Callable[[Any], Any]:
        read = action_reader(self.action_space)
        if isinstance(self.action_space, Discrete):
            return read
        return lambda action: np.array(read(action), np.float32)

    @contextmanager
    def undrawn(self) -> Iterator[None]:
        """Within the `with` block, steps return pictures with arbitrary contents.

        For callers that read the emulator's screen directly, and not after each step: drawing takes a fifth of a step.
        """
        self._drawn = False
        try:
            yield
        finally:
            self._drawn = True

    def _get_obs(self) -> Any:
        return super()._get_obs() if self._drawn else np.empty(self.observation_space.shape, np.uint8)
