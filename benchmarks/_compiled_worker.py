"""Steps batches in one interpreter: for each line `ID N STEPS` it reads, it prints nanoseconds per environment step.

N is 0 for the single environment. The batch is EnvPool's where that is installed, and else `make_vec`'s own class.
All peers run this same file, each with the actions it likes best: int32 for EnvPool, what the space samples for others.
"""

from __future__ import annotations

import sys
import warnings
from importlib.util import find_spec
from time import perf_counter_ns
from typing import Any

THREADS = 2
BATCHES = 16  # of actions, sampled beforehand


def make(env_id: str, n: int) -> tuple[Any, list[Any]]:
    """The environments and batches of actions."""
    if find_spec("envpool"):
        import envpool
        import numpy as np

        envs = envpool.make(env_id.replace("Taxi-v4", "Taxi-v3"), env_type="gymnasium", num_envs=n, num_threads=THREADS)
        rng, space = np.random.default_rng(0), envs.action_space
        if hasattr(space, "n"):
            return envs, [rng.integers(0, space.n, n).astype(np.int32) for _ in range(BATCHES)]
        return envs, [rng.uniform(space.low, space.high, (n, *space.shape)).astype(space.dtype) for _ in range(BATCHES)]
    import gymnasium

    envs = gymnasium.make_vec(env_id, n, "vector_entry_point") if n else gymnasium.make(env_id)
    envs.action_space.seed(0)
    return envs, [envs.action_space.sample() for _ in range(BATCHES)]


def measure(envs: Any, actions: list[Any], n: int, steps: int) -> float:
    """Nanoseconds per environment step of the loop a user writes; a single environment is reset by hand."""
    envs.reset()
    rounds = max(1, steps // max(1, n) // len(actions))
    start = perf_counter_ns()
    for _ in range(rounds):
        for action in actions:
            _, _, terminated, truncated, _ = envs.step(action)
            if n == 0 and (terminated or truncated):
                envs.reset()
    return (perf_counter_ns() - start) / rounds / len(actions) / max(1, n)


def main() -> None:
    """Answer until the input ends."""
    warnings.simplefilter("ignore")
    made: dict[str, tuple[Any, list[Any]]] = {}
    for line in sys.stdin:
        env_id, n, steps = line.split()
        name = f"{env_id} {n}"
        if name not in made:
            made[name] = make(env_id, int(n))
            measure(*made[name], int(n), 1)  # compiles
        print(measure(*made[name], int(n), int(steps)), flush=True)


if __name__ == "__main__":
    main()
