"""Reacher: touch a target with the tip of an arm. Version 5."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.hooks import PlacingRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.reacher import Reacher
from gymnasium.envs.mujoco.tasks.task import Outcome, Rewarded

__all__ = ["DEFAULT_CAMERA_CONFIG", "ReacherEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {"trackbodyid": 0}


class ReacherEnv(PlacingRobot):
    """Reacher: touch a target with the tip of an arm. Reacher-v5.

    Observation, float64 of shape (10,): cosine of the first joint, cosine of the second joint, sine of the first joint,
    sine of the second joint, x of the target (m), y of the target (m), velocity of the first joint (rad/s), velocity of
    the second joint (rad/s), x from the target to the tip (m), y from the target to the tip (m). Action, float32 of
    shape (2,): torque on the first joint, torque on the second joint.

    Reward: minus the distance to the target and the sum of squared actions. Nothing ends an episode.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        reward_dist_weight: Weight of the distance to the goal.
        reward_control_weight: Weight of the sum of squared actions.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.

    Attributes:
        goal: The target's position after the last reset, in m, shape (2,).
    """

    goal: NDArray[np.float64]
    places = {"goal": np.s_[-2:]}

    task: Reacher

    def __init__(
        self,
        xml_file: ModelSource = "reacher.xml",
        frame_skip: int = 2,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        reward_dist_weight: float = 1,
        reward_control_weight: float = 1,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            Reacher(
                self.body_id("fingertip"),
                self.body_id("target"),
                reward_dist_weight,
                reward_control_weight,
                version=5,
            )
        )

    def _get_rew(self, action: Any) -> Rewarded:
        return self.task.rewarded(self.task.gap(self._read()), np.asarray(action))

    def _facts(self, outcome: Outcome, action: np.ndarray) -> tuple[Any, ...]:
        return (action,)
