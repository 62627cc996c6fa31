"""The speed of an environment: calls per second, for each kind of call.

The numbers are those of this machine at this moment; compare them only with others measured in the same run.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from gymnasium.core import Env
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv

__all__ = ["benchmark_init", "benchmark_render", "benchmark_step", "benchmark_vector_step"]


def benchmark_step(env: Env, target_duration: float = 5, seed: int | None = None) -> float:
    """Returns steps per second with random actions; the resets between count as time, but not as steps.

    Args:
        env: The environment.
        target_duration: The duration of the measurement, in seconds.
        seed: The seed of the first reset and of the actions.
    """
    end = _checked(target_duration)
    env.action_space.seed(seed)
    env.reset(seed=seed)
    steps, start = 0, perf_counter()
    while True:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        steps += 1
        if terminated or truncated:
            env.reset()
        elapsed = perf_counter() - start
        if elapsed > end:
            return steps / elapsed


def benchmark_vector_step(env: VectorEnv, target_duration: float = 5, seed: int | None = None) -> float:
    """Returns steps of single environments per second with random actions.

    A row that a call only resets is not a step. If finished environments do not reset themselves, they are reset after
    each call, and this counts as time.

    Args:
        env: The vector environment.
        target_duration: The duration of the measurement, in seconds.
        seed: The seed of the first reset and of the actions.
    """
    end = _checked(target_duration)
    mode = env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    env.action_space.seed(seed)
    env.reset(seed=seed)
    env.step(env.action_space.sample())  # compiles and starts anything that is deferred
    env.reset(seed=seed)
    steps, start = 0, perf_counter()
    over = np.zeros(env.num_envs, np.bool_)  # finished by the previous call
    while True:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        steps += env.num_envs - (int(np.count_nonzero(over)) if mode is AutoresetMode.NEXT_STEP else 0)
        over = np.logical_or(terminated, truncated)
        if mode is AutoresetMode.DISABLED and over.any():
            env.reset(options={"reset_mask": over})
        elapsed = perf_counter() - start
        if elapsed > end:
            return steps / elapsed


def benchmark_init(env_lambda: Callable[[], Env], target_duration: float = 5, seed: int | None = None) -> float:
    """Returns constructions, each with its first reset, per second.

    Args:
        env_lambda: Makes an environment, which is closed outside of the measured time.
        target_duration: The duration of the measurement, in seconds.
        seed: The seed of each reset.
    """
    end = _checked(target_duration)
    made, spent = 0, 0.0
    while spent <= end:
        start = perf_counter()
        env = env_lambda()
        env.reset(seed=seed)
        spent += perf_counter() - start
        env.close()
        made += 1
    return made / spent


def benchmark_render(env: Env, target_duration: float = 5) -> float:
    """Returns calls of `render` per second; each shows another step, whose time does not count.

    Args:
        env: The environment, made with a render mode; it is reset.
        target_duration: The duration of the measurement, in seconds.
    """
    end = _checked(target_duration)
    env.reset()
    renders, spent = 0, 0.0
    while spent <= end:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()
        start = perf_counter()
        env.render()
        spent += perf_counter() - start
        renders += 1
    return renders / spent


def _checked(target_duration: float) -> float:
    """Returns the duration, which must be a number of seconds."""
    if not 0 <= target_duration < float("inf"):
        raise ValueError(f"target_duration must be a number of seconds, 0 or more, but {target_duration!r} came")
    return target_duration
