"""Steps in which the environment moves several times."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._numbers import checked_integer
from gymnasium.wrappers.common import StepResult


class MaxAndSkipObservation(
    Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]
):
    """Repeats each action, and returns the maximum of the last two observations, element by element.

    This shows objects that an Atari game draws in every other frame only (Mnih et al. 2015, Nature 518). The rewards
    are added up. If the episode ends early, the step ends too; after a single frame, that frame is the observation.

    Args:
        env: The environment, with arrays as observations.
        skip: The number of steps per action.

    Raises:
        TypeError: If `skip` is not an integer.
        ValueError: If it is below 2, or the observations are not arrays.
    """

    __module__ = "gymnasium.wrappers.stateful_observation"  # the public home, which specs and pickles name

    def __init__(self, env: Env[ObsType, ActType], skip: int = 4) -> None:
        self._skip = checked_integer(skip, "skip", at_least=2)
        if env.observation_space.shape is None:
            raise ValueError(
                f"MaxAndSkipObservation takes the maximum of arrays, but {env} observes {env.observation_space}; put "
                "it around a FlattenObservation or a FilterObservation"
            )
        RecordConstructorArgs.__init__(self, skip=skip)
        Wrapper.__init__(self, env)

    @cached_property
    def _obs_buffer(self) -> np.ndarray:
        """The last two observations of the last step, for subclasses."""
        space = self.env.observation_space
        return np.zeros((2, *(space.shape or ())), space.dtype)

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step several times."""
        total = 0.0
        previous: Any = None
        for i in range(self._skip):
            observation, reward, terminated, truncated, info = self.env.step(action)
            total += float(reward)
            if terminated or truncated or i == self._skip - 1:
                break
            previous = np.array(observation)  # the environment may reuse the same array
        newest: Any = observation
        self._obs_buffer[1] = newest
        if previous is not None:
            self._obs_buffer[0] = previous
            newest = np.maximum(previous, newest)
        return newest, total, terminated, truncated, info
