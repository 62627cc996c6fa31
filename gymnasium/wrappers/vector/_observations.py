"""The common base of all vector wrappers that change observations: they also change final observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType
from gymnasium.spaces.batching import batch_space, concatenate, create_empty_array, iterate
from gymnasium.spaces.space import Space
from gymnasium.vector._batch.trees import host, mapped
from gymnasium.vector.vector_env import ArrayType, VectorEnv, VectorObservationWrapper, VectorWrapper
from gymnasium.wrappers.vector._episodes import autoreset_mode


def last_observations(infos: dict[str, Any], env: VectorEnv) -> tuple[list[int], NDArray[Any]]:
    """Returns the rows of a batch in which an episode ended, and a new array of n objects with their last observations.

    They come as such an array, or under JAX as a batch of observations, of which the other rows have no meaning.
    """
    ended, finals = np.flatnonzero(host(infos["_final_obs"])).tolist(), infos["final_obs"]
    if isinstance(finals, np.ndarray) and finals.dtype.hasobject:
        return ended, finals.copy()
    rows = np.full(env.num_envs, None, object)
    each = list(iterate(env.observation_space, mapped(host, finals)))
    for i in ended:
        rows[i] = each[i]
    return ended, rows


def in_form_of(given: Any, finals: NDArray[Any], space: Space) -> Any:
    """Returns last observations as those were that came: a new array of objects, or a batch with zeros elsewhere.

    Args:
        given: Those that came.
        finals: Now an array of objects.
        space: The space of one.
    """
    if isinstance(given, np.ndarray) and given.dtype.hasobject:
        return finals
    (blank,) = iterate(batch_space(space, 1), create_empty_array(space, 1))
    rows = [blank if final is None else final for final in finals]
    return concatenate(space, rows, create_empty_array(space, len(rows)))


class EveryObservation(VectorObservationWrapper[Any, ActType, ArrayType]):
    """Changes the observations of a batch and, in the mode SAME_STEP, those in `infos["final_obs"]`.

    A subclass implements `observations` and `finals`.

    Raises:
        TypeError: If the metadata's `autoreset_mode` is not an `AutoresetMode`.
    """

    def __init__(self, env: VectorEnv) -> None:
        VectorWrapper.__init__(self, env)  # skips the parent's, which refuses SAME_STEP
        self.autoreset_mode = autoreset_mode(env)

    def step(self, actions: ActType) -> tuple[Any, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step the inner environments and change their observations, the final ones first."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        if "final_obs" in infos:
            infos = self._with_finals(observations, infos)
        return self.observations(observations), rewards, terminations, truncations, infos

    def _with_finals(self, observations: object, infos: dict[str, Any]) -> dict[str, Any]:
        rows, finals = last_observations(infos, self.env)
        changed = self.finals([finals[i] for i in rows], rows, observations) if rows else []
        for i, final in zip(rows, changed, strict=True):
            finals[i] = final
        return {**infos, "final_obs": in_form_of(infos["final_obs"], finals, self.single_observation_space)}

    def finals(self, finals: list[Any], rows: list[int], observations: Any) -> list[Any]:
        """Returns the changed last observations of episodes.

        Args:
            finals: k observations of single environments.
            rows: The indices of their environments.
            observations: The inner observations of all environments; those of `rows` belong to the new episodes.
        """
        return list(iterate(self.observation_space, self.observations(self.as_batch(finals))))

    def as_batch(self, observations: list[Any]) -> Any:
        """Returns observations of single inner environments as one batch."""
        space = self.env.single_observation_space
        return concatenate(space, observations, create_empty_array(space, len(observations)))
