"""Swimmer: swim towards positive x. Version 5."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.mujoco.hooks import EffortRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.swimmer import Swimmer

__all__ = ["SwimmerEnv"]


class SwimmerEnv(EffortRobot):
    """Swimmer: swim towards positive x. Swimmer-v5.

    Observation, float64 of shape (8,): positions without x and y (3; rad) and velocities (5). Action, 2 torques: the
    hinges.

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
        xml_file: ModelSource = "swimmer.xml",
        frame_skip: int = 4,
        default_camera_config: dict[str, Any] | None = None,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 1e-4,
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            Swimmer(
                forward_reward_weight,
                ctrl_cost_weight,
                reset_noise_scale,
                exclude_current_positions_from_observation,
                version=5,
            )
        )
