"""Wrappers whose reward depends on earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, SupportsFloat

import numpy as np

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.error import InvalidBound
from gymnasium.transforms.moments import Floats
from gymnasium.transforms.returns import discounted
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.utils import RunningMeanStd, checked_state

__all__ = ["NormalizeReward"]


class NormalizeReward(Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Divides each reward by the standard deviation of the discounted returns so far, which then vary by about 1.

    `return_rms` holds the moments of the returns; each episode starts a new return. `update_running_mean = False`
    freezes them, for example to evaluate a policy.

    Args:
        env: The environment.
        gamma: The discount, between 0 and 1.
        epsilon: A positive number that keeps the divisor from zero.

    Raises:
        gymnasium.error.InvalidBound: If `gamma` is not between 0 and 1, or `epsilon` not positive.
    """

    def __init__(self, env: Env[ObsType, ActType], gamma: float = 0.99, epsilon: float = 1e-8) -> None:
        RecordConstructorArgs.__init__(self, gamma=gamma, epsilon=epsilon)
        Wrapper.__init__(self, env)
        check_discount(gamma, epsilon)
        self.discounted_reward: Floats = np.zeros(1)
        self.return_rms = RunningMeanStd()
        self.gamma = gamma
        self.epsilon = epsilon
        self._update_running_mean = True

    @property
    def update_running_mean(self) -> bool:
        """Whether new returns count for the moments."""
        return self._update_running_mean

    @update_running_mean.setter
    def update_running_mean(self, setting: bool) -> None:
        self._update_running_mean = setting

    def step(self, action: ActType) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step, and scale the reward."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        scaled = self._scaled(reward)
        if terminated or truncated:
            self.discounted_reward = np.zeros(1)
        return observation, scaled, terminated, truncated, info

    def _scaled(self, reward: Any) -> Any:
        self.discounted_reward = discounted(self.discounted_reward, reward, self.gamma)
        if self._update_running_mean:
            self.return_rms.update(self.discounted_reward)
        return reward / np.sqrt(self.return_rms.var + self.epsilon)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and start a new return."""
        result = self.env.reset(seed=seed, options=options)
        self.discounted_reward = np.zeros(1)
        return result

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the moments (`mean`, `var`, `count`) and the return (`discounted_reward`) as arrays."""
        return {**self.return_rms.get_state(), "discounted_reward": self.discounted_reward.copy()}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        arrays = checked_state(state, {"mean": (), "var": (), "count": (), "discounted_reward": (1,)})
        self.discounted_reward = arrays.pop("discounted_reward")
        self.return_rms.set_state(arrays)


def check_discount(gamma: float, epsilon: float) -> None:
    """Raises `InvalidBound` if `gamma` is outside [0, 1] or `epsilon` not positive."""
    if not 0 <= gamma <= 1:
        raise InvalidBound(f"`gamma` must be between 0 and 1, but {gamma} came")
    if not epsilon > 0:
        raise InvalidBound(f"`epsilon` must be positive, but {epsilon} came")
