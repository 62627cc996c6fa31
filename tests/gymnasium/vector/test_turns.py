"""One thread at a time is in a batch; the others get their turns in order, and none waits for nothing."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gymnasium.vector._batch import turns
from gymnasium.vector._batch.turns import Turn, begin_turns, in_turn


class Counter:
    """Counts without a lock of its own, so that it loses counts if two threads are in it."""

    def __init__(self) -> None:
        begin_turns(self)
        self.number = 0
        self.most = 0
        self.inside = 0
        self.order: list[int] = []

    @in_turn
    def add(self) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        number = self.number
        self.look()
        self.number = number + 1
        self.inside -= 1

    @in_turn
    def look(self) -> int:
        time.sleep(0)
        return self.number

    @in_turn
    def hold(self, while_: Callable[[], object]) -> object:
        return while_()

    @in_turn
    def note(self, k: int) -> None:
        self.order.append(k)


@pytest.fixture(autouse=True)
def switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def started(*works: Callable[[], object]) -> list[threading.Thread]:
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    return threads


def joined(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_one_thread_is_inside_at_a_time_and_may_call_others() -> None:
    counter = Counter()
    joined(started(*[lambda: [counter.add() for _ in range(500)]] * 6))
    assert (counter.number, counter.most) == (3000, 1)
    assert counter._turn.free
    assert not counter._turn.waiting


def test_a_thread_that_takes_the_turn_all_the_time_lets_others_have_theirs() -> None:
    counter, done = Counter(), threading.Event()

    def take() -> None:
        while not done.is_set():
            counter.add()

    busy = started(take, take)
    joined(started(lambda: [counter.look() for _ in range(20)]))
    done.set()
    joined(busy)


def test_threads_get_their_turns_in_the_order_in_which_they_came() -> None:
    counter, done = Counter(), threading.Event()
    holding = started(lambda: counter.hold(done.wait))
    until(lambda: not hasattr(counter._turn, "free"))
    waiting = []
    for k in range(5):
        waiting += started(lambda k=k: counter.note(k))  # type: ignore[misc]  # a default of a lambda
        until(lambda k=k: len(counter._turn.waiting) == k + 1)
    done.set()
    joined(holding + waiting)
    assert counter.order == [0, 1, 2, 3, 4]


def test_an_exception_gives_the_turn_back() -> None:
    counter = Counter()
    with pytest.raises(ZeroDivisionError):
        counter.hold(lambda: 1 // 0)
    joined(started(counter.add))


class Stop(BaseException):
    """What a signal handler raises."""


def test_an_interrupted_wait_ends_and_takes_nothing_along(monkeypatch: pytest.MonkeyPatch) -> None:
    counter, done = Counter(), threading.Event()
    holding = started(lambda: counter.hold(done.wait))
    until(lambda: not hasattr(counter._turn, "free"))

    def interrupted(turn: Turn) -> bool:
        raise Stop

    with monkeypatch.context() as changed:
        changed.setattr(turns, "_PATIENCE", 0.01)
        changed.setattr(Turn, "is_found", interrupted)
        with pytest.raises(Stop):
            counter.add()
    assert not counter._turn.waiting
    done.set()
    joined(holding + started(counter.add))


def test_a_turn_that_nobody_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_PATIENCE", 0.05)
    counter = Counter()
    del counter._turn.free  # as if a signal had ended the method before its `try`
    counter.add()
    joined(started(counter.add))
    assert counter.number == 2


def test_a_turn_that_another_thread_has_is_not_taken_for_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_PATIENCE", 0.01)
    counter, done = Counter(), threading.Event()
    holding = started(lambda: counter.hold(done.wait))
    until(lambda: not hasattr(counter._turn, "free"))
    waiting = started(*[lambda: counter.note(0)] * 3)
    time.sleep(0.2)
    assert counter.order == []
    done.set()
    joined(holding + waiting)
    assert len(counter.order) == 3


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_of_a_turn_is_free(copied: Callable[[Any], Any]) -> None:
    turn = Turn()
    del turn.free
    assert copied(turn).free


def test_a_batch_without_turns_is_not_waited_for() -> None:
    class Plain:
        _turn = None

        @in_turn
        def answer(self) -> int:
            return 42

    assert Plain().answer() == 42
