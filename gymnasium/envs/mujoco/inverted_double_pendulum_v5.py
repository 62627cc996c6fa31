"""InvertedDoublePendulum: keep two poles on a cart upright. Version 5."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.envs.mujoco.hooks import PaidRobot
from gymnasium.envs.mujoco.simulator import ModelSource
from gymnasium.envs.mujoco.tasks.inverted_double_pendulum import InvertedDoublePendulum
from gymnasium.envs.mujoco.tasks.task import Outcome, Rewarded

__all__ = ["DEFAULT_CAMERA_CONFIG", "InvertedDoublePendulumEnv"]

DEFAULT_CAMERA_CONFIG: dict[str, Any] = {
    "trackbodyid": 0,
    "distance": 4.1225,
    "lookat": np.array((0.0, 0.0, 0.12250000000000005)),
}


class InvertedDoublePendulumEnv(PaidRobot):
    """InvertedDoublePendulum: keep two poles on a cart upright. InvertedDoublePendulum-v5.

    Observation, float64 of shape (9,): position of the cart (m), sines and cosines of the angles, velocities and the
    constraint force on the cart, these within 10. Action: a force on the cart.

    Reward: `healthy_reward`, less a cost for the distance of the tip from 2 m above the middle and for the velocities.
        An
    episode ends when the tip is no higher than 1 m.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        healthy_reward: Reward for a step in good health.
        reset_noise_scale: Size of the noise at a reset.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    task: InvertedDoublePendulum

    def __init__(
        self,
        xml_file: ModelSource = "inverted_double_pendulum.xml",
        frame_skip: int = 5,
        default_camera_config: dict[str, Any] | None = None,
        healthy_reward: float = 10.0,
        reset_noise_scale: float = 0.1,
        **kwargs: object,
    ) -> None:
        super().__init__(xml_file, frame_skip, default_camera_config, **kwargs)
        self.assign(
            InvertedDoublePendulum(
                healthy_reward,
                reset_noise_scale,
                version=5,
            )
        )

    def _get_rew(self, x: float, y: float, terminated: bool) -> Rewarded:
        return self.task.rewarded(x, y, terminated, self._read())

    def _facts(self, outcome: Outcome, action: np.ndarray) -> tuple[Any, ...]:
        x, _, z = self.data.site_xpos[0]
        return x, z, outcome.terminated
