"""The errors of calls that are not done in time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence

from gymnasium.vector._workers.handle import WorkerHandle


def too_late(method: str, timeout: float | None, workers: Sequence[WorkerHandle]) -> multiprocessing.TimeoutError:
    """Returns the error for workers that did not answer in time."""
    envs = [env for worker in workers for env in worker.envs]
    return multiprocessing.TimeoutError(
        f"`{method}` waited {timeout} s, and the environments {envs} are not done (worker processes "
        f"{[worker.process.pid for worker in workers]}). Their results will be dropped"
    )


def too_few(timeout: float | None, wanted: int, done: int, flying: list[int]) -> multiprocessing.TimeoutError:
    """Returns the error for a `recv` without enough finished environments in time."""
    return multiprocessing.TimeoutError(
        f"`recv` waited {timeout} s for {wanted} environments, of which {done} are done; not done are {flying}: call "
        "it again"
    )
