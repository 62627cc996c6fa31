"""Humanoid: walk towards positive x and stay up. HumanoidStandup: stand up from lying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gymnasium.envs.mujoco.tasks.task import (
    Array,
    CostlyTask,
    LivingTask,
    Number,
    Outcome,
    Rewarded,
    Terms,
    World,
    between,
    component,
    flat,
    norm,
    squares,
)


@dataclass
class Senses:
    """A humanoid's observations besides positions and velocities.

    Attributes:
        whole: Whether they include the world's body and the root's joints, which are always zero, as in version 4.
    """

    exclude_current_positions: bool
    cinert: bool = True
    cvel: bool = True
    qfrc_actuator: bool = True
    cfrc_ext: bool = True
    whole: bool = False

    def parts(self, r: Any) -> tuple[Array, ...]:
        """Returns positions, velocities, inertias, velocities of masses, actuator forces and contact forces."""
        first, joints = (0, 0) if self.whole else (1, 6)
        parts = [r.qpos[..., 2:] if self.exclude_current_positions else r.qpos, r.qvel]
        if self.cinert:
            parts.append(flat(r.cinert[..., first:, :]))
        if self.cvel:
            parts.append(flat(r.cvel[..., first:, :]))
        if self.qfrc_actuator:
            parts.append(r.qfrc_actuator[..., joints:])
        if self.cfrc_ext:
            parts.append(flat(r.cfrc_ext[..., first:, :]))
        return tuple(parts)

    def structure(self, r: Any) -> dict[str, int]:
        """Returns the sizes of the parts of the observation."""
        bodies = r.cinert.shape[-2] - 1
        skipped = 2 * self.exclude_current_positions
        return {
            "skipped_qpos": skipped,
            "qpos": r.qpos.shape[-1] - skipped,
            "qvel": r.qvel.shape[-1],
            "cinert": 10 * bodies * self.cinert,
            "cvel": 6 * bodies * self.cvel,
            "qfrc_actuator": (r.qvel.shape[-1] - 6) * self.qfrc_actuator,
            "cfrc_ext": 6 * bodies * self.cfrc_ext,
            "ten_length": 0,
            "ten_velocity": 0,
        }


@dataclass
class HumanoidTask(CostlyTask):
    """The common base of walking and standing up."""

    senses: Senses
    ctrl_cost_weight: float
    contact_cost_weight: float
    contact_cost_range: tuple[float, float]
    reset_noise_scale: float

    def needs(self) -> tuple[str, ...]:
        """All observed and reported readings."""
        return ("ctrl", "xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity")

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns the observation."""
        return self.senses.parts(r)

    def control_cost(self, r: Any, action: Array) -> Number:
        """Returns the cost of the controls, from the engine's values."""
        return self.ctrl_cost_weight * squares(r.ctrl)

    def contact_cost(self, r: Any) -> Number:
        """Returns the cost of hard contacts, within its range."""
        low, high = self.contact_cost_range
        return np.minimum(np.maximum(self.contact_cost_weight * squares(flat(r.cfrc_ext)), low), high)

    def structure(self, r: Any) -> dict[str, int]:
        """Returns the sizes of the parts of the observation."""
        return self.senses.structure(r)


@dataclass
class Humanoid(HumanoidTask, LivingTask):
    """Walking, both versions; version 4 has no cost of contacts.

    Attributes:
        version: 4 or 5.
    """

    forward_reward_weight: float
    healthy_reward: float
    terminate_when_unhealthy: bool
    healthy_z_range: tuple[float, float]
    version: int
    pay_at_end: bool = False

    def healthy(self, r: Any) -> Number:
        """Returns whether the torso is neither too low nor too high."""
        low, high = self.healthy_z_range
        return between(low, component(r.qpos, 2), high)

    def contact_term(self, r: Any) -> Number:
        """Returns the cost of contacts in the reward."""
        return 0.0 if self.version == 4 else self.contact_cost(r)

    def before(self, r: Any, w: World) -> Array:
        """Returns x and y of the centre of mass, in m."""
        return centre(_masses(r, w), r.xipos)

    def total(self, before: Array, r: Any, w: World, terms: Terms) -> Outcome:
        """Returns the weighted speed of the centre of mass, plus a reward for health, less the costs."""
        xy = centre(_masses(r, w), r.xipos)
        velocity = (xy - before) / w.dt
        reward, parts = self.rewarded(component(velocity, 0), terms)
        speed = {"x_velocity": component(velocity, 0), "y_velocity": component(velocity, 1)}
        place = self.reset_info(r, w)
        if self.version == 4:
            place = {"x_position": component(xy, 0), "y_position": component(xy, 1), "distance_from_origin": norm(xy)}
        return Outcome(reward, terms.terminated, {**place, **speed, **parts})

    def rewarded(self, velocity: Number, terms: Terms) -> Rewarded:
        """Returns the reward for a speed and these terms, and its parts."""
        forward = self.forward_reward_weight * velocity
        cost, paid = terms.control_cost, terms.survival
        if self.version == 4:
            parts = {"reward_linvel": forward, "reward_quadctrl": -cost, "reward_alive": paid}
            return forward + paid - cost, {**parts, "forward_reward": forward}
        parts = {
            "reward_survive": paid,
            "reward_forward": forward,
            "reward_ctrl": -cost,
            "reward_contact": -terms.contact_cost,
        }
        return (forward + paid) - (cost + terms.contact_cost), parts

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns the position of the torso, and the lengths of the tendons."""
        if self.version == 4:
            return {}
        return {**_place(r), "distance_from_origin": norm(r.qpos[..., :2])}


@dataclass
class HumanoidStandup(HumanoidTask):
    """Standing up, both versions.

    Attributes:
        version: 4 or 5.
    """

    uph_cost_weight: float
    version: int

    def outcome(self, before: None, r: Any, action: Array, w: World) -> Outcome:
        """Returns the height of the torso over one time step of the engine, less the costs."""
        reward, parts = self.rewarded(component(r.qpos, 2), r, action, w)
        return Outcome(reward, False, {**parts, **self.reset_info(r, w)})

    def rewarded(self, height: Number, r: Any, action: Array, w: World) -> Rewarded:
        """Returns the reward for a height of the torso, in m, and its parts."""
        up = height / w.model.opt.timestep * self.uph_cost_weight
        control = self.control_cost(r, action)
        impact = self.contact_cost(r)
        parts = {"reward_linup": up, "reward_quadctrl": -control, "reward_impact": -impact}
        return up - control - impact + 1, parts

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns the position of the torso, and the lengths of the tendons."""
        if self.version == 4:
            return {}
        return {**_place(r), "z_distance_from_origin": component(r.qpos, 2) - w.init_qpos[2]}


def _masses(r: Any, w: World) -> Array:
    """Returns the masses of the bodies: those of each simulation, if they differ."""
    masses: Array = w.model.body_mass if r.body_mass is None else r.body_mass
    return masses


def centre(masses: Array, positions: Array) -> Array:
    """Returns x and y of the centre of mass, in m.

    Args:
        masses: The masses of the bodies, in kg, shape (nbody,); or of each simulation, shape (n, nbody).
        positions: The centres of the bodies, shape (..., nbody, 3).
    """
    if masses.ndim > 1:
        return np.stack([centre(own, of_one) for own, of_one in zip(masses, positions, strict=True)])
    total: Array = np.einsum("b,...bj->...j", masses, positions) / masses.sum()
    return total[..., :2]


def _place(r: Any) -> dict[str, Any]:
    return {
        "x_position": component(r.qpos, 0),
        "y_position": component(r.qpos, 1),
        "tendon_length": r.ten_length.copy(),
        "tendon_velocity": r.ten_velocity.copy(),
    }
