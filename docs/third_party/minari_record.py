"""Minari: record ten episodes, and read them back."""

import os
import tempfile

os.environ["MINARI_DATASETS_PATH"] = tempfile.mkdtemp()
import minari

import gymnasium

env = minari.DataCollector(gymnasium.make("CartPole-v1"))
for seed in range(10):
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        over = terminated or truncated
dataset = env.create_dataset("cartpole/random-v0", algorithm_name="random", author="us", author_email="us@here.org",
                             code_permalink="here")  # fmt: skip
print(f"recorded and read back {dataset.total_episodes} episodes, {dataset.total_steps} steps; environment "
      f"recovered: {dataset.recover_environment().spec.id}")  # fmt: skip
assert dataset.total_episodes == 10
