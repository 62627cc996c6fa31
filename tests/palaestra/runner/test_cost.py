"""What a step costs beside arithmetic: allocations, memory and threads."""

from __future__ import annotations

import gc
import os
import threading
import time

import numpy as np
import pytest

from palaestra.runner import CompiledVectorEnv
from tests.palaestra.runner.dynamics import Walk


def workers() -> int:
    return sum(thread.name == "gymnasium-compiled" for thread in threading.enumerate())


def settled(number: int) -> bool:
    deadline = time.monotonic() + 20.0
    while workers() != number and time.monotonic() < deadline:
        time.sleep(0.01)
    return workers() == number


def test_threads_end_with_close_and_with_the_environment() -> None:
    before = workers()
    envs = CompiledVectorEnv(Walk(), 2000, num_threads=3)
    envs.reset(seed=0)
    assert settled(before + 2)  # what an earlier test has left may begin and end meanwhile
    envs.close()
    assert settled(before)

    envs = CompiledVectorEnv(Walk(), 2000, num_threads=3)
    envs.reset(seed=0)
    envs.step(np.zeros(2000, np.int64))
    assert workers() == before + 2
    del envs
    gc.collect()
    assert settled(before)


def test_few_environments_and_one_thread_start_none() -> None:
    before = workers()
    for envs in (CompiledVectorEnv(Walk(), 100, num_threads=2), CompiledVectorEnv(Walk(), 2000, num_threads=1)):
        envs.reset(seed=0)
        envs.step(np.zeros(envs.num_envs, np.int64))
    assert workers() == before


def test_workers_that_sleep_are_woken() -> None:
    envs, twin = (CompiledVectorEnv(Walk(), 2000, num_threads=k) for k in (2, 1))
    actions = np.ones(2000, np.int64)
    assert np.array_equal(envs.reset(seed=0)[0], twin.reset(seed=0)[0])
    for pause in (0.0, 0.05, 0.0, 0.02):
        time.sleep(pause)
        assert np.array_equal(envs.step(actions)[0], twin.step(actions)[0])
    envs.close()


def test_environments_are_stepped_by_several_threads_at_a_time() -> None:
    expected: list[float] = []
    results: list[float] = []

    def play(into: list[float]) -> None:
        envs = CompiledVectorEnv(Walk(), 1000, num_threads=2, max_episode_steps=10)
        envs.reset(seed=4)
        for _ in range(100):
            observations = envs.step(np.ones(1000, np.int64))[0]
        into.append(float(observations.sum()))
        envs.close()

    play(expected)
    threads = [threading.Thread(target=play, args=(results,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == expected * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_a_forked_process_goes_on_by_itself() -> None:
    envs = CompiledVectorEnv(Walk(), 1000, num_threads=2)
    envs.reset(seed=4)
    actions = np.ones(1000, np.int64)
    envs.step(actions)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover  (in the child)
        try:
            os.write(writer, envs.step(actions)[0].tobytes())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        came = pipe.read()
    os.waitpid(child, 0)
    assert came == envs.step(actions)[0].tobytes()
    envs.close()


def test_memory_of_an_environment_is_flat() -> None:
    def size(n: int) -> float:
        memory = CompiledVectorEnv(Walk(), n, num_threads=1)._runner.memory
        return (memory.streams.nbytes + sum(column.nbytes for column in memory.columns.values())) / n

    assert size(10) == size(100_000) < 200
