"""CartPoles whose episodes are recorded into a data set: by our wrapper, by Minari's, and not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np
from timing import Again, seconds_of

import gymnasium
import palaestra

Run = Callable[[int], float]
N = 64
BATCHES = 128  # of random actions, made beforehand


def _actions() -> Again:
    rng = np.random.default_rng(0)
    return Again([rng.integers(0, 2, N) for _ in range(BATCHES)])


@contextmanager
def batch(recorded: bool) -> Iterator[Run]:
    """A step of one environment of a compiled batch."""
    with tempfile.TemporaryDirectory() as folder:
        envs: Any = gymnasium.make_vec("CartPole-v1", N)
        if recorded:
            envs = palaestra.recording.vector.RecordTrajectories(envs, "cartpole/random-v0", folder)
        envs.reset(seed=0)
        actions = _actions()
        yield lambda steps: seconds_of(envs.step, actions.take(steps)) / steps / N
        envs.close()


@contextmanager
def single() -> Iterator[Run]:
    """A step of as many single environments, one after the other, each with a recorder of ours."""
    with tempfile.TemporaryDirectory() as folder:
        record = palaestra.recording.RecordTrajectories
        envs = [record(gymnasium.make("CartPole-v1"), f"cartpole/random{i}-v0", folder) for i in range(N)]
        yield _one_by_one(envs)
        for env in envs:
            env.close()


@contextmanager
def collectors() -> Iterator[Run]:
    """A step of as many single environments, each in a DataCollector."""
    import minari

    envs = [minari.DataCollector(gymnasium.make("CartPole-v1")) for _ in range(N)]
    yield _one_by_one(envs)
    for env in envs:
        env.close()


def _one_by_one(envs: list[Any]) -> Run:
    actions = _actions()
    for i, env in enumerate(envs):
        env.reset(seed=i)

    def run(steps: int) -> float:
        start = perf_counter()
        for each in actions.take(steps):
            for env, action in zip(envs, each, strict=True):
                _, _, terminated, truncated, _ = env.step(action)
                if terminated or truncated:
                    env.reset()
        return (perf_counter() - start) / steps / N

    return run
