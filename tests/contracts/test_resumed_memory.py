"""The memory that workers share, when `on_failure="resume"` replaces one that died while it wrote."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from functools import partial
from typing import Any

import pytest

import gymnasium
from tests.contracts.test_async_resume import WORKERS, Closed, N, pytestmark, resuming, same

__all__ = ["pytestmark"]


class Overtaken(Closed):
    """Is slow at its second step. One of two kills its process at the third, when the other has taken that already."""

    def __init__(self, path: Any, kills: bool) -> None:
        self.path, self.kills, self.t = path, kills, 0

    def step(self, action: Any) -> Any:
        self.t += 1
        time.sleep(0.3 if self.t == 2 and not self.path.exists() else 0)
        if self.t == 3 and self.kills and not self.path.exists():
            self.path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().step(action)


@pytest.mark.parametrize("shared_memory", [True, False])
def test_memory_that_the_next_request_was_changing(shared_memory: bool, tmp_path: Any) -> None:
    """When the late answer is read, the worker has begun to write the next one, and is dead."""
    path = tmp_path / "killed"
    make = [partial(Overtaken, path, kills) for kills in (False, True)]
    envs = resuming(make, num_workers=1, shared_memory=shared_memory)
    envs.reset(seed=1)
    envs.step([0, 0])
    envs.step_async([1, 1])
    with pytest.raises(multiprocessing.TimeoutError):
        envs.step_wait(timeout=0.05)
    envs.step_async([2, 2])
    while not path.exists():
        time.sleep(0.01)
    result = envs.step_wait()
    envs.processes[0].kill()
    calm = gymnasium.vector.SyncVectorEnv(make)
    calm.reset(seed=1)
    expected = [calm.step([t, t]) for t in range(3)][-1]
    assert same(result, expected)
    assert same(envs.step([0, 1]), calm.step([0, 1]))
    envs.close()


def test_arrays_that_the_caller_changes_are_restored() -> None:
    """With `copy=False` they are the memory itself."""
    envs = resuming([Closed] * N, copy=False)
    calm = gymnasium.vector.SyncVectorEnv([Closed] * N)
    envs.reset(seed=1)[0][:] = 7
    calm.reset(seed=1)
    for worker in range(WORKERS):
        envs.step([0] * N)[0][:] = 7
        calm.step([0] * N)
        envs.processes[worker].kill()
    assert same(envs.step([1] * N), calm.step([1] * N))
    envs.close()
