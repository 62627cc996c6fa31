"""Stable-Baselines3: its own checker, then PPO on four CartPoles for 20,000 steps."""

from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

import gymnasium

check_env(gymnasium.make("CartPole-v1").unwrapped)
envs = make_vec_env("CartPole-v1", n_envs=4, seed=1)
model = PPO("MlpPolicy", envs, n_steps=256, seed=1, device="cpu")
before, _ = evaluate_policy(model, envs, 20)
model.learn(20_000)
after, _ = evaluate_policy(model, envs, 20)
print(f"check_env passes; PPO on CartPole-v1, 20,000 steps: mean return {before:.0f} before, {after:.0f} after")
assert after > before + 100
