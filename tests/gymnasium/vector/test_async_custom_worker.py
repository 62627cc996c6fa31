"""A worker of the user's own, that talks the documented protocol through its pipe."""

from __future__ import annotations

import multiprocessing
import sys
import time
import traceback
from typing import Any

import numpy as np
import pytest

from gymnasium.error import ClosedEnvironmentError
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector._batch.member import Member
from gymnasium.vector._workers.failures import WorkerError
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from gymnasium.vector.utils import write_to_shared_memory
from tests.gymnasium.vector.counting import Boom, counting
from tests.gymnasium.vector.faulty import FAULTS, faulty
from tests.spaces_zoo import Letters, agree

# JAX warns, if a test has used it.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")


def pipe_worker(
    index: int, env_fn: Any, pipe: Any, parent_pipe: Any, shared_memory: Any, errors: Any, mode: Any, semaphore: Any
) -> None:
    parent_pipe.close()
    member = Member(env_fn(), mode)
    observation: Any = None

    def shared(value: Any) -> Any:
        if shared_memory is None:
            return value
        write_to_shared_memory(member.env.observation_space, index, value, shared_memory)
        return None

    try:
        while True:
            command, data = pipe.recv()
            if command == "reset":
                with semaphore:
                    observation, info = member.reset(**data)
                pipe.send(((shared(observation), info), True))
            elif command == "reset-noop":
                pipe.send(((shared(observation), {}), True))
            elif command == "step":
                with semaphore:
                    observation, *rest = member.step(data)
                pipe.send(((shared(observation), *rest), True))
            elif command == "_call":
                name, args, kwargs = data
                value = member.env.get_wrapper_attr(name)
                pipe.send((value(*args, **kwargs) if callable(value) else value, True))
            elif command == "_setattr":
                member.env.set_wrapper_attr(*data)
                pipe.send((None, True))
            else:
                assert command == "close"
                pipe.send((None, True))
                return
    except Exception:
        kind, value, _ = sys.exc_info()
        errors.put((index, kind, value, traceback.format_exc()))
        pipe.send((None, False))


def custom(env_fns: Any, **kwargs: Any) -> Any:
    return AsyncVectorEnv(env_fns, **{"worker": pipe_worker, "max_concurrency": 2, **kwargs})


def test_works_in_processes_that_are_not_forked() -> None:
    envs = custom(counting(2, 3), context="forkserver")
    envs.reset()
    assert envs.step([0, 0])[0].tolist() == [[1, 1], [1, 1]]
    envs.close()


@pytest.mark.parametrize("shared_memory", [True, False])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_does_what_sync_does(mode: AutoresetMode, shared_memory: bool) -> None:
    sync: Any = SyncVectorEnv(counting(2, 3, 4), autoreset_mode=mode)
    envs = custom(counting(2, 3, 4), autoreset_mode=mode, shared_memory=shared_memory)
    assert len(envs.processes) == len(envs.parent_pipes) == 3
    assert envs.single_action_space == Discrete(4)
    assert agree(sync.reset(seed=1), envs.reset(seed=1))
    for _ in range(10):
        expected, found = sync.step([0, 1, 2]), envs.step([0, 1, 2])
        assert agree(expected[:4], found[:4])
        assert expected[4].keys() == found[4].keys()
        ended = found[2]
        if mode is AutoresetMode.DISABLED and ended.any():
            mask = {"reset_mask": ended}
            assert agree(sync.reset(options=mask), envs.reset(options=mask))
    assert envs.call("add", 1) == (3, 4, 5)
    envs.set_attr("length", [7, 8, 9])
    assert envs.get_attr("length") == (7, 8, 9)
    envs.close()
    assert envs.parent_pipes == [None] * 3
    assert not any(process.is_alive() for process in envs.processes)


@pytest.mark.filterwarnings("ignore:.*ERROR")
def test_its_errors_are_raised() -> None:
    envs = custom(counting(5, 5))
    envs.reset()
    with pytest.raises(Boom, match="env 1"):
        envs.step([0, 3])
    with pytest.raises(ClosedEnvironmentError):
        envs.step([0, 0])
    assert not multiprocessing.active_children()


@pytest.mark.filterwarnings("ignore:.*ERROR")
@pytest.mark.parametrize("fault", ["SIGKILL", "exit"])
def test_its_death_is_noticed(fault: str) -> None:
    assert fault in FAULTS
    envs = custom(faulty(fault))
    envs.reset()
    started = time.monotonic()
    with pytest.raises(WorkerError, match=r"environments \[2\]"):
        envs.step(np.array([0, 0, 1]))
    assert time.monotonic() - started < 5
    assert envs.closed


def test_late_replies_are_dropped() -> None:
    envs = custom(faulty("slow"))
    envs.reset()
    envs.step_async(np.array([0, 0, 1]))
    with pytest.raises(multiprocessing.TimeoutError):
        envs.step_wait(timeout=0.01)
    assert envs.step(np.zeros(3, np.int64))[1].tolist() == [2, 2, 2]
    envs.send(np.array([1, 0]), [2, 0])
    assert envs.recv()[4]["env_id"].tolist() == [0]
    assert envs.recv()[4]["env_id"].tolist() == [2]
    envs.close()


def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(ValueError, match="custom `worker`"):
        custom(counting(3), on_failure="restart")
    env_fns = counting(3)

    def make() -> Any:
        env = env_fns[0]()
        env.observation_space = Letters()
        return env

    with pytest.raises(ValueError, match="shared_memory=False"):
        custom([make])
