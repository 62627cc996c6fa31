"""The runner of a single copy: a `FuncEnv` as an ordinary `Env`, in plain Python."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from gymnasium.core import ActType, Env, ObsType, RenderFrame
from gymnasium.error import ResetNeeded, StepBeforeReset
from gymnasium.functional.attributes import Later, is_ours, is_replaced, stand_in_for_constructor
from gymnasium.functional.boundary import (
    action_reader,
    in_one_piece,
    observation_packer,
    own_info,
    plain_state,
    render_mode_chosen,
)
from gymnasium.functional.fields import beyond, fitted
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import check_written, instance_of, params_of
from gymnasium.functional.stream import Stream
from gymnasium.logger import warn
from gymnasium.utils._generators import put_generator
from gymnasium.utils._missing import without_mode

if TYPE_CHECKING:
    from gymnasium.rendering.window import Window


class Parameter:
    """An attribute that reads and sets a field of the environment's params, with effect from the next step.

    Args:
        field: The field; None if it has the name of the attribute.
    """

    def __init__(self, field: str | None = None) -> None:
        self.field = field or ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.field = self.field or name

    def __get__(self, env: FunctionalEnv | None, owner: type) -> Any:
        return self if env is None else getattr(env.params, self.field)

    def __set__(self, env: FunctionalEnv, value: Any) -> None:
        env.params = env.params._replace(**{self.field: value})


class FunctionalState(NamedTuple):
    """A snapshot of an episode. Plain data that can be pickled."""

    kind: str
    """The dynamics, and their observation space."""
    state: Any
    """The dynamics' state."""
    generator: dict[str, Any]
    """The state of `np_random`'s bit generator."""
    seed: int | None
    """The seed of `np_random`."""
    steps_beyond_terminated: int | None
    """The number of steps since the episode's end; None before it."""


class FunctionalEnv(Env[ObsType, ActType]):
    """A `FuncEnv` as an `Env`.

    Either pass the dynamics, `FunctionalEnv(MyFuncEnv(), gravity=3.7)`, or make a subclass that names them in
    `dynamics`; its `metadata` are then those of the dynamics.

    The first step after an episode's end raises a warning, once an episode; it is computed like any other.

    Args:
        func_env: The dynamics, an instance or a class; None for those of the class.
        render_mode: One of `metadata["render_modes"]`, or None.
        **params: Fields of the params that differ from their defaults; of a class also its constructor's arguments.

    Attributes:
        func_env: The dynamics.
        params: The parameters of the dynamics.
        steps_beyond_terminated: None, or the number of steps since the episode's end.
        isopen: Whether `close` has not been called.

    Raises:
        TypeError: If the dynamics lack something, or are written so that they cannot be called; or for params that
            they do not have.
        gymnasium.error.UnsupportedMode: For render mode `"human"` without a display.
    """

    dynamics: ClassVar[type[FuncEnv]]
    observer: ClassVar[str] = ""
    """The name of a method that a user's subclass may override to observe otherwise, if there is one."""
    hooks: ClassVar[tuple[str, ...]] = ()
    """Other methods that a user's subclass may override, with effect on each step."""

    left_out: ClassVar[dict[str, Any]] = {
        "func_env": Later(lambda env: env.dynamics()),
        "params": Later(lambda env: env._usual_params()),
        "_read_action": Later(lambda env: action_reader(env.action_space)),
        "_pack_own": Later(lambda env: observation_packer(env.func_env.observation_space)),
        "_space_read": None,
        "_own_stream": None,
        "_dynamics_state": None,
        "_lent": None,
    }
    """What the constructor sets, for subclasses whose constructor does not call it."""

    _render_state: Any = None
    _own_window: Window | None = None
    isopen = True
    steps_beyond_terminated: int | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        stand_in_for_constructor(cls)
        if "dynamics" in cls.__dict__:
            cls.metadata = cls.dynamics.metadata

    def __init__(
        self,
        func_env: FuncEnv | type[FuncEnv] | None = None,
        render_mode: str | None = None,
        **params: object,
    ) -> None:
        if func_env is None:
            self.func_env = self.dynamics()
        else:
            self.func_env, params = instance_of(func_env, params)
        check_written(self.func_env)
        self.params = params_of(self.func_env, params)
        if func_env is not None:
            self.metadata = self.func_env.metadata
        self.observation_space = self.func_env.observation_space
        self.action_space = self.func_env.action_space
        self.render_mode = render_mode
        if render_mode == "human":
            from gymnasium.rendering.window import require_display  # late: many programs draw nothing

            require_display()
        self._dynamics_state: Any = None
        self._lent: Any = None
        self._attach()

    def _usual_params(self) -> Any:
        """Returns the params of an environment whose constructor has not made them."""
        return params_of(self.func_env, {})

    def _attach(self) -> None:
        """Make the parts that are not pickled: the reader of actions, and whatever calls a user's methods."""
        self._space_read = self.action_space  # by the next function
        self._read_action = action_reader(self.action_space)
        self._pack = self._pack_own = observation_packer(self.func_env.observation_space)
        if is_replaced(self, self.observer):
            self._pack = lambda _: getattr(self, self.observer)()
        self._own_stream: Any = None
        self._whole: tuple[int, ...] = self._whole_fields()
        self._reports = self._has_infos()
        self._arrays = True  # whether the state may contain arrays

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _ATTACHED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._attach()

    @property
    def state(self) -> Any:
        """The dynamics' state; None before the first reset. An assignment takes effect at the next step."""
        return self._dynamics_state

    @state.setter
    def state(self, value: Any) -> None:
        self._dynamics_state = value

    def has_wrapper_attr(self, name: str) -> bool:
        """Returns whether this environment has the attribute `name`, or its params the field."""
        return self._is_param(name) or super().has_wrapper_attr(name)

    def get_wrapper_attr(self, name: str) -> Any:
        """Returns the attribute `name`, or the field of the params.

        Raises:
            AttributeError: If there is neither.
        """
        return getattr(self.params, name) if self._is_param(name) else super().get_wrapper_attr(name)

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Set the attribute `name`, or the field of the params, and return whether it was set."""
        if not self._is_param(name):
            return super().set_wrapper_attr(name, value, force=force)
        self.params = self.params._replace(**{name: value})
        return True

    def _is_param(self, name: str) -> bool:
        return not hasattr(self, name) and name in getattr(self.params, "_fields", ())

    def get_state(self) -> FunctionalState:
        """Returns a snapshot, from which `set_state` continues exactly: the same bits for the same actions.

        Raises:
            gymnasium.error.ResetNeeded: If there is no state yet.
        """
        if self._dynamics_state is None:
            raise ResetNeeded(f"{type(self).__name__} has no state before the first reset: call reset() first")
        if self._lent is not None:
            self._take_back()
        generator = dict(self.np_random.bit_generator.state)
        return FunctionalState(
            self._kind(), deepcopy(self._dynamics_state), generator, self._np_random_seed, self.steps_beyond_terminated
        )

    def set_state(self, state: FunctionalState) -> None:
        """Restore a snapshot of `get_state`, of any environment with the same dynamics.

        The params are not part of it and stay unchanged.

        Raises:
            TypeError: If `state` is not a result of `get_state`.
            ValueError: If it belongs to other dynamics, or holds values that these never have. Nothing is set in either
                case.
        """
        if not isinstance(state, FunctionalState):
            raise TypeError(f"set_state expects a result of get_state, a FunctionalState, but a {type(state)} came")
        if state.kind != self._kind():
            raise ValueError(f"set_state expects a state of {self._kind()}, but one of {state.kind} came")
        new = deepcopy(state.state)
        if is_ours(self.func_env):
            new = fitted(new, self._dynamics_state, getattr(self.func_env, "state_ranges", {}))
        put_generator(self.np_random.bit_generator, state.generator)
        self._np_random_seed = state.seed
        self._dynamics_state, self._lent = new, None
        self.steps_beyond_terminated = state.steps_beyond_terminated

    def _kind(self) -> str:
        return f"{type(self.func_env).__name__} observing {self.observation_space}"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode; `options` is not used, unless a subclass says so."""
        return self._begin(seed, self.params)

    def _begin(self, seed: int | None, params: object) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode in a state drawn with `params`, which for this reset may differ from `self.params`."""
        Env.reset(self, seed=seed)
        if self._space_read is not self.action_space:
            self._attach()
        rng = self._stream()
        state = self.func_env.initial(rng, params)
        self._dynamics_state = state
        self._whole = self._whole_fields()
        self._arrays = any(isinstance(field, np.ndarray) for field in state) if isinstance(state, tuple) else False
        self._lent = None
        self.steps_beyond_terminated = None
        observation = self._pack(self.func_env.observation(self._dynamics_state, rng, self.params))
        if self.render_mode == "human":
            self.render()
        info = own_info(self.func_env.state_info(self._reported_state(state), self.params))
        if self._arrays:
            self._dynamics_state = in_one_piece(self._dynamics_state)
        return observation, info

    def step(self, action: ActType) -> tuple[ObsType, Any, bool, bool, dict[str, Any]]:
        """Take one action. Never truncates: the wrapper `TimeLimit` does.

        Raises:
            gymnasium.error.ActionOutsideSpace: If `action` is not in the action space; values beyond a Box's bounds
                pass.
            gymnasium.error.StepBeforeReset: If there is no state yet.
        """
        move = self._read_action(action)
        if self._lent is not None:
            self._take_back()
        state, params, dynamics = self._dynamics_state, self.params, self.func_env
        if state is None:
            raise StepBeforeReset(f"{type(self).__name__}.step came before the first reset: call reset() first")
        rng = self._own_stream or self._stream()
        self._dynamics_state = next_state = dynamics.transition(state, move, rng, params)
        for k in self._whole:
            if not _LOWEST <= next_state[k] <= _HIGHEST:
                self._refuse_whole(next_state, k)
        reward = dynamics.reward(state, move, next_state, rng, params)
        terminated = dynamics.terminal(next_state, rng, params)
        if terminated:
            reward = self._reward_at_end(reward)
        observation = self._pack(dynamics.observation(next_state, rng, params))
        if self.render_mode == "human":
            self.render()
        if self._arrays or self._reports:
            self._dynamics_state = in_one_piece(next_state)
            state, next_state = self._reported_state(state), self._reported_state(next_state)
        info = dynamics.transition_info(state, move, next_state, params)
        return observation, reward, terminated, False, own_info(info) if info else info

    def _observed(self) -> ObsType:
        """Returns the observation of the present state."""
        if self._lent is not None:
            self._take_back()
        return self._pack_own(self.func_env.observation(self._dynamics_state, self._stream(), self.params))  # type: ignore[no-any-return]

    def _repeat(self, action: Any) -> tuple[ObsType, Any, bool, bool, dict[str, Any]]:
        """Take one action as a batch does, without the additions of a subclass to `step`."""
        return FunctionalEnv.step(self, action)

    def _reported_state(self, state: object) -> Any:
        """Returns a state for info functions: a user's get numbers and arrays as in a batch."""
        return plain_state(state) if self._reports else state

    def _has_infos(self) -> bool:
        """Returns whether the dynamics have info functions that are not of this package."""
        kind = type(self.func_env)
        own = kind.state_info is not FuncEnv.state_info or kind.transition_info is not FuncEnv.transition_info
        return own and not kind.__module__.startswith("gymnasium.envs.")

    def _whole_fields(self) -> tuple[int, ...]:
        """Returns which of the state's fields are Python integers of any length; those of this package never grow."""
        if type(self.func_env).__module__.startswith("gymnasium.envs."):
            return ()
        fields = self._dynamics_state if isinstance(self._dynamics_state, tuple) else ()
        return tuple(k for k, field in enumerate(fields) if type(field) is int)

    def _refuse_whole(self, state: Any, k: int) -> None:
        raise beyond(state._fields[k], state[k])

    def _reward_at_end(self, reward: object) -> Any:
        """Count the steps since the end, warn about the first, and return the reward of a step that ends past it."""
        if self.steps_beyond_terminated is None:
            self.steps_beyond_terminated = 0
            return reward
        if self.steps_beyond_terminated == 0:
            warn(
                "step() was called although the episode is over (terminated was True): call reset() first. "
                "Further steps have no meaning for the task"
            )
        self.steps_beyond_terminated += 1
        return reward

    def _take_back(self) -> None:
        """Read again the data that a subclass handed out in `_lent`, because the caller may have modified it."""
        raise NotImplementedError

    def _settle(self) -> None:  # only some subclasses lend parts of their params
        """Take what users have changed in place into the params, of which copies are about to be made."""

    def _stream(self) -> Stream:
        """Returns the stream of `np_random`'s numbers, which a reset or an assignment may have replaced."""
        bits = (self._np_random or self.np_random).bit_generator
        if self._own_stream is None or self._own_stream.bit_generator is not bits:
            self._own_stream = Stream(bits)
        return self._own_stream  # type: ignore[no-any-return]

    @property
    def np_random(self) -> np.random.Generator:
        """The source of all of the environment's randomness."""
        return super().np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = value, -1
        self._own_stream = None

    @without_mode
    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Show the state in the `render_mode`; None before the first reset."""
        if not render_mode_chosen(self) or self._dynamics_state is None:
            return None
        return self._text() if self.render_mode in ("ansi", "ansi_list") else self._picture()

    def _text(self) -> str:
        return self.func_env.render_text(self._dynamics_state, self.params)

    def _picture(self) -> RenderFrame | None:
        """Returns the picture of the state; None for render mode `"human"`, whose window shows it."""
        if self._render_state is None:
            self._render_state = self.func_env.render_init(self.params)
        self._render_state, frame = self.func_env.render_image(self._dynamics_state, self._render_state, self.params)
        if self.render_mode != "human":
            return frame
        if self._own_window is None:
            from gymnasium.rendering.window import Window

            self._own_window = Window(str(self), self.metadata["render_fps"])
        self._own_window.show(frame)
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._own_window is not None:
            self._own_window.close()
        if self._render_state is not None:
            self.func_env.render_close(self._render_state, self.params)
        self._own_window = self._render_state = None
        self.isopen = False


_LOWEST, _HIGHEST = -(1 << 63), (1 << 63) - 1
_ATTACHED = {
    "_space_read",
    "_whole",
    "_reports",
    "_arrays",
    "_read_action",
    "_pack",
    "_pack_own",
    "_own_stream",
    "_render_state",
    "_own_window",
}
