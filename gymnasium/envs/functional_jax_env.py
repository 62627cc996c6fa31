"""Functional environments under JAX: one as an `Env`, many as a `VectorEnv`. Both return arrays of JAX."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from gymnasium.core import ActType, Env, ObsType, RenderFrame
from gymnasium.envs._jax import moments
from gymnasium.envs._jax.batch import BatchStep
from gymnasium.envs._jax.begins import JaxBeginnings
from gymnasium.envs._jax.dynamics import JaxDynamics, sound
from gymnasium.envs._jax.keys import key_of
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.own_params import TracedField, names_of, params_of, reseeded
from gymnasium.envs._jax.pickling import Picklable
from gymnasium.envs._jax.program import Program, on_host, on_numpy
from gymnasium.error import Error, StepBeforeReset
from gymnasium.functional.boundary import action_reader
from gymnasium.functional.func_env import FuncEnv
from gymnasium.spaces.batching import batch_space
from gymnasium.specs import EnvSpec
from gymnasium.utils import seeding
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.requests import check_running, checked_mask
from gymnasium.vector._batch.turns import begin_turns, in_turn
from gymnasium.vector.vector_env import AutoresetMode

__all__ = ["FunctionalJaxEnv", "FunctionalJaxVectorEnv", "PRNGKeyType"]

PRNGKeyType: TypeAlias = jax.Array

# The list modes are for a wrapper that collects frames; without one, only the present frame is returned.
_PICTURES = ("rgb_array", "rgb_array_list")


class FunctionalJaxEnv(Picklable, Env[ObsType, ActType]):
    """A `FuncEnv` as an `Env`, jitted. Observations and infos are arrays of JAX; rewards floats, flags bools.

    Args:
        func_env: The dynamics, or their class; written for keys of JAX or for `numpy.random.Generator`.
        metadata: Like that of an `Env`.
        render_mode: None or `"rgb_array"`.
        spec: The spec from which this is made.

    Attributes:
        func_env: The dynamics.
        params: The parameters of the dynamics; those of `func_env` unless set.
        state: The dynamics' state; None before the first reset.
        rng: The key of all randomness to come.

    Raises:
        TypeError: If the dynamics are incomplete; at the first reset or step, if they cannot be traced.
    """

    def __init__(
        self,
        func_env: FuncEnv | type[FuncEnv],
        metadata: dict[str, Any] | None = None,
        render_mode: str | None = None,
        spec: EnvSpec | None = None,
    ) -> None:
        self.metadata = {"render_modes": [], "jax": True} if metadata is None else metadata
        self.func_env = func_env = sound(func_env)
        self.params = func_env.default_params
        self.observation_space, self.action_space = func_env.observation_space, func_env.action_space
        self.render_mode, self.spec = render_mode, spec
        self.state: Any = None
        self.rng: Any = _key_from(seeding.np_random()[0])
        self.render_state: Any = func_env.render_init(self.params) if render_mode in _PICTURES else None
        self._attach()

    def _attach(self) -> None:
        dynamics = JaxDynamics(self.func_env)
        self._begin, self._advance = Program(dynamics.begin), Program(dynamics.advance)
        self._read_action = action_reader(self.action_space)

    def find_param(self, name: str) -> TracedField | None:
        """Returns the place of a param of the dynamics; None for another name."""
        return TracedField(self, name, self._trace) if name in getattr(self.params, "_fields", ()) else None

    def param_names(self) -> list[str]:
        """Returns the names of the params that are numbers."""
        return names_of(self.params)

    def _trace(self, params: object, name: str) -> None:
        state, *_ = self._begin.shapes(self.rng, params)
        self._advance.shapes(state, self.action_space.sample(), self.rng, params)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode; `options` is not used."""
        super().reset(seed=seed)
        if seed is not None:
            self.rng = key_of(seeding.checked_seed(seed))
        key, self.rng = jax.random.split(self.rng)
        self.state, observation, info = self._begin(key, self.params)
        return observation, info

    def step(self, action: ActType) -> tuple[ObsType, float, bool, bool, dict[str, Any]]:
        """Take one action. Never truncates: the wrapper `TimeLimit` does.

        Raises:
            gymnasium.error.ActionOutsideSpace: If `action` is not in the action space; a Box's bounds are not checked.
            gymnasium.error.StepBeforeReset: If there is no state yet.
        """
        move = self._read_action(jax.tree.map(on_numpy, action))
        if self.state is None:
            raise StepBeforeReset(f"{type(self).__name__}.step came before the first reset: call reset() first")
        key, self.rng = jax.random.split(self.rng)
        self.state, observation, reward, terminated, info = self._advance(self.state, move, key, self.params)
        return observation, float(reward), bool(terminated), False, info

    def get_state(self) -> moments.JaxState:
        """Returns the present state, from which `set_state` continues exactly, on the same backend.

        Raises:
            gymnasium.error.ResetNeeded: If there is no state yet.
        """
        return moments.state_of(self)

    def set_state(self, state: moments.JaxState) -> None:
        """Restore a state that `get_state` returned, of any environment with the same dynamics.

        The params are not part of it and stay unchanged.

        Raises:
            TypeError: If `state` is not a result of `get_state`.
            ValueError: If it belongs to other dynamics, or has other dtypes. Nothing is set in these cases.
        """
        like, *_ = self._begin.shapes(self.rng, self.params)
        self.state, self.rng = moments.checked_state(self, state, like)

    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Returns a picture of the state, shape (height, width, 3), dtype uint8.

        Raises:
            NotImplementedError: In any other mode than `"rgb_array"`, or its lists.
        """
        if self.render_mode not in _PICTURES:
            raise NotImplementedError(
                f"{type(self).__name__} renders in the mode 'rgb_array' only, but its mode is {self.render_mode!r}"
            )
        if self.state is None:
            return None
        self.render_state, image = self.func_env.render_image(on_host(self.state), self.render_state, self.params)
        return image

    def close(self) -> None:
        """Free the resources of rendering."""
        if self.render_state is not None:
            self.func_env.render_close(self.render_state, self.params)
            self.render_state = None


class FunctionalJaxVectorEnv(Picklable, JaxBeginnings):
    """Copies of a `FuncEnv` as one jitted program. The results of `reset` and `step` stay on the device.

    Rewards are float32 (float64 if JAX is configured for it). Infos have all their keys at every step, with masks.
    Actions that are JAX arrays, or arrays of a library that supports DLPack, are not transferred to the host: their
    shape and kind is checked, but not whether each is in the action space.

    Args:
        func_env: The dynamics, an instance or a class.
        num_envs: The number of copies.
        max_episode_steps: The number of steps after which an episode is truncated; 0 for no limit.
        metadata: Like that of a `VectorEnv`; its `"autoreset_mode"` is used.
        render_mode: None or `"rgb_array"`.
        spec: The spec from which this is made.
        params: Palaestra only. Replaces the dynamics' default params.

    Attributes:
        func_env: The dynamics.
        params: The parameters of the dynamics; changes take effect at the next step.
        batch: The states, steps, flags, key and own params, see `palaestra.jax.Batch`; None before the first reset.

    Raises:
        TypeError: If the dynamics lack something, or cannot be traced; it names the line and the reason.
    """

    def __init__(
        self,
        func_env: FuncEnv | type[FuncEnv],
        num_envs: int,
        max_episode_steps: int = 0,
        metadata: dict[str, Any] | None = None,
        render_mode: str | None = None,
        spec: EnvSpec | None = None,
        *,
        params: object = None,
    ) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP} if metadata is None else metadata
        self.autoreset_mode = AutoresetMode(self.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        self.func_env, self.num_envs = (func_env := sound(func_env)), num_envs
        self.params = func_env.default_params if params is None else params
        self.time_limit = max_episode_steps
        self.render_mode, self.spec = render_mode, spec
        self.single_observation_space = func_env.observation_space
        self.single_action_space = func_env.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch: Any = None
        self._own = self._randomization = None
        self._scaled = self.params  # those that `Scale` multiplies
        self.render_state: Any = func_env.render_init(self.params) if render_mode in _PICTURES else None
        self._key: Any = _key_from(seeding.np_random()[0])
        self._attach()
        self._check_traceable()

    def _attach(self) -> None:
        begin_turns(self)
        self._check = action_checker(self.single_action_space)
        self._run(self._runner_of(self._randomization, self._scaled))

    def _check_traceable(self) -> None:
        batch, *_ = self._reset_all.shapes(self._key, self.own, self.params)
        actions = jax.tree.map(jnp.asarray, self._on_device(self.action_space.sample()))
        self._advance_all.shapes(batch, actions, self.params)

    @property
    def state(self) -> Any:
        """The dynamics' states, each array with a leading axis; None before the first reset."""
        return self.batch and self.batch.state

    @property
    def steps(self) -> Any:
        """The number of steps of each episode so far, int32, shape (n,)."""
        return self.batch and self.batch.steps

    @property
    def prev_done(self) -> Any:
        """A mask of the episodes that are over, bool, shape (n,)."""
        return self.batch and self.batch.finished

    @property
    def rng(self) -> jax.Array:
        """The key of all randomness to come."""
        key: jax.Array = self._key if self.batch is None else self.batch.key
        return key

    @in_turn
    def reset(  # type: ignore[override]  # one seed for all, since there is one key
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every environment.

        Args:
            seed: An int, from which the key is made; None to continue with the present key.
            options: `"reset_mask"`, a bool array of shape (n,), resets only the environments for which it is True. The
                observations of the others are returned again.

        Raises:
            TypeError, ValueError: If the mask is invalid.
            gymnasium.error.Error: If the seed is not an integer, or negative.
        """
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            mask = checked_mask(on_numpy(mask), self.num_envs)
            if self.batch is None:
                raise Error("The first reset needs all environments: leave out options['reset_mask']")
        key, own = self.rng, self.own
        if seed is not None:
            key = key_of(_one_seed(seed, self.num_envs))
            own = own and reseeded(own, key, np.ones(self.num_envs, np.bool_) if mask is None else mask)
            super().reset(seed=seed)
        if mask is None:
            self.batch, observations, infos = self._reset_all(key, own, self.params)
        else:
            batch = self.batch._replace(key=key, own=own)
            self.batch, observations, infos = self._reset_rows(batch, mask, self.params)
        return observations, infos

    @in_turn
    def step(self, actions: Any) -> tuple[Any, jax.Array, jax.Array, jax.Array, dict[str, Any]]:
        """Take one action in every environment.

        Raises:
            gymnasium.error.StepBeforeReset: If there was no reset yet.
            gymnasium.error.ActionOutsideSpace, TypeError, ValueError: If `actions` is not a batch of actions.
            AssertionError: In the mode DISABLED, if an environment is finished.
        """
        moves = self._on_device(actions)
        if self.batch is None:
            raise StepBeforeReset(f"{type(self).__name__}.step came before the first reset: call reset() first")
        if self.autoreset_mode is AutoresetMode.DISABLED:
            check_running(np.asarray(self.batch.finished))
        came: BatchStep
        self.batch, came = self._advance_all(self.batch, moves, self.params)
        return came.observations, came.rewards, came.terminations, came.truncations, came.infos

    @in_turn
    def get_state(self, i: int | None = None) -> moments.JaxRowState | moments.JaxBatchState:
        """Returns the present state of environment `i`, or for None of the whole batch.

        From the state of the batch, `set_state` continues exactly. The state of one environment lacks the key, which
        all environments share: it continues exactly as long as its dynamics draw no random numbers.

        Raises:
            IndexError: If there is no such environment.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        return moments.batch_state_of(self) if i is None else moments.row_state_of(self, i)

    @in_turn
    def set_state(self, i: int | None, state: moments.JaxRowState | moments.JaxBatchState) -> None:
        """Restore a state from `get_state` in environment `i`, or for None in the whole batch.

        Raises:
            IndexError: If there is no such environment.
            TypeError: If `state` is not a result of `get_state` for an index, or for None.
            ValueError: If it belongs to other dynamics, to a batch of another size, or has other dtypes. Nothing is set
                in these cases.
            gymnasium.error.ResetNeeded: Before the first reset, for an index.
        """
        like, *_ = self._reset_all.shapes(self.rng, self.own, self.params)
        if i is None:
            self.batch = moments.checked_batch(self, state, like)
        else:
            self.batch = moments.with_row(self, i, state, like)

    def _on_device(self, actions: object) -> Any:
        """Returns a checked batch of actions."""
        if not isinstance(actions, np.ndarray) and hasattr(actions, "__dlpack__"):
            array = actions if isinstance(actions, jax.Array) else jnp.from_dlpack(actions)
            if self.action_space.shape == array.shape and _same_kind(array.dtype, self.action_space.dtype):
                return array
            actions = np.asarray(array)  # so that it is refused
        return self._check(actions, self.num_envs)

    @in_turn
    def render(self) -> tuple[RenderFrame, ...] | None:
        """Returns a picture of each environment, shape (height, width, 3), dtype uint8.

        Raises:
            NotImplementedError: In any other mode than `"rgb_array"`, or its lists.
        """
        if self.render_mode not in _PICTURES:
            raise NotImplementedError(
                f"{type(self).__name__} renders in the mode 'rgb_array' only, but its mode is {self.render_mode!r}"
            )
        if self.batch is None:
            return None
        return tuple(self._image(i) for i in range(self.num_envs))

    def _image(self, i: int) -> RenderFrame:
        state = on_host(jax.tree.map(lambda rows: rows[i], self.batch.state))
        self.render_state, image = self.func_env.render_image(state, self.render_state, self._params_at(i))
        return image

    def _params_at(self, i: int) -> Any:
        """Returns the params of environment `i`."""
        return params_of(self.own, self.params, i)

    def close_extras(self, **kwargs: Any) -> None:
        """Free the resources of rendering."""
        if self.render_state is not None:
            self.func_env.render_close(self.render_state, self.params)
            self.render_state = None


def vectorized(
    env: Env,
    num_envs: int,
    max_episode_steps: int | None = None,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
) -> FunctionalJaxVectorEnv:
    """Returns copies of an environment that runs a `FuncEnv`, with its params and render mode.

    Raises:
        gymnasium.error.Error: If it does not run a `FuncEnv`.
        TypeError: If that cannot be traced; it names the line and the reason.
    """
    base: Any = env.unwrapped
    if not hasattr(base, "func_env"):
        own = not type(base).__module__.startswith("gymnasium.")
        other = ", or try vectorization_mode='compiled', which takes ordinary classes" if own else ""
        raise Error(
            f"{base} cannot run under JAX: its dynamics are not a gymnasium.functional.FuncEnv, whose functions "
            "could be traced. Write them as one, and register it, gymnasium.register(id, func_env=...); or leave "
            f"vectorization_mode out{other}"
        )
    metadata = {**base.metadata, "jax": True, "autoreset_mode": AutoresetMode(autoreset_mode)}
    limit, mode = max_episode_steps or 0, base.render_mode
    return FunctionalJaxVectorEnv(base.func_env, num_envs, limit, metadata, mode, params=base.params)


def _key_from(rng: np.random.Generator) -> Any:
    return jax.random.PRNGKey(int(rng.integers(0, 2**32 - 1, dtype=np.uint32)))


def _one_seed(seed: object, n: int) -> int:
    if not isinstance(seed, (int, np.integer)):
        raise Error(
            f"Under JAX the {n} environments share one key, so that the seed must be one int, but {seed!r} came"
        )
    return seeding.checked_seed(seed)


def _same_kind(dtype: Any, wanted: Any) -> bool:
    kinds = {"f": "biuf", "i": "iu", "u": "iu", "b": "biu"}
    return bool(dtype.kind in kinds[wanted.kind])
