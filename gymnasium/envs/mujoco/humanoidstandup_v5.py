"""HumanoidStandup: stand up from lying on the back. Version 5."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from gymnasium.envs.mujoco.hooks import PaidRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.humanoid import HumanoidStandup, Senses
from gymnasium.envs.mujoco.tasks.task import Outcome, Rewarded

__all__ = ["DEFAULT_CAMERA_CONFIG", "HumanoidStandupEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {
    "trackbodyid": 1,
    "distance": 4.0,
    "lookat": np.array((0.0, 0.0, 0.8925)),
    "elevation": -20.0,
}


class HumanoidStandupEnv(PaidRobot):
    """HumanoidStandup: stand up from lying on the back. HumanoidStandup-v5.

    Observation, float64 of shape (348,), and action, 17 controls: as in Humanoid.

    Reward: the height of the torso over one time step of the engine, less the costs of actions and impacts, plus 1.
    Nothing ends an episode.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        uph_cost_weight: Weight of the reward for height.
        ctrl_cost_weight: Cost of the sum of squared controls.
        impact_cost_weight: Cost of the sum of squared contact forces.
        impact_cost_range: Bounds of that cost.
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

    task: HumanoidStandup

    def __init__(
        self,
        xml_file: ModelSource = "humanoidstandup.xml",
        frame_skip: int = 5,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        uph_cost_weight: float = 1,
        ctrl_cost_weight: float = 0.1,
        impact_cost_weight: float = 5e-7,
        impact_cost_range: tuple[float, float] = (-inf, 10.0),
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
            HumanoidStandup(
                Senses(
                    exclude_current_positions_from_observation,
                    include_cinert_in_observation is True,
                    include_cvel_in_observation is True,
                    include_qfrc_actuator_in_observation is True,
                    include_cfrc_ext_in_observation is True,
                ),
                ctrl_cost_weight,
                impact_cost_weight,
                impact_cost_range,
                reset_noise_scale,
                uph_cost_weight,
                version=5,
            )
        )

    def _get_rew(self, pos_after: float, action: Any) -> Rewarded:
        return self.task.rewarded(pos_after, self._read(), np.asarray(action), self)

    def _facts(self, outcome: Outcome, action: np.ndarray) -> tuple[Any, ...]:
        return self.data.qpos[2], action
