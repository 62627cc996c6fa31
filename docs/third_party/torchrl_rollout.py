"""TorchRL: its environments by name and around one of ours, and its check of their specs."""

from torchrl.envs import GymEnv, GymWrapper, check_env_specs

import gymnasium

env = GymEnv("Pendulum-v1", device="cpu")
check_env_specs(env)
rollout = env.rollout(100)
wrapped = GymWrapper(gymnasium.make("CartPole-v1"))
check_env_specs(wrapped)
print(f"check_env_specs passes on Pendulum-v1 and CartPole-v1; a rollout of shape {tuple(rollout.shape)}")
