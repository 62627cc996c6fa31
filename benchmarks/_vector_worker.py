"""Steps a sync vector environment in one interpreter: for each line `ID N STEPS` it reads, it prints a duration.

Both peers run this same file, so it uses nothing but the API.
"""

from __future__ import annotations

import sys
import warnings
from time import perf_counter_ns
from typing import Any

import gymnasium


def measure(envs: Any, steps: int) -> float:
    """Nanoseconds per environment step of the loop a user writes, from the same seed and with the same actions."""
    envs.action_space.seed(0)
    actions = [envs.action_space.sample() for _ in range(steps)]
    envs.reset(seed=0)
    start = perf_counter_ns()
    for action in actions:
        envs.step(action)
    return (perf_counter_ns() - start) / steps / envs.num_envs


def main() -> None:
    """Answer until the input ends."""
    warnings.simplefilter("ignore")
    environments: dict[str, Any] = {}
    for line in sys.stdin:
        env_id, n, steps = line.split()
        name = f"{env_id} {n}"
        if name not in environments:
            environments[name] = gymnasium.make_vec(env_id, int(n), "sync")
        print(measure(environments[name], int(steps)), flush=True)


if __name__ == "__main__":
    main()
