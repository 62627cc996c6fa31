"""Steps robots in one interpreter: for each line `CANDIDATE ID STEPS` it reads, it prints nanoseconds.

EnvPool is in the reference's interpreter only, and our batches in ours.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import numpy as np

N, THREADS = 256, 2


def timed(step: Callable[[Any], object], actions: list[Any]) -> float:
    """Nanoseconds of all these steps."""
    start = perf_counter_ns()
    for action in actions:
        step(action)
    return float(perf_counter_ns() - start)


def sampled(space: Any, shape: tuple[int, ...], steps: int) -> list[Any]:
    """Actions, uniform within a space of one environment."""
    rng = np.random.default_rng(0)
    return [rng.uniform(space.low, space.high, shape).astype(np.float32) for _ in range(steps)]


def ours(env_id: str) -> Callable[[int], float]:
    """Our batch."""
    import gymnasium

    envs: Any = gymnasium.make_vec(env_id, N, num_threads=THREADS)
    envs.reset(seed=0)
    return lambda steps: timed(
        envs.step, sampled(envs.single_action_space, (N, *envs.single_action_space.shape), steps)
    )


def envpool(env_id: str) -> Callable[[int], float]:
    """EnvPool's batch."""
    import envpool as peer  # type: ignore[import-not-found]  # in the environment of the reference

    envs = peer.make(env_id, env_type="gymnasium", num_envs=N, num_threads=THREADS, seed=0)
    envs.reset()
    return lambda steps: timed(envs.step, sampled(envs.action_space, (N, *envs.action_space.shape), steps))


def bare(env_id: str) -> Callable[[int], float]:
    """Nothing but `mj_step`, on as many threads, each with its share of the simulations."""
    import mujoco

    import gymnasium

    env: Any = gymnasium.make(env_id).unwrapped
    simulations = []
    for seed in range(N):
        env.reset(seed=seed)
        simulations.append(mujoco.MjData(env.model))
        mujoco.mj_copyData(simulations[-1], env.model, env.data)

    def share(first: int, actions: Any) -> None:
        for i in range(first, N, THREADS):
            simulations[i].ctrl[:] = actions[i]
            mujoco.mj_step(env.model, simulations[i], nstep=env.frame_skip)

    def step(actions: Any) -> None:
        helpers = [threading.Thread(target=share, args=(first, actions)) for first in range(1, THREADS)]
        for helper in helpers:
            helper.start()
        share(0, actions)
        for helper in helpers:
            helper.join()

    return lambda steps: timed(step, sampled(env.action_space, (N, *env.action_space.shape), steps))


def single(env_id: str) -> Callable[[int], float]:
    """One environment, as `make` returns it, from the same seed each time."""
    import gymnasium

    env: Any = gymnasium.make(env_id)
    shape = env.action_space.shape

    def run(steps: int) -> float:
        env.reset(seed=0)
        return timed(env.step, sampled(env.action_space, shape, steps))

    return run


CANDIDATES = {"ours": ours, "envpool": envpool, "bare": bare, "single": single}


def work() -> None:
    """Answer each line `CANDIDATE ID STEPS` with a duration, until the input ends."""
    ready: dict[str, Callable[[int], float]] = {}
    for line in sys.stdin:
        name, env_id, steps = line.split()
        key = f"{name} {env_id}"
        if key not in ready:
            ready[key] = CANDIDATES[name](env_id)
            ready[key](2)
        print(ready[key](int(steps)), flush=True)


if __name__ == "__main__":
    work()
