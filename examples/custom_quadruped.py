"""A robot of your own: a quadruped that is to turn on the spot, in about forty lines.

    python examples/custom_quadruped.py

The model is in `custom_quadruped.xml` next to this file. The task is a subclass of `MujocoEnv`, which defines the
observation, the reward, the end of an episode, and its start.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gymnasium
from gymnasium.envs.mujoco import MujocoEnv

MODEL = Path(__file__).with_name("custom_quadruped.xml")


class TurningQuadruped(MujocoEnv):
    """Turn counter-clockwise as fast as possible, and stay on your feet.

    Observation, float64 of shape (27,): positions without x and y (13), and velocities (14). Action: 8 torques.
    """

    metadata = {**MujocoEnv.metadata, "render_fps": 50}

    def __init__(self, ctrl_cost_weight: float = 0.05, **kwargs: Any) -> None:
        observed = gymnasium.spaces.Box(-np.inf, np.inf, (27,), np.float64)
        super().__init__(MODEL, 10, observed, default_camera_config={"distance": 3.0}, **kwargs)
        self.ctrl_cost_weight = ctrl_cost_weight

    def step(self, action: NDArray[Any]) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Act for ten time steps of 2 ms."""
        self.do_simulation(action, self.frame_skip)
        turning = float(self.data.qvel[5])  # rad/s about the vertical
        cost = self.ctrl_cost_weight * float(np.square(action).sum())
        fallen = not 0.15 < self.data.qpos[2] < 0.6
        info = {"reward_turn": turning, "reward_ctrl": -cost}
        if self.render_mode == "human":
            self.render()
        return self.observation(), turning - cost, fallen, False, info

    def observation(self) -> NDArray[np.float64]:
        """Returns positions without x and y, and velocities."""
        return np.concatenate((self.data.qpos[2:], self.data.qvel))

    def reset_model(self) -> NDArray[np.float64]:
        """Stand, with the joints a little bent."""
        noise = self.np_random.uniform(-0.05, 0.05, self.model.nq - 7)
        qpos = self.init_qpos.copy()
        qpos[7:] += noise
        self.set_state(qpos, self.init_qvel)
        return self.observation()


gymnasium.register("TurningQuadruped-v0", TurningQuadruped, max_episode_steps=500)


def main() -> None:
    """Run one episode of random actions."""
    env = gymnasium.make("TurningQuadruped-v0")
    env.action_space.seed(0)
    env.reset(seed=0)
    total, steps, ended = 0.0, 0, False
    while not ended:
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        total, steps, ended = total + float(reward), steps + 1, terminated or truncated
    print(f"{steps} steps, return {total:.2f}")
    env.close()


if __name__ == "__main__":
    main()
