"""InvertedPendulum: keep a pole on a cart upright. Version 5."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.mujoco.robot import RobotEnv
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.inverted_pendulum import InvertedPendulum

__all__ = ["DEFAULT_CAMERA_CONFIG", "InvertedPendulumEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {"trackbodyid": 0, "distance": 2.04}


class InvertedPendulumEnv(RobotEnv):
    """InvertedPendulum: keep a pole on a cart upright. InvertedPendulum-v5.

    Observation, float64 of shape (4,): position of the cart (m), angle of the pole (rad), their velocities. Action: a
    force on the cart.

    Reward: 1 a step, 0 for the one that ends the episode, with the pole more than 0.2 rad from upright.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        reset_noise_scale: Size of the noise at a reset.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    def __init__(
        self,
        xml_file: ModelSource = "inverted_pendulum.xml",
        frame_skip: int = 2,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        reset_noise_scale: float = 0.01,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            InvertedPendulum(
                reset_noise_scale,
                version=5,
            )
        )
