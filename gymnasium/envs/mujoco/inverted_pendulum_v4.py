"""InvertedPendulum: keep a pole on a cart upright. Version 4."""

from __future__ import annotations

from gymnasium.envs.mujoco.inverted_pendulum_v5 import DEFAULT_CAMERA_CONFIG
from gymnasium.envs.mujoco.robot import RobotEnv
from gymnasium.envs.mujoco.tasks.inverted_pendulum import InvertedPendulum

__all__ = ["DEFAULT_CAMERA_CONFIG", "InvertedPendulumEnv"]


class InvertedPendulumEnv(RobotEnv):
    """InvertedPendulum: keep a pole on a cart upright. InvertedPendulum-v4.

    Observation and action are those of version 5. Reward: 1 a step, the last one too.

    Args:
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    metadata = {**RobotEnv.metadata, "render_fps": 25}

    def __init__(self, **kwargs: object) -> None:
        super().__init__("inverted_pendulum.xml", 2, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            InvertedPendulum(
                reset_noise_scale=0.01,
                version=4,
            )
        )
