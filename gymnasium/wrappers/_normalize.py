"""Observations normalized by their running mean and standard deviation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObservationWrapper
from gymnasium.error import InvalidBound
from gymnasium.spaces import Box, Space
from gymnasium.transforms.moments import normalized
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.utils import RunningMeanStd


class NormalizeObservation(
    ObservationWrapper[NDArray[np.float32], ActType, np.ndarray], RecordConstructorArgs, Generic[ActType]
):
    """Returns `(observation - mean) / sqrt(var + epsilon)`, with the moments of all observations so far, as float32.

    `obs_rms` holds the moments. `update_running_mean = False` freezes them, for example to evaluate a policy.

    Args:
        env: The environment.
        epsilon: A positive number that keeps the divisor from zero.

    Raises:
        gymnasium.error.InvalidBound: If `epsilon` is not positive.
        ValueError: If the observations are not arrays.
    """

    __module__ = "gymnasium.wrappers.stateful_observation"  # the public home, which specs and pickles name

    def __init__(self, env: Env[np.ndarray, ActType], epsilon: float = 1e-8) -> None:
        RecordConstructorArgs.__init__(self, epsilon=epsilon)
        ObservationWrapper.__init__(self, env)
        shape = normalizable_shape(env.observation_space, epsilon)
        self.observation_space = Box(-np.inf, np.inf, shape, np.float32)
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

    def observation(self, observation: np.ndarray) -> NDArray[np.float32]:
        """Updates the moments with the observation, and returns it normalized."""
        batch = np.asarray(observation)[np.newaxis]
        if self._update_running_mean:
            rows = self.obs_rms.count_and_normalize(batch, self.epsilon)
        else:
            rows = normalized(batch, self.obs_rms.mean, self.obs_rms.var, self.epsilon)
        row: NDArray[np.float32] = rows[0]
        return row

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the moments as arrays `mean`, `var` and `count`, in a form for `np.savez`."""
        return self.obs_rms.get_state()

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue with the moments that `get_state` returned.

        Raises:
            ValueError: If they do not fit such observations.
        """
        self.obs_rms.set_state(state)


def normalizable_shape(space: Space, epsilon: float) -> tuple[int, ...]:
    """Returns the shape of the observations; raises as `NormalizeObservation` does."""
    if not epsilon > 0:
        raise InvalidBound(f"`epsilon` must be positive, but {epsilon} came")
    if space.shape is None:
        raise ValueError(
            f"Only arrays can be normalized, but the observation space is {space}; wrap the environment in "
            "FlattenObservation or FilterObservation first"
        )
    return space.shape
