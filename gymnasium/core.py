"""The interface between an agent and its environment: `Env`, and the wrappers around one.

The loop of an agent:

    observation, info = env.reset(seed=0)
    while True:
        action = policy(observation)
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            observation, info = env.reset()
"""

from __future__ import annotations

from copy import deepcopy
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsFloat, TypeAlias

import numpy as np
from typing_extensions import Self, TypeVar

from gymnasium.logger import warn
from gymnasium.spaces.space import Space
from gymnasium.specs import EnvSpec, WrapperSpec
from gymnasium.utils import seeding
from gymnasium.utils._missing import has, missing_attribute, without_mode
from gymnasium.utils.record_constructor import RecordConstructorArgs

__all__ = [
    "ActType",
    "ActionWrapper",
    "Env",
    "ObsType",
    "ObservationWrapper",
    "RenderFrame",
    "RewardWrapper",
    "Wrapper",
    "WrapperActType",
    "WrapperObsType",
]

ObsType = TypeVar("ObsType", default=Any)
ActType = TypeVar("ActType", default=Any)
WrapperObsType = TypeVar("WrapperObsType", default=Any)
WrapperActType = TypeVar("WrapperActType", default=Any)
_OLD_METHODS = {
    "seed": "`env.reset(seed=...)` seeds an episode, and `env.action_space.seed(...)` a space",
    "num_envs": "one environment is no batch: `gymnasium.make_vec` makes one",
}

RenderFrame: TypeAlias = str | np.ndarray | tuple[np.ndarray, np.ndarray]


class Env(Generic[ObsType, ActType]):
    """An environment: a world in which an agent acts, one step at a time.

    A subclass sets `observation_space` and `action_space`, and implements `reset` and `step`. It implements `render`
    and `close` if it can be shown or holds resources. It need not call `super().__init__()`.

    Attributes:
        metadata: At least `"render_modes"`, and `"render_fps"` if it renders.
        render_mode: The mode chosen at construction, or None.
        spec: The spec from which `gymnasium.make` made this environment, or None.
        reward_range: The minimum and the maximum reward. Informative; not enforced.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode: str | None = None
    spec: EnvSpec | None = None
    reward_range: tuple[float, float] = (-float("inf"), float("inf"))

    action_space: Space[ActType]
    observation_space: Space[ObsType]

    _np_random: np.random.Generator | None = None
    _np_random_seed: int | None = None

    def step(self, action: ActType) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Take one action.

        Returns:
            `(observation, reward, terminated, truncated, info)`. `terminated`: the task itself is over (won, lost,
            fallen), so no further reward can follow. `truncated`: the episode is cut short for a reason outside the
            task, such as a time limit. After either, call `reset`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define step(self, action)")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode, and return its first observation and `info`.

        A subclass calls `super().reset(seed=seed)` first.

        Args:
            seed: If given, `np_random` is made anew from it. None keeps the present generator, so a program usually
                seeds the first reset and no other.
            options: Options documented by the environment.

        Raises:
            gymnasium.error.Error: If the seed is not an integer, or negative.
        """
        if seed is not None:
            self._np_random, self._np_random_seed = seeding.np_random(seed)
        return None  # type: ignore[return-value]  # a subclass returns the observation and info

    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Show the environment in its `render_mode`.

        Returns:
            `"rgb_array"`: uint8 pixels of shape `(height, width, 3)`; `"ansi"`: a string; `"human"` and None: None;
            a mode that ends in `_list`: the frames since the last call.
        """
        raise NotImplementedError(f"{type(self).__name__} must define render(self)")

    def close(self) -> None:
        """Free the resources of the environment (windows, processes). Closing twice does no harm."""

    @property
    def unwrapped(self) -> Env[ObsType, ActType]:
        """The environment inside all wrappers; here itself."""
        return self

    @property
    def np_random_seed(self) -> int:
        """The seed of `np_random`; -1 if the generator was assigned, so that its seed is unknown."""
        if self._np_random_seed is None:
            self._np_random, self._np_random_seed = seeding.np_random()
        return self._np_random_seed

    @property
    def np_random(self) -> np.random.Generator:
        """The source of all of the environment's randomness; made from the operating system's if not seeded."""
        if self._np_random is None:
            self._np_random, self._np_random_seed = seeding.np_random()
        return self._np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random = value
        self._np_random_seed = -1

    def has_wrapper_attr(self, name: str) -> bool:
        """Returns whether this environment, or one inside it, has the attribute `name`."""
        return hasattr(self, name)

    def get_wrapper_attr(self, name: str) -> Any:
        """Returns the attribute `name` of the outermost layer that has it.

        Raises:
            AttributeError: If no layer has it.
        """
        return getattr(self, name)

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Set `name` on the outermost layer that has it, and return whether it was set.

        If no layer has it, it is set on the outermost one if `force`, and not at all otherwise.
        """
        if force or hasattr(self, name):
            setattr(self, name, value)
            return True
        return False

    def __str__(self) -> str:
        """Returns `<ClassName<ID>>`, or `<ClassName instance>` without a spec."""
        name = type(self).__name__
        return f"<{name} instance>" if self.spec is None else f"<{name}<{self.spec.id}>>"

    def _repr_png_(self) -> bytes | None:
        """Returns the picture for a notebook, or None."""
        from gymnasium.rendering.png import picture_of

        return picture_of(self)

    def __enter__(self) -> Self:
        """Returns itself; `close` is called at the end of the `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> Literal[False]:
        """Close the environment; exceptions pass on."""
        self.close()
        return False


class Wrapper(Env[WrapperObsType, WrapperActType], Generic[WrapperObsType, WrapperActType, ObsType, ActType]):
    """An environment around another; everything it does not override passes through.

    Setting a space, `metadata` or `reward_range` on a wrapper hides the inner one, which stays unchanged. Read other
    attributes of the inner environment through `get_wrapper_attr` or `unwrapped`.

    Raises:
        TypeError: If `env` is not an `Env`.
    """

    # Of the class, because the constructors of some subclasses set nothing but `env`.
    _action_space: Space[WrapperActType] | None = None
    _observation_space: Space[WrapperObsType] | None = None
    _metadata: dict[str, Any] | None = None
    _reward_range: tuple[float, float] | None = None
    _cached_spec: EnvSpec | None = None

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        self.env = env
        if not isinstance(env, Env):
            raise TypeError(_not_an_env(type(self).__name__, env))

    def step(self, action: WrapperActType) -> tuple[WrapperObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the inner environment."""
        return self.env.step(action)  # type: ignore[arg-type,return-value]  # a subclass that changes types overrides

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[WrapperObsType, dict[str, Any]]:
        """Reset the inner environment."""
        return self.env.reset(seed=seed, options=options)  # type: ignore[return-value]

    @without_mode
    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Render the inner environment."""
        return self.env.render()

    def close(self) -> None:
        """Close the inner environment."""
        return self.env.close()

    @property
    def unwrapped(self) -> Env:
        """The environment inside all wrappers."""
        return self.env.unwrapped

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]  # an attribute of Env, derived here
        """The inner environment's spec with this wrapper added, or None if it has none."""
        if self._cached_spec is None:
            self._cached_spec = self._with_self(self.env.spec)
        return self._cached_spec

    def _with_self(self, spec: EnvSpec | None) -> EnvSpec | None:
        """Returns a copy of `spec` that makes this wrapper too."""
        try:
            if spec is not None:
                spec = deepcopy(spec)
                self._add_to(spec)
            return spec
        except Exception as error:
            warn(f"The spec of {type(self).__name__} is not available: copying {spec} raised {error!r}")
            return None

    def _add_to(self, spec: EnvSpec) -> None:
        """Change `spec` so that it makes this wrapper too; a wrapper with its own field in the spec overrides this."""
        spec.additional_wrappers += (self._own_spec(),)

    def _own_spec(self) -> WrapperSpec:
        kwargs = None
        if isinstance(self, RecordConstructorArgs):
            kwargs = {name: value for name, value in self._saved_kwargs.items() if name != "env"}
        return WrapperSpec(type(self).__name__, f"{type(self).__module__}:{type(self).__name__}", kwargs)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            others = getattr(super(), "__getattr__", None)  # of classes that a subclass names after this one
            return others(name) if others else missing_attribute(self, name, self._place_of)

    def _place_of(self, name: str) -> str:
        """Returns where an attribute is that this wrapper does not have, or ""."""
        if "env" not in vars(self):
            return "let the wrapper's `__init__` call `super().__init__(env)` first"
        layer: Any = self.env
        while isinstance(layer, Wrapper) and not has(layer, name):
            layer = layer.env
        if not has(layer, name):
            return _OLD_METHODS.get(name, "")
        place = f"get_wrapper_attr({name!r})" if isinstance(layer, Wrapper) else f"unwrapped.{name}"
        return f"the environment inside has it: `env.{place}`"

    @classmethod
    def wrapper_spec(cls, **kwargs: Any) -> WrapperSpec:
        """Returns the spec from which `make` makes this wrapper, with these arguments."""
        return WrapperSpec(cls.__name__, f"{cls.__module__}:{cls.__name__}", kwargs)

    @classmethod
    def class_name(cls) -> str:
        """Returns the class's name."""
        return cls.__name__

    def has_wrapper_attr(self, name: str) -> bool:
        """Returns whether this wrapper, or anything inside it, has the attribute `name`."""
        return hasattr(self, name) or self.env.has_wrapper_attr(name)

    def get_wrapper_attr(self, name: str) -> Any:
        """Returns the attribute `name` of the outermost layer that has it.

        Raises:
            AttributeError: If no layer has it.
        """
        if hasattr(self, name):
            return getattr(self, name)
        try:
            return self.env.get_wrapper_attr(name)
        except AttributeError as error:
            raise AttributeError(f"Neither {self.class_name()} nor its inner environment has {name!r}") from error

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Set `name` where it is, or else on this wrapper if `force`; returns whether it was set."""
        if not hasattr(self, name) and self.env.set_wrapper_attr(name, value, force=False):
            return True
        return super().set_wrapper_attr(name, value, force=force)

    def __str__(self) -> str:
        """Returns `<WrapperName<...>>`, from the outside in."""
        return f"<{type(self).__name__}{self.env}>"

    def __repr__(self) -> str:
        """Returns the same as `str`."""
        return str(self)

    @property
    def action_space(self) -> Space[WrapperActType]:
        """The space of the actions of this wrapper's `step`."""
        return self.env.action_space if self._action_space is None else self._action_space  # type: ignore[return-value]

    @action_space.setter
    def action_space(self, space: Space[WrapperActType]) -> None:
        self._action_space = space

    @property
    def observation_space(self) -> Space[WrapperObsType]:
        """The space of the observations that this wrapper returns."""
        if self._observation_space is None:
            return self.env.observation_space  # type: ignore[return-value]
        return self._observation_space

    @observation_space.setter
    def observation_space(self, space: Space[WrapperObsType]) -> None:
        self._observation_space = space

    @property
    def metadata(self) -> dict[str, Any]:
        """The inner environment's metadata, unless set here."""
        return self.env.metadata if self._metadata is None else self._metadata

    @metadata.setter
    def metadata(self, value: dict[str, Any]) -> None:
        self._metadata = value

    @property
    def reward_range(self) -> tuple[float, float]:
        """The inner environment's range of rewards, unless set here."""
        return self.env.reward_range if self._reward_range is None else self._reward_range

    @reward_range.setter
    def reward_range(self, value: tuple[float, float]) -> None:
        self._reward_range = value

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]
        """The inner environment's render mode."""
        return self.env.render_mode

    @property
    def np_random_seed(self) -> int:
        """The inner environment's seed."""
        return self.env.np_random_seed

    @property
    def np_random(self) -> np.random.Generator:
        """The inner environment's generator."""
        return self.env.np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self.env.np_random = value

    @property
    def _np_random(self) -> np.random.Generator:  # type: ignore[override]
        raise AttributeError(
            "A wrapper has no `_np_random` of its own: use `.unwrapped._np_random`, or the public `.np_random`"
        )


def _not_an_env(wrapper: str, given: object) -> str:
    """Returns the message for what a wrapper was put around in place of an environment."""
    kind, advice = f"a {type(given).__name__}", "make its class inherit from gymnasium.Env"
    if isinstance(given, type):
        kind, advice = f"the class {given.__name__}", f"make an environment first, {given.__name__}(...)"
    elif isinstance(given, str):
        kind, advice = repr(given), f"make an environment first, gymnasium.make({given!r})"
    elif any(cls.__name__ == "VectorEnv" for cls in type(given).__mro__):  # a class of a higher layer
        kind, advice = f"{kind}, a batch,", _around_a_batch(wrapper)
    return f"{wrapper} wraps a gymnasium.Env, but {kind} came; {advice}"


def _around_a_batch(wrapper: str) -> str:
    """Returns what to use in place of a wrapper around a batch."""
    each = f"gymnasium.make_vec(..., wrappers=[lambda env: {wrapper}(env, ...)]) for each of its environments"
    if wrapper == "TimeLimit":
        return "use gymnasium.make_vec(..., max_episode_steps=...)"
    if wrapper in import_module("gymnasium.wrappers.vector").__all__:  # of a higher layer
        return f"use gymnasium.wrappers.vector.{wrapper}, or {each}"
    return f"use {each}"


class ObservationWrapper(Wrapper[WrapperObsType, ActType, ObsType, ActType]):
    """A wrapper that changes observations: implement `observation`."""

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        Wrapper.__init__(self, env)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[WrapperObsType, dict[str, Any]]:
        """Reset the inner environment and change its observation."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self.observation(observation), info

    def step(self, action: ActType) -> tuple[WrapperObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the inner environment and change its observation."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self.observation(observation), reward, terminated, truncated, info

    def observation(self, observation: ObsType) -> WrapperObsType:
        """Returns the changed observation of the inner environment."""
        raise NotImplementedError(f"{type(self).__name__} must define observation(self, observation)")


class RewardWrapper(Wrapper[ObsType, ActType, ObsType, ActType]):
    """A wrapper that changes rewards: implement `reward`."""

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        Wrapper.__init__(self, env)

    def step(self, action: ActType) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the inner environment and change its reward."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, self.reward(reward), terminated, truncated, info

    def reward(self, reward: SupportsFloat) -> SupportsFloat:
        """Returns the changed reward of the inner environment."""
        raise NotImplementedError(f"{type(self).__name__} must define reward(self, reward)")


class ActionWrapper(Wrapper[ObsType, WrapperActType, ObsType, ActType]):
    """A wrapper that changes actions: implement `action`."""

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        Wrapper.__init__(self, env)

    def step(self, action: WrapperActType) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the inner environment with the changed action."""
        return self.env.step(self.action(action))

    def action(self, action: WrapperActType) -> ActType:
        """Returns the action for the inner environment."""
        raise NotImplementedError(f"{type(self).__name__} must define action(self, action)")
