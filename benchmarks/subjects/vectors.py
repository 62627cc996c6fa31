"""Batches of environments: our classes and the reference's under the same names, Stable-Baselines3's, and EnvPool's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np
from environments import maker
from timing import Again, seconds_of

import gymnasium

Run = Callable[[int], float]
WARM_UP = 3  # steps at the beginning of a round that do not count
BATCHES = 16  # of actions, made beforehand
FOREIGN = ("dummy", "subproc", "adapted", "envpool")  # with the spaces of one environment, and no seed for `reset`


@contextmanager
def stepped(kind: str, env: str, n: int, before: int = 0, **options: Any) -> Iterator[Run]:
    """A step of one environment, of a batch of n; the work is batches. `before` it come some that do not count."""
    envs = MAKERS[kind](env, n, **options)
    actions = Again(_actions(kind, envs, n))
    envs.reset() if kind in FOREIGN else envs.reset(seed=0)

    def run(steps: int) -> float:
        for action in actions.take(WARM_UP):  # whose turn it is has slept, and its caches hold the others' data
            envs.step(action)
        return seconds_of(envs.step, actions.take(steps)) / steps / n

    seconds_of(envs.step, actions.take(before))
    yield run
    envs.close()


@contextmanager
def first_finished(env: str, n: int, batch: int) -> Iterator[Run]:
    """A step of one environment, where those that are done first act again first, `batch` at a time."""
    envs = gymnasium.vector.AsyncVectorEnv([maker(env)] * n)
    envs.reset(seed=0)
    rng = np.random.default_rng(0)
    actions = Again([rng.integers(0, 2, n) for _ in range(BATCHES)])
    envs.send(actions.take(1)[0])

    def run(steps: int) -> float:
        each = actions.take(steps)
        start = perf_counter()
        for action in each:
            ids = envs.recv(batch)[4]["env_id"]
            envs.send(action[: len(ids)], ids)
        return (perf_counter() - start) / steps / batch

    yield run
    envs.recv(n)
    envs.close()


@contextmanager
def construction(kind: str, env: str, n: int) -> Iterator[Run]:
    """Making and resetting a batch, closing it left out."""

    def run(times: int) -> float:
        spent = 0.0
        for _ in range(times):
            start = perf_counter()
            envs = MAKERS[kind](env, n)
            envs.reset(seed=0)
            spent += perf_counter() - start
            envs.close()
        return spent / times

    yield run


def _sync(env: str, n: int) -> Any:
    return gymnasium.vector.SyncVectorEnv([maker(env)] * n)


def _async(env: str, n: int, **options: Any) -> Any:
    return gymnasium.vector.AsyncVectorEnv([maker(env)] * n, **options)


def _native(env: str, n: int) -> Any:
    """The environment's own vector class: the compiled one here, the one written in NumPy in the reference."""
    return gymnasium.make_vec(env, n, "vector_entry_point")


def _limited(env: str, n: int, steps: int) -> Any:
    """The same with episodes of so many steps at most."""
    return gymnasium.make_vec(env, n, "vector_entry_point", max_episode_steps=steps)


def _default(env: str, n: int) -> Any:
    return gymnasium.make_vec(env, n)


def _dummy(env: str, n: int) -> Any:
    from stable_baselines3.common.vec_env import DummyVecEnv

    return DummyVecEnv([maker(env)] * n)


def _subproc(env: str, n: int) -> Any:
    from stable_baselines3.common.vec_env import SubprocVecEnv

    return SubprocVecEnv([maker(env)] * n, start_method="fork")


def _in_mode(env: str, n: int, mode: str, how: str = "vector_entry_point") -> Any:
    return gymnasium.make_vec(env, n, how, vector_kwargs={"autoreset_mode": mode})


def _adapted(env: str, n: int, **options: Any) -> Any:
    from palaestra.adapters.stable_baselines3 import VecEnv

    return VecEnv(_in_mode(env, n, **options))


def _envpool(env: str, n: int) -> Any:
    import envpool

    name = {"Taxi-v4": "Taxi-v3"}.get(env, env)
    return envpool.make(name, env_type="gymnasium", num_envs=n, num_threads=len(os.sched_getaffinity(0)), seed=0)


MAKERS: dict[str, Callable[..., Any]] = {
    "sync": _sync,
    "async": _async,
    "native": _native,
    "limited": _limited,
    "default": _default,
    "dummy": _dummy,
    "subproc": _subproc,
    "in_mode": _in_mode,
    "adapted": _adapted,
    "envpool": _envpool,
}


def _actions(kind: str, envs: Any, n: int) -> list[Any]:
    """Returns batches of actions of the type that each class likes best."""
    if kind not in FOREIGN:
        envs.action_space.seed(0)
        return [envs.action_space.sample() for _ in range(BATCHES)]
    space, rng = envs.action_space, np.random.default_rng(0)
    if hasattr(space, "n"):
        dtype = np.int32 if kind == "envpool" else np.int64
        return [rng.integers(0, space.n, n).astype(dtype) for _ in range(BATCHES)]
    return [rng.uniform(space.low, space.high, (n, *space.shape)).astype(space.dtype) for _ in range(BATCHES)]
