"""HalfCheetah: run towards positive x. Version 5."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.mujoco.hooks import EffortRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.half_cheetah import HalfCheetah

__all__ = ["DEFAULT_CAMERA_CONFIG", "HalfCheetahEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {"distance": 4.0}


class HalfCheetahEnv(EffortRobot):
    """HalfCheetah: run towards positive x. HalfCheetah-v5.

    Observation, float64 of shape (17,): positions without x (8; m and rad) and velocities (9). Action, 6 torques:
    thigh, shin and foot of the back leg and of the front leg.

    Reward: speed, less the cost of actions. Nothing ends an episode.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        forward_reward_weight: Reward for 1 m/s along x.
        ctrl_cost_weight: Cost of the sum of squared actions.
        reset_noise_scale: Size of the noise at a reset.
        exclude_current_positions_from_observation: Whether the observation leaves out the robot's position on the
            floor.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    def __init__(
        self,
        xml_file: ModelSource = "half_cheetah.xml",
        frame_skip: int = 5,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 0.1,
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            HalfCheetah(
                forward_reward_weight,
                ctrl_cost_weight,
                reset_noise_scale,
                exclude_current_positions_from_observation,
            )
        )
