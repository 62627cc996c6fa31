"""HalfCheetah: run towards positive x. Nothing ends an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gymnasium.envs.mujoco.tasks.task import Array, EffortTask, Number, Outcome, Rewarded, World, component, kept


@dataclass
class HalfCheetah(EffortTask):
    """Both versions, which differ in the name of one reward.

    Attributes:
        forward_name: The name of the reward for speed in the info.
        report_reset: Whether a reset reports the robot's position.
    """

    forward_reward_weight: float
    ctrl_cost_weight: float
    reset_noise_scale: float
    exclude_current_positions: bool
    forward_name: str = "reward_forward"
    report_reset: bool = True
    normal_velocities = True

    def before(self, r: Any, w: World) -> Number:
        """Returns x, in m."""
        return kept(component(r.qpos, 0))

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns positions and velocities."""
        return r.qpos[..., 1:] if self.exclude_current_positions else r.qpos, r.qvel

    def total(self, before: Number, r: Any, w: World, control_cost: Number) -> Outcome:
        """Returns the weighted speed, less the cost of the action."""
        x = component(r.qpos, 0)
        velocity = (x - before) / w.dt
        reward, parts = self.rewarded(velocity, control_cost)
        return Outcome(reward, False, {"x_position": x, "x_velocity": velocity, **parts})

    def rewarded(self, velocity: Number, control_cost: Number) -> Rewarded:
        """Returns the reward for a speed, and its parts."""
        forward = self.forward_reward_weight * velocity
        return forward - control_cost, {self.forward_name: forward, "reward_ctrl": -control_cost}

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns the robot's position."""
        return {"x_position": component(r.qpos, 0)} if self.report_reset else {}

    def structure(self, r: Any) -> dict[str, int]:
        """Returns the sizes of the parts of the observation."""
        skipped = 1 * self.exclude_current_positions
        return {"skipped_qpos": skipped, "qpos": r.qpos.shape[-1] - skipped, "qvel": r.qvel.shape[-1]}
