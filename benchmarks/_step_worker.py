"""Steps environments in one interpreter: for each line `ID STEPS` it reads, it prints two durations as JSON.

Both peers run this same file, so it uses nothing but the API.
"""

from __future__ import annotations

import json
import sys
import warnings
from statistics import median
from time import perf_counter_ns
from typing import Any

import gymnasium


def clock_cost(readings: int = 20_000) -> float:
    """Nanoseconds between two readings of the clock with nothing between."""
    return median(-perf_counter_ns() + perf_counter_ns() for _ in range(readings))


def step_only(env: Any, actions: list[Any]) -> float:
    """Nanoseconds per step, resets and the clock's own time left out."""
    spent = 0
    for action in actions:
        start = perf_counter_ns()
        result = env.step(action)
        spent += perf_counter_ns() - start
        if result[2] or result[3]:
            env.reset()
    return spent / len(actions) - clock_cost()


def with_resets(env: Any, actions: list[Any]) -> float:
    """Nanoseconds per step of the loop a user writes."""
    start = perf_counter_ns()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return (perf_counter_ns() - start) / len(actions)


def measure(env: Any, steps: int) -> dict[str, float]:
    """One round, from the same seed and with the same kind of actions that `sample` gives."""
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(steps)]
    env.reset(seed=0)
    first = step_only(env, actions)
    env.reset(seed=0)
    return {"step only": first, "with resets": with_resets(env, actions)}


def main() -> None:
    """Answer until the input ends."""
    warnings.simplefilter("ignore")
    environments: dict[str, Any] = {}
    for line in sys.stdin:
        env_id, steps = line.split()
        if env_id not in environments:
            environments[env_id] = gymnasium.make(env_id)
        print(json.dumps(measure(environments[env_id], int(steps))), flush=True)


if __name__ == "__main__":
    main()
