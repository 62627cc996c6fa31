"""Pusher: push the object to the goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gymnasium.envs.mujoco.tasks.task import Array, Outcome, Rewarded, Task, World, norm, squares


@dataclass
class Pusher(Task):
    """Both versions; version 4 rewards the positions before the step, and reports the parts without their weights.

    Attributes:
        bodies: The indices of the arm's tip, the object and the goal.
        version: 4 or 5.
    """

    bodies: tuple[int, int, int]
    reward_near_weight: float
    reward_dist_weight: float
    reward_control_weight: float
    version: int

    def needs(self) -> tuple[str, ...]:
        """The positions of the bodies."""
        return ("xpos",)

    def start(self, rng: np.random.Generator, w: World) -> tuple[Array, Array]:
        """Returns the arm at rest, and a random position of the object not too near the goal."""
        qpos = w.init_qpos.copy()
        goal = np.zeros(2)
        place = _somewhere(rng)
        while norm(place - goal) <= 0.17:
            place = _somewhere(rng)
        qpos[-4:-2] = place
        qpos[-2:] = goal
        qvel = w.init_qvel + rng.uniform(low=-0.005, high=0.005, size=len(w.init_qvel))
        qvel[-4:] = 0
        return qpos, qvel

    def gaps(self, r: Any) -> tuple[Array, Array]:
        """Returns the vectors from the tip and from the goal to the object, in m."""
        tip, thing, goal = (r.xpos[..., body, :] for body in self.bodies)
        return thing - tip, thing - goal

    def before(self, r: Any, w: World) -> tuple[Array, Array] | None:
        """Returns the gaps, if the reward depends on them."""
        return self.gaps(r) if self.version == 4 else None

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns the arm's positions and velocities, and the positions of the bodies."""
        return r.qpos[..., :7], r.qvel[..., :7], *(r.xpos[..., body, :] for body in self.bodies)

    def outcome(self, before: tuple[Array, Array] | None, r: Any, action: Array, w: World) -> Outcome:
        """Returns the costs of both gaps and of the action."""
        reward, parts = self.rewarded(self.gaps(r) if before is None else before, action)
        return Outcome(reward, False, parts)

    def rewarded(self, gaps: tuple[Array, Array], action: Array) -> Rewarded:
        """Returns the reward for these gaps, in m, and its parts."""
        to_tip, to_goal = gaps
        near = -norm(to_tip)
        distance = -norm(to_goal)
        control = -squares(action)
        if self.version == 4:
            reward = distance + self.reward_control_weight * control + self.reward_near_weight * near
            return reward, {"reward_dist": distance, "reward_ctrl": control}
        near = near * self.reward_near_weight
        distance = distance * self.reward_dist_weight
        control = control * self.reward_control_weight
        parts = {"reward_dist": distance, "reward_ctrl": control, "reward_near": near}
        return distance + control + near, parts


def _somewhere(rng: np.random.Generator) -> Array:
    return np.concatenate([rng.uniform(low=-0.3, high=0, size=1), rng.uniform(low=-0.2, high=0.2, size=1)])
