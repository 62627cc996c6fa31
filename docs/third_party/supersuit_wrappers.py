"""SuperSuit: its wrappers around an environment of ours, and its vector environment."""

import supersuit

import gymnasium

env = gymnasium.make("MountainCarContinuous-v0")
env = supersuit.frame_stack_v1(supersuit.clip_reward_v0(env), 3)
observation, _ = env.reset(seed=1)
env.step(env.action_space.sample())
envs = supersuit.gym_vec_env_v0(gymnasium.make("CartPole-v1"), 4)
envs.reset()
print(f"frame_stack_v1 and clip_reward_v0: observation of shape {observation.shape}; gym_vec_env_v0: {envs.num_envs}")
