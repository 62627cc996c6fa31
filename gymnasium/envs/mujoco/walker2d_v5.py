"""Walker2d: walk on two legs towards positive x. Version 5."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.envs.mujoco.hooks import LivingRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.hopper import Hopper

__all__ = ["DEFAULT_CAMERA_CONFIG", "Walker2dEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {
    "trackbodyid": 2,
    "distance": 4.0,
    "lookat": np.array((0.0, 0.0, 1.15)),
    "elevation": -20.0,
}


class Walker2dEnv(LivingRobot):
    """Walker2d: walk on two legs towards positive x. Walker2d-v5.

    Observation, float64 of shape (17,): positions without x (8; m and rad) and velocities (9), these within 10. Action,
    6 torques: thigh, leg, foot of the right leg and of the left one.

    Reward: speed and health, less the cost of actions. Healthy is a torso that is high and upright enough.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        forward_reward_weight: Reward for 1 m/s along x.
        ctrl_cost_weight: Cost of the sum of squared actions.
        healthy_reward: Reward for a step in good health.
        terminate_when_unhealthy: Whether bad health ends the episode.
        healthy_z_range: Bounds of the height of the torso, in m, in good health.
        healthy_angle_range: Bounds of its pitch, in rad.
        reset_noise_scale: Size of the noise at a reset.
        exclude_current_positions_from_observation: Whether the observation leaves out the robot's position on the
            floor.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    def __init__(
        self,
        xml_file: ModelSource = "walker2d_v5.xml",
        frame_skip: int = 4,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 1e-3,
        healthy_reward: float = 1.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (0.8, 2.0),
        healthy_angle_range: tuple[float, float] = (-1.0, 1.0),
        reset_noise_scale: float = 5e-3,
        exclude_current_positions_from_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            Hopper(
                forward_reward_weight,
                ctrl_cost_weight,
                healthy_reward,
                terminate_when_unhealthy,
                healthy_z_range,
                healthy_angle_range,
                reset_noise_scale,
                exclude_current_positions_from_observation,
            )
        )
