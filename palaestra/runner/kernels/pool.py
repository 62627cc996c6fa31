"""Threads that share the rows of a step with the caller.

A step's rows are cut into chunks, which the caller and the workers take from one counter. The caller waits only for
chunks that a worker has begun: on a busy machine, where workers get no processor, it does them all. A worker that finds
no work for a while goes to sleep, and the next step wakes it.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palaestra.language.program import WIDTH

# The words of a job, each in its own cache line: the next chunk, the number of threads looking for one, the number of
# chunks, the number of reset rows, the rows per chunk.
NEXT, ACTIVE, CHUNKS, FRESH, ROWS, WORDS = 0, 8, 16, 24, 32, 40
ROWS_TOGETHER = 32 * WIDTH  # they act, and then some of them reset, while they are in the nearest cache; takes 2 us
CHUNKS_OF_A_THREAD = 16  # or slightly more: threads finish this closely together; taking a chunk costs 0.1 us
PATIENCE = np.array([20_000])  # reads of the counter before a worker sleeps: about half a millisecond


def new_job(n: int, threads: int) -> NDArray[np.int64]:
    """Returns the words of a job of n rows, with nothing left to do."""
    rows = ROWS_TOGETHER * max(1, n // (ROWS_TOGETHER * CHUNKS_OF_A_THREAD * threads))
    job = np.zeros(WORDS, np.int64)
    job[ROWS] = rows
    job[CHUNKS] = job[NEXT] = -(-n // rows)
    return job


class Pool:
    """Workers for one recurring job.

    Args:
        work: `work(context, job, patience)`, a kernel that takes chunks until none has come for a while.
        context: The data of the kernels.
        job: Its words.
        workers: The number of threads besides the caller's.
    """

    def __init__(self, work: object, context: np.ndarray, job: NDArray[np.int64], workers: int) -> None:
        self._workers = [_Worker(work, context, job) for _ in range(workers)]
        self._end = weakref.finalize(self, _end, self._workers)

    def wake(self) -> None:
        """Wake the sleeping workers, just before a job."""
        for worker in self._workers:
            if worker.asleep:
                worker.wake()

    def close(self) -> None:
        """End the threads."""
        self._end()


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.ended = True
        worker.wake()


class _Worker:
    """A thread; it has no reference to the pool, so an unused pool can be collected."""

    def __init__(self, work: object, context: np.ndarray, job: NDArray[np.int64]) -> None:
        self.asleep = self.ended = False
        self._gate = threading.Lock()
        self._gate.acquire()
        threading.Thread(target=self._run, args=(work, context, job), name="gymnasium-compiled", daemon=True).start()

    def wake(self) -> None:
        """Let it look for work."""
        self.asleep = False
        if self._gate.locked():
            self._gate.release()

    def _run(self, work: Any, context: np.ndarray, job: NDArray[np.int64]) -> None:
        while not self.ended:
            work(context, job, PATIENCE)
            self.asleep = True
            self._gate.acquire()
