"""A wrapper that gives each episode of each environment of a batch params of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.params.base import Distribution
from gymnasium.spaces import Box, Dict
from gymnasium.spaces.batching import batch_space
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector._batch.counting import Counts
from gymnasium.vector.vector_env import ArrayType, AutoresetMode, VectorEnv, VectorWrapper
from palaestra.randomization.distributions import Scale, randomization_of

__all__ = ["RandomizeParams"]


class RandomizeParams(VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Draws params, such as gravity, for each environment at the beginning of each of its episodes.

        envs = gymnasium.make_vec("CartPole-v1", 1024)
        envs = RandomizeParams(envs, gravity=Uniform(8, 12), length=Choice([0.4, 0.5, 0.6]))

    They are drawn before each reset, autoreset too, in the order in which they are named, from a stream of the
    environment's own that begins with each seed. So neither the runner nor the number of environments or threads
    changes a bit; and each episode is that of a single environment with the same seed, made with these params.

    `infos["params"]` of a reset holds the values drawn: for each name an array of shape (n,), with a mask.

    Args:
        env: The vector environment. Its runner draws the params, compiled environments in machine code.
        observe: The names of params to append to the observations: to a `Box` of one axis of floats, in this order; to
            a `Dict` as `"params"`. Those of worker processes are told at each reset, so that they are 0 before the
            next one, and `set_attr` does not show.
        **params: By name, a distribution of `palaestra.randomization`, a number, an array or list with a value for each
            environment, or a pure function of (rng, episode). For the names, see the wrapper of one environment.

    Raises:
        ValueError: If an environment has no such param, or refuses a value that may be drawn, or an array does not
            have length n; or if observations have no place for params.
        TypeError: If a param is not of the type of the values, or one to observe is no number; or if something else
            than a distribution comes, or the batch cannot draw params. In all these cases nothing has changed.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], observe: Sequence[str] = (), **params: Any) -> None:
        RecordConstructorArgs.__init__(self, observe=observe, **params)
        randomization = randomization_of(params)
        for name in observe:
            if name not in randomization.names:
                raise ValueError(f"{name!r} cannot be observed: the params are {', '.join(randomization.names)}")
            _check_number(env, name, randomization.distributions[name])
        inner = _Observed(env, tuple(observe)) if observe else env
        VectorWrapper.__init__(self, inner)
        env._begin_with(randomization)
        if isinstance(inner, _Observed):
            inner.look()

    def _step_after(self, actions: Any, ask: Callable[[], None]) -> Any:
        return self.env._step_after(actions, ask)

    def _count_episodes(self) -> Counts:
        return self.env._count_episodes()


class _Observed(VectorWrapper[ObsType, ActType, ArrayType]):
    """Appends params to the observations."""

    def __init__(self, env: VectorEnv[Any, Any, Any], names: tuple[str, ...]) -> None:
        super().__init__(env)
        self._names = names
        self.single_observation_space = _with_params(env.single_observation_space, len(names))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._now = np.zeros((self.num_envs, len(names)))
        self._same_step = env.metadata.get("autoreset_mode") is AutoresetMode.SAME_STEP

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and append the params."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._seen(observations, infos), infos

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step, and append the params."""
        if self._same_step:
            self.look()  # for the last observations
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        return self._seen(observations, infos), rewards, terminations, truncations, infos

    def get_state(self) -> dict[str, NDArray[np.float64]]:
        """Returns the params as an array `params` of shape (n, names)."""
        return {"params": self._now.copy()}

    def set_state(self, state: Any) -> None:
        """Continue with the params of `get_state`.

        Raises:
            ValueError: If they have another shape.
        """
        params = np.array(state["params"], np.float64)
        if params.shape != self._now.shape:
            raise ValueError(f"The params have the shape {self._now.shape}, but those of the state {params.shape}")
        self._now = params

    def look(self) -> None:
        """Find out the present params, where they can be read at once."""
        for k, name in enumerate(self._names):
            now = self.env._params_now(name)
            if now is not None:
                self._now[:, k] = now

    def _seen(self, observations: object, infos: dict[str, Any]) -> Any:
        """Returns the observations with the params of now."""
        if self._same_step and "final_obs" in infos:
            self._see_last(infos)
        if "params" in infos:
            begun = np.asarray(infos["_params"])
            for k, name in enumerate(self._names):
                self._now[begun, k] = np.asarray(infos["params"][name])[begun]
        self.look()
        return _appended(observations, self._now)

    def _see_last(self, infos: dict[str, Any]) -> None:
        """Append the params to the last observations: an array of objects, or arrays of all environments under JAX."""
        last = infos["final_obs"]
        if not isinstance(last, np.ndarray):
            infos["final_obs"] = _appended(last, self._now)
            return
        infos["final_obs"] = last.copy()
        for i in np.flatnonzero(infos["_final_obs"]):
            infos["final_obs"][i] = _appended(last[i], self._now[i])


def _check_number(env: VectorEnv, name: str, distribution: Distribution) -> None:
    """Raises TypeError for a param that cannot be observed because it is no number."""
    first = distribution.of(0)
    inner = first.factor if isinstance(first, Scale) else first
    now = env._params_now(name)
    for value in [*([] if now is None else [now[0]]), *inner.extremes(), np.zeros(inner.shape)]:
        if np.ndim(value) or np.asarray(value).dtype.kind not in "biuf":
            raise TypeError(f"{name!r} cannot be observed: it is no number, as {value!r:.100} shows")


def _with_params(space: object, count: int) -> Any:
    """Returns the space of observations with params appended."""
    everything = np.full(count, np.inf)
    if isinstance(space, Dict):
        if "params" in space.spaces:
            raise ValueError(f"The observations have a part 'params' already: {space}")
        return Dict({**space.spaces, "params": Box(-everything, everything, dtype=np.float64)})
    if not (isinstance(space, Box) and len(space.shape) == 1 and space.dtype.kind == "f"):
        raise ValueError(f"Params are appended to a Box of one axis of floats, or to a Dict, but not to {space}")
    low, high = np.concatenate([space.low, -everything]), np.concatenate([space.high, everything])
    return Box(low.astype(space.dtype), high.astype(space.dtype), dtype=space.dtype.type)


def _appended(observations: Any, params: NDArray[np.float64]) -> Any:
    if isinstance(observations, dict):
        return {**observations, "params": params.copy()}
    if isinstance(observations, np.ndarray):
        return np.concatenate([observations, params.astype(observations.dtype)], axis=-1)
    xp = observations.__array_namespace__()
    return xp.concat([observations, xp.asarray(params, dtype=observations.dtype)], axis=-1)
