"""The handle of one actor: its requests and its answers."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.vector._workers.failures import Failure, PackedError
from palaestra.ray import cluster
from palaestra.ray.batches import own, with_rows
from palaestra.ray.collecting import end_of
from palaestra.ray.host import Host
from palaestra.ray.journal import Journal
from palaestra.ray.protocol import BEGIN, PUT_STATES, RESET, ROLLOUT, SEND, STEP, Answer, Report, Request, Setup


@dataclass(slots=True)
class Open:
    """A request without an answer.

    Attributes:
        request: The request.
        ref: The reference to its answer.
        since: When the actor could begin with it.
    """

    request: Request
    ref: Any
    since: float


class Worker:
    """One actor, and after its death the next one.

    Attributes:
        index: Its number.
        envs: Its environments.
        report: Its first answer; None before.
        journal: Its answered requests, if it is resumed.
        open: The requests without an answer, by number, in order.
        values: The results that were not taken, by number.
        observations: The last observations of its environments.
        finished: Which of their episodes have ended.
        deaths: The number of actors that died at the pending request.
        starts: The number of actors started since the last answer.
        started: When the actor was started.
    """

    def __init__(self, index: int, envs: range, journal: Journal | None, finished: NDArray[np.bool_]) -> None:
        self.index, self.envs, self.journal, self.finished = index, envs, journal, finished
        self.report: Report | None = None
        self.open: dict[int, Open] = {}
        self.values: dict[int, Any] = {}
        self.observations: Any = None
        self.deaths = self.starts = self.repeats = 0
        self.started = 0.0
        self.gone = False
        self._actor: Any = None
        self._number = self._done = 0
        self._dropped: set[int] = set()

    @property
    def ready(self) -> bool:
        """Whether the actor has begun."""
        return self.report is not None and not any(one.request.kind == BEGIN for one in self.open.values())

    @property
    def node(self) -> str | None:
        """The node of the actor, by its id; None before the actor has begun."""
        return self.report.node if self.report is not None and self.ready else None

    def waiting(self) -> list[Request]:
        """Returns the requests that another actor has to be asked again."""
        return [one.request for one in self.open.values() if one.request.kind != BEGIN]

    def start(
        self,
        placement: cluster.Placement,
        setup: Setup,
        waiting: Sequence[Request] = (),
        avoid: Collection[str] = (),
    ) -> None:
        """Start an actor, and repeat the requests that the one before has not answered."""
        self.open = {}
        self._actor = placement.actor(Host, self.index, avoid)
        self.gone, self.started = False, time.monotonic()
        self.starts += 1
        first = waiting[0].number if waiting else self._number + 1
        self._done = min(self._done, first - 1)
        self._ask(Request(first - 1, BEGIN, (setup,)))
        for request in waiting:
            self._ask(request)

    def ask(self, kind: str, contents: tuple[Any, ...]) -> int:
        """Ask the actor, and return the number of the request."""
        self._number += 1
        if self.journal is not None and kind != ROLLOUT:  # whose caller keeps nothing of it
            contents = own(contents)
        self._ask(Request(self._number, kind, contents))
        return self._number

    def _ask(self, request: Request) -> None:
        ref = self._actor.ask.remote(request, self._done)
        self.open[request.number] = Open(request, ref, time.monotonic())

    def ask_again(self) -> None:
        """Repeat the requests without an answer. The actor does each once, and gives the answers that it has again."""
        self.repeats += 1
        for one in list(self.open.values()):
            since = one.since
            self._ask(one.request)
            self.open[one.request.number].since = since

    def answered(self, answer: Answer) -> Request:
        """Note an answer, and return its request."""
        one = self.open.pop(answer.number)
        self._done = max(self._done, answer.number)
        self.repeats = 0
        if self.open:  # the actor goes on with the next
            following = next(iter(self.open.values()))
            following.since = time.monotonic()
        request = one.request
        if request.kind == BEGIN:
            if answer.failure is None:
                self.report = answer.value
            return request
        self.deaths = self.starts = 0
        if answer.failure is None:
            self._look(request, answer.value)
            if answer.number not in self._dropped:
                self.values[answer.number] = answer.value
        self._dropped.discard(answer.number)
        return request

    def _look(self, request: Request, value: Any) -> None:
        """Keep the last observations, and which episodes have ended."""
        if request.kind == RESET:
            _, options = request.contents
            self.observations = value[0]
            self.finished[options.get("reset_mask", slice(None)) if isinstance(options, dict) else slice(None)] = False
        elif request.kind == STEP:
            self.observations = value[0]
            np.logical_or(value[2], value[3], out=self.finished)
        elif request.kind == ROLLOUT:
            self.observations, self.finished[:] = end_of(value).observations, value.running.over
        elif request.kind == PUT_STATES:
            for place, state, _ in request.contents[0]:
                self.finished[place] = state.finished
        elif request.kind == SEND and self.report is not None:
            space = self.report.single_observation_space
            self.observations = with_rows(space, self.observations, value[0], value[1])
            self.finished[value[0]] = np.logical_or(value[3], value[4])

    def drop(self) -> None:
        """Want no results of the requests without an answer."""
        self._dropped.update(number for number, one in self.open.items() if one.request.kind != BEGIN)
        self.values.clear()

    def end(self, *, kill: bool = True) -> None:
        """Expect nothing more from the actor, and kill it."""
        self.gone = True
        if self._actor is not None and kill:
            cluster.kill(self._actor)
        self._actor = None

    def called(self) -> str:
        """Returns the name of the actor for messages."""
        where = "not placed yet" if self.report is None else self.report.place()
        return f"Ray actor {self.index} ({where})"

    def failure(self, packed: PackedError) -> Failure:
        """Returns the description of a failure in the actor."""
        known = packed.env in self.envs
        envs = [packed.env] if known else list(self.envs)
        what = f"Environment {packed.env}" if known else f"One of the environments {_span(self.envs)}"
        account = f"{what}, in the {self.called()}, raised {packed.name}: {packed.text}"
        pid = None if self.report is None else self.report.pid
        failure = packed.failure(pid)
        return Failure(envs, pid, account, failure.error, failure.trace)

    def death(self, how: str) -> Failure:
        """Returns the description of a loss of the actor."""
        pid = None if self.report is None else self.report.pid
        return Failure(list(self.envs), pid, f"The {self.called()} of the environments {_span(self.envs)} {how}")


def _span(envs: range) -> str:
    return str(envs.start) if len(envs) == 1 else f"{envs.start} to {envs.stop - 1}"
