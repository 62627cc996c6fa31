"""Ant: walk towards positive x, and neither fall nor jump."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gymnasium.envs.mujoco.tasks.task import (
    Array,
    Number,
    Outcome,
    Task,
    World,
    clipped,
    component,
    finite,
    flat,
    norm,
    squares,
)


@dataclass
class Ant(Task):
    """What both versions share.

    Attributes:
        body: The index of the body whose velocity counts.
    """

    body: int
    ctrl_cost_weight: float
    contact_cost_weight: float
    healthy_reward: float
    terminate_when_unhealthy: bool
    healthy_z_range: tuple[float, float]
    contact_force_range: tuple[float, float]
    reset_noise_scale: float
    exclude_current_positions: bool
    observe_contacts: bool
    normal_velocities = True

    def needs(self) -> tuple[str, ...]:
        """Where the body is, and the contact forces."""
        return ("xpos", "cfrc_ext")

    def before(self, r: Any, w: World) -> Array:
        """Returns x and y of the body."""
        return self.xy(r).copy()

    def xy(self, r: Any) -> Array:
        """Returns x and y of the body, in m."""
        position: Array = r.xpos[..., self.body, :2]
        return position

    def contact_forces(self, r: Any) -> Array:
        """Returns the clipped contact forces and torques on each body, shape (..., nbody, 6)."""
        return clipped(r.cfrc_ext, *self.contact_force_range)

    def contact_cost(self, r: Any) -> Number:
        """Returns the price of touching hard."""
        return self.contact_cost_weight * squares(flat(self.contact_forces(r)))

    def healthy(self, r: Any) -> Number:
        """Returns whether the torso is neither too low nor too high."""
        low, high = self.healthy_z_range
        z = component(r.qpos, 2)
        return finite(r) & (low <= z) & (z <= high)

    def terminated(self, healthy: Number) -> Number:
        """Returns whether the episode is over."""
        return ~healthy if self.terminate_when_unhealthy else False


class AntV4(Ant):
    """Version 4: contacts cost only where they are observed, and the reward for health is paid at the end too."""

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns positions, velocities, and where asked for the contact forces on all bodies, the world's too."""
        qpos = r.qpos[..., 2:] if self.exclude_current_positions else r.qpos
        return (qpos, r.qvel, flat(self.contact_forces(r))) if self.observe_contacts else (qpos, r.qvel)

    def outcome(self, before: Array, r: Any, action: Array, w: World) -> Outcome:
        """Returns the speed along x, plus a reward for health, less what actions and contacts cost."""
        xy = self.xy(r)
        velocity = (xy - before) / w.dt
        healthy = self.healthy(r)
        survive = (healthy | self.terminate_when_unhealthy) * self.healthy_reward
        forward = component(velocity, 0)
        ctrl_cost = self.ctrl_cost_weight * squares(action)
        cost = ctrl_cost
        info = {
            "reward_forward": forward,
            "reward_ctrl": -ctrl_cost,
            "reward_survive": survive,
            "x_position": component(xy, 0),
            "y_position": component(xy, 1),
            "distance_from_origin": norm(xy),
            "x_velocity": forward,
            "y_velocity": component(velocity, 1),
            "forward_reward": forward,
        }
        if self.observe_contacts:
            contact_cost = self.contact_cost(r)
            cost = ctrl_cost + contact_cost
            info["reward_contact"] = -contact_cost
        return Outcome(forward + survive - cost, self.terminated(healthy), info)


@dataclass
class AntV5(Ant):
    """Version 5: contacts always cost, and the world's are not observed."""

    forward_reward_weight: float = 1

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns positions, velocities, and where asked for the contact forces on the robot's bodies."""
        qpos = r.qpos[..., 2:] if self.exclude_current_positions else r.qpos
        if not self.observe_contacts:
            return qpos, r.qvel
        return qpos, r.qvel, flat(self.contact_forces(r)[..., 1:, :])

    def outcome(self, before: Array, r: Any, action: Array, w: World) -> Outcome:
        """Returns the weighted speed along x, plus a reward for health, less what actions and contacts cost."""
        velocity = (self.xy(r) - before) / w.dt
        healthy = self.healthy(r)
        forward = component(velocity, 0) * self.forward_reward_weight
        survive = healthy * self.healthy_reward
        ctrl_cost = self.ctrl_cost_weight * squares(action)
        contact_cost = self.contact_cost(r)
        info = {
            **self.reset_info(r, w),
            "x_velocity": component(velocity, 0),
            "y_velocity": component(velocity, 1),
            "reward_forward": forward,
            "reward_ctrl": -ctrl_cost,
            "reward_contact": -contact_cost,
            "reward_survive": survive,
        }
        return Outcome((forward + survive) - (ctrl_cost + contact_cost), self.terminated(healthy), info)

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns where the torso is."""
        return {
            "x_position": component(r.qpos, 0),
            "y_position": component(r.qpos, 1),
            "distance_from_origin": norm(r.qpos[..., :2]),
        }

    def structure(self, r: Any) -> dict[str, int]:
        """Returns the sizes of the parts of the observation."""
        skipped = 2 * self.exclude_current_positions
        nbody = r.cfrc_ext.shape[-2]
        return {
            "skipped_qpos": skipped,
            "qpos": r.qpos.shape[-1] - skipped,
            "qvel": r.qvel.shape[-1],
            "cfrc_ext": 6 * (nbody - 1) * self.observe_contacts,
        }
