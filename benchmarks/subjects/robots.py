"""MuJoCo: batches of ours and of EnvPool's, single environments, and the engine by itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np
from timing import seconds_of

Run = Callable[[int], float]


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _sampled(space: Any, shape: tuple[int, ...], steps: int) -> list[Any]:
    """Actions, uniform within a space of one environment."""
    rng = np.random.default_rng(0)
    return [rng.uniform(space.low, space.high, shape).astype(np.float32) for _ in range(steps)]


@contextmanager
def batch(env_id: str, n: int) -> Iterator[Run]:
    """Our batch, by the engine."""
    import gymnasium

    envs: Any = gymnasium.make_vec(env_id, n, num_threads=_cores())
    envs.reset(seed=0)

    def run(steps: int) -> float:
        actions = _sampled(envs.single_action_space, (n, *envs.single_action_space.shape), steps)
        return seconds_of(envs.step, actions) / steps / n

    yield run
    envs.close()


@contextmanager
def envpool(env_id: str, n: int) -> Iterator[Run]:
    """EnvPool's batch."""
    import envpool as peer

    envs = peer.make(env_id, env_type="gymnasium", num_envs=n, num_threads=_cores(), seed=0)
    envs.reset()

    def run(steps: int) -> float:
        return seconds_of(envs.step, _sampled(envs.action_space, (n, *envs.action_space.shape), steps)) / steps / n

    yield run


@contextmanager
def engine(env_id: str, n: int) -> Iterator[Run]:
    """Nothing but `mj_step`, by the engine's own threads: the very steps that our batch takes, from its states.

    Called from Python's threads instead, it would wait for the interpreter's lock; left to go on by itself, it would
    step those that lie on the floor, which a batch resets, and which cost twice as much as those that walk.
    """
    import mujoco
    from mujoco.rollout import Rollout

    import gymnasium

    env: Any = gymnasium.make(env_id).unwrapped
    envs: Any = gymnasium.make_vec(env_id, n, num_threads=_cores())
    envs.reset(seed=0)
    model, data = env.model, mujoco.MjData(env.model)
    scratch = [mujoco.MjData(model) for _ in range(min(_cores(), n))]
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    states, warm = np.zeros((n, mujoco.mj_stateSize(model, full))), np.zeros((n, model.nv))

    def read_states() -> None:
        for i in range(n):
            state = envs.get_state(i).simulation.state
            mujoco.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
            mujoco.mj_getState(model, data, states[i], full)
            warm[i] = data.qacc_warmstart

    with Rollout(nthread=len(scratch)) as pool:

        def run(steps: int) -> float:
            spent = 0.0
            for actions in _sampled(env.action_space, (n, *env.action_space.shape), steps):
                read_states()
                controls = np.repeat(actions[:, None].astype(np.float64), env.frame_skip, axis=1)
                start = perf_counter()
                pool.rollout(model, scratch, states, controls, initial_warmstart=warm)
                spent += perf_counter() - start
                envs.step(actions)
            return spent / steps / n

        yield run
    envs.close()
    env.close()


@contextmanager
def single(env_id: str) -> Iterator[Run]:
    """One environment, as `make` returns it."""
    import gymnasium

    env: Any = gymnasium.make(env_id)

    def run(steps: int) -> float:
        env.reset(seed=0)
        return seconds_of(env.step, _sampled(env.action_space, env.action_space.shape, steps)) / steps

    yield run
    env.close()
