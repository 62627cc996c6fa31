"""d3rlpy: DQN, online, on CartPole for 2,000 steps, then CQL from what it recorded."""

import d3rlpy

import gymnasium

d3rlpy.seed(1)
env, other = gymnasium.make("CartPole-v1"), gymnasium.make("CartPole-v1")
for world in (env, other):
    d3rlpy.envs.seed_env(world, 1)
quiet = {"logger_adapter": d3rlpy.logging.NoopAdapterFactory(), "show_progress": False}
dqn = d3rlpy.algos.DQNConfig(learning_rate=1e-3).create(device="cpu:0")
buffer = d3rlpy.dataset.create_fifo_replay_buffer(limit=10_000, env=env)
dqn.fit_online(env, buffer, n_steps=2_000, n_steps_per_epoch=1_000, update_start_step=500, eval_env=other, **quiet)
online = d3rlpy.metrics.evaluate_qlearning_with_environment(dqn, other, n_trials=10)
cql = d3rlpy.algos.DiscreteCQLConfig().create(device="cpu:0")
cql.fit(buffer, n_steps=500, n_steps_per_epoch=500, **quiet)
offline = d3rlpy.metrics.evaluate_qlearning_with_environment(cql, other, n_trials=10)
said = f"a mean return of {online:.1f}; DiscreteCQL offline, of {offline:.1f}"
print(f"DQN online on CartPole-v1, 2,000 steps, then {said}")
