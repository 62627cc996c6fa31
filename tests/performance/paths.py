"""The hot paths: what runs at every step of every training."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import gymnasium
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.vector._workers import worker as worker_process
from tests.performance.counting import REPEATS, Count, Memory, Moves, counted

SIZE = 1 << 20  # bytes of an observation, so many that nothing hides a copy of it


class Wide(gymnasium.Env[Any, Any]):
    """Observes much, and does nothing else."""

    observation_space = Box(0, 255, (SIZE,), np.uint8)
    action_space = Discrete(2)

    def __init__(self) -> None:
        self.observation = np.ones(SIZE, np.uint8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self.observation.copy(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self.observation.copy(), 0.0, False, False, {}


class Witness(Wide):
    """Counts what its worker process does between two of its steps."""

    def __init__(self, instrument: type[Moves] | type[Memory]) -> None:
        super().__init__()
        self.instrument, self.found, self.steps = instrument(), [], 0
        worker_process._BRIEF = 0.0  # never awake: how often it would look for the next step depends on the parent

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.steps:
            self.found.append(self.instrument.stop())
        self.steps += 1
        result = super().step(action)
        self.instrument.start()
        return result


def single() -> Count:
    """`make("CartPole-v1").step`, wrappers included."""
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=0)
    env.step(0)  # the first is checked
    return counted(lambda: env.step(0), prepare=lambda: env.reset(seed=0))


def single_wide() -> Count:
    """The same wrappers around an environment that observes much."""
    gymnasium.register("Wide-v0", Wide, max_episode_steps=10**9)
    env = gymnasium.make("Wide-v0")
    env.reset(seed=0)
    env.step(0)
    return counted(lambda: env.step(0))


def sync() -> Count:
    """`SyncVectorEnv.step` of four."""
    return _vector(SyncVectorEnv([Wide] * 4))


def asynchronous() -> Count:
    """`AsyncVectorEnv.step` of four in one worker: what the parent does."""
    return _vector(AsyncVectorEnv([Wide] * 4, num_workers=1))


def worker() -> Count:
    """And what the worker does, whose one environment it steps."""
    (lines, calls), peak = (_witnessed(instrument) for instrument in (Moves, Memory))
    return Count(lines, calls, peak)


def compiled() -> Count:
    """`CompiledVectorEnv.step` of 4,096 CartPoles, in this thread."""
    return _vector(gymnasium.make_vec("CartPole-v1", 4096, vector_kwargs={"num_threads": 1}))


PATHS: dict[str, Callable[[], Count]] = {
    "make's step": single,
    "make's step, wide": single_wide,
    "sync step": sync,
    "async round trip, parent": asynchronous,
    "async round trip, worker": worker,
    "compiled step": compiled,
}


def _vector(envs: Any) -> Count:
    try:
        envs.action_space.seed(0)
        envs.reset(seed=0)
        actions = envs.action_space.sample()
        envs.step(actions)
        return counted(partial(envs.step, actions))
    finally:
        envs.close()


def _witnessed(instrument: type[Moves] | type[Memory]) -> Any:
    envs = AsyncVectorEnv([partial(Witness, instrument)])
    try:
        envs.reset(seed=0)
        for _ in range(REPEATS):
            envs.step(np.zeros(1, np.int64))
        return min(envs.get_attr("found")[0])
    finally:
        envs.close()
