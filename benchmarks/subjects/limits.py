"""What nobody can fall below: cores, and the speed of the memory."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

Run = Callable[[int], float]
WARM_UP = 3  # steps at the beginning of a round that do not count, as for vector environments


def _cores() -> int:
    return len(os.sched_getaffinity(0))


@contextmanager
def arithmetic(seconds: float) -> Iterator[Run]:
    """A step, were all cores busy with nothing but steps: not measured, but computed."""
    yield lambda steps: seconds / _cores()


@contextmanager
def processes(seconds: float, n: int) -> Iterator[Run]:
    """A step of n environments that are loops in one process a core, which are woken and answer by one byte."""
    share, ends = n // _cores(), []
    for _ in range(_cores()):
        parent, child = socket.socketpair()
        if os.fork() == 0:
            parent.close()
            for end in ends:
                end.close()
            _spin(child, share * seconds)
        child.close()
        ends.append(parent)

    def step() -> None:
        for end in ends:
            end.send(b"s")
        for end in ends:
            end.recv(1)

    def run(steps: int) -> float:
        for _ in range(WARM_UP):
            step()
        start = time.perf_counter()
        for _ in range(steps):
            step()
        return (time.perf_counter() - start) / steps / (share * len(ends))

    yield run
    for end in ends:
        end.close()
        os.wait()


def _spin(end: socket.socket, seconds: float) -> None:
    while end.recv(1):
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            pass
        end.send(b"d")
    os._exit(0)


@contextmanager
def memory(size: int, n: int) -> Iterator[Run]:
    """Reading `size` bytes and writing as many, n times, on all cores, as one copy of an array."""
    source, target = np.ones(size * n, np.uint8), np.zeros(size * n, np.uint8)
    parts = list(zip(np.array_split(target, _cores()), np.array_split(source, _cores()), strict=True))

    def share(part: tuple[np.ndarray, np.ndarray], times: int) -> None:
        for _ in range(times):
            np.copyto(*part)

    def run(times: int) -> float:
        helpers = [threading.Thread(target=share, args=(part, times)) for part in parts[1:]]
        start = time.perf_counter()
        for helper in helpers:
            helper.start()
        share(parts[0], times)
        for helper in helpers:
            helper.join()
        return (time.perf_counter() - start) / times / n

    yield run
