"""The requests to a worker since its last checkpoint: another worker repeats them when it has died."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from gymnasium.vector._workers.board import some_actions
from gymnasium.vector._workers.protocol import CALL, RESET, SET, STATE, STEP, Resumption, StepTask

_DRAWS = "render"  # the one method without a result that changes no attributes


@dataclass(slots=True, eq=False)
class Request:
    """A request to a worker.

    Attributes:
        kind: Its kind, see `protocol`.
        number: Its number.
        contents: A `StepTask` with its actions; of other kinds the pickled contents.
        name: Of a call or an attribute.
        begins_anew: Whether it resets all environments, each with a seed.
        lasts: Whether its effect may not be part of a checkpoint: attributes are not.
    """

    kind: int
    number: int
    contents: Any
    name: str = ""
    begins_anew: bool = False
    lasts: bool = False


class Journal:
    """The requests to one worker, in order, and which of them it has answered.

    Attributes:
        checkpoint: The newest checkpoint, in the worker's own form; empty if there is none.
        settings: The requests before it whose effect lasts.
        can_keep: Whether the worker can make checkpoints; if not, the requests reach back to a reset with seeds.
        resumed: Whether the worker is where the one before it died.
        starts: The number of workers started since the last answer.
        deaths: The number of workers that died at the pending request.
        timeout: The longest time, in seconds, for a request; None for no limit.
    """

    def __init__(self, n: int, timeout: float | None) -> None:
        """Begin with a worker of n environments."""
        self.timeout = timeout
        self.checkpoint = b""
        self.settings: list[Request] = []
        self.can_keep = True
        self.resumed = True
        self.starts = self.deaths = 0
        self._since = 0.0  # the time of the last request or answer
        self._places = list(range(n))
        self._requests: list[Request] = []
        # By number; and of a request that each environment answers by itself, the places that have not yet.
        self._open: dict[int, tuple[Request, set[int] | None]] = {}
        self._steps, self._single_steps = 0, [0] * n

    def stepped(self, number: int, places: list[int] | None, batch: Any, singly: bool) -> None:
        """Note the request of a step, with its actions."""
        task = StepTask(self._places if places is None else places, batch, singly)
        if places is None:
            self._steps += 1
        else:
            for place in places:
                self._single_steps[place] += 1
        self._note(Request(STEP, number, task), set(task.places) if singly else None)

    def reset(self, number: int, tasks: list[tuple[int, int | None, Any]], contents: bytes) -> None:
        """Note the request of a reset."""
        everything = len(tasks) == len(self._places)
        if everything:
            self._steps, self._single_steps = 0, [0] * len(self._places)
        seeded = everything and all(seed is not None for _, seed, _ in tasks)
        self._note(Request(RESET, number, contents, begins_anew=seeded))

    def called(self, number: int, name: str, contents: bytes) -> None:
        """Note a call."""
        self._note(Request(CALL, number, contents, name))

    def attribute_set(self, number: int, name: str, contents: bytes) -> None:
        """Note the request to set an attribute."""
        self._note(Request(SET, number, contents, name, lasts=name != STATE))

    def _note(self, request: Request, places: set[int] | None = None) -> None:
        if not self._open:
            self._since = time.monotonic()
        self._requests.append(request)
        self._open[request.number] = request, places

    def answered(self, number: int, place: int | None, values: list[Any]) -> None:
        """Note an answer.

        Args:
            number: The number of the request.
            place: The only environment that has answered; None for all.
            values: The results of a call.
        """
        self._since = time.monotonic()
        self.starts = self.deaths = 0
        request, places = self._open.get(number, (None, None))
        if request is None:
            return
        if places is not None and place is not None:
            places.discard(place)
            if places:
                return
        del self._open[number]
        if request.kind == CALL and request.name == STATE:
            self._requests.remove(request)
        elif request.kind == CALL and request.name != _DRAWS:
            request.lasts = bool(values) and all(value is None for value in values)
        elif request.begins_anew and not self.can_keep:
            self._forget(self._requests.index(request))

    def keep(self, number: int, checkpoint: bytes) -> None:
        """Store the checkpoint after the request of this number; those before it are forgotten."""
        self.checkpoint = checkpoint
        last = next(k for k, request in reversed(list(enumerate(self._requests))) if request.number == number)
        self._forget(last + 1)

    def resume(self) -> None:
        """Learn that a new worker is where the one before it died."""
        self.resumed, self._since = True, time.monotonic()

    def is_late(self) -> bool:
        """Whether the answer takes too long; a new worker has as much time for each request that it repeats."""
        if self.timeout is None or not self._open:
            return False
        requests = 1 if self.resumed else 1 + len(self._requests)
        return time.monotonic() - self._since > self.timeout * requests

    def _forget(self, count: int) -> None:
        """Forget the first requests, except those whose effect lasts."""
        for request in self._requests[:count]:
            if request.lasts:
                self._settle(request)
        del self._requests[:count]

    def _settle(self, request: Request) -> None:
        # A later value replaces an earlier one, unless a method may have used that.
        if request.kind == SET:
            for k in range(len(self.settings) - 1, -1, -1):
                if self.settings[k].kind != SET:
                    break
                if self.settings[k].name == request.name:
                    del self.settings[k]
                    break
        self.settings.append(request)

    def way(self, observations: dict[int, Any]) -> Resumption:
        """Returns the way from the last checkpoint to the last answer; see `Resumption` for `observations`."""
        settings = [(request.kind, request.contents) for request in self.settings]
        return Resumption(settings, self.checkpoint, self._past(), observations)

    def _past(self) -> list[tuple[int, Any]]:
        past = []
        for request in self._requests:
            _, places = self._open.get(request.number, (None, None))
            if request.number not in self._open:
                past.append((request.kind, request.contents))
            elif places is not None and len(places) < len(request.contents.places):
                past.append((request.kind, _part(request.contents, set(request.contents.places) - places)))
        return past

    def unanswered(self) -> list[Request]:
        """Returns the others; of a step that each environment answers by itself, the part without an answer."""
        rest = []
        for request, places in self._open.values():
            contents = request.contents if places is None else _part(request.contents, places)
            rest.append(Request(request.kind, request.number, contents, request.name))
        return rest

    def account(self) -> str:
        """Returns a description of the request that was next."""
        if not self._open:
            return "between two requests"
        request, places = next(iter(self._open.values()))
        if request.kind != STEP:
            return {RESET: "at a reset", CALL: f"at a call of {request.name!r}"}.get(request.kind, "at `set_attr`")
        task = request.contents if places is None else _part(request.contents, places)
        later = [other.contents.places for other, _ in list(self._open.values())[1:] if other.kind == STEP]
        each = {
            self._steps + self._single_steps[place] - sum(place in places for places in later) for place in task.places
        }
        steps = f"step {each.pop()}" if len(each) == 1 else f"steps {sorted(each)}"
        return f"at {steps} since the last reset of all, with the actions {task.batch!r:.200}"


def _part(task: StepTask, places: set[int]) -> StepTask:
    """Returns the step of some of its environments."""
    rows = [row for row, place in enumerate(task.places) if place in places]
    return StepTask([task.places[row] for row in rows], some_actions(task.batch, rows), task.singly)
