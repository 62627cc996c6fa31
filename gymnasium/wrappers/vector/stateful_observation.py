"""Vector wrappers whose observations depend on earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType
from gymnasium.spaces import Box
from gymnasium.spaces.batching import batch_space
from gymnasium.transforms.moments import normalized
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector._batch.trees import host
from gymnasium.vector.vector_env import ArrayType, VectorEnv
from gymnasium.wrappers._normalize import normalizable_shape
from gymnasium.wrappers.utils import RunningMeanStd
from gymnasium.wrappers.vector._observations import EveryObservation

__all__ = ["NormalizeObservation"]


class NormalizeObservation(EveryObservation[ActType, ArrayType], RecordConstructorArgs):
    """Returns `(observations - mean) / sqrt(var + epsilon)`, with the moments of all environments' so far, as float32.

    `obs_rms` holds the moments. Each observation of an environment counts once: in the mode SAME_STEP the final ones
    too, and after a reset with a mask only the rows that were reset. `update_running_mean = False` freezes the moments,
    for example to evaluate a policy.

    Args:
        env: The vector environment.
        epsilon: A positive number that keeps the divisor from zero.

    Raises:
        gymnasium.error.InvalidBound: If `epsilon` is not positive.
        ValueError: If the observations are not arrays.
    """

    def __init__(self, env: VectorEnv, epsilon: float = 1e-8) -> None:
        RecordConstructorArgs.__init__(self, epsilon=epsilon)
        EveryObservation.__init__(self, env)
        shape = normalizable_shape(env.single_observation_space, epsilon)
        self.single_observation_space = Box(-np.inf, np.inf, shape, np.float32)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self.obs_rms = RunningMeanStd(shape=shape, dtype=np.float32)
        self.epsilon = epsilon
        self._update_running_mean = True

    @property
    def update_running_mean(self) -> bool:
        """Whether new observations count for the moments."""
        return self._update_running_mean

    @update_running_mean.setter
    def update_running_mean(self, setting: bool) -> None:
        self._update_running_mean = setting

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Reset, and count the first observations."""
        mask = None if options is None else options.get("reset_mask")
        observations, infos = self.env.reset(seed=seed, options=options)
        observations = host(observations)
        if self._update_running_mean:
            self.obs_rms.update(observations if mask is None else observations[host(mask)])
        return self._normalized(observations), infos

    def observations(self, observations: Any) -> NDArray[np.float32]:
        """Updates the moments with a batch of observations, and returns it normalized."""
        observations = host(observations)  # also of JAX
        if self._update_running_mean and len(observations):
            return self.obs_rms.count_and_normalize(observations, self.epsilon)
        return self._normalized(observations)

    def _normalized(self, observations: np.ndarray) -> NDArray[np.float32]:
        return normalized(observations, self.obs_rms.mean, self.obs_rms.var, self.epsilon)

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the moments as arrays `mean`, `var` and `count`, in a form for `np.savez`."""
        return self.obs_rms.get_state()

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue with the moments that `get_state` returned, here or of the single wrapper.

        Raises:
            ValueError: If they do not fit such observations.
        """
        self.obs_rms.set_state(state)
