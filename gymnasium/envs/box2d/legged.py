"""The common part of the environments with a hull on two legs: who touches the ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d.base import Box2DEnv

_HULL: Final = "hull"  # its name in contacts; feet are named by their numbers


class LeggedEnv(Box2DEnv[NDArray[np.float32], ActType]):
    """An environment of a hull that must not touch the ground, and of two feet that may.

    Args:
        render_mode: One of `metadata["render_modes"]`, or None.

    Attributes:
        legs: Bodies of the engine; the feet among them have an attribute `ground_contact`.
        game_over: Whether the hull has touched the ground.
        prev_shaping: The quality of the previous state, by whose growth steps are rewarded; None before the first.
    """

    def __init__(self, render_mode: str | None) -> None:
        self.legs: list[engine.Body] = []
        self.game_over = False
        self.prev_shaping: float | None = None
        self._feet: Sequence[engine.Body] = ()
        self._standing = np.zeros(2, np.uint8)  # whether each foot stands
        super().__init__(render_mode)

    def _watch(self, hull: engine.Body, feet: Sequence[engine.Body]) -> None:
        """Begin an episode, before its first step: its contacts are recorded from now on."""
        self.game_over = False
        self.prev_shaping = None
        self._feet = feet
        self._standing[:] = 0
        engine.name(hull, _HULL)
        for i, foot in enumerate(feet):
            engine.name(foot, i)
            foot.ground_contact = False


class ContactDetector(engine.ContactListener):
    """Records which foot stands on the ground, and whether the hull has touched it."""

    def __init__(self, env: LeggedEnv[Any]) -> None:
        super().__init__()
        self.env = env

    def begin(self, one: Any, other: Any) -> None:
        """The hull ends the game; a foot stands."""
        for body in (one, other):
            if body == _HULL:
                self.env.game_over = True
            elif body is not None:
                self._set(body, True)

    def end(self, one: Any, other: Any) -> None:
        """A foot has left a piece of the ground."""
        for body in (one, other):
            if type(body) is int:
                self._set(body, False)

    def _set(self, foot: int, stands: bool) -> None:
        self.env._feet[foot].ground_contact = self.env._standing[foot] = stands
