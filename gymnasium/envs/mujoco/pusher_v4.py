"""Pusher: push an object to a goal with an arm. Version 4."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import VERSION
from gymnasium.envs.mujoco.hooks import PlacingRobot
from gymnasium.envs.mujoco.pusher_v5 import DEFAULT_CAMERA_CONFIG
from gymnasium.envs.mujoco.tasks.pusher import Pusher

__all__ = ["DEFAULT_CAMERA_CONFIG", "PusherEnv"]


class PusherEnv(PlacingRobot):
    """Pusher: push an object to a goal with an arm. Pusher-v4.

    Observation and action are those of version 5. Reward: from the positions before the step.

    Args:
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.

    Attributes:
        cylinder_pos: The object's position after the last reset, in m, shape (2,).
        goal_pos: The goal's position.
    """

    cylinder_pos: NDArray[np.float64]
    goal_pos: NDArray[np.float64]
    places = {"cylinder_pos": np.s_[-4:-2], "goal_pos": np.s_[-2:]}

    metadata = {**PlacingRobot.metadata, "render_fps": 20}

    def __init__(self, **kwargs: object) -> None:
        if VERSION >= (3,):
            raise ImportError(
                f"Pusher-v4 needs a mujoco below 3, since its object weighs too little for a later one, but {VERSION} "
                "is installed; use Pusher-v5"
            )
        super().__init__("pusher.xml", 5, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            Pusher(
                (self.body_id("tips_arm"), self.body_id("object"), self.body_id("goal")),
                reward_near_weight=0.5,
                reward_dist_weight=1,
                reward_control_weight=0.1,
                version=4,
            )
        )
