"""Threads that take rows of a step off the caller's hands.

A step's rows are cut into chunks, which the caller and the workers take from one counter. The caller waits for chunks
that a worker has begun, and for nothing else: on a busy machine, where workers get no processor, it does them all.
A worker that finds nothing to do for a while goes to sleep, and is woken by the next step.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.compiled.columns import WIDTH

# The words of a job, each in a cache line of its own: the next chunk, how many threads look for one, how many chunks
# there are, how many rows were reset, how many rows a chunk has.
NEXT, ACTIVE, CHUNKS, FRESH, ROWS, WORDS = 0, 8, 16, 24, 32, 40
ROWS_TOGETHER = 32 * WIDTH  # they act before those of them begin that have to: the nearest cache holds them, for 2 us
CHUNKS_OF_A_THREAD = 16  # or somewhat more: so far apart, of their work, threads end; to take a chunk costs 0.1 us
PATIENCE = 20_000  # looks at the counter before a worker sleeps: about half a millisecond


def new_job(n: int, threads: int) -> NDArray[np.int64]:
    """Returns the words of a job of n rows, of which nothing is left to do."""
    rows = ROWS_TOGETHER * max(1, n // (ROWS_TOGETHER * CHUNKS_OF_A_THREAD * threads))
    job = np.zeros(WORDS, np.int64)
    job[ROWS] = rows
    job[CHUNKS] = job[NEXT] = -(-n // rows)
    return job


class Pool:
    """Workers for one job that comes again and again.

    Args:
        work: `work(context, job, patience)`, a kernel that takes chunks until none has come for a while.
        leave: `leave(job)`, a kernel that takes an exception's thread out of the job.
        context: What the kernels read.
        job: Its words.
        workers: How many threads there are beside the caller's.
    """

    def __init__(self, work: Any, leave: Any, context: NDArray[Any], job: NDArray[np.int64], workers: int) -> None:
        self._workers = [_Worker(work, leave, context, job) for _ in range(workers)]
        self._end = weakref.finalize(self, _end, self._workers)

    def wake(self) -> None:
        """Wake the workers that are asleep, when a job is about to come."""
        for worker in self._workers:
            if worker.asleep:
                worker.wake()

    def error(self) -> BaseException | None:
        """Returns an exception of a worker, if there was one, and forgets them all."""
        errors = [worker.error for worker in self._workers if worker.error is not None]
        for worker in self._workers:
            worker.error = None
        return errors[0] if errors else None

    def close(self) -> None:
        """End the threads."""
        self._end()


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.ended = True
        worker.wake()


class _Worker:
    """A thread; it knows nothing of the pool, so that a pool that nobody needs any more can go."""

    def __init__(self, work: Any, leave: Any, context: NDArray[Any], job: NDArray[np.int64]) -> None:
        self.asleep = self.ended = False
        self.error: BaseException | None = None
        self._bed = threading.Lock()
        self._bed.acquire()
        threading.Thread(
            target=self._run, args=(work, leave, context, job), name="gymnasium-compiled", daemon=True
        ).start()

    def wake(self) -> None:
        """Let it look for work."""
        self.asleep = False
        if self._bed.locked():
            self._bed.release()

    def _run(self, work: Any, leave: Any, context: NDArray[Any], job: NDArray[np.int64]) -> None:
        while not self.ended:
            try:
                work(context, job, PATIENCE)
            except Exception as error:  # of the dynamics: it is the caller's to raise
                self.error = error
                leave(job)
            self.asleep = True
            self._bed.acquire()
