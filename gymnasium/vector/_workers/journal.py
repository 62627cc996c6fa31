"""The requests to a worker since its last checkpoint: another worker repeats them when it has died."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass, replace
from typing import Any

from gymnasium.vector._batch.beginnings import CHECKS, HOLD, OPTIONS, joined_params
from gymnasium.vector._workers.board import some_actions
from gymnasium.vector._workers.protocol import (
    CALL,
    RESET,
    SET,
    STARTED,
    STATE,
    STEP,
    Resumption,
    StepTask,
    Unanswered,
)

_DRAWS = "render"  # the one method without a result that changes no attributes
_PASSES = (STATE, OPTIONS, *CHECKS)  # set, but not for good: checkpoints contain it
ROOM = 256  # steps in one `Steps`, which is forgotten as a whole


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


class Steps:
    """Steps of all environments, one directly after the other, noted once for all workers.

    Attributes:
        number: The number of the first request; the others are numbered on from it.
        batches: Their actions.
    """

    __slots__ = ("batches", "number")

    def __init__(self, number: int, batches: list[Any]) -> None:
        self.number = number
        self.batches = batches

    def __len__(self) -> int:
        """Returns the number of requests."""
        return len(self.batches)


class Journal:
    """The requests to one worker, in order.

    Only the answers to resets and calls are noted here. Which requests are done is known from those that are not.

    Attributes:
        checkpoint: The newest checkpoint, in the worker's own form; empty if there is none.
        settings: The requests before it whose effect lasts.
        can_keep: Whether the worker can make checkpoints; if not, the requests reach back to a reset with seeds.
        resumed: Whether the worker is where the one before it died.
        deaths: The number of workers that died at the pending request.
        open: The resets and calls without an answer, by number.
        timeout: The longest time, in seconds, for a request; None for no limit.
    """

    def __init__(self, envs: range, timeout: float | None) -> None:
        """Begin with a worker of these environments."""
        self.timeout = timeout
        self.checkpoint = b""
        self.settings: list[Request] = []
        self.can_keep = True
        self.resumed = True
        self.deaths = 0
        self.open: dict[int, Request] = {}
        self._envs = envs
        self._requests: list[Request | Steps] = []
        self._kept = 0  # how many requests of the first `Steps` the checkpoint contains
        self._waiting: Any = None  # what `is_late` has found, and the time when it was found first
        self._since = 0.0
        # Since the last reset of all: the steps of all, without those of the newest `Steps`; and single ones, by place.
        self._steps, self._newest, self._single_steps = 0, Steps(STARTED, []), [0] * len(envs)

    def begin(self, steps: Steps) -> None:
        """Note steps of all environments, which are still being added."""
        self._steps += len(self._newest)
        self._newest = steps
        self._requests.append(steps)

    def stepped_singly(self, number: int, task: StepTask) -> None:
        """Note the request of a step of some environments, each of which answers by itself."""
        for place in task.places:
            self._single_steps[place] += 1
        self._requests.append(Request(STEP, number, task))

    def reset(self, number: int, tasks: list[tuple[int, int | None, Any]], contents: bytes) -> None:
        """Note the request of a reset."""
        everything = len(tasks) == len(self._envs)
        if everything:
            self._steps, self._newest, self._single_steps = 0, Steps(STARTED, []), [0] * len(self._envs)
        seeded = everything and all(seed is not None for _, seed, _ in tasks)
        self._note(Request(RESET, number, contents, begins_anew=seeded))

    def called(self, number: int, name: str, contents: bytes) -> None:
        """Note a call."""
        self._note(Request(CALL, number, contents, name))

    def attribute_set(self, number: int, name: str, contents: bytes) -> None:
        """Note the request to set an attribute."""
        self._requests.append(Request(SET, number, contents, name, lasts=name not in _PASSES))

    def _note(self, request: Request) -> None:
        self._requests.append(request)
        self.open[request.number] = request

    def answered(self, number: int, values: list[Any]) -> None:
        """Note the answer to an open request, with the results of a call."""
        request = self.open.pop(number)
        if request.kind == CALL:
            quiet = bool(values) and all(value is None for value in values)
            request.lasts = quiet and request.name not in (STATE, _DRAWS)
        elif request.begins_anew and not self.can_keep:
            self._forget(self._requests.index(request))

    def keep(self, number: int, checkpoint: bytes) -> None:
        """Store the checkpoint after the request of this number; those before it are forgotten."""
        self.checkpoint = checkpoint
        for k, request in reversed(list(enumerate(self._requests))):
            if isinstance(request, Steps) and 0 <= number - request.number < len(request):  # it may still grow
                self._forget(k)
                self._kept = number - request.number + 1
                return
            if number == request.number:
                self._forget(k + 1)
                return

    def is_late(self, attempts: int, missing: Unanswered) -> bool:
        """Whether the worker has not answered its first request for too long since this was first asked.

        A new worker has as much time for each request that it repeats.
        """
        numbers = missing.numbers()
        if self.timeout is None or not numbers:
            return False
        waiting, now = (attempts, self.resumed, min(numbers), numbers.count(min(numbers))), time.monotonic()
        if waiting != self._waiting:
            self._waiting, self._since = waiting, now
        return now - self._since > self.timeout * (1 if self.resumed else 1 + len(self._each()))

    def _forget(self, count: int) -> None:
        """Forget the first requests, except those whose effect lasts."""
        for request in self._requests[:count]:
            if isinstance(request, Request) and request.lasts:
                self._settle(request)
        del self._requests[:count]
        self._kept = 0

    def _settle(self, request: Request) -> None:
        # A later value replaces an earlier one, unless a method may have used that. Params are joined, see `_add`.
        if request.kind == SET and request.name != HOLD:
            for k in range(len(self.settings) - 1, -1, -1):
                if self.settings[k].kind != SET:
                    break
                if self.settings[k].name == request.name:
                    after = self.settings[k + 1 :]
                    del self.settings[k:]
                    for one in after:
                        self._add(one)
                    break
        self._add(request)

    def _add(self, request: Request) -> None:
        """Add a request whose effect lasts; two in turn that set params become one."""
        if self.settings and self.settings[-1].name == request.name == HOLD:
            (_, earlier), (_, later) = (pickle.loads(one.contents) for one in (self.settings.pop(), request))
            request = replace(request, contents=pickle.dumps((HOLD, joined_params(earlier, later))))
        self.settings.append(request)

    def resumption(self, missing: Unanswered, observations: dict[int, Any], torn: list[int]) -> Resumption:
        """Returns the way from the last checkpoint to the last answer; see `Resumption` for the other arguments."""
        settings = [(request.kind, request.contents) for request in self.settings]
        past = [
            (request.kind, request.contents)
            for request in self._split(missing)[0]
            if request.kind != CALL or request.name != STATE
        ]
        return Resumption(settings, self.checkpoint, past, observations, torn)

    def unanswered(self, missing: Unanswered) -> list[Request]:
        """Returns the requests without an answer."""
        return self._split(missing)[1]

    def _split(self, missing: Unanswered) -> tuple[list[Request], list[Request]]:
        """Returns the requests that were answered since the checkpoint, and the others.

        A step that only some environments have answered is divided.
        """
        past: list[Request] = []
        rest: list[Request] = []
        numbers = set(missing.numbers())
        for request in self._each():
            if request.kind == STEP and request.contents.singly:
                done, left = _divided(request, missing.singly)
                past += done
                rest += left
            else:
                (rest if request.number in numbers else past).append(request)
        return past, rest

    def _each(self) -> list[Request]:
        """Returns the requests since the checkpoint, one by one."""
        places, rows = list(range(len(self._envs))), slice(self._envs.start, self._envs.stop)
        each = []
        for request in self._requests:
            if isinstance(request, Request):
                each.append(request)
                continue
            for number, batch in enumerate(request.batches, request.number):
                each.append(Request(STEP, number, StepTask(places, some_actions(batch, rows), False)))
        return each[self._kept :]

    def account(self, missing: Unanswered) -> str:
        """Returns a description of the request that was next."""
        rest = self.unanswered(missing)
        if not rest:
            return "between two requests"
        request, *later = rest
        if request.kind != STEP:
            return {RESET: "at a reset", CALL: f"at a call of {request.name!r}"}.get(request.kind, "at `set_attr`")
        task, total = request.contents, self._steps + len(self._newest)
        after = [other.contents.places for other in later if other.kind == STEP]
        each = {total + self._single_steps[place] - sum(place in places for places in after) for place in task.places}
        steps = f"step {each.pop()}" if len(each) == 1 else f"steps {sorted(each)}"
        return f"at {steps} since the last reset of all, with the actions {task.batch!r:.200}"


def _divided(step: Request, missing: dict[int, int]) -> tuple[list[Request], list[Request]]:
    """Returns the steps of the environments that have answered, which are the first, and of the others."""
    places = step.contents.places
    done = sum(missing.get(place) != step.number for place in places)
    first = [_part(step, slice(done))] if done else []
    return first, [_part(step, slice(done, None))] if done < len(places) else []


def _part(step: Request, rows: slice) -> Request:
    """Returns the step of some of its environments."""
    places, batch, singly = step.contents
    return Request(STEP, step.number, StepTask(places[rows], some_actions(batch, rows), singly))
