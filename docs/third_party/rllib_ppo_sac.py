"""RLlib: PPO on CartPole, and SAC on Pendulum in batches of worker processes."""

import math

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.sac import SACConfig

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
config = PPOConfig().environment("CartPole-v1").env_runners(num_env_runners=1, num_envs_per_env_runner=4)
algorithm = config.training(train_batch_size=2000).build_algo()
returns = [algorithm.train()["env_runners"]["episode_return_mean"] for _ in range(5)]
algorithm.stop()
assert returns[-1] > 2 * returns[0], returns

config = SACConfig().environment("Pendulum-v1")
config.env_runners(num_env_runners=1, num_envs_per_env_runner=2, gym_env_vectorize_mode="async")
algorithm = config.training(num_steps_sampled_before_learning_starts=200, train_batch_size_per_learner=32).build_algo()
found = {"num_episodes_lifetime": 0}
while found["num_episodes_lifetime"] < 2:
    found = algorithm.train()["env_runners"]
algorithm.stop()
ray.shutdown()
assert math.isfinite(found["episode_return_mean"]) and -2000 < found["episode_return_mean"] < 0, found
print(
    "PPO on CartPole-v1, 5 iterations of 2,000 steps: the mean return more than doubles; "
    f"SAC on Pendulum-v1 in asynchronous batches: episodes of {found['episode_len_mean']:.0f} steps"
)
