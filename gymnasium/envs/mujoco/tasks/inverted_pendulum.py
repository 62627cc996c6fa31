"""InvertedPendulum: keep the pole upright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gymnasium.envs.mujoco.tasks.task import Array, Outcome, Task, World, component, finite, whole


@dataclass
class InvertedPendulum(Task):
    """Both versions; version 4 rewards the last step too, and reports nothing.

    Attributes:
        version: 4 or 5.
    """

    reset_noise_scale: float
    version: int

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns positions and velocities."""
        return r.qpos, r.qvel

    def outcome(self, before: None, r: Any, action: Array, w: World) -> Outcome:
        """Returns 1 for a pole within 0.2 rad of upright."""
        terminated = ~finite(r) | (abs(component(r.qpos, 1)) > 0.2)
        if self.version == 4:
            return Outcome(1.0, terminated, {})
        reward = whole(1 - terminated)
        return Outcome(reward, terminated, {"reward_survive": reward})

    def structure(self, r: Any) -> dict[str, int]:
        """Returns the sizes of the parts of the observation."""
        return {"qpos": r.qpos.shape[-1], "qvel": r.qvel.shape[-1]}
