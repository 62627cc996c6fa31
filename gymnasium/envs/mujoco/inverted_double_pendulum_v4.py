"""InvertedDoublePendulum: keep two poles on a cart upright. Version 4."""

from __future__ import annotations

from gymnasium.envs.mujoco.inverted_double_pendulum_v5 import DEFAULT_CAMERA_CONFIG
from gymnasium.envs.mujoco.robot import RobotEnv
from gymnasium.envs.mujoco.tasks.inverted_double_pendulum import InvertedDoublePendulum

__all__ = ["DEFAULT_CAMERA_CONFIG", "InvertedDoublePendulumEnv"]


class InvertedDoublePendulumEnv(RobotEnv):
    """InvertedDoublePendulum: keep two poles on a cart upright. InvertedDoublePendulum-v4.

    Observation, float64 of shape (11,): as in version 5, but with all three constraint forces.

    Reward: as in version 5, but the step that ends an episode is paid 10 too.

    Args:
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    metadata = {**RobotEnv.metadata, "render_fps": 20}

    def __init__(self, **kwargs: object) -> None:
        super().__init__("inverted_double_pendulum.xml", 5, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            InvertedDoublePendulum(
                healthy_reward=10.0,
                reset_noise_scale=0.1,
                version=4,
            )
        )
