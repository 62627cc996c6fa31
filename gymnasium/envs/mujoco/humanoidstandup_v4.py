"""HumanoidStandup: stand up from lying on the back. Version 4."""

from __future__ import annotations

from math import inf

from gymnasium.envs.mujoco.humanoidstandup_v5 import DEFAULT_CAMERA_CONFIG
from gymnasium.envs.mujoco.robot import RobotEnv
from gymnasium.envs.mujoco.tasks.humanoid import HumanoidStandup, Senses

__all__ = ["DEFAULT_CAMERA_CONFIG", "HumanoidStandupEnv"]


class HumanoidStandupEnv(RobotEnv):
    """HumanoidStandup: stand up from lying on the back. HumanoidStandup-v4.

    Observation, float64 of shape (376,): the observation of version 5, plus the world's body and the root's joints.

    Args:
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    metadata = {**RobotEnv.metadata, "render_fps": 67}

    def __init__(self, **kwargs: object) -> None:
        super().__init__("humanoidstandup.xml", 5, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            HumanoidStandup(
                Senses(exclude_current_positions=True, whole=True),
                0.1,
                5e-7,
                (-inf, 10.0),
                0.01,
                uph_cost_weight=1,
                version=4,
            )
        )
