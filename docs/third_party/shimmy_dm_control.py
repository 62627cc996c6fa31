"""Shimmy: dm-control's cart-pole as an environment, by our registry."""

import shimmy

import gymnasium
from gymnasium.utils.env_checker import find_problems

gymnasium.register_envs(shimmy)
id = "dm_control/cartpole-balance-v0"
env = gymnasium.make(id)
env.action_space.seed(0)
env.reset(seed=0)
for _ in range(1000):
    _, _, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated:
        env.reset()
errors = sorted({found.id for found in find_problems(id) if found.severity == "error"})
print(f"{id}: 1,000 steps; checker: {', '.join(errors) or 'no error'}")
