"""Waits for workers: for their replies, for their deaths, and for timeouts."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gymnasium.error import ClosedEnvironmentError
from gymnasium.utils._counts import cores
from gymnasium.vector._workers.arena import Saved
from gymnasium.vector._workers.board import Board, copied
from gymnasium.vector._workers.channel import ALL
from gymnasium.vector._workers.failures import Failure, death, ending, unguarded
from gymnasium.vector._workers.handle import WorkerHandle, end_processes
from gymnasium.vector._workers.journal import ROOM, Steps
from gymnasium.vector._workers.polling import LONGEST_POLL, polled
from gymnasium.vector._workers.process import NO_GUARD
from gymnasium.vector._workers.protocol import NO_CHECKPOINT, RESUMED, SHOWN, Reply, Unanswered

_SLICE = 0.05  # s, between two checks that the workers are alive
_UNSENT_SLICE = 0.001  # s, while data remains to be sent
_MOST = 0xFFFFFFFF  # the last number, after which they begin anew
_GRACE = 1.0  # s, for the others to finish after one has failed

_UNREADY = (
    " before it had made its environments. (If processes are not forked, a program must start them under "
    "`if __name__ == '__main__':`)"
)

_NO_CHECKPOINT = (
    "The environments {} cannot be kept: {}. A worker that dies repeats its work since the last reset of all with seeds"
)

Renew = Callable[[WorkerHandle, list[Failure], Unanswered], bool]


class Supervisor:
    """The workers of a vector environment, and their answers.

    Every request has a number that its reply repeats, so the late reply to an abandoned request is never taken for the
    reply to another.

    Attributes:
        workers: The workers.
        board: Receives the replies; None before the workers have reported their needs.
        renew: Called when a worker has failed; returns whether another worker replaces it. Its arguments are the
            worker, its failure, and the requests that it has not answered.
        failures: The failures since they were last taken.
        flying: The environments that step separately, with the numbers of their requests.
        landed: Those of them that are done, in the order of completion.
        saved: A copy of the memory, as it is after the last answers; None if workers are not replaced.
        torn: The environments of which the copy is older, because another request was already changing the memory.
        keeps_requests: Whether requests are kept so that another worker can repeat them.
        resumed: The environments whose worker was replaced since their last result.
        interrupted: Whether another thread closes the environments, so that a wait raises.
        notices: Warnings to issue once the call is done, as a warning may be an error.
    """

    def __init__(self, workers: Sequence[WorkerHandle], start_timeout: float | None) -> None:
        self.workers = workers
        self.board: Board | None = None
        self.renew: Renew | None = None
        self.failures: list[Failure] = []
        self.flying: dict[int, int] = {}
        self.landed: list[int] = []
        self.saved: Saved | None = None
        self.torn: set[int] = set()
        self.keeps_requests = False
        self.resumed: set[int] = set()
        self.notices: list[str] = []
        self._infos: dict[int, dict[str, Any]] = {}
        self._start_timeout = start_timeout
        self._selector = selectors.DefaultSelector()
        self._arrived = partial(self._selector.select, 0)
        self._cores = cores()
        self._number = 0
        self._answers_saved = True  # whether `saved` has the answers to the last request to all
        self._batches: list[Any] = []  # of the newest steps, and the number of others that can be added
        self._room = 0
        self._owner = os.getpid()
        self._stopping = False
        self.interrupted = False

    def next_number(self, singly: bool = False) -> int:
        """Returns the number of a new request, to all environments unless they are to answer singly."""
        self._number = self._number % _MOST + 1
        self._room = 0
        self._answers_saved = self._answers_saved and singly
        return self._number

    def next_step(self, batch: Any) -> int:
        """Returns the number of a new step of all environments, whose actions are kept if requests are."""
        self._number = self._number % _MOST + 1
        self._answers_saved = False
        if self._room:
            self._room -= 1
            self._batches.append(copied(batch))
        elif self.keeps_requests:
            self._begin_steps(batch)
        return self._number

    def _begin_steps(self, batch: Any) -> None:
        self._batches = [copied(batch)]
        self._room = min(ROOM - 1, _MOST - self._number)
        steps = Steps(self._number, self._batches)
        for worker in self.workers:
            if worker.journal is not None:
                worker.journal.begin(steps)

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

        Raises:
            ClosedEnvironmentError: If another thread closes the environments.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        grace_ends: float | None = None
        while not enough():
            if self.interrupted:
                raise ClosedEnvironmentError("Another thread has closed these environments")
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
        """Abandon the unanswered requests, whose replies will be dropped. Returns their workers.

        The memory is copied here, once for all workers that have answered.
        """
        pending = [worker for worker in self.workers if worker.awaited is not None]
        if self.saved is not None and pending:
            for worker in self.workers:
                if worker.awaited is None:
                    self._save_rows(self.saved, worker, worker.envs)
        elif self.saved is not None:
            self.saved.save()
            self.torn.clear()
            self._answers_saved = True
        for worker in pending:
            assert worker.awaited is not None
            worker.abandoned.add(worker.awaited)
            worker.awaited = None
        return pending

    def _save_rows(self, saved: Saved, worker: WorkerHandle, envs: Sequence[int]) -> None:
        """Copy the memory of environments of a worker, unless another request may be changing it."""
        steady = [env for env in envs if not self._is_asked(worker, env)]
        saved.save_rows(steady)
        self.torn.update(envs)
        self.torn.difference_update(steady)

    def restore(self, worker: WorkerHandle, missing: Unanswered) -> list[int]:
        """Put the memory of a worker that is gone back to its last answer.

        Returns:
            The places of the environments of which only an older state is known.
        """
        assert self.saved is not None
        if not (missing.numbers() or self._answers_saved):  # its own answer is complete
            self._save_rows(self.saved, worker, worker.envs)
        else:
            self.saved.restore_rows(list(worker.envs))
        return [place for place, env in enumerate(worker.envs) if env in self.torn]

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
        self.renew, self.saved, self.failures = None, None, []
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
        elif (
            worker.ready
            and worker.journal is not None
            and worker.journal.is_late(worker.attempts, self._missing(worker))
        ):
            self._lose(worker, f"has not answered within {worker.journal.timeout} s")

    def _missing(self, worker: WorkerHandle) -> Unanswered:
        """Returns the requests that a worker has not answered."""
        singly = {place: self.flying[env] for place, env in enumerate(worker.envs) if env in self.flying}
        return Unanswered(worker.awaited, frozenset(worker.abandoned), singly)

    def _is_asked(self, worker: WorkerHandle, env: int) -> bool:
        """Whether a request to an environment has no answer."""
        return worker.awaited is not None or bool(worker.abandoned) or env in self.flying

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
        number, env, journal = reply.number, reply.env, worker.journal
        if reply.news is not None:
            self._receive(worker, number, *reply.news)
            return
        if journal is not None and number in journal.open:
            journal.answered(number, reply.outcome.values)
        missing = self._missing(worker) if reply.failures else None
        if env == ALL:
            late = worker.awaited != number
            worker.awaited = worker.awaited if late else None
            worker.abandoned.discard(number)
        else:
            late = self.flying.get(env) != number
        if missing is not None:
            if late or not worker.ready:  # its state is unknown, or it has no environments
                self.discard(worker)
            self._give_up(worker, list(reply.failures), missing)
            return
        if reply.report is not None:
            worker.ready, worker.report = True, reply.report
            return
        worker.attempts = 0
        if env != ALL and not late:
            del self.flying[env]
            self.landed.append(env)
        outcome = reply.outcome
        if outcome.observations and self.board is not None:
            self.board.take(outcome.observations)
        if self.saved is not None and (late or env != ALL):
            self._save_rows(self.saved, worker, worker.envs if env == ALL else [env])
        if not late:
            worker.values = outcome.values
            if outcome.infos:
                self._infos.update(outcome.infos)

    def _receive(self, worker: WorkerHandle, number: int, kind: int, contents: bytes) -> None:
        """Note a worker's news."""
        journal = worker.journal
        if kind == SHOWN:
            worker.shown = number, contents
        elif journal is None:
            return
        elif kind == RESUMED:
            journal.resumed = True
        elif kind == NO_CHECKPOINT:
            if journal.can_keep:
                self.notices.append(_NO_CHECKPOINT.format(list(worker.envs), contents.decode()))
            journal.can_keep = False
        elif self.torn.isdisjoint(worker.envs):  # what is torn is written on the way from the checkpoint before it
            journal.keep(number, contents)

    def _lose(self, worker: WorkerHandle, how: str | None = None) -> None:
        """Record that a worker is gone or useless."""
        if how is None:
            worker.process.join(_SLICE)  # it is ending, and its exit code arrives a moment later
            how = ending(worker.process.exitcode)
            how += "" if worker.ready else _UNREADY
        envs, process = list(worker.envs), worker.process
        is_unguarded = process.exitcode == NO_GUARD and not worker.ready
        failure = unguarded(envs, process.pid) if is_unguarded else death(envs, process.pid, how)
        missing = self._missing(worker)
        self.discard(worker)
        if not self._stopping:
            self._give_up(worker, [failure], missing)

    def _give_up(self, worker: WorkerHandle, failures: list[Failure], missing: Unanswered) -> None:
        if self.renew is None or not self.renew(worker, failures, missing):
            self.failures += failures
