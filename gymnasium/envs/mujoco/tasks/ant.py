"""Ant: walk towards positive x, and neither fall nor jump."""

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
    clipped,
    component,
    finite,
    flat,
    norm,
    squares,
)


@dataclass
class Ant(LivingTask):
    """The common base of both versions.

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
    first_body = 1  # the first body with observed contact forces; the world is number 0
    unseen_contacts_cost = True

    def needs(self) -> tuple[str, ...]:
        """The body's position, and the contact forces."""
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

    def contact_cost(self, forces: Array) -> Number:
        """Returns the cost of hard contacts, from the clipped contact forces."""
        return self.contact_cost_weight * squares(flat(forces))

    def contact_term(self, r: Any) -> Number:
        """Returns the cost of contacts in the reward."""
        return self.contact_cost(self.contact_forces(r)) if self.observe_contacts or self.unseen_contacts_cost else 0.0

    def healthy(self, r: Any) -> Number:
        """Returns whether the torso is neither too low nor too high."""
        low, high = self.healthy_z_range
        z = component(r.qpos, 2)
        return finite(r) & (low <= z) & (z <= high)

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns positions, velocities, and optionally the contact forces."""
        return self.sensed(r, self.contact_forces(r)) if self.observe_contacts else self.sensed(r, None)

    def sensed(self, r: Any, forces: Array | None) -> tuple[Array, ...]:
        """Returns the observation with these contact forces, or without any."""
        qpos = r.qpos[..., 2:] if self.exclude_current_positions else r.qpos
        return (qpos, r.qvel) if forces is None else (qpos, r.qvel, flat(forces[..., self.first_body :, :]))


class AntV4(Ant):
    """Version 4: contacts cost only if they are observed, and the world's are observed too."""

    pay_at_end = True
    first_body = 0
    unseen_contacts_cost = False

    def total(self, before: Array, r: Any, w: World, terms: Terms) -> Outcome:
        """Returns the speed along x, plus a reward for health, less the costs of actions and contacts."""
        xy = self.xy(r)
        velocity = (xy - before) / w.dt
        forward = component(velocity, 0)
        reward, parts = self.rewarded(forward, terms)
        info = {
            **parts,
            "x_position": component(xy, 0),
            "y_position": component(xy, 1),
            "distance_from_origin": norm(xy),
            "x_velocity": forward,
            "y_velocity": component(velocity, 1),
            "forward_reward": forward,
        }
        return Outcome(reward, terms.terminated, info)

    def rewarded(self, velocity: Number, terms: Terms) -> Rewarded:
        """Returns the reward for a speed and these terms, and its parts."""
        cost = terms.control_cost
        parts = {"reward_forward": velocity, "reward_ctrl": -cost, "reward_survive": terms.survival}
        if self.observe_contacts:
            cost = cost + terms.contact_cost
            parts["reward_contact"] = -terms.contact_cost
        return velocity + terms.survival - cost, parts


@dataclass
class AntV5(Ant):
    """Version 5: contacts always cost, and the world's are not observed."""

    forward_reward_weight: float = 1

    def total(self, before: Array, r: Any, w: World, terms: Terms) -> Outcome:
        """Returns the weighted speed along x, plus a reward for health, less the costs of actions and contacts."""
        velocity = (self.xy(r) - before) / w.dt
        reward, parts = self.rewarded(component(velocity, 0), terms)
        speed = {"x_velocity": component(velocity, 0), "y_velocity": component(velocity, 1)}
        return Outcome(reward, terms.terminated, {**self.reset_info(r, w), **speed, **parts})

    def rewarded(self, velocity: Number, terms: Terms) -> Rewarded:
        """Returns the reward for a speed and these terms, and its parts."""
        forward = velocity * self.forward_reward_weight
        parts = {
            "reward_forward": forward,
            "reward_ctrl": -terms.control_cost,
            "reward_contact": -terms.contact_cost,
            "reward_survive": terms.survival,
        }
        return (forward + terms.survival) - (terms.control_cost + terms.contact_cost), parts

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns the position of the torso."""
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
