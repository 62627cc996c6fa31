"""Reacher: touch the target with the tip of the arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gymnasium.envs.mujoco.tasks.task import Array, Outcome, Rewarded, Task, World, norm, squares


@dataclass
class Reacher(Task):
    """Both versions; version 4 rewards the tip's position before the step, and observes its height too.

    Attributes:
        fingertip: The index of the arm's tip among the bodies.
        target: The index of the target.
        version: 4 or 5.
    """

    fingertip: int
    target: int
    reward_dist_weight: float
    reward_control_weight: float
    version: int

    def needs(self) -> tuple[str, ...]:
        """The positions of tip and target."""
        return ("xpos",)

    def start(self, rng: np.random.Generator, w: World) -> tuple[Array, Array]:
        """Returns a nearly stretched arm, and a random target in a disc of 0.2 m."""
        qpos = rng.uniform(low=-0.1, high=0.1, size=len(w.init_qpos)) + w.init_qpos
        goal = rng.uniform(low=-0.2, high=0.2, size=2)
        while norm(goal) >= 0.2:
            goal = rng.uniform(low=-0.2, high=0.2, size=2)
        qpos[-2:] = goal
        qvel = w.init_qvel + rng.uniform(low=-0.005, high=0.005, size=len(w.init_qvel))
        qvel[-2:] = 0
        return qpos, qvel

    def gap(self, r: Any) -> Array:
        """Returns the vector from the target to the tip, in m, shape (..., 3)."""
        way: Array = r.xpos[..., self.fingertip, :] - r.xpos[..., self.target, :]
        return way

    def before(self, r: Any, w: World) -> Array | None:
        """Returns the gap, if the reward depends on it."""
        return self.gap(r) if self.version == 4 else None

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns cosines and sines of the angles, the target's position, the arm's velocities, and the gap."""
        angles = r.qpos[..., :2]
        gap = self.gap(r) if self.version == 4 else self.gap(r)[..., :2]
        return np.cos(angles), np.sin(angles), r.qpos[..., 2:], r.qvel[..., :2], gap

    def outcome(self, before: Array | None, r: Any, action: Array, w: World) -> Outcome:
        """Returns the costs of the gap and of the action."""
        reward, parts = self.rewarded(self.gap(r) if before is None else before, action)
        return Outcome(reward, False, parts)

    def rewarded(self, gap: Array, action: Array) -> Rewarded:
        """Returns the reward for this gap, in m, and its parts."""
        distance = -norm(gap) * self.reward_dist_weight
        control = -squares(action) * self.reward_control_weight
        return distance + control, {"reward_dist": distance, "reward_ctrl": control}
