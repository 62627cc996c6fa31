"""Steps vector environments in one interpreter: for each line `RUNNER ENV N STEPS` it reads, it prints a duration.

RUNNER is sync or async; ENV an id, or the microseconds that a step of an environment without dynamics takes. Both peers
run this same file, so it uses nothing but the API.
"""

from __future__ import annotations

import sys
import time
import warnings
from functools import partial
from typing import Any

import numpy as np

import gymnasium
from gymnasium.spaces import Box, Discrete


class Busy(gymnasium.Env[Any, Any]):
    """Keeps its core busy for some time at each step, and observes zeros."""

    observation_space = Box(-1, 1, (4,), np.float32)
    action_space = Discrete(2)

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.observation = np.zeros(4, np.float32)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return self.observation, {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        ends = time.perf_counter() + self.seconds
        while time.perf_counter() < ends:
            pass
        return self.observation, 0.0, False, False, {}


def made(runner: str, env: str, n: int) -> Any:
    make = partial(Busy, float(env) * 1e-6) if env.isdigit() else partial(gymnasium.make, env)
    kind = gymnasium.vector.SyncVectorEnv if runner == "sync" else gymnasium.vector.AsyncVectorEnv
    return kind([make] * n)


def measure(envs: Any, steps: int) -> float:
    """Nanoseconds per environment step of the loop a user writes."""
    envs.action_space.seed(0)
    actions = [envs.action_space.sample() for _ in range(steps)]
    envs.reset(seed=0)
    start = time.perf_counter_ns()
    for action in actions:
        envs.step(action)
    return (time.perf_counter_ns() - start) / steps / envs.num_envs


def main() -> None:
    """Answer until the input ends."""
    warnings.simplefilter("ignore")
    environments: dict[tuple[str, str, str], Any] = {}
    for line in sys.stdin:
        runner, env, n, steps = line.split()
        if (runner, env, n) not in environments:
            environments[runner, env, n] = made(runner, env, int(n))
        print(measure(environments[runner, env, n], int(steps)), flush=True)
    for envs in environments.values():
        envs.close()


if __name__ == "__main__":
    main()
