"""skrl: its wrapper around a vector environment of ours."""

from skrl.envs.wrappers.torch import wrap_env

import gymnasium

envs = wrap_env(gymnasium.make_vec("CartPole-v1", num_envs=64))
observations, infos = envs.reset()
for _ in range(100):
    actions = (observations[:, 2] > 0).long().reshape(-1, 1)
    observations, rewards, terminated, truncated, infos = envs.step(actions)
print(
    f"wrap_env around 64 compiled CartPoles: observations {tuple(observations.shape)}, rewards {tuple(rewards.shape)}"
)
