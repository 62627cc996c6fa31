"""One environment, as `make` returns it, and what making it costs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from environments import maker
from timing import Again, clock_cost

Run = Callable[[int], float]


@contextmanager
def step_only(env_id: str, before: int = 0) -> Iterator[Run]:
    """A step, resets and the clock's own time left out; `before` it come some that do not count."""
    env, actions = _ready(env_id)

    def run(steps: int) -> float:
        spent = 0.0
        for action in actions.take(steps):
            start = perf_counter()
            result = env.step(action)
            spent += perf_counter() - start
            if result[2] or result[3]:
                env.reset()
        return spent / steps - clock

    clock = clock_cost()
    for action in actions.take(before):
        if any(env.step(action)[2:4]):
            env.reset()
    yield run
    env.close()


@contextmanager
def with_resets(env_id: str) -> Iterator[Run]:
    """A step of the loop a user writes."""
    env, actions = _ready(env_id)

    def run(steps: int) -> float:
        each = actions.take(steps)
        start = perf_counter()
        for action in each:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return (perf_counter() - start) / steps

    yield run
    env.close()


@contextmanager
def frame(env_id: str) -> Iterator[Run]:
    """A picture of one, the step before it left out."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    env, actions = _ready(env_id, render_mode="rgb_array")
    env.render()

    def run(frames: int) -> float:
        spent = 0.0
        for action in actions.take(frames):
            if any(env.step(action)[2:4]):
                env.reset()
            start = perf_counter()
            env.render()
            spent += perf_counter() - start
        return spent / frames

    yield run
    env.close()


@contextmanager
def construction(env_id: str) -> Iterator[Run]:
    """Making and resetting one, closing it left out."""
    make = maker(env_id)

    def run(times: int) -> float:
        spent = 0.0
        for _ in range(times):
            start = perf_counter()
            env = make()
            env.reset(seed=0)
            spent += perf_counter() - start
            env.close()
        return spent / times

    yield run


def _ready(env_id: str, **arguments: Any) -> tuple[Any, Again]:
    env = maker(env_id)(**arguments)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(4096)]
    env.reset(seed=0)
    return env, Again(actions)
