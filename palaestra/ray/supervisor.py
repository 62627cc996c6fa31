"""The actors of a vector environment: asks them, waits for their answers, and notices failures."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, Protocol

from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector._workers.failures import Failure
from palaestra.ray import cluster
from palaestra.ray.nodes import Nodes
from palaestra.ray.protocol import BEGIN, CLOSE, Answer, Request
from palaestra.ray.worker import Open, Worker

_SLICE = 0.25  # s, between two looks at actors that do not answer
_GRACE = 1.0  # s, for the others to finish after one has failed
_REPEATS = 20  # of requests to an actor that cannot be reached, before it is given up
_PAUSE = 0.25  # s, between them
_NODE_PERIOD = 1.0  # s, between two looks at the nodes of actors that do not answer
_HEAD_PERIOD = 2.0  # s, between two looks at the head
_HEAD_PATIENCE = 10.0  # s, for a head that cannot be reached; after 60 s Ray ends the process

_NO_CHECKPOINT = (
    "The environments {} to {} cannot be kept: {}. An actor that dies repeats its work since the last reset of all "
    "with seeds"
)


class Replacement(Protocol):
    """Replaces actors."""

    def after_death(self, worker: Worker, failure: Failure, avoid: Collection[str]) -> bool:
        """Start another actor in place of one that died, not on these nodes. Returns False if there is none."""

    def set_again(self, name: str, values: Any) -> None:
        """Note how episodes of all environments begin, under a name of `vector._batch.beginnings`."""

    def after_error(self, worker: Worker, failure: Failure, request: Request) -> bool:
        """Start another actor in place of one whose environment raised. Returns False if there is none."""


class Supervisor:
    """The actors, and their answers.

    Attributes:
        workers: Their handles.
        replacement: Replaces them; None if failures are raised.
        failures: The failures since they were last taken.
        in_flight: The environments that step separately, by the index of the worker and the number of the request.
        completed: Those requests of them that are done, in the order of completion.
        interrupted: Whether another thread closes the environments, so that a wait raises.
        notices: Warnings to issue once the call is done, as a warning may be an error.
    """

    def __init__(
        self,
        workers: Sequence[Worker],
        connection: cluster.Connection,
        placement: cluster.Placement,
        start_timeout: float | None,
        worker_timeout: float | None,
    ) -> None:
        self.workers, self.placement, self._connection = workers, placement, connection
        self.replacement: Replacement | None = None
        self.failures: list[Failure] = []
        self.in_flight: dict[tuple[int, int], list[int]] = {}
        self.completed: list[tuple[int, int]] = []
        self.notices: list[str] = []
        self._start_timeout, self._worker_timeout = start_timeout, worker_timeout
        self._owner = os.getpid()
        self._stopping = False
        self.interrupted = False
        self._nodes = Nodes()
        self._nodes_looked = time.monotonic()
        self._head = cluster.head()
        self._head_looked = self._head_seen = time.monotonic()
        self._headless = False

    def wait(self, enough: Callable[[], bool], timeout: float | None, *, everyone: bool = True) -> bool:
        """Take answers until there are enough, or a worker has failed and the others had time to finish.

        Args:
            enough: Whether there are enough.
            timeout: The time, in seconds.
            everyone: Whether all open requests are waited for, or the first of them.

        Returns:
            False if the time ran out before.

        Raises:
            ClosedEnvironmentError: If another thread closes the environments.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        grace_ends: float | None = None
        while not enough():
            if self.interrupted and not self._stopping:
                raise ClosedEnvironmentError("Another thread has closed these environments")
            now = time.monotonic()
            if now > self._head_looked + _HEAD_PERIOD:
                self._look_at_head(now)
            if self.failures:
                grace_ends = now + _GRACE if grace_ends is None else grace_ends
                if now >= grace_ends or self.answered():
                    return True
            if deadline is not None and now >= deadline:
                self._receive(0.0, everyone)  # answers that have arrived by now count, even with a timeout of 0
                return enough() or bool(self.failures)
            self._receive(_SLICE if deadline is None else min(_SLICE, deadline - now), everyone)
        return True

    def answered(self) -> bool:
        """Whether every request was answered, or its actor is gone."""
        return not any(worker.open for worker in self.workers)

    def know_nodes(self) -> None:
        """Look at the nodes of actors for the first time."""
        self._nodes.add(worker.node for worker in self.workers if worker.node is not None)

    def poll(self) -> None:
        """Take the answers that have arrived."""
        if any(worker.open for worker in self.workers):
            self._receive(0.0, False)

    def take_failures(self) -> list[Failure]:
        """Returns the failures, and forgets them."""
        failures, self.failures = self.failures, []
        return sorted(failures, key=lambda failure: failure.envs)

    def _receive(self, timeout: float, everyone: bool) -> None:
        """Take the answers that have arrived, or wait for some until the timeout."""
        asked = [(worker, one) for worker in self.workers for one in worker.open.values()]
        if not asked:
            return
        refs = {one.ref: (worker, one) for worker, one in asked}
        found = cluster.ready(list(refs), len(refs) if everyone else 1, timeout)
        for ref, value in zip(found, cluster.values(found) if found else (), strict=True):
            worker, one = refs[ref]
            if worker.open.get(one.request.number) is one:  # else another actor was asked meanwhile
                self._take(worker, one, value)
        if len(found) < len(refs):
            self._check()

    def _take(self, worker: Worker, one: Open, value: Any) -> None:
        if isinstance(value, Answer) and not value.missed:
            self._note(worker, value)
        elif isinstance(value, Answer) or cluster.is_temporary(value):
            if worker.repeats >= _REPEATS:
                self._lose(worker, f"cannot be reached: {value}")
                return
            if self._lost_nodes([worker]):
                return
            time.sleep(0.0 if isinstance(value, Answer) else _PAUSE)
            worker.ask_again()
        elif cluster.is_raised(value):
            del worker.open[one.request.number]
            self.failures.append(worker.death(f"could not answer a request ({one.request.kind}): {value}"))
        else:
            self._lose(worker, f"died: {_first_line(value)}")

    def _note(self, worker: Worker, answer: Answer) -> None:
        request = worker.answered(answer)
        done = request.kind != BEGIN and answer.failure is None
        if done and worker.journal is not None and (reason := worker.journal.answered(request, answer)):
            self.notices.append(_NO_CHECKPOINT.format(worker.envs[0], worker.envs[-1], reason))
        if (worker.index, answer.number) in self.in_flight and answer.failure is None:
            self.completed.append((worker.index, answer.number))
        if answer.failure is None:
            return
        failure = worker.failure(answer.failure)
        if request.kind == BEGIN:
            worker.end()
            self.failures.append(failure)
        elif self._stopping or self.replacement is None or not self.replacement.after_error(worker, failure, request):
            self.failures.append(failure)

    def _check(self) -> None:
        """Notice an actor that does not begin, or does not answer, and a head that is gone."""
        now = time.monotonic()
        for worker in self.workers:
            if worker.gone or not worker.open:
                continue
            oldest = next(iter(worker.open.values()))
            if oldest.request.kind == BEGIN:
                limit = self._start_timeout
                if limit is not None and now > worker.started + limit:
                    self._fail(worker, f"has not begun within {limit} s: {self.placement.account()}")
            elif self._worker_timeout is not None and now > oldest.since + self._worker_timeout:
                self._lose(worker, f"has not answered within {self._worker_timeout} s", hangs=True)
        if now > self._nodes_looked + _NODE_PERIOD:
            self._nodes_looked = now
            self.know_nodes()
            self._lost_nodes([worker for worker in self.workers if self._is_late(worker, now)])

    def _is_late(self, worker: Worker, now: float) -> bool:
        """Whether an actor does not answer for a while, as it does if its node is gone."""
        return bool(worker.open) and now > next(iter(worker.open.values())).since + _NODE_PERIOD

    def _lost_nodes(self, workers: Sequence[Worker]) -> set[str]:
        """Look at the nodes of these actors. Returns those that are gone; all actors there are lost."""
        lost = {node for node in {worker.node for worker in workers} if node is not None and self._nodes.is_gone(node)}
        for worker in self.workers:
            if worker.node in lost and not worker.gone:
                self._lose(worker, "is lost: its node does not answer")
        return lost

    def _look_at_head(self, now: float) -> None:
        """Notice that the head is gone, without which actors answer for a while."""
        if now > self._head_looked + _HEAD_PATIENCE:  # nobody has looked for a while
            self._head_seen = now
        self._head_looked = now
        with suppress(OSError), socket.create_connection(self._head, _SLICE):
            self._head_seen = now
        if now > self._head_seen + _HEAD_PATIENCE:
            self._headless = True
            address = ":".join(map(str, self._head))
            for worker in self.workers:
                self._fail(worker, f"is lost: the head of the Ray cluster at {address} does not answer")

    def _fail(self, worker: Worker, how: str) -> None:
        """Give an actor up for good."""
        if not worker.gone:
            failure = worker.death(how)
            self._end(worker)
            self.failures.append(failure)

    def _end(self, worker: Worker) -> None:
        """End an actor, unless the head is gone: Ray would wait for it, and actors end with their head."""
        worker.end(kill=not self._headless)
        worker.open.clear()

    def _lose(self, worker: Worker, how: str, *, hangs: bool = False) -> None:
        """Record that an actor is gone or useless. One whose node hangs, or is gone, is replaced on another."""
        failure, node = worker.death(how), worker.node
        worker.end()
        avoid = {*self._nodes.gone, node} if node is not None and (hangs or self._nodes.is_gone(node)) else ()
        if not self._stopping and self.replacement is not None and self.replacement.after_death(worker, failure, avoid):
            return
        worker.open.clear()
        self.failures.append(failure)

    def stop(self, timeout: float) -> list[Failure]:
        """End all actors, within about a second more than `timeout`, whatever they do.

        Returns:
            The environments' failures on closing.
        """
        if os.getpid() != self._owner or self._stopping:  # a forked child, whose parent's actors these are
            return []
        self._stopping = True
        self.failures, self.completed = [], []
        try:
            if timeout > 0:
                self._ask_to_close()
                self.wait(self.answered, timeout)
        finally:
            for worker in self.workers:
                self._end(worker)
            if not self._headless:
                self.placement.remove()
                self._connection.release()
        return self.take_failures()

    def _ask_to_close(self) -> None:
        for worker in self.workers:
            worker.drop()
            if not worker.gone and worker.ready:
                worker.ask(CLOSE, ())


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:2]) if lines else type(error).__name__
