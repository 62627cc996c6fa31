"""The common base of the Box2D environments: the order of an episode, its record, and the window."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObsType, RenderFrame
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._stepping import switch
from gymnasium.envs.box2d._stepping.program import MachineCode, Program
from gymnasium.error import ActionOutsideSpace, ResetNeeded, StepBeforeReset
from gymnasium.functional.attributes import Later, is_replaced, stand_in_for_constructor
from gymnasium.functional.boundary import action_reader, render_mode_chosen, warn_of_uncalled
from gymnasium.functional.stream import Stream
from gymnasium.rendering.window import Window, require_display
from gymnasium.utils._generators import checked_generator, put_generator
from gymnasium.utils.ezpickle import EzPickle

_LONGEST = 1_000_000  # steps that a state may hold: more would take minutes, for a file that is small


class EpisodeState(NamedTuple):
    """A snapshot of an episode: its start, and the actions since. Plain data that can be pickled."""

    made: tuple[str, tuple[Any, ...]]
    """The environment's class and its arguments, the render mode left out."""
    generator: dict[str, Any]
    """The state of `np_random`'s bit generator at the start of the episode."""
    seed: int | None
    """The seed of `np_random`."""
    settings: dict[str, Any]
    """The attributes that affect the start."""
    options: dict[str, Any] | None
    """The options of the reset."""
    actions: tuple[Any, ...]
    """The actions since, in the form used by the environment."""


class Box2DEnv(Env[ObsType, ActType], EzPickle):
    """An environment simulated by Box2D.

    The engine's contacts and joints keep impulses that cannot be read or set, so a snapshot records the start and the
    actions instead: `set_state` replays the episode from its first step, exactly, in the time that its steps take.

    Args:
        render_mode: One of `metadata["render_modes"]`, or None.

    Attributes:
        world: The engine's world; None before the first reset, and a new one at each.
        isopen: Whether `close` has not been called.

    Raises:
        gymnasium.error.UnsupportedMode: For render mode `"human"` without a display.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "render_fps": 50}
    settings: ClassVar[tuple[str, ...]] = ()  # attributes that affect the start of an episode
    episodic: ClassVar[tuple[str, ...]] = ()  # `Derived` attributes of an episode: assigned values end with it
    uncalled: ClassVar[tuple[str, ...]] = ()  # methods that other implementations call, and which have no use here
    screen = clock = None  # pictures are drawn without pygame
    isopen = True
    _window: Window | None = None
    left_out: ClassVar[dict[str, Any]] = {
        "world": None,
        "_read_action": Later(lambda env: action_reader(env.action_space)),
        "_space_read": None,
        "_code": None,
        "_rng": None,
        "_start": None,
        "_ezpickle_args": (),
        "_ezpickle_kwargs": {},
    }
    """What the constructor sets, for subclasses whose constructor does not call it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        warn_of_uncalled(cls, cls.uncalled)
        stand_in_for_constructor(cls)

    def __init__(self, render_mode: str | None) -> None:
        self.render_mode = render_mode
        if render_mode == "human":
            require_display()
        self.world: Any = None
        self._code: MachineCode | None = None
        self._rng: Any = None
        self._start: EpisodeState | None = None
        self._actions: list[Any] = []
        self._attach()

    def _attach(self) -> None:
        """Make the reader of actions."""
        self._space_read = self.action_space  # by the next function
        self._read_action = action_reader(self.action_space)

    @abstractmethod
    def _build(self, rng: Any, options: dict[str, Any] | None) -> None:
        """Set `world` up for a new episode, with draws from `rng`.

        `_code` holds the machine code for this, once there is any.
        """

    @staticmethod
    @abstractmethod
    def _program() -> Program:
        """The functions that this environment wants as machine code; called once per process, when that pays."""

    @abstractmethod
    def _act(self, move: Any) -> tuple[float, bool, dict[str, Any]]:
        """Simulate one step; returns reward, whether the task is over, and the info."""

    @abstractmethod
    def _observation(self) -> ObsType:
        """The present observation; a new array at each call."""

    @abstractmethod
    def _frame(self) -> NDArray[np.uint8]:
        """The picture for `render`."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode; `options` is not used, unless the class says so."""
        super().reset(seed=seed)
        if self._space_read is not self.action_space:
            self._attach()
        bits = self.np_random.bit_generator
        start = {name: deepcopy(getattr(self, name)) for name in self.settings}
        self._start = EpisodeState(
            self._made(), dict(bits.state), self._np_random_seed, start, deepcopy(options), actions=()
        )
        self._actions = []
        if self._rng is None or self._rng.bit_generator is not bits:
            self._rng = Stream(bits)
        self._begin(options)
        if self.render_mode == "human":
            self.render()
        return self._observation(), {}

    def step(self, action: ActType) -> tuple[ObsType, float, bool, bool, dict[str, Any]]:
        """Act for 1/50 s. Never truncates: the wrapper `TimeLimit` does.

        Raises:
            gymnasium.error.ActionOutsideSpace: If `action` is not in the action space; values beyond a Box's bounds
                pass.
            gymnasium.error.StepBeforeReset: If there is no episode yet.
        """
        move = self._read_action(action)
        if self._start is None:
            raise StepBeforeReset(f"{type(self).__name__}.step came before the first reset: call reset() first")
        if self._code is None:
            self._look_for_code()
        self._actions.append(move)
        reward, terminated, info = self._act(move)
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, terminated, False, info

    def get_state(self) -> EpisodeState:
        """Returns a snapshot for `set_state`, also for use in another environment made with equal arguments.

        Raises:
            gymnasium.error.ResetNeeded: If there is no episode yet.
        """
        if self._start is None:
            raise ResetNeeded(f"{type(self).__name__} has no state before the first reset: call reset() first")
        return self._start._replace(actions=tuple(self._actions))

    def set_state(self, state: EpisodeState) -> None:
        """Restore a snapshot by replaying its episode: observations, rewards and `np_random` continue as they did.

        Changes from outside during that episode (bodies of `world`, attributes) are not part of it.

        Raises:
            TypeError: If `state` is not a result of `get_state`.
            ValueError: If it belongs to another class, or to an environment made with other arguments, or holds values
                that no episode has. Nothing is set in either case.
        """
        if not isinstance(state, EpisodeState):
            raise TypeError(f"set_state expects a result of get_state, an EpisodeState, but a {type(state)} came")
        if state.made != self._made():
            raise ValueError(f"set_state expects a state of {self._made()}, but one of {state.made} came")
        actions = self._checked_actions(state.actions)
        settings = {name: self._checked_setting(name, value) for name, value in state.settings.items()}
        if not (state.options is None or isinstance(state.options, dict)):
            raise ValueError(f"set_state expects the options of a reset, a dict, but {state.options!r:.200} came")
        put_generator(self.np_random.bit_generator, state.generator)
        for name, value in settings.items():
            setattr(self, name, value)
        self._np_random_seed = state.seed
        self._start, self._actions = state._replace(actions=()), actions
        self._rng = Stream(self.np_random.bit_generator)
        self._begin(state.options)
        self._replay(actions)

    def _checked_actions(self, moves: Sequence[Any]) -> list[Any]:
        """Returns the record of a state, which may be a stranger's file, in the form used by the environment."""
        if len(moves) > _LONGEST:
            raise ValueError(f"set_state repeats up to {_LONGEST} steps, but {len(moves)} came")
        return [checked_generator(move) if isinstance(move, Mapping) else self._checked_move(move) for move in moves]

    def _checked_move(self, move: object) -> Any:
        try:
            return self._read_action(move)
        except ActionOutsideSpace as error:
            raise ValueError(f"set_state expects an episode's actions: {error}") from error

    def _checked_setting(self, name: str, value: Any) -> Any:
        """Returns a copy of an attribute of a state: a number, or an array of them, as the present value is."""
        if name not in self.settings:
            raise ValueError(f"The settings of a {type(self).__name__} are {self.settings}, but {name!r:.200} came")
        known, found = np.asarray(getattr(self, name)), np.asarray(value)
        kinds = "b" if known.dtype.kind == "b" else "iuf"
        if found.shape != known.shape or found.dtype.kind not in kinds or not np.isfinite(found).all():
            raise ValueError(f"{name} of a {type(self).__name__} is like {known!r}, but {value!r:.200} came")
        return deepcopy(value)

    def _replay(self, moves: Sequence[Any]) -> None:
        """Repeat the record of a state: actions, and other random numbers."""
        for move in moves:
            if isinstance(move, Mapping):
                put_generator(self.np_random.bit_generator, move)
                continue
            if self._code is None:
                self._look_for_code()
            self._act(move)

    def reseed(self, generator: Mapping[str, Any], seed: int) -> None:
        """Continue with other random numbers, in the middle of the episode, whose record includes this change.

        Args:
            generator: The state of a bit generator.
            seed: Its seed.
        """
        put_generator(self.np_random.bit_generator, generator)
        self._np_random_seed = seed
        self._actions.append(dict(generator))

    def _begin(self, options: dict[str, Any] | None) -> None:
        if is_replaced(self, "_destroy"):
            self._destroy()
        for name in self.episodic:
            with suppress(AttributeError):  # most have none; `vars(self)` would make attributes slower
                delattr(self, name)
        with engine.BUILDING:
            self._code = self._find_code()
            self._build(self._rng, options)
            if self._code is not None:
                self._take_over(self._code)
            self._bind()
            self._settle()

    def _destroy(self) -> None:
        """Take the bodies out of the world; a reset, which makes a new one, calls it where a subclass overrides it."""

    def _find_code(self) -> MachineCode | None:
        return switch.machine_code(self._program)

    def _look_for_code(self) -> None:
        """Count a step; from a certain step on, machine code runs the rest of the episode."""
        switch.count_step()
        with engine.BUILDING:
            code = self._find_code()
            if code is not None:
                self._switch_to(code)

    def _switch_to(self, code: MachineCode) -> None:
        """Run the rest of an episode by machine code."""
        self._code = code
        self._take_over(code)
        self._bind()

    def _take_over(self, code: MachineCode) -> None:
        """Let the engine call machine code in this world."""
        code.take_over(self.world)

    def _bind(self) -> None:  # not all subclasses have anything to bind
        """Bind the functions of a step to the world, as Python, or as machine code if `_code` has it."""

    def _settle(self) -> None:  # not all subclasses have it
        """Take the step before the first observation."""

    def _made(self) -> tuple[str, tuple[Any, ...]]:
        return type(self).__name__, self._ezpickle_args[1:]

    @property
    def np_random(self) -> np.random.Generator:
        """The source of all of the environment's randomness."""
        return super().np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = value, -1
        self._rng = Stream(value.bit_generator)

    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Show the state in the `render_mode`; None before the first reset."""
        if not render_mode_chosen(self) or self._start is None:
            return None
        if self.render_mode != "human":
            return self._frame()
        if self._window is None:
            self._window = Window(str(self), self.metadata["render_fps"])
        self._window.show(self._frame())
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._window is not None:
            self._window.close()
            self._window = None
        self.isopen = False
