"""The last observations stacked into one, for one environment."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.spaces.batching import batch_space, create_zero_array, iterate
from gymnasium.spaces.space import Space
from gymnasium.transforms.stacking import make_stack
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._numbers import checked_integer
from gymnasium.wrappers._saving import checked_observations, saved_observations
from gymnasium.wrappers.common import StepResult


class FrameStackObservation(Wrapper[Any, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ActType, ObsType]):
    """Returns the last `stack_size` observations as one, the oldest first.

    Each array gets a leading axis: the space is a batch of the environment's. An episode begins with padding.

    Args:
        env: The environment.
        stack_size: The number of observations.
        padding_type: The padding before the first observation: `"reset"`, that observation; `"zero"`, zeros, or the
            nearest value in the space; or an observation.

    Raises:
        TypeError: If `stack_size` is not an integer.
        ValueError: If it is not positive, or `padding_type` is none of these.
    """

    __module__ = "gymnasium.wrappers.stateful_observation"  # the public home, which specs and pickles name

    def __init__(self, env: Env[ObsType, ActType], stack_size: int, *, padding_type: str | ObsType = "reset") -> None:
        size = checked_integer(stack_size, "stack_size", at_least=1)
        kind, padding = checked_padding(env.observation_space, padding_type)
        RecordConstructorArgs.__init__(self, stack_size=stack_size, padding_type=padding_type)
        Wrapper.__init__(self, env)
        self.stack_size = size
        self.padding_type = kind
        self.padding_value: ObsType = padding
        self.observation_space = batch_space(env.observation_space, n=size)
        self._stack = make_stack(env.observation_space, size)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset, and begin with padding."""
        observation, info = self.env.reset(seed=seed, options=options)
        if self.padding_type == "reset":
            self.padding_value = observation
        self._stack.restart(observation, self.padding_value)
        return self._stack.stacked(), info

    def step(self, action: ActType) -> StepResult[Any]:
        """Step, and drop the oldest observation."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._stack.push(observation)
        return self._stack.stacked(), reward, terminated, truncated, info

    @property
    def stacked_obs(self) -> Any:
        """The last returned observation, in new arrays."""
        return self._stack.stacked()

    @property
    def obs_queue(self) -> deque[ObsType]:
        """The single observations, the oldest first: a copy, so assign to it to change them."""
        return deque(iterate(self.observation_space, self._stack.stacked()), maxlen=self.stack_size)

    @obs_queue.setter
    def obs_queue(self, observations: Iterable[ObsType]) -> None:
        for observation in observations:
            self._stack.push(observation)

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the single observations, the oldest first, as arrays, and their `count`."""
        return saved_observations(self.env.observation_space, self._stack.history())

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue with the observations that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        counts = {len(self._stack.history()), self.stack_size}
        observations, _ = checked_observations(self.env.observation_space, state, {}, sorted(counts))
        for observation in observations:
            self._stack.push(observation)


def checked_padding(space: Space, padding_type: object) -> tuple[str, Any]:
    """Returns the name of the padding, `_custom` for an observation, and the observation to pad with.

    Raises:
        ValueError: If `padding_type` is neither a name nor an observation of the space.
    """
    if isinstance(padding_type, str) and padding_type in ("reset", "zero"):
        return padding_type, create_zero_array(space)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the type of a wrong padding: the error says more
        is_observation = padding_type in space
    if is_observation:
        return "_custom", deepcopy(padding_type)
    raise ValueError(f"padding_type must be 'reset', 'zero' or an observation of {space}, but {padding_type!r} came")
