"""Classes whose lists grow: the same as in sync, also where a row runs out of room in the middle of an episode."""

from __future__ import annotations

import copy
import pickle
from typing import Any, ClassVar

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.policies import MLP, Layer
from palaestra.runner.classes.trial import first_difference
from palaestra.runner.classes.vector_env import PlainVectorEnv

MODES = list(AutoresetMode)


class Base(gymnasium.Env[Any, Any]):
    """What all have in common: two numbers are seen."""

    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Discrete(3)
    t = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.t = 0
        self.begin()
        return self.seen(), {}

    def step(self, action: Any) -> Any:
        self.t += 1
        reward = self.act(int(action))
        return self.seen(), float(reward), self.over(), self.t >= 70, self.told()

    def begin(self) -> None:
        raise NotImplementedError

    def act(self, action: int) -> float:
        raise NotImplementedError

    def seen(self) -> Any:
        raise NotImplementedError

    def over(self) -> bool:
        return False

    def told(self) -> dict[str, Any]:
        return {}


class Snake(Base):
    """A snake on a torus."""

    observation_space = Box(0, 2, (5, 5), np.int64)
    action_space = Discrete(4)

    def begin(self) -> None:
        self.body, self.dead = [(2, 2)], False
        self.food = self.place()

    def place(self) -> Any:
        while True:
            cell = (int(self.np_random.integers(5)), int(self.np_random.integers(5)))
            if cell not in self.body:
                return cell

    def act(self, action: int) -> float:
        dx, dy = [(1, 0), (0, 1), (-1, 0), (0, -1)][action]
        head = ((self.body[0][0] + dx) % 5, (self.body[0][1] + dy) % 5)
        self.dead = head in self.body[:-1]
        self.body.insert(0, head)
        if head == self.food and len(self.body) < 24:
            self.food = self.place()
            return 1.0
        self.body.pop()
        return -0.1

    def over(self) -> bool:
        return self.dead

    def seen(self) -> Any:
        grid = np.zeros((5, 5), np.int64)
        for x, y in self.body:
            grid[y, x] = 1
        grid[self.food[1], self.food[0]] = 2
        return grid

    def told(self) -> dict[str, Any]:
        return {"length": len(self.body), "tail": self.body[-1][0]}


class Queue(Base):
    """Customers wait, and one of the first is served."""

    def begin(self) -> None:
        self.queue: list[float] = []
        self.served = 0.0

    def act(self, action: int) -> float:
        for _ in range(int(self.np_random.integers(4))):
            self.queue.append(float(self.np_random.random()))
        if self.queue and action:
            self.served += self.queue.pop(0) if action == 1 else self.queue.pop(len(self.queue) // 2)
        return -len(self.queue)

    def seen(self) -> Any:
        return np.array([len(self.queue), self.served])

    def over(self) -> bool:
        return len(self.queue) > 50


class History(Base):
    """A history of all steps, with its running mean."""

    def begin(self) -> None:
        self.history = [float(self.np_random.random())]

    def act(self, action: int) -> float:
        self.history.append(self.np_random.random() * action)
        return sum(self.history[-5:])

    def seen(self) -> Any:
        return np.array([self.history[-1], np.mean(self.history)])

    def told(self) -> dict[str, Any]:
        return {"n": len(self.history), "best": max(self.history)}


class Stack(Base):
    """A machine with a stack."""

    def begin(self) -> None:
        self.stack = [1]

    def act(self, action: int) -> float:
        if action == 0 or len(self.stack) < 2:
            self.stack.append(self.t)
        elif action == 1:
            a, b = self.stack.pop(), self.stack.pop()
            self.stack.append((a + b) % 11)
        else:
            self.stack += [self.stack[-1], 3]
        return self.stack[-1]

    def seen(self) -> Any:
        return np.array([self.stack[-1], len(self.stack)], np.float64)


class Events(Base):
    """Events, sorted by their time, that cause others; some are dropped, others made at once in a list of a step."""

    def begin(self) -> None:
        self.events = [(float(self.np_random.random()), k % 3) for k in range(int(self.np_random.integers(1, 30)))]
        self.log: list[str] = []

    def act(self, action: int) -> float:
        self.events.sort()
        time, kind = self.events.pop(0)
        new = [time + 0.5 * k for k in range(kind + action + (80 if self.t == 30 else 0))]
        for one in new[:3]:
            self.events.append((one, len(self.events) % 3))
        self.events = [(when, what) for when, what in self.events if what != 1 or when < time + 1.0]
        self.log.append("first" if kind == 0 else "other")
        return time

    def seen(self) -> Any:
        return np.array([len(self.events), self.log.count("first")], np.float64)

    def over(self) -> bool:
        return not self.events


class Deck(Base):
    """Cards that are shuffled by keys which are drawn, one for each card in its order."""

    def begin(self) -> None:
        self.cards = [(value, value % 3) for value in range(9)]
        self.np_random.shuffle(self.cards)

    def act(self, action: int) -> float:
        if action and self.cards:
            self.cards.pop()
        self.cards = sorted(self.cards, key=lambda card: self.np_random.random())
        self.cards.sort(key=lambda card: (card[1], self.np_random.integers(2)), reverse=True)
        return 0.0

    def seen(self) -> Any:
        return np.array([self.cards[0][0] if self.cards else -1, sum(card[0] for card in self.cards)], np.float64)


class Tour(Base):
    """A tour of cities, whose list is the index of an array."""

    def begin(self) -> None:
        self.tour = [0]

    def act(self, action: int) -> float:
        self.tour.append((self.tour[-1] + action) % 9)
        return 0.0

    def seen(self) -> Any:
        visits = np.zeros(9, np.int8)
        visits[self.tour] += 1
        return np.array([visits.sum(), np.arange(9)[self.tour].sum()], np.float64)


KINDS = [Deck, Tour, Snake, Queue, History, Stack, Events]


def assert_same(kind: Any, n: int, mode: AutoresetMode, steps: int = 160, **options: Any) -> PlainVectorEnv:
    """Compare each result of machine code with that of sync."""
    ours = PlainVectorEnv(kind, n, autoreset_mode=mode, trial="off", **options)
    sync = SyncVectorEnv([kind] * n, autoreset_mode=mode)
    assert not first_difference("reset", sync.reset(seed=3), ours.reset(seed=3), None)
    rng = np.random.default_rng(0)
    for t in range(steps):
        actions = rng.integers(0, kind.action_space.n, n)
        expected = sync.step(actions)
        assert not first_difference(f"step {t}", expected, ours.step(actions), None)
        over = expected[2] | expected[3]
        if mode is AutoresetMode.DISABLED and over.any():
            expected, found = (one.reset(options={"reset_mask": over.copy()}) for one in (sync, ours))
            assert not first_difference(f"reset {t}", expected, found, None)
    return ours


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", MODES)
def test_they_are_the_same_as_in_sync(kind: Any, mode: AutoresetMode) -> None:
    assert_same(kind, 9, mode)


def test_one_and_many_and_threads() -> None:
    assert_same(Queue, 1, MODES[0])
    assert_same(History, 512, MODES[0], 40, num_threads=2)


def test_lists_get_room_twice_as_much_in_the_middle_of_an_episode() -> None:
    ours = assert_same(History, 3, MODES[0], 69)
    assert len(ours.get_attr("history")[0]) == 70
    (column,) = [one for one in ours._runner.memory.plan.state if one.shape]
    assert column.shape == (128,)


def test_attributes_are_read_and_set() -> None:
    ours, sync = PlainVectorEnv(History, 4), SyncVectorEnv([History] * 4)
    ours.reset(seed=1), sync.reset(seed=1)
    assert ours.get_attr("history") == sync.get_attr("history")
    values = [[0.5 * k for k in range(90 + i)] for i in range(4)]
    ours.set_attr("history", values), sync.set_attr("history", values)
    for _ in range(3):
        assert not first_difference("step", sync.step(np.ones(4, int)), ours.step(np.ones(4, int)), None)
    assert ours.get_attr("history") == sync.get_attr("history")
    with pytest.raises(TypeError):
        ours.set_attr("history", [["a"]] * 4)


@pytest.mark.parametrize("kind", [Snake, History])
def test_snapshots(kind: Any) -> None:
    """Those from before lists got more room, too, and in other batches."""
    ours = PlainVectorEnv(kind, 8, trial="off")
    ours.reset(seed=1)
    actions = np.random.default_rng(0).integers(0, 3, (60, 8))
    ours.step(actions[0])
    early, row = ours.get_state(), ours.get_state(3)
    results = [ours.step(one) for one in actions[1:]]
    late = ours.get_state()
    others = [pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours), PlainVectorEnv(kind, 8, trial="off")]
    others[2].reset(seed=7)
    others[2].set_state(None, late)
    expected = ours.step(actions[0])
    for other in others:
        assert not first_difference("step", expected, other.step(actions[0]), None)
    ours.set_state(3, row)
    ours.set_state(None, early)
    for one, result in zip(actions[1:], results, strict=True):
        assert not first_difference("step", result, ours.step(one), None)


@pytest.mark.parametrize("mode", MODES)
def test_rollouts(mode: AutoresetMode) -> None:
    policy = MLP([Layer(np.random.default_rng(0).normal(size=(3, 2)), np.zeros(3))], None, action_space=Discrete(3))
    ours = PlainVectorEnv(History, 300, autoreset_mode=mode, trial="off", num_threads=2)
    sync = SyncVectorEnv([History] * 300, autoreset_mode=mode)
    one, other = (palaestra.rollout(envs, policy, 90, start=envs.reset(seed=2)[0]) for envs in (ours, sync))
    for name in ("observations", "rewards", "terminated", "truncated"):
        assert np.array_equal(np.asarray(getattr(one, name)), np.asarray(getattr(other, name))), name


def test_an_exception_is_that_of_python() -> None:
    class Fails(Stack):
        def act(self, action: int) -> float:
            self.stack += [1] * 5
            return 1.0 if self.t < 50 else self.stack[999]

    ours = PlainVectorEnv(Fails, 2, trial="off")
    ours.reset(seed=1)
    for _ in range(49):
        ours.step(np.zeros(2, int))
    with pytest.raises(IndexError):
        ours.step(np.zeros(2, int))


class Shared(Base):
    """A list of the class, which belongs to all environments."""

    words: ClassVar[list[int]] = [1, 2]

    def begin(self) -> None:
        pass

    def act(self, action: int) -> float:
        words = self.words
        words += [action]
        return 0.0

    def seen(self) -> Any:
        return np.array([len(self.words), 0.0])


def test_a_list_that_all_environments_share_is_not_changed_in_place() -> None:
    with pytest.raises(CannotCompile, match="a constant list is changed"):
        PlainVectorEnv(Shared, 2).reset(seed=1)
