"""Steps wrappers around environments of no cost: for each line `NAME STEPS` it reads, it prints nanoseconds per step.

Both peers run this same file, so it uses nothing but the API.
"""

from __future__ import annotations

import sys
import warnings
from time import perf_counter_ns
from typing import Any

import numpy as np

import gymnasium
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

N = 4096


class Free(gymnasium.Env[Any, Any]):
    """Returns the same things whatever is done."""

    action_space = Discrete(2)

    def __init__(self, shape: tuple[int, ...] = (4,), dtype: Any = np.float32) -> None:
        self.observation_space = Box(0, 255, shape, dtype)
        self.result = (self.observation_space.sample(), 1.0, False, False, {})

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self.result[0], {}

    def step(self, action: Any) -> Any:
        return self.result


class FreeBatch(VectorEnv):  # type: ignore[type-arg]  # the reference's takes other parameters
    """The same, as a batch; what it observes is one of eight arrays, so that they are not all in the cache."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, dtype: Any) -> None:
        self.num_envs = N
        self.single_observation_space = Box(-np.inf, np.inf, (17,), dtype)
        self.observation_space = Box(-np.inf, np.inf, (N, 17), dtype)
        self.single_action_space, self.action_space = Discrete(2), MultiDiscrete([2] * N)
        self.seen = [np.random.default_rng(i).normal(size=(N, 17)).astype(dtype) for i in range(8)]
        self.rewards, self.flags, self.t = np.ones(N), np.zeros(N, np.bool_), 0

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        return self.seen[0], {}

    def step(self, actions: Any) -> Any:
        self.t += 1
        return self.seen[self.t % 8], self.rewards, self.flags, self.flags, {}


def stack_of_make() -> Any:
    """What `make` puts around an environment."""
    gymnasium.register("Free-v0", Free, max_episode_steps=10**9)
    return gymnasium.make("Free-v0")


def normalized(dtype: Any) -> Any:
    """4,096 observations of 17 entries."""
    return gymnasium.wrappers.vector.NormalizeObservation(FreeBatch(dtype))


def frames() -> Any:
    """256 frames of 84 x 84, four in a stack: by the vector wrapper where there is one."""
    batched = getattr(gymnasium.wrappers.vector, "FrameStackObservation", None)
    if batched is not None:
        return batched(SyncVectorEnv([lambda: Free((84, 84), np.uint8)] * 256), 4)
    single = gymnasium.wrappers.FrameStackObservation
    return SyncVectorEnv([lambda: single(Free((84, 84), np.uint8), 4)] * 256)


MAKERS = {
    "free": Free,
    "stack": stack_of_make,
    "float32": lambda: normalized(np.float32),
    "float64": lambda: normalized(np.float64),
    "frames": frames,
}


def measure(env: Any, steps: int) -> float:
    """Nanoseconds per step, of the loop that a user writes."""
    action = env.action_space.sample()
    start = perf_counter_ns()
    for _ in range(steps):
        env.step(action)
    return (perf_counter_ns() - start) / steps


def main() -> None:
    """Answer until the input ends."""
    warnings.simplefilter("ignore")
    environments: dict[str, Any] = {}
    for line in sys.stdin:
        name, steps = line.split()
        if name not in environments:
            environments[name] = MAKERS[name]()
            environments[name].reset(seed=0)
        print(measure(environments[name], int(steps)), flush=True)


if __name__ == "__main__":
    main()
