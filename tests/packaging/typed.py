"""Fifty typical lines, for the type checker: what is known has its type, and nothing has to be ignored."""

from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import gymnasium as gym
from gymnasium import spaces
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit

Observation = NDArray[np.float32]


class Corridor(gym.Env[Observation, np.int64]):
    """Walk to the right."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, length: int = 10) -> None:
        self.length = length
        self.position = 0
        self.observation_space = spaces.Box(0.0, 1.0, (1,), np.float32)
        self.action_space = spaces.Discrete(2)

    def _observation(self) -> Observation:
        return np.array([self.position / self.length], np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.position = int(self.np_random.integers(3))
        return self._observation(), {}

    def step(self, action: np.int64) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        self.position = min(max(self.position + 2 * int(action) - 1, 0), self.length)
        return self._observation(), -1.0, self.position == self.length, False, {}


class Scaled(gym.RewardWrapper[Observation, np.int64]):
    """A tenth of the reward."""

    def reward(self, reward: SupportsFloat) -> float:
        return 0.1 * float(reward)


env = Scaled(TimeLimit(Corridor(), 20))
observation, info = env.reset(seed=1)
assert_type(observation, Observation)
assert_type(info, dict[str, Any])
assert_type(env.observation_space, spaces.Space[Observation])
assert_type(spaces.Discrete(3).sample(), np.int64)
assert_type(spaces.MultiBinary(3).sample(), NDArray[np.int8])
total, over = 0.0, False
while not over:
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    assert_type(terminated, bool)
    total, over = total + float(reward), terminated or truncated
envs = gym.make_vec("CartPole-v1", num_envs=4)
observations, infos = envs.reset(seed=[1, 2, 3, 4])
assert_type(envs.num_envs, int)
envs.close()
recorded = RecordEpisodeStatistics(gym.make("CartPole-v1"))
gym.register("Corridor-v0", entry_point=Corridor, max_episode_steps=50)
print(total, gym.spec("Corridor-v0").max_episode_steps)
