"""Vector wrappers that change rewards, each as a function of the rewards alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gymnasium.core import ActType, Env, ObsType
from gymnasium.vector.vector_env import VectorEnv, VectorRewardWrapper
from gymnasium.wrappers import transform_reward as single
from gymnasium.wrappers._function import checked_function
from gymnasium.wrappers.vector._spaces import OnlySpaces

__all__ = ["ClipReward", "TransformReward", "VectorizeTransformReward"]


class TransformReward(VectorRewardWrapper[ObsType, ActType, np.ndarray]):
    """Applies `func` to each batch of rewards.

    Args:
        env: The vector environment.
        func: Maps the environment's rewards, of shape (n,), to this wrapper's.
    """

    def __init__(self, env: VectorEnv, func: Callable[[np.ndarray], np.ndarray]) -> None:
        super().__init__(env)
        self.func = checked_function(func)

    def rewards(self, rewards: np.ndarray) -> np.ndarray:
        """Returns `func(rewards)`."""
        return self.func(rewards)


class VectorizeTransformReward(VectorRewardWrapper[ObsType, ActType, np.ndarray]):
    """Applies a wrapper of single environments to each reward of a batch.

    `ClipReward` changes the whole batch at once; the `func` of any other wrapper is called for each reward.

    Args:
        env: The vector environment.
        wrapper: The class of the wrapper, a `TransformReward`.
        **kwargs: Its arguments.
    """

    def __init__(self, env: VectorEnv, wrapper: type[single.TransformReward[Any, Any]], **kwargs: Any) -> None:
        super().__init__(env)
        inner: Env = OnlySpaces(env.single_observation_space, env.single_action_space)
        self.wrapper = wrapper(inner, **kwargs)

    def rewards(self, rewards: np.ndarray) -> np.ndarray:
        """Returns the changed rewards, in the dtype of the batch."""
        func: Callable[[Any], Any] = self.wrapper.func
        if isinstance(self.wrapper, single.ClipReward):  # clips arrays like numbers
            clipped: np.ndarray = func(rewards)
            return clipped
        return np.fromiter(map(func, rewards), rewards.dtype, len(rewards))


class ClipReward(VectorizeTransformReward[ObsType, ActType]):
    """Clips rewards to bounds.

    Arguments and errors are those of `gymnasium.wrappers.ClipReward`.
    """

    def __init__(
        self, env: VectorEnv, min_reward: ArrayLike | None = None, max_reward: ArrayLike | None = None
    ) -> None:
        super().__init__(env, single.ClipReward, min_reward=min_reward, max_reward=max_reward)
