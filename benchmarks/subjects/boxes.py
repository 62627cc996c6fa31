"""What of a Box2D environment's step the engine takes, its calls of our contact listener included."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import gymnasium
from gymnasium.envs.box2d._engine import bindings as engine


@contextmanager
def world_step(env_id: str) -> Iterator[Callable[[int], float]]:
    """A step within the engine as it is, without our machine code."""
    env = gymnasium.make(env_id)
    env.unwrapped._find_code = lambda: None
    env.action_space.seed(0)
    env.reset(seed=0)
    whole, spent = engine.advance, 0.0

    def timed(world: Any) -> None:
        nonlocal spent
        start = perf_counter()
        whole(world)
        spent += perf_counter() - start

    def run(steps: int) -> float:
        nonlocal spent
        spent = 0.0
        for _ in range(steps):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset()
        return spent / steps

    engine.advance = timed
    yield run
    engine.advance = whole
    env.close()
