"""The common part of the environments with a hull on two legs: who touches the ground."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Sequence
from math import nan
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._stepping.batch_stepper import BatchStepper
from gymnasium.envs.box2d._stepping.layout import SHAPING
from gymnasium.envs.box2d._stepping.program import FEET, WATCHED, MachineCode
from gymnasium.envs.box2d._stepping.stepping import MachineStepper, PythonStepper, Stepper
from gymnasium.envs.box2d.base import Box2DEnv
from gymnasium.functional.attributes import Later

_HULL: Final = "hull"  # its name in contacts; feet are named by their numbers
_NAMES: Final = (*range(FEET), _HULL)


def new_marks() -> array[int]:
    """Returns the marks of the feet and the hull that touch the ground, at first none: a byte for each."""
    return array("B", bytes(WATCHED))


class Foot(engine.Box2D.b2Body):  # type: ignore[name-defined,misc]  # Box2D ships no types
    """A body of the engine that knows whether it stands on the ground."""

    _number: int
    _marks: array[int]

    def watch(self, number: int, marks: array[int]) -> None:
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


class Sizes(NamedTuple):
    """How many numbers describe an environment of a class."""

    move: int
    """Of an action."""
    seen: int
    """Of an observation."""
    numbers: int
    """Of its other state."""
    words: int
    """Addresses and counts, for machine code."""


def _no_numbers(sizes: Sizes) -> array[float]:
    """Returns the other state before the first step."""
    numbers = array("d", bytes(8 * sizes.numbers))
    numbers[SHAPING] = nan
    return numbers


class LeggedEnv(Box2DEnv[NDArray[np.float32], ActType]):
    """An environment of a hull that must not touch the ground, and of two feet that may.

    Args:
        render_mode: One of `metadata["render_modes"]`, or None.

    Attributes:
        legs: Bodies of the engine; the feet among them have an attribute `ground_contact`.
        game_over: Whether the hull has touched the ground.
        prev_shaping: The quality of the previous state, by whose growth steps are rewarded; None before the first.
    """

    _sizes: ClassVar[Sizes]
    left_out: ClassVar[dict[str, Any]] = {
        "legs": Later(lambda env: []),
        "_marks": Later(lambda env: new_marks()),
        "_numbers": Later(lambda env: _no_numbers(env._sizes)),
        "_seen": Later(lambda env: np.zeros(env._sizes.seen, np.float32)),
        "_machine": None,
        "_listener": -1,
    }
    legs: list[engine.Body]
    _stepper: Stepper  # of the episode

    def __init__(self, render_mode: str | None) -> None:
        self.legs = []
        self._marks = new_marks()
        self._numbers = _no_numbers(self._sizes)
        self._seen = np.zeros(self._sizes.seen, np.float32)
        self._machine: MachineStepper | None = None
        self._listener = -1
        super().__init__(render_mode)

    @property
    def prev_shaping(self) -> float | None:
        """The quality of the previous state; None before the first."""
        shaping = self._numbers[SHAPING]
        return None if shaping != shaping else shaping

    @prev_shaping.setter
    def prev_shaping(self, shaping: float | None) -> None:
        self._numbers[SHAPING] = nan if shaping is None else shaping

    @property
    def game_over(self) -> bool:
        """Whether the hull has touched the ground."""
        return bool(self._marks[FEET])

    @game_over.setter
    def game_over(self, touched: bool) -> None:
        self._marks[FEET] = touched

    @abstractmethod
    def _python_stepper(self) -> PythonStepper:
        """Returns the steps of this episode as Python."""

    @abstractmethod
    def _board(self, stepper: MachineStepper, code: MachineCode) -> None:
        """Let machine code step this episode."""

    def _begin_world(self, gravity: float) -> None:
        """Begin an episode in a new world, with marks of its own: the old one may go on elsewhere."""
        self.prev_shaping = None
        self._marks = new_marks()
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
        own = type(self.world.contactListener) is ContactDetector
        self._listener = code.watch(self.world, self._marks, _NAMES) if own else -1

    def _bind(self) -> None:
        code = self._code
        if code is None:
            self._stepper = self._python_stepper()
            return
        step = code.functions["step"]
        if self._machine is None or self._machine.kernel is not step:
            self._machine = MachineStepper(step, self._sizes.move, self._sizes.words)
        self._board(self._machine, code)
        self._stepper = self._machine

    def machine_stepper(self) -> MachineStepper | None:
        """Returns the function that steps this environment; None if Python has a part in its steps."""
        stepper = self._machine
        if stepper is None or self._stepper is not stepper or self.world is not stepper.world:
            return None
        return None if self.render_mode is not None or "step" in vars(self) else stepper

    def record(self) -> Callable[[Any], None]:
        """Returns the function that records an action in this episode."""
        return self._actions.append

    def _observation(self) -> NDArray[np.float32]:
        return self._seen.copy()


def batch_stepper_of(envs: Sequence[LeggedEnv[Any]]) -> BatchStepper:
    """Returns the function that steps environments of one class in one call."""
    sizes = envs[0]._sizes
    return BatchStepper(envs, sizes.move, sizes.seen)


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
