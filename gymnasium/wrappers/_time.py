"""Observations that include the time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActType, Env, ObservationWrapper, ObsType, Wrapper
from gymnasium.spaces import Box, Dict, Space, Tuple
from gymnasium.spaces.utils import flatten, flatten_space
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.common import StepResult, TimeLimit
from gymnasium.wrappers.utils import checked_state


class TimeAwareObservation(ObservationWrapper[Any, ActType, ObsType], RecordConstructorArgs, Generic[ActType, ObsType]):
    """Adds the number of steps since the reset to the observation.

    A task with a time limit is a Markov process only if the agent knows the time (Pardo et al. 2018, "Time Limits in
    Reinforcement Learning", ICML). The time is an array of shape (1,).

    Args:
        env: The environment, with a time limit.
        flatten: Whether the result is flattened into one array.
        normalize_time: Whether the time is the elapsed part of the limit, float32 in [0, 1], instead of a number of
            steps, int32.
        dict_time_key: The time's key in a Dict observation; observations other than Dict and Tuple become
            `{"obs": observation, "time": time}`.

    Raises:
        ValueError: If there is no time limit, or the Dict already has that key.
    """

    __module__ = "gymnasium.wrappers.stateful_observation"  # the public home, which specs and pickles name

    def __init__(
        self,
        env: Env[ObsType, ActType],
        flatten: bool = True,
        normalize_time: bool = False,
        *,
        dict_time_key: str = "time",
    ) -> None:
        ObservationWrapper.__init__(self, env)
        limit = _limit(env)
        space = env.observation_space
        if isinstance(space, Dict) and dict_time_key in space.spaces:
            raise ValueError(f"The observation already has a {dict_time_key!r}: {space}; choose another dict_time_key")
        RecordConstructorArgs.__init__(
            self, flatten=flatten, normalize_time=normalize_time, dict_time_key=dict_time_key
        )
        self.flatten = flatten
        self.normalize_time = normalize_time
        self.dict_time_key = dict_time_key
        self.max_timesteps = limit
        self.timesteps = 0
        time: Space = Box(0, limit, (1,), np.int32)
        if normalize_time:
            time = Box(0.0, 1.0, (1,), np.float32)
        self._timed_space = self._timed(space, space, time, Dict, Tuple)
        self.observation_space = flatten_space(self._timed_space) if flatten else self._timed_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset, and count from zero."""
        observation, info = self.env.reset(seed=seed, options=options)
        self.timesteps = 0
        return self.observation(observation), info

    def step(self, action: ActType) -> StepResult[Any]:
        """Step, and count it."""
        self.timesteps += 1
        return super().step(action)

    def observation(self, observation: ObsType) -> Any:
        """Returns the observation with the time."""
        return self._obs_postprocess_func(
            self._append_data_func(observation, self._time_preprocess_func(self.timesteps))
        )

    # Subclasses and programs replace these three.

    def _time_preprocess_func(self, time: int) -> np.ndarray:
        if self.normalize_time:
            return np.array([time / self.max_timesteps], np.float32)
        return np.array([time], np.int32)

    def _append_data_func(self, obs: ObsType, time: np.ndarray) -> Any:
        return self._timed(self.env.observation_space, obs, time, dict, tuple)

    def _obs_postprocess_func(self, obs: Any) -> Any:
        return flatten(self._timed_space, obs) if self.flatten else obs

    def _timed(self, space: Space, value: Any, time: Any, as_dict: Any, as_tuple: Any) -> Any:
        """Returns a value together with the time: an observation, or its space."""
        if isinstance(space, Dict):
            parts = value.spaces if isinstance(value, Dict) else value
            return as_dict({self.dict_time_key: time, **parts})
        if isinstance(space, Tuple):
            return as_tuple((*value, time))
        return as_dict({"obs": value, "time": time})

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns `timesteps`, as an array."""
        return {"timesteps": np.array(self.timesteps)}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue the count that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        self.timesteps = int(checked_state(state, {"timesteps": ()})["timesteps"])


def _limit(env: Env) -> int:
    inner = env
    while isinstance(inner, Wrapper):
        if isinstance(inner, TimeLimit):
            return _outermost_beside(inner)
        inner = inner.env
    if env.spec is not None and env.spec.max_episode_steps is not None:
        return env.spec.max_episode_steps
    raise ValueError(
        f"TimeAwareObservation needs the length of an episode, but {env} has no limit; put it around a TimeLimit, or "
        "register the environment with max_episode_steps"
    )


def _outermost_beside(limit: TimeLimit[Any, Any]) -> int:
    """Returns the outermost of the adjacent limits that include this one; a spec does not keep their order."""
    spec = limit.spec
    if spec is None or spec.max_episode_steps is None or limit._is_listed(spec):
        return limit._max_episode_steps
    return spec.max_episode_steps
