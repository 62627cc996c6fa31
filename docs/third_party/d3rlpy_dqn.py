"""d3rlpy: DQN, online, on CartPole for 2,000 steps."""

import d3rlpy

import gymnasium

env, other = gymnasium.make("CartPole-v1"), gymnasium.make("CartPole-v1")
dqn = d3rlpy.algos.DQNConfig(learning_rate=1e-3).create(device="cpu:0")
buffer = d3rlpy.dataset.create_fifo_replay_buffer(limit=10_000, env=env)
dqn.fit_online(env, buffer, n_steps=2_000, n_steps_per_epoch=1_000, update_start_step=500, eval_env=other,
               logger_adapter=d3rlpy.logging.NoopAdapterFactory(), show_progress=False)  # fmt: skip
mean = d3rlpy.metrics.evaluate_qlearning_with_environment(dqn, other, n_trials=10)
print(f"DQN online on CartPole-v1, 2,000 steps, then a mean return of {mean:.0f}")
