"""What a stranger tries first with the bare package: it has machine code, and no Numba."""

from importlib.metadata import requires
from importlib.util import find_spec
from typing import Any

import numpy as np

import gymnasium
import palaestra
from gymnasium.spaces import Box, Discrete


class Corridor(gymnasium.Env[Any, Any]):
    """An ordinary class: its source is compiled."""

    def __init__(self) -> None:
        self.observation_space = Box(-1.0, 1.0, (2,), np.float64)
        self.action_space = Discrete(3)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self.place, self.visits = float(self.np_random.uniform(-0.5, 0.5)), 0
        return np.array([self.place, 0.0]), {}

    def step(self, action: Any) -> Any:
        self.place += 0.1 * (int(action) - 1) + float(self.np_random.normal(0.0, 0.01))
        self.visits += 1
        left = abs(self.place) > 0.9
        return np.array([self.place, np.sin(self.place)]), -(self.place**2), left, False, {"visits": self.visits}


def play_alone(id: str) -> None:
    env = gymnasium.make(id)
    env.action_space.seed(1)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        over = terminated or truncated
    env.close()


def played(id: str, num_envs: int, mode: str) -> list[Any]:
    """Returns the bits of 50 steps."""
    envs = gymnasium.make_vec(id, num_envs, vectorization_mode=mode)
    envs.action_space.seed(1)
    observations, infos = envs.reset(seed=1)
    told = [observations.tobytes(), repr(infos)]
    for _ in range(50):
        *arrays, infos = envs.step(envs.action_space.sample())
        told += [(one.dtype, one.shape, one.tobytes()) for one in arrays] + [repr(infos)]
    assert (type(envs.unwrapped).__name__ == "SyncVectorEnv") == (mode == "sync"), envs
    envs.close()
    return told


def keep_a_moment() -> None:
    envs = gymnasium.make_vec("CartPole-v1", 64)
    envs.reset(seed=1)
    assert type(envs.unwrapped).__name__ == "CartPoleVectorEnv", envs
    actions = envs.action_space.sample()
    moment = palaestra.snapshot(envs)
    after = envs.step(actions)[0].tobytes()
    palaestra.restore(envs, moment)
    assert envs.step(actions)[0].tobytes() == after


def use_processes() -> None:
    workers = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="async")
    workers.reset(seed=1)
    workers.step(workers.action_space.sample())
    workers.close()


if __name__ == "__main__":
    assert find_spec("numba") is None
    assert not any("numba" in one.lower() for one in requires("gymnasium") or ())
    for id in ("CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "Taxi-v4"):
        play_alone(id)
    gymnasium.register("Corridor-v0", entry_point=Corridor, max_episode_steps=20)
    for id in ("CartPole-v1", "Corridor-v0"):
        assert played(id, 64, "compiled") == played(id, 64, "sync"), id
    keep_a_moment()
    use_processes()
