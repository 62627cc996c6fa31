"""Ant: walk on four legs towards positive x. Version 4."""

from __future__ import annotations

from gymnasium.envs.mujoco.ant_v5 import DEFAULT_CAMERA_CONFIG
from gymnasium.envs.mujoco.hooks import AntRobot, LivingRobotV4
from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.ant import AntV4

__all__ = ["DEFAULT_CAMERA_CONFIG", "AntEnv"]


class AntEnv(AntRobot, LivingRobotV4):
    """Ant: walk on four legs towards positive x. Ant-v4.

    Observation, float64 of shape (27,): positions without x and y (13; m, quaternion, rad) and velocities (14), and
    optionally the clipped contact forces on all bodies (84).

    Reward: as in version 5, but contacts cost only where they are observed, and the step that ends an episode is paid
    for health too.

    Args:
        xml_file: The model; see `MujocoEnv`.
        ctrl_cost_weight: Cost of the sum of squared actions.
        use_contact_forces: Whether contact forces are observed, and cost.
        contact_cost_weight: Cost of the sum of squared contact forces.
        healthy_reward: Reward for a step in good health.
        terminate_when_unhealthy: Whether bad health ends the episode.
        healthy_z_range: Bounds of the height of the torso, in m, in good health.
        contact_force_range: Contact forces are clipped to these bounds.
        reset_noise_scale: Size of the noise at a reset.
        exclude_current_positions_from_observation: Whether the observation leaves out the robot's position on the
            floor.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    metadata = {**MujocoEnv.metadata, "render_fps": 20}

    def __init__(
        self,
        xml_file: ModelSource = "ant.xml",
        ctrl_cost_weight: float = 0.5,
        use_contact_forces: bool = False,
        contact_cost_weight: float = 5e-4,
        healthy_reward: float = 1.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (0.2, 1.0),
        contact_force_range: tuple[float, float] = (-1.0, 1.0),
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, 5, DEFAULT_CAMERA_CONFIG, **kwargs)
        self.assign(
            AntV4(
                self.body_id("torso"),
                ctrl_cost_weight,
                contact_cost_weight,
                healthy_reward,
                terminate_when_unhealthy,
                healthy_z_range,
                contact_force_range,
                reset_noise_scale,
                exclude_current_positions_from_observation,
                use_contact_forces,
            )
        )
