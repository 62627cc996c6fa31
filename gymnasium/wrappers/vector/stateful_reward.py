"""Vector wrappers whose rewards depend on earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.transforms.returns import discounted
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.wrappers.stateful_reward import check_discount
from gymnasium.wrappers.utils import RunningMeanStd, checked_state
from gymnasium.wrappers.vector._episodes import Episodes

__all__ = ["NormalizeReward"]


class NormalizeReward(VectorWrapper[ObsType, ActType, np.ndarray], RecordConstructorArgs):
    """Divides rewards by the standard deviation of all environments' discounted returns, which then vary by about 1.

    `return_rms` holds the moments of the returns; each episode starts a new return. A step that only resets an
    environment does not count. `update_running_mean = False` freezes the moments, for example to evaluate a policy.

    Args:
        env: The vector environment.
        gamma: The discount, between 0 and 1.
        epsilon: A positive number that keeps the divisor from zero.

    Raises:
        gymnasium.error.InvalidBound: If `gamma` is not between 0 and 1, or `epsilon` not positive.
        TypeError: If the metadata's `autoreset_mode` is not an `AutoresetMode`.
    """

    def __init__(self, env: VectorEnv, gamma: float = 0.99, epsilon: float = 1e-8) -> None:
        RecordConstructorArgs.__init__(self, gamma=gamma, epsilon=epsilon)
        VectorWrapper.__init__(self, env)
        check_discount(gamma, epsilon)
        self.return_rms = RunningMeanStd()
        self.accumulated_reward: NDArray[np.float32] = np.zeros(env.num_envs, np.float32)
        self.gamma = gamma
        self.epsilon = epsilon
        self._update_running_mean = True
        self._episodes = Episodes(env)

    @property
    def update_running_mean(self) -> bool:
        """Whether new returns count for the moments."""
        return self._update_running_mean

    @update_running_mean.setter
    def update_running_mean(self, setting: bool) -> None:
        self._update_running_mean = setting

    @property
    def _prev_dones(self) -> NDArray[np.bool_]:
        """The mask of the environments that are finished and not yet reset, for subclasses."""
        return self._episodes.finished

    @_prev_dones.setter
    def _prev_dones(self, dones: NDArray[np.bool_]) -> None:
        self._episodes.finished = dones

    @property
    def _autoreset_mode(self) -> AutoresetMode:
        """The autoreset mode, for subclasses."""
        return self._episodes.mode

    @_autoreset_mode.setter
    def _autoreset_mode(self, mode: AutoresetMode) -> None:
        self._episodes.mode = mode

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and start the returns of the affected environments."""
        result = self.env.reset(seed=seed, options=options)
        self.accumulated_reward[self._episodes.reset(options)] = 0
        return result

    def step(self, actions: ActType) -> tuple[ObsType, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Step, and scale the rewards."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        acted = ~self._episodes.finished
        _, ended, _ = self._episodes.step(terminations, truncations)
        self.accumulated_reward[acted] = discounted(self.accumulated_reward[acted], rewards[acted], self.gamma)
        if self._update_running_mean:
            self.return_rms.update(self.accumulated_reward[acted])
        self.accumulated_reward[ended] = 0
        return observations, self.normalize(rewards), terminations, truncations, infos

    def normalize(self, reward: np.ndarray) -> np.ndarray:
        """Returns rewards divided by the standard deviation of the returns so far."""
        scaled: np.ndarray = reward / np.sqrt(self.return_rms.var + self.epsilon)
        return scaled

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the moments (`mean`, `var`, `count`), returns and finished environments (shape (n,)) as arrays."""
        return {
            **self.return_rms.get_state(),
            "accumulated_reward": self.accumulated_reward.copy(),
            "prev_dones": self._episodes.finished.copy(),
        }

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        rows = (self.num_envs,)
        shapes = {"mean": (), "var": (), "count": (), "accumulated_reward": rows, "prev_dones": rows}
        arrays = checked_state(state, shapes)
        self.accumulated_reward = arrays.pop("accumulated_reward").astype(np.float32)
        self._episodes.finished = arrays.pop("prev_dones")
        self.return_rms.set_state(arrays)
