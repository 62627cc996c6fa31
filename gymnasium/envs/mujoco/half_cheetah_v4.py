"""HalfCheetah: run towards positive x. Version 4."""

from __future__ import annotations

from gymnasium.envs.mujoco.half_cheetah_v5 import DEFAULT_CAMERA_CONFIG
from gymnasium.envs.mujoco.hooks import EffortRobot
from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.tasks.half_cheetah import HalfCheetah

__all__ = ["DEFAULT_CAMERA_CONFIG", "HalfCheetahEnv"]


class HalfCheetahEnv(EffortRobot):
    """HalfCheetah: run towards positive x. HalfCheetah-v4.

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

    metadata = {**MujocoEnv.metadata, "render_fps": 20}

    def __init__(
        self,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 0.1,
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__("half_cheetah.xml", 5, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            HalfCheetah(
                forward_reward_weight,
                ctrl_cost_weight,
                reset_noise_scale,
                exclude_current_positions_from_observation,
                forward_name="reward_run",
                report_reset=False,
            )
        )
