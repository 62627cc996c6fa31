"""RLlib's EnvRunners on a Ray of this machine, which collect for PPO."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Any

# Ray reads these when it is imported: everything stays on this machine.
os.environ.update(RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0", RAY_USAGE_STATS_ENABLED="0", RAY_worker_niceness="0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
os.environ["PYTHONPATH"] = os.path.dirname(os.path.abspath(__file__))  # actors import its neighbours too

import ray
from environments import maker
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.execution.rollout_ops import synchronous_parallel_sample
from ray.tune.registry import register_env

Run = Callable[[int], float]
STEPS = 128  # of a rollout
HIDDEN = 64


@contextmanager
def sampled(env: str, n: int, workers: int = 2) -> Iterator[Run]:
    """A step of one environment in which a network acts; the work is rollouts of 128 steps, each with new weights."""
    ray.init(
        address="local",
        num_cpus=workers,
        include_dashboard=False,
        logging_level="ERROR",
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
    )
    try:
        algorithm = _config(env, n, workers).build_algo()
        yield partial(_seconds_of_a_step, algorithm, STEPS * n)
        algorithm.stop()
    finally:
        ray.shutdown()


def _seconds_of_a_step(algorithm: Any, steps: int, times: int) -> float:
    group, taken = algorithm.env_runner_group, 0
    start = perf_counter()
    for _ in range(times):
        group.sync_weights(from_worker_or_learner_group=algorithm.learner_group, inference_only=True)
        episodes = synchronous_parallel_sample(
            worker_set=group, max_env_steps=steps, concat=True, _uses_new_env_runners=True
        )
        taken += sum(map(len, episodes))
    return (perf_counter() - start) / taken


def _config(env: str, n: int, workers: int) -> Any:
    """PPO with two layers of 64 for the actor, and two for the critic, which acts only when it learns."""
    register_env("benchmarked", lambda _: maker(env)())
    model = DefaultModelConfig(fcnet_hiddens=[HIDDEN, HIDDEN], fcnet_activation="tanh", vf_share_layers=False)
    config = PPOConfig().environment("benchmarked").rl_module(model_config=model)
    config = config.env_runners(
        num_env_runners=workers, num_envs_per_env_runner=n // workers, rollout_fragment_length=STEPS
    )
    return config.training(train_batch_size_per_learner=STEPS * n)
