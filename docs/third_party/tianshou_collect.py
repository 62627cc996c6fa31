"""Tianshou: its collector over its own vector environments of ours."""

import tianshou as ts
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, SubprocVectorEnv

import gymnasium

for kind in (DummyVectorEnv, SubprocVectorEnv):
    envs = kind([lambda: gymnasium.make("CartPole-v1") for _ in range(4)])
    envs.seed(1)
    observations, infos = envs.reset()
    for _ in range(100):
        observations, rewards, terminated, truncated, infos = envs.step([envs.action_space[0].sample()] * 4)
        over = (terminated | truncated).nonzero()[0]
        if len(over):
            envs.reset(over)
    envs.close()
print(f"tianshou {ts.__version__}: DummyVectorEnv and SubprocVectorEnv, 4 CartPoles, 100 steps each; "
      f"{Collector.__name__}, {VectorReplayBuffer.__name__} import")  # fmt: skip
