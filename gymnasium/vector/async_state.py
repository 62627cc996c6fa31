"""What an asynchronous vector environment waits for, and the errors of asking for something else."""

from __future__ import annotations

import multiprocessing
from collections.abc import Collection, Sequence
from enum import Enum

from gymnasium.error import AlreadyPendingCallError, ClosedEnvironmentError, NoAsyncCallError, ResetNeeded
from gymnasium.vector.worker_handle import WorkerHandle


class AsyncState(Enum):
    """What an `AsyncVectorEnv` waits for."""

    DEFAULT = "default"
    WAITING_RESET = "reset"
    WAITING_STEP = "step"
    WAITING_CALL = "call"


def check_open(method: str, closed: bool) -> None:
    """Check that a method may be called at all.

    Raises:
        ClosedEnvironmentError: If the vector environment is closed.
    """
    if closed:
        raise ClosedEnvironmentError(
            f"`{method}`: this AsyncVectorEnv was closed, by `close()` or after a failure; make a new one"
        )


def check_nothing_pending(method: str, state: AsyncState) -> None:
    """Check that something may be asked for.

    Raises:
        AlreadyPendingCallError: If an answer is waited for.
    """
    if state is not AsyncState.DEFAULT:
        asked = state.value
        raise AlreadyPendingCallError(
            f"`{method}` was called while `{asked}` is pending: call `{asked}_wait` first", asked
        )


def check_none_in_flight(method: str, envs: Collection[int]) -> None:
    """Check that all environments may be asked.

    Raises:
        AlreadyPendingCallError: If some were sent actions whose results were not received.
    """
    if envs:
        raise AlreadyPendingCallError(
            f"`{method}` was called while the environments {sorted(envs)} are in flight: `recv` first", "step"
        )


def check_asked(method: str, state: AsyncState, wanted: AsyncState) -> None:
    """Check that what a method waits for was asked for.

    Raises:
        NoAsyncCallError: If it was not.
    """
    if state is not wanted:
        asked = wanted.value
        raise NoAsyncCallError(f"`{method}` waits for what `{asked}_async` asked for: call that first", asked)


def check_reset(method: str, needed: bool) -> None:
    """Check that the environments were reset.

    Raises:
        ResetNeeded: If none has been, or the last reset of all did not come to its end.
    """
    if needed:
        raise ResetNeeded(f"`{method}` needs environments that were reset, and no reset has come to its end yet")


def too_late(method: str, timeout: float | None, workers: Sequence[WorkerHandle]) -> multiprocessing.TimeoutError:
    """Returns the error that the time of a wait is over, and these workers have not answered."""
    envs = [env for worker in workers for env in worker.envs]
    return multiprocessing.TimeoutError(
        f"`{method}` waited {timeout} s, and the environments {envs} are not done (worker processes "
        f"{[worker.process.pid for worker in workers]}). Their results will be dropped"
    )


def too_few(timeout: float | None, wanted: int, done: int, flying: list[int]) -> multiprocessing.TimeoutError:
    """Returns the error that the time of a `recv` is over, and not enough environments are done."""
    return multiprocessing.TimeoutError(
        f"`recv` waited {timeout} s for {wanted} environments, of which {done} are done; not done are {flying}: call "
        "it again"
    )
