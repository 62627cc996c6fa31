"""Waits for workers: for their replies, for their deaths, and for timeouts."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gymnasium.utils._counts import cores
from gymnasium.vector._workers.board import Board
from gymnasium.vector._workers.channel import ALL
from gymnasium.vector._workers.failures import Failure, death, ending
from gymnasium.vector._workers.handle import WorkerHandle, end_processes
from gymnasium.vector._workers.journal import Journal, Steps
from gymnasium.vector._workers.polling import LONGEST_POLL, polled
from gymnasium.vector._workers.protocol import STARTED, Reply

_SLICE = 0.05  # s, between two checks that the workers are alive
_UNSENT_SLICE = 0.001  # s, while data remains to be sent
_GRACE = 1.0  # s, for the others to finish after one has failed

_UNREADY = (
    " before it had made its environments. (If processes are not forked, a program must start them under "
    "`if __name__ == '__main__':`)"
)

_NO_CHECKPOINT = (
    "The environments {} cannot be kept: {}. A worker that dies repeats its work since the last reset of all with seeds"
)

Renew = Callable[[WorkerHandle, list[Failure], bool], bool]


class Supervisor:
    """The workers of a vector environment, and their answers.

    Every request has a number that its reply repeats, so the late reply to an abandoned request is never taken for the
    reply to another.

    Attributes:
        workers: The workers.
        board: Receives the replies; None before the workers have reported their needs.
        renew: Called when a worker has failed; returns whether another worker replaces it. Its arguments are the
            worker, its failure, and whether a request to all its environments is pending.
        failures: The failures since they were last taken.
        flying: The environments that step separately, with the numbers of their requests.
        landed: Those of them that are done, in the order of completion.
        steps: The newest steps, if requests are kept so that another worker can repeat them.
        resumed: The environments whose worker was replaced since their last result.
        notices: Warnings to issue once the call is done, as a warning may be an error.
    """

    def __init__(self, workers: Sequence[WorkerHandle], start_timeout: float | None) -> None:
        self.workers = workers
        self.board: Board | None = None
        self.renew: Renew | None = None
        self.failures: list[Failure] = []
        self.flying: dict[int, int] = {}
        self.landed: list[int] = []
        self.steps: Steps | None = None
        self.resumed: set[int] = set()
        self.notices: list[str] = []
        self._infos: dict[int, dict[str, Any]] = {}
        self._start_timeout = start_timeout
        self._selector = selectors.DefaultSelector()
        self._arrived = partial(self._selector.select, 0)
        self._cores = cores()
        self._number = 0
        self._owner = os.getpid()
        self._stopping = False

    def next_number(self) -> int:
        """Returns the number of a new request."""
        self._number = self._number % 0xFFFFFFFF + 1
        return self._number

    def begin_steps(self, number: int, batch: Any) -> None:
        """Note a step of all environments that `steps` does not take."""
        self.steps = Steps(number)
        self.steps.take(number, batch)
        for worker in self.workers:
            if worker.journal is not None:
                worker.journal.begin(self.steps)

    def watch(self, worker: WorkerHandle) -> None:
        """Wait for a worker that was started."""
        self._selector.register(worker, selectors.EVENT_READ, worker)

    def discard(self, worker: WorkerHandle) -> None:
        """Kill a worker, and expect nothing more from it."""
        worker.awaited = None
        worker.abandoned.clear()
        if not worker.gone:
            self._selector.unregister(worker)
            worker.end()

    def wait(self, enough: Callable[[], bool], timeout: float | None) -> bool:
        """Take replies until there are enough, or a worker has failed and the others had time to finish.

        Returns:
            False if the time ran out before.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        grace_ends: float | None = None
        while not enough():
            now = time.monotonic()
            if self.failures:
                grace_ends = now + _GRACE if grace_ends is None else grace_ends
                if now >= grace_ends:
                    return True
            if deadline is not None and now >= deadline:
                self._pump(0.0)  # replies that have arrived by now count, even with a timeout of 0
                return enough() or bool(self.failures)
            self._pump(_SLICE if deadline is None else min(_SLICE, deadline - now))
        return True

    def answered(self) -> bool:
        """Whether every request to all environments of a worker was answered, or its worker is gone."""
        return all([worker.awaited is None for worker in self.workers])  # a list, as this is the hot path

    def lagging(self) -> bool:
        """Whether a worker is still busy with an abandoned request."""
        if not any([worker.abandoned for worker in self.workers]):
            return False
        self._pump(0.0)
        return any(worker.abandoned for worker in self.workers)

    def abandon(self) -> list[WorkerHandle]:
        """Abandon the unanswered requests, whose replies will be dropped. Returns their workers."""
        pending = [worker for worker in self.workers if worker.awaited is not None]
        for worker in pending:
            assert worker.awaited is not None
            worker.abandoned.add(worker.awaited)
            worker.awaited = None
        return pending

    def take_infos(self, envs: Sequence[int]) -> list[dict[str, Any]]:
        """Returns the infos of these environments, and forgets them; nothing if all are empty."""
        if not self._infos:
            return []
        return [self._infos.pop(env, {}) for env in envs]

    def take_failures(self) -> list[Failure]:
        """Returns the failures, and forgets them."""
        failures, self.failures = self.failures, []
        return sorted(failures, key=lambda failure: failure.envs)

    def stop(self, timeout: float) -> list[Failure]:
        """End all workers, within about two seconds more than `timeout`, whatever they do.

        Returns:
            The environments' failures on closing.
        """
        if os.getpid() != self._owner:  # a forked child, whose parent's workers these are
            return []
        self._stopping = True
        self.renew, self.failures = None, []
        self.abandon()
        live = [worker for worker in self.workers if not worker.gone]
        if timeout > 0:
            for worker in live:
                worker.ask_to_close(self.next_number())
            deadline = time.monotonic() + timeout
            while not self.answered() and time.monotonic() < deadline:
                self._pump(_SLICE)
        live = [worker for worker in live if not worker.gone]
        end_processes(live, [worker for worker in live if timeout > 0 and worker.awaited is None])
        self._selector.close()
        self.board = None
        return self.take_failures()

    def _pump(self, timeout: float) -> None:
        """Process the replies that have arrived, or wait for some until the timeout."""
        for worker in self.workers:
            if worker.unsent:
                worker.flush()
                timeout = min(timeout, _UNSENT_SLICE)
        ready = self._looked_out(timeout) or self._selector.select(timeout)
        for key, _ in ready:
            if not key.data.gone:
                self._read(key.data)
        if not ready:
            for worker in self.workers:
                self._check(worker)

    def _looked_out(self, timeout: float) -> list[tuple[selectors.SelectorKey, int]] | None:
        """Returns replies that arrive soon, waiting awake, if some workers are done and have left a free core."""
        busy = sum([worker.awaited is not None for worker in self.workers])
        if not 0 < busy < min(self._cores, len(self.workers)):
            return None
        return polled(self._arrived, min(timeout, LONGEST_POLL))

    def _check(self, worker: WorkerHandle) -> None:
        """Notice a process that is gone although its connection is held open, or that does not get ready."""
        if worker.gone:
            return
        if worker.process.exitcode is not None:
            if not self._read(worker):
                self._lose(worker)
            return
        limit = self._start_timeout
        if not worker.ready and limit is not None and time.monotonic() > worker.started + limit:
            self._lose(worker, f"has not made its environments within {limit} s")
        elif worker.ready and worker.journal is not None and self._is_busy(worker) and worker.journal.is_late():
            self._lose(worker, f"has not answered within {worker.journal.timeout} s")

    def _is_busy(self, worker: WorkerHandle) -> bool:
        return worker.awaited is not None or bool(worker.abandoned) or any(env in self.flying for env in worker.envs)

    def _read(self, worker: WorkerHandle) -> bool:
        """Process a worker's replies. Returns whether there were any."""
        try:
            replies = worker.replies()
        except EOFError:
            self._lose(worker)
            return True
        process = worker.process
        for reply in replies:
            if worker.process is process and not worker.gone:  # else the first of them has ended it
                self._take(worker, reply)
        return bool(replies)

    def _take(self, worker: WorkerHandle, reply: Reply) -> None:
        number, env = reply.number, reply.env
        if worker.journal is not None and self._noted(worker, worker.journal, reply):
            return
        awaiting = worker.awaited is not None
        if env == ALL:
            late = worker.awaited != number
            worker.awaited = worker.awaited if late else None
            worker.abandoned.discard(number)
        else:
            late = self.flying.get(env) != number
        if reply.failures:
            if late or not worker.ready:  # its state is unknown, or it has no environments
                self.discard(worker)
            self._give_up(worker, list(reply.failures), awaiting)
            return
        if reply.report is not None:
            worker.ready, worker.report = True, reply.report
            return
        worker.attempts = 0
        if env != ALL and not late:
            del self.flying[env]
            self.landed.append(env)
        outcome = reply.outcome
        if self.board is not None:
            if outcome.observations:
                self.board.take(outcome.observations)
            if self.renew is not None:
                self.board.keep(worker.envs if env == ALL else range(env, env + 1))
        if not late:
            worker.values = outcome.values
            if outcome.infos:
                self._infos.update(outcome.infos)

    def _noted(self, worker: WorkerHandle, journal: Journal, reply: Reply) -> bool:
        """Note a reply in the journal. Returns whether it concerns nothing else."""
        if reply.checkpoint is not None:
            journal.keep(reply.number, reply.checkpoint)
        elif reply.no_checkpoint is not None:
            if journal.can_keep:
                self.notices.append(_NO_CHECKPOINT.format(list(worker.envs), reply.no_checkpoint))
            journal.can_keep = False
        elif reply.resumed:
            journal.resumed = True
        else:
            if reply.report is None and reply.number != STARTED:
                place = None if reply.env == ALL else reply.env - worker.envs.start
                journal.answered(reply.number, place, reply.outcome.values)
            return False
        return True

    def _lose(self, worker: WorkerHandle, how: str | None = None) -> None:
        """Record that a worker is gone or useless."""
        if how is None:
            worker.process.join(_SLICE)  # it is ending, and its exit code arrives a moment later
            how = ending(worker.process.exitcode)
            how += "" if worker.ready else _UNREADY
        failure = death(list(worker.envs), worker.process.pid, how)
        awaiting = worker.awaited is not None
        self.discard(worker)
        if not self._stopping:
            self._give_up(worker, [failure], awaiting)

    def _give_up(self, worker: WorkerHandle, failures: list[Failure], awaiting: bool) -> None:
        if self.renew is None or not self.renew(worker, failures, awaiting):
            self.failures += failures
