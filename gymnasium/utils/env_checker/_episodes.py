"""Trajectories of an environment, recorded for comparison with other runs."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from gymnasium.core import Env
from gymnasium.utils.passive_env_checker._comparison import data_equivalence

SEED = 123
STEPS = 50


def trajectory(env: Env, look: Callable[[], object] | None = None) -> list[Any]:
    """Returns the results of a seeded reset, and of 50 steps of seeded random actions with the resets between.

    Args:
        env: The environment.
        look: Called after each call.
    """
    env.action_space.seed(SEED)
    results = [deepcopy(env.reset(seed=SEED))]
    return results + continued(env, STEPS, look)


def continued(env: Env, steps: int, look: Callable[[], object] | None = None) -> list[Any]:
    """Returns the results of that many steps, and of the resets between."""
    results: list[Any] = []
    for _ in range(steps):
        if look is not None:
            look()
        result = env.step(env.action_space.sample())
        results.append(deepcopy(result))
        if result[2] or result[3]:
            results.append(deepcopy(env.reset()))
    return results


def first_difference(a: list[Any], b: list[Any]) -> int | None:
    """Returns the index of the first call with different results in two trajectories; None if there is none."""
    for i, (one, other) in enumerate(zip(a, b, strict=False)):
        if not data_equivalence(one, other, exact=True):
            return i
    return None if len(a) == len(b) else min(len(a), len(b))
