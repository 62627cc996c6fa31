"""Hopper and Walker2d: move towards positive x on one leg or two, and do not fall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gymnasium.envs.mujoco.tasks.task import (
    Array,
    LivingTask,
    Number,
    Outcome,
    Rewarded,
    Terms,
    World,
    between,
    clipped,
    component,
    kept,
)


@dataclass
class Hopper(LivingTask):
    """A figure in the vertical plane: positions are x, z, pitch and the joints.

    Attributes:
        healthy_state_range: The bounds of all other positions and velocities; None for no bounds.
        report_rewards: Whether the info holds the parts of the reward; version 4's holds only x and the speed.
    """

    forward_reward_weight: float
    ctrl_cost_weight: float
    healthy_reward: float
    terminate_when_unhealthy: bool
    healthy_z_range: tuple[float, float]
    healthy_angle_range: tuple[float, float]
    reset_noise_scale: float
    exclude_current_positions: bool
    healthy_state_range: tuple[float, float] | None = None
    report_rewards: bool = True
    pay_at_end: bool = False

    def before(self, r: Any, w: World) -> Number:
        """Returns x, in m."""
        return kept(component(r.qpos, 0))

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns positions, and velocities within 10 m/s and rad/s."""
        qpos = r.qpos[..., 1:] if self.exclude_current_positions else r.qpos
        return qpos, clipped(r.qvel, -10, 10)

    def healthy(self, r: Any) -> Number:
        """Returns whether the torso is high and upright enough, and nothing is out of bounds."""
        low, high = self.healthy_z_range
        healthy = between(low, component(r.qpos, 1), high)
        healthy = healthy & between(self.healthy_angle_range[0], component(r.qpos, 2), self.healthy_angle_range[1])
        if self.healthy_state_range is not None:
            low, high = self.healthy_state_range
            healthy = healthy & between(low, r.qpos[..., 2:], high).all(axis=-1)
            healthy = healthy & between(low, r.qvel, high).all(axis=-1)
        return healthy

    def total(self, before: Number, r: Any, w: World, terms: Terms) -> Outcome:
        """Returns the weighted speed, plus a reward for health, less the cost of the action."""
        x = component(r.qpos, 0)
        velocity = (x - before) / w.dt
        reward, parts = self.rewarded(velocity, terms)
        info = {"x_position": x, "x_velocity": velocity}
        if self.report_rewards:
            info |= {"z_distance_from_origin": component(r.qpos, 1) - w.init_qpos[1], **parts}
        return Outcome(reward, terms.terminated, info)

    def rewarded(self, velocity: Number, terms: Terms) -> Rewarded:
        """Returns the reward for a speed and these terms, and its parts."""
        forward = self.forward_reward_weight * velocity
        parts = {"reward_forward": forward, "reward_ctrl": -terms.control_cost, "reward_survive": terms.survival}
        return forward + terms.survival - terms.control_cost, parts

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns the position of the torso."""
        if not self.report_rewards:
            return {}
        x, z = component(r.qpos, 0), component(r.qpos, 1)
        return {"x_position": x, "z_distance_from_origin": z - w.init_qpos[1]}

    def structure(self, r: Any) -> dict[str, int]:
        """Returns the sizes of the parts of the observation."""
        skipped = 1 * self.exclude_current_positions
        return {"skipped_qpos": skipped, "qpos": r.qpos.shape[-1] - skipped, "qvel": r.qvel.shape[-1]}
