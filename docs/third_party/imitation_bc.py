"""imitation: behavioural cloning of a PPO agent's episodes."""

import numpy as np
from imitation.algorithms import bc
from imitation.data import rollout
from imitation.data.wrappers import RolloutInfoWrapper
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import DummyVecEnv

import gymnasium

rng = np.random.default_rng(0)
envs = DummyVecEnv([lambda: RolloutInfoWrapper(gymnasium.make("CartPole-v1"))])
expert = PPO("MlpPolicy", envs, seed=0, device="cpu").learn(12_000)
episodes = rollout.rollout(expert, envs, rollout.make_sample_until(min_episodes=20), rng=rng)
student = bc.BC(observation_space=envs.observation_space, action_space=envs.action_space,
                demonstrations=rollout.flatten_trajectories(episodes), rng=rng, device="cpu")  # fmt: skip
before, _ = evaluate_policy(student.policy, envs, 10)
student.train(n_epochs=2)
after, _ = evaluate_policy(student.policy, envs, 10)
print(f"behavioural cloning on CartPole-v1: mean return {before:.0f} before, {after:.0f} after")
