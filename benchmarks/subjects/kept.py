"""Moments that are copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from time import perf_counter

from environments import maker

import gymnasium
import palaestra

Run = Callable[[int], float]
COPIES = 64  # that are made to tell how long n take


@contextmanager
def forks(env_id: str, n: int) -> Iterator[Run]:
    """The moment of one environment, copied into the others of a batch of n."""
    envs = gymnasium.make_vec(env_id, n)
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())

    def run(times: int) -> float:
        start = perf_counter()
        for _ in range(times):
            palaestra.fork(envs, 0)
        return (perf_counter() - start) / times

    yield run
    envs.close()


@contextmanager
def deep_copies(env_id: str, n: int) -> Iterator[Run]:
    """n deep copies of a single environment, told from a few."""
    env = maker(env_id)()
    env.reset(seed=0)
    env.step(env.action_space.sample())

    def run(times: int) -> float:
        start = perf_counter()
        for _ in range(times * COPIES):
            deepcopy(env)
        return (perf_counter() - start) / times / COPIES * n

    yield run
    env.close()
