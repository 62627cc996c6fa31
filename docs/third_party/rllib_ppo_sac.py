"""RLlib: two iterations of PPO on CartPole."""

import ray
from ray.rllib.algorithms.ppo import PPOConfig

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
config = PPOConfig().environment("CartPole-v1").env_runners(num_env_runners=1, num_envs_per_env_runner=4)
algorithm = config.training(train_batch_size=2000).build_algo()
returns = [algorithm.train()["env_runners"]["episode_return_mean"] for _ in range(5)]
algorithm.stop()
ray.shutdown()
print(f"PPO on CartPole-v1, 5 iterations of 2,000 steps: mean return {returns[0]:.0f}, then {returns[-1]:.0f}")
assert returns[-1] > returns[0]
