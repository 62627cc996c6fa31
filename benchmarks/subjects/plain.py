"""What ordinary classes cost: in sync, compiled, and as the dynamics of a FuncEnv."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import classes
from fresh import seconds_told
from timing import Again, seconds_of

import gymnasium

Run = Callable[[int], float]
BATCHES = 16  # of actions, made beforehand
LIMIT = 200  # steps of an episode

STARTING = """
import sys
sys.path.insert(0, {folder!r})
import time
import plain
start = time.perf_counter()
envs = plain.batch({name!r}, {n}, "compiled")
envs.reset(seed=0)
envs.step(envs.action_space.sample())
print(time.perf_counter() - start)
"""


def batch(name: str, n: int, how: str) -> Any:
    """Returns n of the class with this name: in sync, compiled, or the dynamics of CartPole as a FuncEnv."""
    if how == "FuncEnv":
        from gymnasium.envs.classic_control.cartpole import CartPole

        gymnasium.register("FuncCartPole-v0", func_env=CartPole, max_episode_steps=LIMIT)
        return gymnasium.make_vec("FuncCartPole-v0", n)
    gymnasium.register(f"{name}-v0", entry_point=getattr(classes, name), max_episode_steps=LIMIT)
    return gymnasium.make_vec(f"{name}-v0", n, how)


@contextmanager
def stepped(name: str, n: int, how: str) -> Iterator[Run]:
    """A step of one environment."""
    envs = batch(name, n, how)
    envs.action_space.seed(0)
    actions = Again([envs.action_space.sample() for _ in range(BATCHES)])
    envs.reset(seed=0)
    yield lambda steps: seconds_of(envs.step, actions.take(steps)) / steps / n
    envs.close()


@contextmanager
def first_step(name: str, n: int, cold: bool) -> Iterator[Run]:
    """Seconds from `make_vec` to the end of the first step, in a new process; cold: without machine code on disk."""
    yield seconds_told(STARTING.format(folder=str(Path(__file__).parent), name=name, n=n), cold)
