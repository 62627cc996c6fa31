"""The common part of the environments with a hull on two legs: who touches the ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._fast.program import FEET, WATCHED, MachineCode
from gymnasium.envs.box2d.base import Box2DEnv

_HULL: Final = "hull"  # its name in contacts; feet are named by their numbers
_NAMES: Final = (*range(FEET), _HULL)


class Foot(engine.Box2D.b2Body):  # type: ignore[name-defined,misc]  # Box2D ships no types
    """A body of the engine that knows whether it stands on the ground."""

    _number: int
    _marks: NDArray[np.uint8]

    def watch(self, number: int, marks: NDArray[np.uint8]) -> None:
        """Take part in an episode as one of the feet, marked in `marks[number]`."""
        self._number, self._marks = number, marks

    @property
    def ground_contact(self) -> bool:
        """Whether it stands on the ground."""
        return bool(self._marks[self._number])

    @ground_contact.setter
    def ground_contact(self, stands: bool) -> None:
        self._marks[self._number] = stands


Foot.__name__ = "b2Body"  # the bindings know by it what `repr` shows


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
        self.prev_shaping: float | None = None
        self._marks = np.zeros(WATCHED, np.uint8)  # which of the feet and the hull have touched the ground
        super().__init__(render_mode)

    @property
    def game_over(self) -> bool:
        """Whether the hull has touched the ground."""
        return bool(self._marks[FEET])

    @game_over.setter
    def game_over(self, touched: bool) -> None:
        self._marks[FEET] = touched

    def _begin_world(self, gravity: float) -> None:
        """Begin an episode in a new world, with marks of its own: the old one may go on elsewhere."""
        self.prev_shaping = None
        self._marks = np.zeros(WATCHED, np.uint8)
        self.world = engine.new_world((0, gravity), ContactDetector(self))

    def _watch(self, hull: engine.Body, feet: Sequence[engine.Body]) -> None:
        """Record the contacts of a hull and of the feet from now on."""
        for number, foot in enumerate(feet):
            foot.__class__ = Foot
            foot.watch(number, self._marks)
        for body, name in zip((*feet, hull), _NAMES, strict=True):
            engine.name(body, name)

    def _take_over(self, code: MachineCode) -> None:
        super()._take_over(code)
        if type(self.world.contactListener) is ContactDetector:
            code.watch(self.world, self._marks, _NAMES)


class ContactDetector(engine.ContactListener):
    """Records which foot stands on the ground, and whether the hull has touched it."""

    def __init__(self, env: LeggedEnv[Any]) -> None:
        super().__init__()
        self.env = env
        self._marks = env._marks

    def begin(self, one: Any, other: Any) -> None:
        """The hull ends the game; a foot stands."""
        for body in (one, other):
            if body is not None:
                self._marks[_NAMES.index(body)] = True

    def end(self, one: Any, other: Any) -> None:
        """A foot has left a piece of the ground."""
        for body in (one, other):
            if type(body) is int:
                self._marks[body] = False
