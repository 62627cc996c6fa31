"""Pusher: push an object to a goal with an arm. Version 5."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.hooks import PlacingRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.pusher import Pusher
from gymnasium.envs.mujoco.tasks.task import Outcome, Rewarded

__all__ = ["DEFAULT_CAMERA_CONFIG", "PusherEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {"trackbodyid": -1, "distance": 4.0}


class PusherEnv(PlacingRobot):
    """Pusher: push an object to a goal with an arm. Pusher-v5.

    Observation, float64 of shape (23,): angle of the shoulder pan (rad), angle of the shoulder lift (rad), angle of
    the upper arm roll (rad), angle of the elbow flex (rad), angle of the forearm roll (rad), angle of the wrist
    flex (rad), angle of the wrist roll (rad), velocity of the shoulder pan (rad/s), velocity of the shoulder lift
    (rad/s), velocity of the upper arm roll (rad/s), velocity of the elbow flex (rad/s), velocity of the forearm
    roll (rad/s), velocity of the wrist flex (rad/s), velocity of the wrist roll (rad/s), x of the tip (m), y of the
    tip (m), z of the tip (m), x of the object (m), y of the object (m), z of the object (m), x of the goal (m), y
    of the goal (m), z of the goal (m). Action, 7 torques.

    Reward: minus the distances from tip to object and from object to goal, and the sum of squared actions. Nothing ends
    an episode.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        reward_near_weight: Weight of the distance from the arm to the object.
        reward_dist_weight: Weight of the distance to the goal.
        reward_control_weight: Weight of the sum of squared actions.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.

    Attributes:
        cylinder_pos: The object's position after the last reset, in m, shape (2,).
        goal_pos: The goal's position.
    """

    cylinder_pos: NDArray[np.float64]
    goal_pos: NDArray[np.float64]
    places = {"cylinder_pos": np.s_[-4:-2], "goal_pos": np.s_[-2:]}

    task: Pusher

    def __init__(
        self,
        xml_file: ModelSource = "pusher_v5.xml",
        frame_skip: int = 5,
        default_camera_config: dict[str, Any] | None = DEFAULT_CAMERA_CONFIG,
        reward_near_weight: float = 0.5,
        reward_dist_weight: float = 1,
        reward_control_weight: float = 0.1,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            Pusher(
                (self.body_id("tips_arm"), self.body_id("object"), self.body_id("goal")),
                reward_near_weight,
                reward_dist_weight,
                reward_control_weight,
                version=5,
            )
        )

    def _get_rew(self, action: Any) -> Rewarded:
        return self.task.rewarded(self.task.gaps(self._read()), np.asarray(action))

    def _facts(self, outcome: Outcome, action: np.ndarray) -> tuple[Any, ...]:
        return (action,)
