"""Humanoid: walk towards positive x without falling. Version 4."""

from __future__ import annotations

from gymnasium.envs.mujoco.hooks import LivingRobotV4
from gymnasium.envs.mujoco.humanoid_v5 import DEFAULT_CAMERA_CONFIG, mass_center
from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.tasks.humanoid import Humanoid, Senses

__all__ = ["DEFAULT_CAMERA_CONFIG", "HumanoidEnv", "mass_center"]


class HumanoidEnv(LivingRobotV4):
    """Humanoid: walk towards positive x without falling. Humanoid-v4.

    Observation, float64 of shape (376,): the observation of version 5, plus the world's body and the root's joints.

    Reward: as in version 5, but contacts cost nothing, and the step that ends an episode is paid for health too.

    Args:
        forward_reward_weight: Reward for 1 m/s along x.
        ctrl_cost_weight: Cost of the sum of squared controls.
        healthy_reward: Reward for a step in good health.
        terminate_when_unhealthy: Whether bad health ends the episode.
        healthy_z_range: Bounds of the height of the torso, in m, in good health.
        reset_noise_scale: Size of the noise at a reset.
        exclude_current_positions_from_observation: Whether the observation leaves out the robot's position on the
            floor.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    metadata = {**MujocoEnv.metadata, "render_fps": 67}

    def __init__(
        self,
        forward_reward_weight: float = 1.25,
        ctrl_cost_weight: float = 0.1,
        healthy_reward: float = 5.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (1.0, 2.0),
        reset_noise_scale: float = 1e-2,
        exclude_current_positions_from_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__("humanoid.xml", 5, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            Humanoid(
                Senses(exclude_current_positions_from_observation, whole=True),
                ctrl_cost_weight,
                0.0,
                (0.0, 0.0),
                reset_noise_scale,
                forward_reward_weight,
                healthy_reward,
                terminate_when_unhealthy,
                healthy_z_range,
                version=4,
                pay_at_end=True,
            )
        )
