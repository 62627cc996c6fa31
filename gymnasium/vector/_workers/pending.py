"""The pending call of an asynchronous vector environment, and the errors of calls out of order."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from enum import Enum

from gymnasium.error import NoAsyncCallError
from gymnasium.vector._workers.handle import WorkerHandle


class AsyncState(Enum):
    """The pending call of an `AsyncVectorEnv`.

    DEFAULT: None.
    WAITING_RESET: `reset_async`.
    WAITING_STEP: `step_async`.
    WAITING_CALL: `call_async`.
    """

    DEFAULT = "default"
    WAITING_RESET = "reset"
    WAITING_STEP = "step"
    WAITING_CALL = "call"


def check_asked(method: str, state: AsyncState, wanted: AsyncState) -> None:
    """Check that the call that a method waits for is pending.

    Raises:
        NoAsyncCallError: If it is not.
    """
    if state is not wanted:
        asked = wanted.value
        raise NoAsyncCallError(f"`{method}` waits for the result of `{asked}_async`: call that first", asked)


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
