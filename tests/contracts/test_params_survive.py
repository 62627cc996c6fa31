"""Params of episodes outlive the worker process that draws them."""

from __future__ import annotations

import os
import signal
from functools import partial
from typing import Any

import numpy as np
import pytest

import palaestra
from gymnasium.envs.registration import make
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from palaestra.randomization import Uniform
from tests.contracts.params_law import same

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="workers are killed with signals"),
    pytest.mark.filterwarnings("ignore:.*resumes its work", "ignore:.*started anew", "ignore:.*ERROR"),
]
N, SEED = 4, 9
MAKE = partial(make, "CartPole-v1", max_episode_steps=7)


def varied(envs: Any) -> Any:
    """Returns a batch with params of all kinds."""
    envs.set_params([1, 2], {"masscart": np.array([2.0, 3.0])})
    return palaestra.randomization.vector.RandomizeParams(
        envs, gravity=Uniform(8, 12), length=np.array([0.4, 0.5, 0.6, 0.7])
    )


def killed(envs: Any, worker: int) -> None:
    """Kill a worker."""
    os.kill(envs.unwrapped.processes[worker].pid, signal.SIGKILL)


@pytest.mark.parametrize("every", [3, 1000])
def test_resumed_environments_draw_what_undisturbed_ones_do(every: int) -> None:
    one = varied(SyncVectorEnv([MAKE] * N))
    other = varied(AsyncVectorEnv([MAKE] * N, num_workers=2, on_failure="resume", snapshot_every=every))
    one.action_space.seed(SEED)
    results = [[envs.reset(seed=SEED)] for envs in (one, other)]
    for t in range(40):
        if t in (5, 23):
            killed(other, t % 2)
        if t == 12:
            for envs in (one, other):
                envs.set_params([0], {"masscart": 0.5})
                envs.set_reset_options([3], {"low": 0.0, "high": 0.001})
        action = one.action_space.sample()
        for envs, seen in zip((one, other), results, strict=True):
            seen.append(envs.step(action))
    for a, b in zip(*results, strict=True):
        a[-1].pop("worker_resumed", None), b[-1].pop("worker_resumed", None), b[-1].pop("_worker_resumed", None)
        assert all(same(x, y) for x, y in zip(a[:-1], b[:-1], strict=True))
        assert str(a[-1]) == str(b[-1])
    other.close()


def test_restarted_environments_draw_again() -> None:
    envs = varied(AsyncVectorEnv([MAKE] * N, num_workers=2, on_failure="restart"))
    envs.reset(seed=SEED)
    for _ in range(3):
        envs.step(envs.action_space.sample())
    killed(envs, 0)
    gravities: set[float] = set()
    for _ in range(20):
        *_, infos = envs.step(envs.action_space.sample())
        if "params" in infos:
            gravities |= set(infos["params"]["gravity"][infos["params"]["_gravity"]][:2].tolist())
    assert len(gravities) > 2
    assert all(8 <= gravity < 12 for gravity in gravities)
    assert [params.length for params in envs.unwrapped.get_attr("params")] == [0.4, 0.5, 0.6, 0.7]
    assert [params.masscart for params in envs.unwrapped.get_attr("params")] == [1.0, 2.0, 3.0, 1.0]
    envs.close()
