"""Environments on a Ray of this machine: as a batch of ours, and as people write a loop over actors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

# Ray reads these when it is imported: everything stays on this machine.
os.environ.update(RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0", RAY_USAGE_STATS_ENABLED="0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
os.environ["PYTHONPATH"] = os.path.dirname(os.path.abspath(__file__))  # actors import its neighbours too

from environments import maker
from timing import Again, seconds_of

import gymnasium
import palaestra
from palaestra.policies import MLP, Layer

Run = Callable[[int], float]
STEPS = 128  # of a rollout
HIDDEN = 64
BATCHES = 16  # of actions, made beforehand
PATIENCE = 170.0  # s, for actors to start


@contextmanager
def stepped(kind: str, env: str, n: int, workers: int = 2) -> Iterator[Run]:
    """A step of one environment, of a batch of n; the work is batches."""
    envs = _made(kind, env, n, workers)
    envs.reset(seed=0)
    envs.action_space.seed(0)
    actions = Again([envs.action_space.sample() for _ in range(BATCHES)])

    def run(steps: int) -> float:
        return seconds_of(envs.step, actions.take(steps)) / steps / n

    yield run
    envs.close()


@contextmanager
def plain_actors(env: str, n: int) -> Iterator[Run]:
    """The same by an actor for each environment, whose answers a loop waits for."""
    ray = _started()

    @ray.remote(num_cpus=2 / n)
    class Actor:
        def __init__(self) -> None:
            self.env = maker(env)()
            self.env.reset(seed=0)

        def step(self, action: Any) -> Any:
            observation, reward, terminated, truncated, info = self.env.step(action)
            if terminated or truncated:
                observation, info = self.env.reset()
            return observation, reward, terminated, truncated, info

    actors = [Actor.remote() for _ in range(n)]
    space = maker(env)().action_space
    space.seed(0)
    actions = Again([[space.sample() for _ in range(n)] for _ in range(BATCHES)])

    def step(batch: list[Any]) -> Any:
        results = ray.get([actor.step.remote(action) for actor, action in zip(actors, batch, strict=True)])
        observations, rewards, *flags, infos = zip(*results, strict=True)
        return np.stack(observations), np.array(rewards), *map(np.array, flags), infos

    def run(steps: int) -> float:
        return seconds_of(step, actions.take(steps)) / steps / n

    step(actions.take(1)[0])
    yield run
    for actor in actors:
        ray.kill(actor)


@contextmanager
def collected(kind: str, env: str, n: int, workers: int = 2) -> Iterator[Run]:
    """A step of one environment in which a network acts, kept as arrays; the work is rollouts of 128 steps."""
    envs = _made(kind, env, n, workers)
    policy = _network(envs)
    last = palaestra.rollout(envs, policy, STEPS, start=envs.reset(seed=0)[0])

    def run(times: int) -> float:
        nonlocal last
        start = perf_counter()
        for _ in range(times):
            last = palaestra.rollout(envs, policy, STEPS, start=last, out=last)
        return (perf_counter() - start) / times / STEPS / n

    yield run
    envs.close()


@contextmanager
def called(actors: int) -> Iterator[Run]:
    """A step of a batch of one environment on each of so many actors; the work is batches."""
    _started()
    each = {"num_cpus": 0.01}
    envs = palaestra.ray.RayVectorEnv([maker("observing:4f")] * actors, resources=each, start_timeout=PATIENCE)
    envs.reset(seed=0)
    actions = Again([np.zeros(actors, np.int64)])

    def run(steps: int) -> float:
        return seconds_of(envs.step, actions.take(steps)) / steps

    yield run
    envs.close()


def _made(kind: str, env: str, n: int, workers: int) -> Any:
    if kind == "async":
        return gymnasium.vector.AsyncVectorEnv([maker(env)] * n, num_workers=workers)
    _started()
    if ":" not in env:
        return gymnasium.make_vec(env, n, "ray", vector_kwargs={"num_workers": workers})
    return palaestra.ray.RayVectorEnv([maker(env)] * n, num_workers=workers)


def _started() -> Any:
    """Returns Ray, connected to a cluster of this process, with room for the actors of two candidates."""
    import ray

    ray.init(
        address="local",
        num_cpus=6,
        include_dashboard=False,
        logging_level="ERROR",
        ignore_reinit_error=True,
        _node_ip_address="127.0.0.1",
        _system_config={"worker_niceness": 0},  # as that of worker processes
    )
    return ray


def _network(envs: Any) -> MLP:
    """Two layers of 64 for the actor, and two for the critic."""
    rng = np.random.default_rng(0)
    space = envs.single_action_space
    inputs = int(np.prod(envs.single_observation_space.shape))
    outputs = int(space.n) if hasattr(space, "n") else int(np.prod(space.shape))

    def layers(last: int) -> list[Layer]:
        sizes = [inputs, HIDDEN, HIDDEN, last]
        drawn = [rng.normal(size=(many, few)) / few**0.5 for few, many in pairwise(sizes)]
        return [Layer(weight, None, "tanh" if k < 2 else "none") for k, weight in enumerate(drawn)]

    spread = {} if hasattr(space, "n") else {"log_std": np.zeros(outputs)}
    return MLP(layers(outputs), layers(1), action_space=space, **spread)
