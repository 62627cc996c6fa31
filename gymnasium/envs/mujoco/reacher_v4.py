"""Reacher: touch a target with the tip of an arm. Version 4."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.hooks import PlacingRobot
from gymnasium.envs.mujoco.reacher_v5 import DEFAULT_CAMERA_CONFIG
from gymnasium.envs.mujoco.tasks.reacher import Reacher

__all__ = ["DEFAULT_CAMERA_CONFIG", "ReacherEnv"]


class ReacherEnv(PlacingRobot):
    """Reacher: touch a target with the tip of an arm. Reacher-v4.

    Observation, float64 of shape (11,): cosine of the first joint, cosine of the second joint, sine of the first joint,
    sine of the second joint, x of the target (m), y of the target (m), velocity of the first joint (rad/s), velocity of
    the second joint (rad/s), x from the target to the tip (m), y from the target to the tip (m), z from the target to
    the tip (m). Reward: that of the tip's position before the step.

    Args:
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.

    Attributes:
        goal: The target's position after the last reset, in m, shape (2,).
    """

    goal: NDArray[np.float64]
    places = {"goal": np.s_[-2:]}

    metadata = {**PlacingRobot.metadata, "render_fps": 50}

    def __init__(self, **kwargs: object) -> None:
        super().__init__("reacher.xml", 2, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            Reacher(
                self.body_id("fingertip"),
                self.body_id("target"),
                reward_dist_weight=1,
                reward_control_weight=1,
                version=4,
            )
        )
