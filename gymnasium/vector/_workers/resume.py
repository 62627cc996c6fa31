"""Replaces dead workers with new ones that continue their work, for `on_failure="resume"`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gymnasium.vector._workers.arena import Layout, Memory
from gymnasium.vector._workers.board import Board
from gymnasium.vector._workers.failures import Failure
from gymnasium.vector._workers.handle import ArenaWorker, WorkerHandle
from gymnasium.vector._workers.protocol import Checkpoints, Resumption, Setup, Unanswered
from gymnasium.vector._workers.supervisor import Supervisor

_DEATHS = 3  # of workers at the same request, after which it is the request that kills them
_STARTS = 20  # of workers without any answer in between


class Resumer:
    """Starts a worker in place of one that died, and brings its environments back to where they were.

    The new worker makes the environments, restores their last checkpoint and repeats the actions since, by the
    journal of the old one. Then it gets the requests without an answer once more. The caller's bookkeeping of requests
    does not change, as they keep their numbers.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        start: Callable[[ArenaWorker], None],
        memory: Memory,
        layout: Layout,
        board: Board,
        every: int,
    ) -> None:
        """Prepare to resume; see `Checkpoints` for `every`."""
        self._supervisor = supervisor
        self._start = start
        self._memory = memory
        self._layout = layout
        self._board = board
        self._checkpoints = Checkpoints(every, int(np.random.SeedSequence().generate_state(1)[0]), None)

    def setup(self, resumption: Resumption | None = None) -> Setup:
        """Returns the data for a worker that begins, or resumes the work of another."""
        return Setup(self._layout, {}, [], self._checkpoints._replace(resumption=resumption))

    def __call__(self, worker: WorkerHandle, failures: list[Failure], missing: Unanswered) -> bool:
        """Start a worker in place of one that died.

        Returns:
            False if the failure must be raised: an exception, which the environment would raise again, and the last of
            several deaths without any answer in between.
        """
        journal = worker.journal
        assert isinstance(worker, ArenaWorker)
        assert journal is not None
        if any(failure.trace for failure in failures):
            return False
        journal.deaths = (journal.deaths if worker.attempts else 0) + journal.resumed
        worker.attempts += 1
        if journal.deaths > _DEATHS or worker.attempts > _STARTS:
            history = f", {journal.account(missing)}. So did the workers before it, {worker.attempts} in all"
            failures[:] = [replace(failure, account=failure.account + history) for failure in failures]
            return False
        torn = self._supervisor.restore(worker, missing)
        self._start(worker)
        journal.resumed = False
        worker.share(self._memory, self.setup(journal.resumption(missing, self._board.sent(worker.envs), torn)))
        for request in journal.unanswered(missing):
            worker.repeat(request)
        worker.awaited, worker.abandoned = missing.awaited, set(missing.abandoned)
        self._supervisor.resumed.update(worker.envs)
        self._supervisor.notices += [
            f"{failure.in_one_line()}; another worker resumes its work" for failure in failures
        ]
        return True
