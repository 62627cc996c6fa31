"""Wrappers around environments of no cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

import numpy as np
from environments import Idle
from timing import seconds_of

import gymnasium
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

Run = Callable[[int], float]
N = 4096


class IdleBatch(VectorEnv):  # type: ignore[type-arg]  # the reference's takes other parameters
    """A batch of idle environments; what it observes is one of eight arrays, so that they are not all in the cache."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, dtype: str) -> None:
        self.num_envs = N
        self.single_observation_space = Box(-np.inf, np.inf, (17,), np.dtype(dtype).type)
        self.observation_space = Box(-np.inf, np.inf, (N, 17), np.dtype(dtype).type)
        self.single_action_space, self.action_space = Discrete(2), MultiDiscrete([2] * N)
        self.seen = [np.random.default_rng(i).normal(size=(N, 17)).astype(dtype) for i in range(8)]
        self.rewards, self.flags, self.t = np.ones(N), np.zeros(N, np.bool_), 0

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        return self.seen[0], {}

    def step(self, actions: Any) -> Any:
        self.t += 1
        return self.seen[self.t % 8], self.rewards, self.flags, self.flags, {}


@contextmanager
def bare() -> Iterator[Run]:
    """The environment by itself."""
    yield _steps(Idle())


@contextmanager
def stack_of_make() -> Iterator[Run]:
    """What `make` puts around an environment."""
    gymnasium.register("Idle-v0", Idle, max_episode_steps=10**9)
    yield _steps(gymnasium.make("Idle-v0"))


@contextmanager
def normalized(dtype: str) -> Iterator[Run]:
    """NormalizeObservation over 4,096 observations of 17 entries."""
    yield _steps(gymnasium.wrappers.vector.NormalizeObservation(IdleBatch(dtype)))


@contextmanager
def frames() -> Iterator[Run]:
    """256 frames of 84 x 84, four in a stack: by the vector wrapper where there is one."""
    frame = (84, 84), np.uint8
    batched = getattr(gymnasium.wrappers.vector, "FrameStackObservation", None)
    if batched is not None:
        yield _steps(batched(SyncVectorEnv([lambda: Idle(*frame)] * 256), 4))
    else:
        stacked = gymnasium.wrappers.FrameStackObservation
        yield _steps(SyncVectorEnv([lambda: stacked(Idle(*frame), 4)] * 256))


@contextmanager
def compiled(statistics: bool) -> Iterator[Run]:
    """4,096 compiled CartPoles, with or without RecordEpisodeStatistics around them."""
    envs = gymnasium.make_vec("CartPole-v1", N)
    yield _steps(gymnasium.wrappers.vector.RecordEpisodeStatistics(envs) if statistics else envs)


def _steps(env: Any) -> Run:
    env.reset(seed=0)
    action = env.action_space.sample()
    return lambda steps: seconds_of(env.step, repeat(action, steps)) / steps
