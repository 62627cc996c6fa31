"""Swimmer: swim towards positive x. Version 4."""

from __future__ import annotations

from gymnasium.envs.mujoco.hooks import EffortRobot
from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.tasks.swimmer import Swimmer

__all__ = ["SwimmerEnv"]


class SwimmerEnv(EffortRobot):
    """Swimmer: swim towards positive x. Swimmer-v4.

    Observation, action and reward are those of version 5.

    Args:
        forward_reward_weight: Reward for 1 m/s along x.
        ctrl_cost_weight: Cost of the sum of squared actions.
        reset_noise_scale: Size of the noise at a reset.
        exclude_current_positions_from_observation: Whether the observation leaves out the robot's position on the
            floor.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    metadata = {**MujocoEnv.metadata, "render_fps": 25}

    def __init__(
        self,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 1e-4,
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__("swimmer.xml", 4, None, **kwargs)
        self.assign(
            Swimmer(
                forward_reward_weight,
                ctrl_cost_weight,
                reset_noise_scale,
                exclude_current_positions_from_observation,
                version=4,
            )
        )
