"""Humanoid: walk towards positive x without falling. Version 5."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.hooks import HumanoidRobotV5
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.humanoid import Humanoid, Senses, centre

__all__ = ["DEFAULT_CAMERA_CONFIG", "HumanoidEnv", "mass_center"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {
    "trackbodyid": 1,
    "distance": 4.0,
    "lookat": np.array((0.0, 0.0, 2.0)),
    "elevation": -20.0,
}


def mass_center(model: mujoco.MjModel, data: mujoco.MjData) -> NDArray[np.float64]:
    """Returns x and y of the centre of mass, in m."""
    return centre(model.body_mass, data.xipos)


class HumanoidEnv(HumanoidRobotV5):
    """Humanoid: walk towards positive x without falling. Humanoid-v5.

    Observation, float64 of shape (348,): positions without x and y (22; m, quaternion, rad), velocities (23), inertias
    and masses (130), velocities of the bodies (78), actuator forces (17), contact forces (78). Action, 17 controls, in
    the order of the model's actuators.

    Reward: speed and health, less the costs of actions and contacts. Healthy is a torso within `healthy_z_range`.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        forward_reward_weight: Reward for 1 m/s along x.
        ctrl_cost_weight: Cost of the sum of squared controls.
        contact_cost_weight: Cost of the sum of squared contact forces.
        contact_cost_range: Bounds of that cost.
        healthy_reward: Reward for a step in good health.
        terminate_when_unhealthy: Whether bad health ends the episode.
        healthy_z_range: Bounds of the height of the torso, in m, in good health.
        reset_noise_scale: Size of the noise at a reset.
        exclude_current_positions_from_observation: Whether the observation leaves out the robot's position on the
            floor.
        include_cinert_in_observation: Whether inertias and masses are observed.
        include_cvel_in_observation: Whether the bodies' velocities are observed.
        include_qfrc_actuator_in_observation: Whether actuator forces are observed.
        include_cfrc_ext_in_observation: Whether contact forces are observed.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    def __init__(
        self,
        xml_file: ModelSource = "humanoid.xml",
        frame_skip: int = 5,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        forward_reward_weight: float = 1.25,
        ctrl_cost_weight: float = 0.1,
        contact_cost_weight: float = 5e-7,
        contact_cost_range: tuple[float, float] = (-inf, 10.0),
        healthy_reward: float = 5.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (1.0, 2.0),
        reset_noise_scale: float = 1e-2,
        exclude_current_positions_from_observation: bool = True,
        include_cinert_in_observation: bool = True,
        include_cvel_in_observation: bool = True,
        include_qfrc_actuator_in_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            Humanoid(
                Senses(
                    exclude_current_positions_from_observation,
                    include_cinert_in_observation is True,
                    include_cvel_in_observation is True,
                    include_qfrc_actuator_in_observation is True,
                    include_cfrc_ext_in_observation is True,
                ),
                ctrl_cost_weight,
                contact_cost_weight,
                contact_cost_range,
                reset_noise_scale,
                forward_reward_weight,
                healthy_reward,
                terminate_when_unhealthy,
                healthy_z_range,
                version=5,
            )
        )
