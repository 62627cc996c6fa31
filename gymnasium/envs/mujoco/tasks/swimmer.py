"""Swimmer: swim towards positive x. Nothing ends an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gymnasium.envs.mujoco.tasks.task import Array, EffortTask, Number, Outcome, Rewarded, World, component, norm


@dataclass
class Swimmer(EffortTask):
    """Both versions, which differ in the name of one reward.

    Attributes:
        version: 4 or 5.
    """

    forward_reward_weight: float
    ctrl_cost_weight: float
    reset_noise_scale: float
    exclude_current_positions: bool
    version: int

    def before(self, r: Any, w: World) -> Array:
        """Returns x and y of the front end, in m."""
        position: Array = r.qpos[..., :2].copy()
        return position

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns positions and velocities."""
        return r.qpos[..., 2:] if self.exclude_current_positions else r.qpos, r.qvel

    def total(self, before: Array, r: Any, w: World, control_cost: Number) -> Outcome:
        """Returns the weighted speed along x, less the cost of the action."""
        velocity = (r.qpos[..., :2] - before) / w.dt
        reward, parts = self.rewarded(component(velocity, 0), control_cost)
        speed = {"x_velocity": component(velocity, 0), "y_velocity": component(velocity, 1)}
        return Outcome(reward, False, {**self._place(r), **speed, **parts})

    def rewarded(self, velocity: Number, control_cost: Number) -> Rewarded:
        """Returns the reward for a speed, and its parts."""
        forward = self.forward_reward_weight * velocity
        names = ("reward_fwd", "forward_reward") if self.version == 4 else ("reward_forward",)
        return forward - control_cost, {"reward_ctrl": -control_cost, **dict.fromkeys(names, forward)}

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns the position of the front end."""
        return {} if self.version == 4 else self._place(r)

    def _place(self, r: Any) -> dict[str, Any]:
        return {
            "x_position": component(r.qpos, 0),
            "y_position": component(r.qpos, 1),
            "distance_from_origin": norm(r.qpos[..., :2]),
        }

    def structure(self, r: Any) -> dict[str, int]:
        """Returns the sizes of the parts of the observation."""
        skipped = 2 * self.exclude_current_positions
        return {"skipped_qpos": skipped, "qpos": r.qpos.shape[-1] - skipped, "qvel": r.qvel.shape[-1]}
