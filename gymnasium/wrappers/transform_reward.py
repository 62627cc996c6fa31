"""Wrappers that change the reward, each as a function of the reward alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, SupportsFloat

from numpy.typing import ArrayLike

from gymnasium.core import ActType, Env, ObsType, RewardWrapper
from gymnasium.transforms.clip import clip_between
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._function import checked_function

__all__ = ["ClipReward", "TransformReward"]


class TransformReward(RewardWrapper[ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Applies `func` to each reward.

    Args:
        env: The environment.
        func: Maps a reward of the environment to one of this wrapper.
    """

    def __init__(self, env: Env[ObsType, ActType], func: Callable[[SupportsFloat], SupportsFloat]) -> None:
        RecordConstructorArgs.__init__(self, func=func)
        RewardWrapper.__init__(self, env)
        self.func = checked_function(func)

    def reward(self, reward: SupportsFloat) -> SupportsFloat:
        """Returns `func(reward)`."""
        return self.func(reward)


class ClipReward(TransformReward[ObsType, ActType], Generic[ObsType, ActType]):
    """Clips rewards to bounds.

    Args:
        env: The environment.
        min_reward: The lower bound; None for no such bound.
        max_reward: The upper bound, likewise.

    Raises:
        gymnasium.error.InvalidBound: If both are None, or the lower is above the upper.
    """

    def __init__(
        self, env: Env[ObsType, ActType], min_reward: ArrayLike | None = None, max_reward: ArrayLike | None = None
    ) -> None:
        RecordConstructorArgs.__init__(self, min_reward=min_reward, max_reward=max_reward)
        clip: Callable[[Any], Any] = clip_between(min_reward, max_reward)
        super().__init__(env, clip)
        self.min_reward, self.max_reward = min_reward, max_reward
