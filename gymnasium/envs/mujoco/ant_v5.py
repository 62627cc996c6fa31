"""Ant: walk on four legs towards positive x. Version 5."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.mujoco.hooks import AntRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.ant import AntV5

__all__ = ["DEFAULT_CAMERA_CONFIG", "AntEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {"distance": 4.0}


class AntEnv(AntRobot):
    """Ant: walk on four legs towards positive x. Ant-v5.

    Observation, float64 of shape (105,): positions without x and y (13; m, quaternion, rad), velocities (14), and the
    clipped contact forces on the bodies (78). Action, 8 torques: hip and ankle of the legs 4, 1, 2, 3.

    Reward: speed and health, less the costs of actions and contacts. Healthy is a torso within `healthy_z_range`.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        forward_reward_weight: Reward for 1 m/s along x.
        ctrl_cost_weight: Cost of the sum of squared actions.
        contact_cost_weight: Cost of the sum of squared contact forces.
        healthy_reward: Reward for a step in good health.
        main_body: The body whose velocity counts, by index or name.
        terminate_when_unhealthy: Whether bad health ends the episode.
        healthy_z_range: Bounds of the height of the torso, in m, in good health.
        contact_force_range: Contact forces are clipped to these bounds.
        reset_noise_scale: Size of the noise at a reset.
        exclude_current_positions_from_observation: Whether the observation leaves out the robot's position on the
            floor.
        include_cfrc_ext_in_observation: Whether contact forces are observed.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    def __init__(
        self,
        xml_file: ModelSource = "ant.xml",
        frame_skip: int = 5,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        forward_reward_weight: float = 1,
        ctrl_cost_weight: float = 0.5,
        contact_cost_weight: float = 5e-4,
        healthy_reward: float = 1.0,
        main_body: int | str = 1,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (0.2, 1.0),
        contact_force_range: tuple[float, float] = (-1.0, 1.0),
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            AntV5(
                self.body_id(main_body),
                ctrl_cost_weight,
                contact_cost_weight,
                healthy_reward,
                terminate_when_unhealthy,
                healthy_z_range,
                contact_force_range,
                reset_noise_scale,
                exclude_current_positions_from_observation,
                include_cfrc_ext_in_observation,
                forward_reward_weight,
            )
        )
