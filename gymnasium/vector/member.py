"""One environment of a batch, and the table of the effects of a step."""

from __future__ import annotations

from typing import Any

from gymnasium.core import Env
from gymnasium.vector.vector_env import AutoresetMode


class Member:
    """An environment that its vector environment steps and resets, in any process.

        before the step     NEXT_STEP                        SAME_STEP                           DISABLED
        running             step                             step; at the end: keep the last     step
                                                             observation and info, reset
        finished            reset; reward 0, no flag         (was reset by the step that         AssertionError
                            (the action is ignored)          finished it)

    Attributes:
        env: The environment.
        finished: Whether its episode is over and it has not been reset since.
    """

    __slots__ = ("env", "finished", "mode")

    def __init__(self, env: Env[Any, Any], mode: AutoresetMode) -> None:
        self.env = env
        self.mode = mode
        self.finished = False

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, finished or not."""
        observation, info = self.env.reset(seed=seed, options=options)
        self.finished = False
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take one step of the table.

        Raises:
            AssertionError: If the environment is finished and the mode is DISABLED.
        """
        if self.finished and self.mode is not AutoresetMode.SAME_STEP:
            return self._step_finished()
        observation, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            self.finished = True
            if self.mode is AutoresetMode.SAME_STEP:
                last = {"final_obs": observation, "final_info": info}
                observation, reset_info = self.reset(None, None)
                info = {**last, **reset_info}
        return observation, reward, terminated, truncated, info

    def _step_finished(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.mode is not AutoresetMode.NEXT_STEP:
            raise AssertionError(
                "A finished environment was stepped without autoreset: reset it first, with "
                "reset(options={'reset_mask': terminations | truncations})"
            )
        observation, info = self.reset(None, None)
        return observation, 0.0, False, False, info
