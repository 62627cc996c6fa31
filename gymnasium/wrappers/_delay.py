"""Delayed observations."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActType, Env, ObservationWrapper, ObsType
from gymnasium.spaces.batching import create_zero_array
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._numbers import checked_integer
from gymnasium.wrappers._saving import checked_observations, saved_observations


class DelayObservation(ObservationWrapper[ObsType, ActType, ObsType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Returns each observation `delay` steps late; until then zeros, or the nearest value in the space.

    Args:
        env: The environment.
        delay: In steps; 0 for none.

    Raises:
        TypeError: If `delay` is not an integer.
        ValueError: If it is negative.
    """

    __module__ = "gymnasium.wrappers.stateful_observation"  # the public module, for specs and pickles

    def __init__(self, env: Env[ObsType, ActType], delay: int) -> None:
        self.delay = checked_integer(delay, "delay", at_least=0)
        RecordConstructorArgs.__init__(self, delay=delay)
        ObservationWrapper.__init__(self, env)
        self.observation_queue: deque[ObsType] = deque()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and drop the observations of the last episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self.observation_queue.clear()
        return self.observation(observation), info

    def observation(self, observation: ObsType) -> ObsType:
        """Returns the observation of `delay` steps ago."""
        self.observation_queue.append(observation)
        if len(self.observation_queue) > self.delay:
            return self.observation_queue.popleft()
        zero: ObsType = create_zero_array(self.observation_space)
        return zero

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the pending observations as arrays, and their `count`."""
        return saved_observations(self.observation_space, self.observation_queue)

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue with the observations that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        observations, _ = checked_observations(self.observation_space, state, {}, range(self.delay + 1))
        self.observation_queue = deque(observations)
