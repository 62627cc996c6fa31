"""The journal of a worker's requests: which of them another worker repeats, and which it is asked again."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

from gymnasium.vector._batch.beginnings import HOLD
from gymnasium.vector._workers.handle import WorkerHandle
from gymnasium.vector._workers.journal import Journal
from gymnasium.vector._workers.protocol import CALL, SET, STATE, STEP, StepTask, Unanswered
from gymnasium.vector._workers.supervisor import Supervisor

ENVS = range(2, 5)  # those of the worker, in a batch of 6


class Worker:
    """A journal, and beside it the plain list of everything that was asked: (what, whether it was answered)."""

    def __init__(self) -> None:
        self.journal = Journal(ENVS, None)
        handle = WorkerHandle(0, ENVS)
        handle.journal = self.journal
        self.supervisor = Supervisor([handle], None)
        self.supervisor.keeps_requests = True
        self.asked: list[list[Any]] = []
        self.answers: list[tuple[int, int | None, list[list[Any]]]] = []  # to come, with the parts that they complete
        self.number = 0

    def _ask(self, *parts: Any) -> list[list[Any]]:
        added = [[part, False] for part in parts]
        self.asked += added
        return added

    def missing(self) -> Unanswered:
        whole = [number for number, place, _ in self.answers if place is None]
        return Unanswered(None, frozenset(whole), {place: n for n, place, _ in self.answers if place is not None})

    def land(self, places: Any = range(3)) -> None:
        """Let the worker answer until none of these places is in flight."""
        while any(place in places for _, place, _ in self.answers):
            self.answer()

    def step(self) -> None:
        self.land()
        actions = len(self.asked) * 10 + np.arange(6)
        batch = actions.copy()
        self.number = self.supervisor.next_step(batch)
        batch[:] = -1  # the caller's array, which is used again
        added = self._ask(*((place, actions[env]) for place, env in enumerate(ENVS)))
        self.answers.append((self.number, None, added))

    def step_singly(self, places: list[int]) -> None:
        self.land(places)
        self.number = self.supervisor.next_number()
        actions = self.number * 10 + np.array(places)
        self.journal.stepped_singly(self.number, StepTask(places, actions, True))
        for place, action in zip(places, actions, strict=True):
            self.answers.append((self.number, place, self._ask((place, action))))

    def call(self, name: str) -> None:
        self.land()
        self.number = self.supervisor.next_number()
        self.journal.called(self.number, name, b"%d" % self.number)
        self.answers.append((self.number, None, self._ask((CALL, b"%d" % self.number)) if name != STATE else []))

    def answer(self) -> None:
        number, _, parts = self.answers.pop(0)
        for part in parts:
            part[1] = True
        if number in self.journal.open:
            self.journal.answered(number, [1])

    def keep(self) -> None:
        """Let the worker answer everything, and then send a checkpoint after its last request."""
        while self.answers:
            self.answer()
        self.journal.keep(self.number, b"checkpoint")
        self.asked.clear()


def parts(requests: Any) -> list[Any]:
    """Returns steps by environment, and other requests as they are."""
    each: list[Any] = []
    for kind, contents in requests:
        each += zip(contents.places, contents.batch, strict=True) if kind == STEP else [(kind, contents)]
    return each


@pytest.mark.parametrize("seed", range(4))
def test_repeated_and_asked_again_are_everything_since_the_checkpoint(seed: int) -> None:
    """In the order of the requests, each step of each environment once: also of more steps than one `Steps` holds."""
    rng, worker = random.Random(seed), Worker()
    for _ in range(30):
        for _ in range(rng.choice([0, 1, 2, 150])):
            worker.step()
        if rng.random() < 0.5:
            worker.step_singly(rng.sample(range(3), rng.randint(1, 3)))
        if rng.random() < 0.3:
            worker.call(rng.choice(["add", STATE]))
        for _ in range(rng.randint(0, len(worker.answers))):
            worker.answer()
        if worker.number and rng.random() < 0.2:
            worker.keep()
        missing = worker.missing()
        past = parts(worker.journal.resumption(missing, {}, []).past)
        rest = [request for request in worker.journal.unanswered(missing) if request.name != STATE]
        assert past == [part for part, done in worker.asked if done]
        assert parts((request.kind, request.contents) for request in rest) == [
            part for part, done in worker.asked if not done
        ]


def test_values_that_were_set_outlast_checkpoints() -> None:
    journal = Journal(ENVS, None)
    for number, value in enumerate([b"old", b"new"], 1):
        journal.attribute_set(number, "gravity", value)
        journal.keep(number, b"checkpoint")
    resumption = journal.resumption(Unanswered(None, frozenset(), {}), {}, [])
    assert resumption.settings == [(SET, b"new")]
    assert resumption.past == []


def test_params_of_some_join_those_of_others_that_were_set_before() -> None:
    """Each keeps its place among the attributes, and there is one for all that are set in turn."""
    journal = Journal(ENVS, None)
    requests = [
        (HOLD, [{"gravity": 1.0}, None, None]),
        ("length", [1.0, 1.0, 1.0]),
        (HOLD, [{"gravity": 2.0}, {"gravity": 3.0}, None]),
        ("length", [2.0, 2.0, 2.0]),
        (HOLD, [{"masspole": 4.0}, None, None]),
    ]
    for number, request in enumerate(requests, 1):
        journal.attribute_set(number, request[0], pickle.dumps(request))
        journal.keep(number, b"checkpoint")
    settings = journal.resumption(Unanswered(None, frozenset(), {}), {}, []).settings
    assert [pickle.loads(contents) for _, contents in settings] == [
        (HOLD, [{"gravity": 2.0}, {"gravity": 3.0}, None]),
        ("length", [2.0, 2.0, 2.0]),
        (HOLD, [{"masspole": 4.0}, None, None]),
    ]


def test_account_counts_the_steps_since_the_last_reset_of_all() -> None:
    worker = Worker()
    worker.step()
    worker.answer()
    worker.journal.reset(worker.supervisor.next_number(), [(place, 1, None) for place in range(3)], b"")
    for _ in range(300):
        worker.step()
        worker.answer()
    worker.step_singly([1])
    worker.answer()
    assert worker.journal.account(worker.missing()) == "between two requests"
    worker.step_singly([1])
    assert worker.journal.account(worker.missing()).startswith("at step 302 since")
