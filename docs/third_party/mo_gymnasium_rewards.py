"""MO-Gymnasium: rewards that are vectors, in one environment and in a batch, and one of them weighed into a number."""

import mo_gymnasium
import numpy as np
from mo_gymnasium.wrappers import LinearReward
from mo_gymnasium.wrappers.vector import MOSyncVectorEnv

ids = ("mo-mountaincar-v0", "minecart-v0", "deep-sea-treasure-v0")
for id in ids:
    env = mo_gymnasium.make(id)
    env.action_space.seed(0)
    env.reset(seed=0)
    for _ in range(1000):
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        assert reward.shape == env.unwrapped.reward_space.shape
        if terminated or truncated:
            env.reset()
weighed = LinearReward(mo_gymnasium.make("minecart-v0"), np.array([0.5, 0.3, 0.2]))
weighed.reset(seed=0)
assert np.ndim(weighed.step(0)[1]) == 0
envs = MOSyncVectorEnv([lambda: mo_gymnasium.make("deep-sea-treasure-v0")] * 3)
envs.action_space.seed(0)
envs.reset(seed=0)
for _ in range(100):
    _, rewards, *_ = envs.step(envs.action_space.sample())
    assert rewards.shape == (3, 2)
print(f"{', '.join(ids)}: 1,000 steps each, with rewards that are vectors; LinearReward; MOSyncVectorEnv")
