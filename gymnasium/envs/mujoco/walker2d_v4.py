"""Walker2d: walk on two legs towards positive x. Version 4."""

from __future__ import annotations

from gymnasium.envs.mujoco.hooks import LivingRobotV4
from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.tasks.hopper import Hopper
from gymnasium.envs.mujoco.walker2d_v5 import DEFAULT_CAMERA_CONFIG

__all__ = ["DEFAULT_CAMERA_CONFIG", "Walker2dEnv"]


class Walker2dEnv(LivingRobotV4):
    """Walker2d: walk on two legs towards positive x. Walker2d-v4.

    Observation, action and reward are those of version 5, but the step that ends an episode is paid for health too.

    Args:
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

    metadata = {**MujocoEnv.metadata, "render_fps": 125}

    def __init__(
        self,
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
        super().__init__("walker2d.xml", 4, DEFAULT_CAMERA_CONFIG, **kwargs)
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
                report_rewards=False,
                pay_at_end=True,
            )
        )
