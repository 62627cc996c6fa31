"""InvertedDoublePendulum: keep both poles upright and the cart near the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gymnasium.envs.mujoco.tasks.task import Array, Number, Outcome, Rewarded, Task, World, clipped, component


@dataclass
class InvertedDoublePendulum(Task):
    """Both versions; version 4 rewards the last step too, reports nothing, and observes all constraint forces.

    Attributes:
        version: 4 or 5.
    """

    healthy_reward: float
    reset_noise_scale: float
    version: int
    normal_velocities = True

    def needs(self) -> tuple[str, ...]:
        """The position of the tip, and the forces of the rail's ends."""
        return ("site_xpos", "qfrc_constraint")

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns the cart's position, sines and cosines of the angles, velocities, and constraint forces."""
        angles = r.qpos[..., 1:]
        forces = r.qfrc_constraint if self.version == 4 else r.qfrc_constraint[..., :1]
        return r.qpos[..., :1], np.sin(angles), np.cos(angles), clipped(r.qvel, -10, 10), clipped(forces, -10, 10)

    def outcome(self, before: None, r: Any, action: Array, w: World) -> Outcome:
        """Returns a reward for being up, less the costs of the tip's distance and the poles' velocities."""
        tip = r.site_xpos[..., 0, :]
        x, z = component(tip, 0), component(tip, 2)
        terminated = z <= 1
        reward, parts = self.rewarded(x, z, terminated, r)
        return Outcome(reward, terminated, parts)

    def rewarded(self, x: Number, z: Number, terminated: Number, r: Any) -> Rewarded:
        """Returns the reward for the tip at (x, z), in m, and its parts."""
        v1, v2 = component(r.qvel, 1), component(r.qvel, 2)
        distance = 0.01 * (x * x) + np.square(z - 2)
        velocity = 1e-3 * (v1 * v1) + 5e-3 * (v2 * v2)
        if self.version == 4:
            return self.healthy_reward - distance - velocity, {}
        survive = self.healthy_reward * (1 - terminated)
        parts = {"reward_survive": survive, "distance_penalty": -distance, "velocity_penalty": -velocity}
        return survive - distance - velocity, parts
