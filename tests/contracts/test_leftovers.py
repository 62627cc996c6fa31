"""Nothing of a batch in this process outlives it: no thread, descriptor, process or memory."""

from __future__ import annotations

import gc
import multiprocessing
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import gymnasium
from tests.thorough import THOROUGH

DESCRIPTORS = Path("/proc/self/fd")
CYCLES = 100 if THOROUGH else 8
MEMORY = 300_000  # bytes that all cycles may keep: caches of Python and NumPy fill up

# id, mode, number of environments, arguments of the batch
BATCHES: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "sync": ("CartPole-v1", "sync", 3, {}),
    "sync of Box2D": ("LunarLander-v3", "sync", 2, {}),
    "compiled": ("CartPole-v1", "compiled", 64, {}),
    "compiled, threads": ("CartPole-v1", "compiled", 4096, {"num_threads": 4}),
    "compiled, tabular": ("Taxi-v4", "compiled", 64, {}),
    "mujoco": ("InvertedPendulum-v5", "vector_entry_point", 4, {"num_threads": 2}),
    "jax": ("phys2d/CartPole-v1", "compiled", 4, {}),
}

pytestmark = [
    pytest.mark.skipif(not DESCRIPTORS.exists(), reason="what is open is read from /proc"),
    pytest.mark.timeout(300),
]


def cycle(id: str, mode: str, n: int, arguments: dict[str, Any]) -> None:
    envs = gymnasium.make_vec(id, n, vectorization_mode=mode, vector_kwargs=arguments)
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
    envs.close()


def left() -> tuple[int, int]:
    """The numbers of descriptors and of processes."""
    gc.collect()
    return len(list(DESCRIPTORS.iterdir())), len(multiprocessing.active_children())


def assert_threads_end(before: int) -> None:
    deadline = time.monotonic() + 20
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() <= before


@pytest.mark.parametrize("name", BATCHES)
def test_cycles_leave_nothing(name: str) -> None:
    if name == "jax":
        pytest.importorskip("jax")
    for _ in range(3):  # which fill the caches
        cycle(*BATCHES[name])
    assert_threads_end(threading.active_count())
    before, threads = left(), threading.active_count()
    tracemalloc.start()
    try:
        cycle(*BATCHES[name])
        gc.collect()
        memory = tracemalloc.get_traced_memory()[0]
        for _ in range(CYCLES):
            cycle(*BATCHES[name])
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0] - memory
    finally:
        tracemalloc.stop()
    assert left() == before
    assert_threads_end(threads)
    assert kept < MEMORY
