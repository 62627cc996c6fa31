"""Batches of the classic control environments, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.compiled.vector_env import CompiledVectorEnv
from gymnasium.envs.classic_control.acrobot import AcrobotEnv
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.classic_control.continuous_mountain_car import Continuous_MountainCarEnv
from gymnasium.envs.classic_control.mountain_car import MountainCarEnv
from gymnasium.envs.classic_control.pendulum import PendulumEnv


class CartPoleVectorEnv(CompiledVectorEnv):
    """Copies of CartPole; also found in `gymnasium.envs.classic_control.cartpole`.

    The bounds that a reset of all environments has in `options` are those of the following automatic resets too.

    Args:
        num_envs: How many.
        max_episode_steps: The number of steps after which an episode is truncated.
        render_mode: None or `"rgb_array"`.
        sutton_barto_reward: Whether rewards are those of the source.
        **runner: `autoreset_mode`, `num_threads` and `copy` of `CompiledVectorEnv`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = 500,
        render_mode: str | None = None,
        sutton_barto_reward: bool = False,
        **runner: Any,
    ) -> None:
        super().__init__(
            CartPoleEnv,
            num_envs,
            max_episode_steps=max_episode_steps,
            render_mode=render_mode,
            sutton_barto_reward=sutton_barto_reward,
            **runner,
        )

    def _start_params(self, mask: NDArray[np.bool_], each: list[Any]) -> list[Any]:
        start = super()._start_params(mask, each)
        if mask.all():
            self._attributes.use(start)
        return start


class MountainCarVectorEnv(CompiledVectorEnv):
    """Copies of MountainCar; arguments as of `CompiledVectorEnv` and `MountainCarEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(MountainCarEnv, num_envs, **arguments)


class ContinuousMountainCarVectorEnv(CompiledVectorEnv):
    """Copies of MountainCarContinuous; arguments as of `CompiledVectorEnv` and `Continuous_MountainCarEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(Continuous_MountainCarEnv, num_envs, **arguments)


class PendulumVectorEnv(CompiledVectorEnv):
    """Copies of Pendulum; arguments as of `CompiledVectorEnv` and `PendulumEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(PendulumEnv, num_envs, **arguments)


class AcrobotVectorEnv(CompiledVectorEnv):
    """Copies of Acrobot; arguments as of `CompiledVectorEnv` and `AcrobotEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(AcrobotEnv, num_envs, **arguments)
