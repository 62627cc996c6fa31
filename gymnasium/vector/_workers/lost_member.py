"""The replacement of an environment that was lost with its worker process."""

from __future__ import annotations

from typing import Any

from gymnasium.core import Env
from gymnasium.error import ResetNeeded
from gymnasium.vector._batch.member import Member, MemberState
from gymnasium.vector.vector_env import AutoresetMode


class LostMember(Member):
    """A new environment in place of one whose episode was lost with its worker process.

    Its first step ends that episode as truncated, with reward 0, the last observation and `worker_restarted` in the
    info. A reset follows as after any end. A reset before that step simply ends the episode.
    """

    __slots__ = ("_last", "_lost")

    def __init__(self, env: Env, mode: AutoresetMode, last: object) -> None:
        super().__init__(env, mode)
        self._last = last
        self._lost = True

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode."""
        self._lost = False
        return super().reset(seed, options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """End the lost episode, and then step like any member."""
        if not self._lost:
            return super().step(action)
        observation = self._last
        info: dict[str, Any] = {"worker_restarted": True}
        if self.mode is AutoresetMode.SAME_STEP:
            observation, reset_info = self.reset(None, None)
            info = {"final_obs": self._last, "final_info": {}, **info, **reset_info}
        self._lost = False
        self.finished = True
        return observation, 0.0, False, True, info

    def get_state(self, observation: Any = None) -> MemberState:
        """Returns this moment, once the lost episode has ended."""
        if self._lost:
            raise ResetNeeded("The episode of this environment was lost with its worker: step or reset it first")
        return super().get_state(observation)

    def set_state(self, state: MemberState, seed: int | None = None) -> None:
        """Go back to a moment: nothing is lost then."""
        super().set_state(state, seed)
        self._lost = False
