"""The interface of a batch of environments: `VectorEnv`, and the wrappers around one.

Every argument and result is a batch: observations, actions, rewards and flags have a leading axis of `num_envs`.
Episodes end at different times, so a finished environment is reset while the others continue; `AutoresetMode` defines
the moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

from gymnasium.core import ActType, Env, ObsType, RenderFrame
from gymnasium.logger import warn
from gymnasium.spaces.space import Space
from gymnasium.specs import EnvSpec
from gymnasium.utils import seeding
from gymnasium.utils._missing import has, missing_attribute
from gymnasium.vector._batch.beginnings import Beginnings, PassedBeginnings
from gymnasium.vector._batch.infos import add_info
from gymnasium.vector._batch.turns import Turn, in_turn

ArrayType = TypeVar("ArrayType", default=np.ndarray)

_OLD_METHODS = {
    "seed": "`envs.reset(seed=...)` seeds the episodes",
    "envs": '`vectorization_mode="sync"` has a list of environments; `envs.get_attr(name)` reads an attribute of each',
    "env_method": "`envs.call(name, *args)` calls a method of each environment",
}

__all__ = [
    "ArrayType",
    "AutoresetMode",
    "VectorActionWrapper",
    "VectorEnv",
    "VectorObservationWrapper",
    "VectorRewardWrapper",
    "VectorWrapper",
]


class AutoresetMode(Enum):
    """The moment at which an environment with a finished episode is reset.

    NEXT_STEP: By the next `step`, which ignores its action and returns the first observation of the new episode with
        reward 0 and no flag set.
    SAME_STEP: Within the step that ends the episode, which returns the first observation of the new one; the last of
        the old is in `infos["final_obs"]`, and its info in `infos["final_info"]`.
    DISABLED: By the user, with `reset(options={"reset_mask": ...})`; stepping a finished environment is an error.
    """

    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"

    @classmethod
    def _missing_(cls, value: object) -> None:
        choices = ", ".join(repr(mode.value) for mode in cls)
        raise ValueError(f"autoreset_mode is one of {choices}, or an AutoresetMode, but {value!r} came")


class VectorEnv(Beginnings, Generic[ObsType, ActType, ArrayType]):
    """Several copies of an environment that step together.

    Attributes:
        num_envs: The number of environments, n.
        observation_space: The space of a batch of observations, `action_space` of a batch of actions.
        single_observation_space: The space of one environment's observation, `single_action_space` of its action.
        metadata: Like that of an `Env`, with `"autoreset_mode"`.
        spec: The spec from which `gymnasium.make_vec` made this, or None.
        render_mode: The environments' render mode, or None.
        closed: Whether `close` has been called.
    """

    metadata: dict[str, Any] = {}
    spec: EnvSpec | None = None
    render_mode: str | None = None
    closed: bool = False

    observation_space: Space[ObsType]
    action_space: Space[ActType]
    single_observation_space: Space
    single_action_space: Space
    num_envs: int

    _turn: Turn | None = None  # of a batch whose threads wait for each other
    _np_random: np.random.Generator | None = None
    _np_random_seed: int | None = None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode in every environment, and return the first observations and infos.

        Args:
            seed: An int, for environment i `seed + i`; a sequence of n ints or Nones; None to continue with the present
                generators.
            options: The environments' options. `"reset_mask"`, a bool array of shape (n,), resets only the environments
                for which it is True.
        """
        if isinstance(seed, (int, np.integer)):
            self._np_random, self._np_random_seed = seeding.np_random(seed)
        return None  # type: ignore[return-value]  # a subclass returns the observations and infos

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Take one action in every environment.

        Returns:
            `(observations, rewards, terminations, truncations, infos)`: rewards float64 and flags bool, of shape (n,).
            An info `key` that any environment reports is an array of n values, and `infos["_key"]` is the mask of the
            environments that reported it.
        """
        raise NotImplementedError(f"{self} does not implement `step`")

    def send(self, actions: ActType, env_ids: Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Send actions to some environments without waiting for them: `recv` returns the first to finish.

        Palaestra only. Until all results are received, `step` and `reset` are refused.

        Args:
            actions: A batch with one action for each of `env_ids`.
            env_ids: The environments that act, in the order of `actions`; None for all.

        Raises:
            ValueError: If `env_ids` are not different indices of environments.
            gymnasium.error.AlreadyPendingCallError: If one of them is in flight: sent and not received yet.
            AssertionError: If one of them is finished and the autoreset mode is DISABLED.

        `send` raises the same errors for a batch of actions as `step`. In all these cases nothing is sent.
        """
        raise NotImplementedError(f"{self} does not implement `send`")

    def recv(
        self, min_envs: int = 1, timeout: float | None = None
    ) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Wait until `min_envs` of the environments in flight are done.

        Palaestra only.

        Args:
            min_envs: The minimum number of environments.
            timeout: The maximum time, in seconds; the next call returns the results available by then.

        Returns:
            The results of `step` for the k environments that are done, in the order of completion. Row j is environment
            `infos["env_id"][j]` (int64, shape (k,)); the arrays of the infos have k rows too.

        Raises:
            ValueError: If fewer than `min_envs` are in flight.
            multiprocessing.TimeoutError: If the time is over.
        """
        raise NotImplementedError(f"{self} does not implement `recv`")

    def render(self) -> tuple[RenderFrame, ...] | None:
        """Returns the rendering of each environment."""
        raise NotImplementedError(f"{self} does not implement `render`")

    @in_turn
    def close(self, **kwargs: Any) -> None:
        """Free all resources; `kwargs` go to `close_extras`. Closing twice does no harm."""
        if not self.closed:
            self.close_extras(**kwargs)
            self.closed = True

    def close_extras(self, **kwargs: Any) -> None:
        """Free the resources of a subclass."""

    @property
    def unwrapped(self) -> VectorEnv[Any, Any, Any]:
        """The vector environment inside all wrappers; here itself."""
        return self

    @property
    def np_random_seed(self) -> Any:
        """The seed of `np_random`; -1 if the generator was assigned, so that its seed is unknown."""
        if self._np_random_seed is None:
            self._np_random, self._np_random_seed = seeding.np_random()
        return self._np_random_seed

    @property
    def np_random(self) -> Any:
        """The generator of the vector environment itself, or a tuple of the environments'."""
        if self._np_random is None:
            self._np_random, self._np_random_seed = seeding.np_random()
        return self._np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random = value
        self._np_random_seed = -1

    def _add_info(self, vector_infos: dict[str, Any], env_info: dict[str, Any], env_num: int) -> dict[str, Any]:
        """Write one environment's info into the batch's, which is returned."""
        return add_info(vector_infos, env_info, env_num, self.num_envs)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            others = getattr(super(), "__getattr__", None)  # of classes that a subclass names after this one
            return others(name) if others else missing_attribute(self, name, self._instead_of)

    def _instead_of(self, name: str) -> str:
        """Returns what to write instead of reading an attribute that this batch does not have, or ""."""
        layers: list[Any] = [self]
        while "env" in vars(layers[-1]):
            layers.append(vars(layers[-1])["env"])
        owner = next((layer for layer in layers if has(layer, name)), None)
        if owner is not None:
            place = f": `envs.unwrapped.{name}`" if owner is layers[-1] else ""
            return f"the {type(owner).__name__} inside has it{place}"
        if name in _OLD_METHODS or not has(layers[-1], "get_attr"):
            return _OLD_METHODS.get(name, "")
        envs = "envs" if has(self, "get_attr") else "envs.unwrapped"
        return f"`{envs}.get_attr({name!r})` reads an attribute of each environment"

    def __repr__(self) -> str:
        """Returns `ClassName(ID, num_envs=n)`, without the id if there is no spec."""
        name = type(self).__name__
        if self.spec is None:
            return f"{name}(num_envs={self.num_envs})"
        return f"{name}({self.spec.id}, num_envs={self.num_envs})"


class VectorWrapper(PassedBeginnings, VectorEnv[ObsType, ActType, ArrayType]):
    """A vector environment around another; everything it does not override passes through.

    Setting a space or `metadata` on a wrapper hides the inner one, which stays unchanged. `send` and `recv` do not pass
    through, because they would bypass the wrapper's changes to `step`.

    Raises:
        TypeError: If `env` is not a `VectorEnv`.
    """

    env: VectorEnv[Any, Any, Any]
    # Of the class, because the constructors of some subclasses set nothing but `env`.
    _observation_space: Space | None = None
    _action_space: Space | None = None
    _single_observation_space: Space | None = None
    _single_action_space: Space | None = None
    _metadata: dict[str, Any] | None = None

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        self.env = env
        if not isinstance(env, VectorEnv):
            single = ", or take the wrapper for one environment of gymnasium.wrappers" if isinstance(env, Env) else ""
            raise TypeError(
                f"{type(self).__name__} wraps a gymnasium.vector.VectorEnv, but a {type(env).__name__} came; make one "
                f"with gymnasium.make_vec{single}"
            )

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the inner environments."""
        return self.env.reset(seed=seed, options=options)

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step the inner environments."""
        return self.env.step(actions)

    def render(self) -> tuple[RenderFrame, ...] | None:
        """Render the inner environments."""
        return self.env.render()

    def close(self, **kwargs: Any) -> None:
        """Close the inner environments."""
        return self.env.close(**kwargs)

    def close_extras(self, **kwargs: Any) -> None:
        """Free the resources of the inner environments."""
        return self.env.close_extras(**kwargs)

    @property
    def unwrapped(self) -> VectorEnv[Any, Any, Any]:
        """The vector environment inside all wrappers."""
        return self.env.unwrapped

    @property
    def num_envs(self) -> int:  # type: ignore[override]  # an attribute of VectorEnv, delegated here
        """The number of environments."""
        return self.env.num_envs

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]
        """The inner spec."""
        return self.env.spec

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]
        """The inner render mode."""
        return self.env.render_mode

    @property
    def closed(self) -> bool:
        """Whether the inner vector environment is closed."""
        return self.env.closed

    @closed.setter
    def closed(self, value: bool) -> None:
        self.env.closed = value

    @property
    def np_random_seed(self) -> Any:
        """The inner seeds."""
        return self.env.np_random_seed

    @property
    def np_random(self) -> Any:
        """The inner generators."""
        return self.env.np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self.env.np_random = value

    @property
    def _np_random(self) -> np.random.Generator:  # type: ignore[override]
        raise AttributeError("A vector wrapper has no `_np_random`: use `.unwrapped._np_random` or `.np_random`")

    @property
    def observation_space(self) -> Space:
        """The space of a batch of observations, unless set here the inner one."""
        return self.env.observation_space if self._observation_space is None else self._observation_space

    @observation_space.setter
    def observation_space(self, space: Space) -> None:
        self._observation_space = space

    @property
    def action_space(self) -> Space:
        """The space of a batch of actions, unless set here the inner one."""
        return self.env.action_space if self._action_space is None else self._action_space

    @action_space.setter
    def action_space(self, space: Space) -> None:
        self._action_space = space

    @property
    def single_observation_space(self) -> Space:
        """The space of one observation, unless set here the inner one."""
        if self._single_observation_space is None:
            return self.env.single_observation_space
        return self._single_observation_space

    @single_observation_space.setter
    def single_observation_space(self, space: Space) -> None:
        self._single_observation_space = space

    @property
    def single_action_space(self) -> Space:
        """The space of one action, unless set here the inner one."""
        return self.env.single_action_space if self._single_action_space is None else self._single_action_space

    @single_action_space.setter
    def single_action_space(self, space: Space) -> None:
        self._single_action_space = space

    @property
    def metadata(self) -> dict[str, Any]:
        """The inner metadata, unless set here."""
        return self.env.metadata if self._metadata is None else self._metadata

    @metadata.setter
    def metadata(self, value: dict[str, Any]) -> None:
        self._metadata = value

    def __repr__(self) -> str:
        """Returns `<WrapperName, inner>`."""
        return f"<{type(self).__name__}, {self.env}>"


class VectorObservationWrapper(VectorWrapper[ObsType, ActType, ArrayType]):
    """A wrapper that changes observations: implement `observations`.

    Raises:
        ValueError: In the mode `SAME_STEP`, because `infos["final_obs"]` holds observations that `observations`, a
            function of whole batches, does not change.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        mode = env.metadata.get("autoreset_mode")
        if mode is None:
            warn(f"{env} does not say in metadata['autoreset_mode'] when it resets: {env.metadata}")
        if mode is AutoresetMode.SAME_STEP:
            raise ValueError(
                f"{type(self).__name__} needs an environment that resets in the mode {AutoresetMode.NEXT_STEP} or "
                f"{AutoresetMode.DISABLED}, but {env} resets in the mode {mode}"
            )

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the inner environments and change their observations."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self.observations(observations), infos

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step the inner environments and change their observations."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        return self.observations(observations), rewards, terminations, truncations, infos

    def observations(self, observations: Any) -> ObsType:
        """Returns the changed batch of observations."""
        raise NotImplementedError(f"{self} does not implement `observations`")


class VectorActionWrapper(VectorWrapper[ObsType, ActType, ArrayType]):
    """A wrapper that changes actions: implement `actions`."""

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step the inner environments with the changed actions."""
        return self.env.step(self.actions(actions))

    def actions(self, actions: ActType) -> Any:
        """Returns the batch of actions for the inner environments."""
        raise NotImplementedError(f"{self} does not implement `actions`")


class VectorRewardWrapper(VectorWrapper[ObsType, ActType, ArrayType]):
    """A wrapper that changes rewards: implement `rewards`."""

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step the inner environments and change their rewards."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        return observations, self.rewards(rewards), terminations, truncations, infos

    def rewards(self, rewards: ArrayType) -> ArrayType:
        """Returns the changed batch of rewards, shape (n,)."""
        raise NotImplementedError(f"{self} does not implement `rewards`")
