"""Classes with deques, heaps, sets and dicts that change: the same as in sync, also where rows run out of room."""

from __future__ import annotations

import bisect
import copy
import heapq
import pickle
from collections import Counter, defaultdict, deque
from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.trial import first_difference
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.test_growing import MODES, Base, assert_same


class Snake(Base):
    """A snake whose body is a deque, on a torus."""

    observation_space = Box(0, 2, (5, 5), np.int64)
    action_space = Discrete(4)

    def begin(self) -> None:
        self.body = deque([(2, 2), (1, 2)])
        self.dead, self.food = False, self.place()

    def place(self) -> Any:
        while True:
            cell = (int(self.np_random.integers(5)), int(self.np_random.integers(5)))
            if cell not in self.body:
                return cell

    def act(self, action: int) -> float:
        dx, dy = [(1, 0), (0, 1), (-1, 0), (0, -1)][action]
        head = ((self.body[0][0] + dx) % 5, (self.body[0][1] + dy) % 5)
        tail = self.body.pop()
        self.dead = head in self.body
        self.body.appendleft(head)
        if head == self.food and len(self.body) < 22:
            self.body.append(tail)
            self.food = self.place()
            return 1.0
        return -0.1

    def over(self) -> bool:
        return self.dead

    def seen(self) -> Any:
        grid = np.zeros((5, 5), np.int64)
        for x, y in self.body:
            grid[y, x] = 1
        grid[self.food[1], self.food[0]] = 2
        return grid


class Frames(Base):
    """The last few numbers, of which one is kept from before the reset."""

    def __init__(self) -> None:
        self.recent: deque[float] = deque(maxlen=4)
        self.all: deque[float] = deque(maxlen=90)

    def begin(self) -> None:
        self.recent.append(float(self.np_random.random()))
        self.all.clear()

    def act(self, action: int) -> float:
        self.recent.append(self.recent[-1] * 0.5 + action)
        self.all.extend([self.recent[0], self.t])
        if action == 2:
            self.recent.rotate(1)
        return sum(self.recent) / len(self.recent)

    def seen(self) -> Any:
        return np.array([self.recent[0], np.mean(self.recent) + len(self.all)])


class Maze(Base):
    """A walk in a maze that marks where it was; the distance to the exit is searched, breadth first."""

    WALLS = frozenset({(1, 1), (1, 2), (3, 3), (2, 4), (4, 1)})
    action_space = Discrete(4)

    def begin(self) -> None:
        self.at = (0, 0)
        self.visited = {self.at}
        self.keys = {(2, 2), (0, 4), (4, 0)}

    def neighbours(self, cell: Any) -> Any:
        x, y = cell
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [one for one in near if 0 <= one[0] < 5 and 0 <= one[1] < 5 and one not in self.WALLS]

    def distance(self) -> int:
        queue = deque([self.at])
        steps = {self.at: 0}
        while queue:
            cell = queue.popleft()
            if cell == (4, 4):
                return steps[cell]
            for one in self.neighbours(cell):
                if one not in steps:
                    steps[one] = steps[cell] + 1
                    queue.append(one)
        return -1

    def act(self, action: int) -> float:
        dx, dy = [(1, 0), (0, 1), (-1, 0), (0, -1)][action]
        to = (self.at[0] + dx, self.at[1] + dy)
        reward = -0.1
        if to in self.neighbours(self.at):
            reward += 0.5 if to not in self.visited else 0.0
            self.at = to
            self.visited.add(to)
            self.keys.discard(to)
        return reward - 0.01 * self.distance()

    def over(self) -> bool:
        return self.at == (4, 4) and not self.keys

    def seen(self) -> Any:
        left = min((abs(x - self.at[0]) + abs(y - self.at[1]) for x, y in self.keys), default=0)
        return np.array([len(self.visited) + 0.1 * left, sum(1 for x, y in self.visited if x > y)])

    def told(self) -> dict[str, Any]:
        return {"corners": len(self.visited & {(0, 0), (0, 4), (4, 0)}), "all": self.visited >= {(0, 0), (0, 1)}}


class Boxes(Base):
    """Boxes that are pushed onto goals, seen as a picture."""

    observation_space = Box(0, 5, (6, 6), np.int64)
    action_space = Discrete(4)
    GOALS = frozenset({(1, 1), (4, 4)})

    def begin(self) -> None:
        self.at = (0, 0)
        self.boxes = {(int(self.np_random.integers(1, 5)), 2), (3, int(self.np_random.integers(3, 5)))}

    def act(self, action: int) -> float:
        dx, dy = [(1, 0), (0, 1), (-1, 0), (0, -1)][action]
        before = len(self.boxes & self.GOALS)
        to = ((self.at[0] + dx) % 6, (self.at[1] + dy) % 6)
        beyond = ((to[0] + dx) % 6, (to[1] + dy) % 6)
        if to in self.boxes:
            if beyond in self.boxes:
                return -1.0
            self.boxes.remove(to)
            self.boxes.add(beyond)
        self.at = to
        return len(self.boxes & self.GOALS) - before

    def over(self) -> bool:
        return self.boxes == self.GOALS

    def seen(self) -> Any:
        grid = np.zeros((6, 6), np.int64)
        for goal in self.GOALS:
            grid[goal] = 2
        for x, y in self.boxes:
            grid[x, y] = 4 if (x, y) in self.GOALS else 3
        grid[self.at] = 5
        return grid


class Servers(Base):
    """Jobs on servers; the next events wait in a heap, and times of arrival in a sorted list."""

    def begin(self) -> None:
        self.events: list[Any] = []
        self.times: list[float] = []
        self.load = [0, 0, 0]
        self.now = 0.0

    def act(self, action: int) -> float:
        for _ in range(3 if self.t != 30 else 70):
            heapq.heappush(self.events, (self.now + float(self.np_random.exponential()), action))
            self.load[action] += 1
        bisect.insort(self.times, self.now)
        self.now += 0.7
        while self.events and self.events[0][0] <= self.now:
            _, server = heapq.heappop(self.events)
            self.load[server] -= 1
        return -sum(self.load)

    def seen(self) -> Any:
        soon = heapq.nsmallest(2, self.events)
        return np.array([soon[0][0] if soon else -1.0, bisect.bisect(self.times, 3.0)])


class Inventory(Base):
    """Things that are found, used up and counted, by their places and kinds."""

    PRICES = {(kind, size): kind * 1.5 + size for kind in range(6) for size in range(5)}

    def begin(self) -> None:
        self.held: dict[Any, int] = {}
        self.kinds: Counter[int] = Counter()
        self.visits: defaultdict[Any, float] = defaultdict(float)
        self.value = 0.0

    def act(self, action: int) -> float:
        key = (int(self.np_random.integers(6)), action)
        self.held[key] = self.held.get(key, 0) + 1
        self.kinds[key[0]] += 1
        self.visits[(action, self.t % 2)] += 0.5
        if self.held[key] > 3:
            del self.held[key]
        self.value = sum(self.PRICES[one] * count for one, count in self.held.items())
        if len(self.held) > 12:
            self.held.popitem()
        return self.value

    def seen(self) -> Any:
        best = max(self.held, key=lambda one: (self.held[one], one)) if self.held else (0, 0)
        return np.array([best[0] + 10 * best[1], self.kinds.most_common(1)[0][1] if self.kinds else -1], np.float64)

    def told(self) -> dict[str, Any]:
        return {"n": len(self.held), "sum": float(sum(self.visits.values())), "third": self.kinds[3]}


class Made(Base):
    """Containers that are made once; one gets keys that no sample has seen."""

    def __init__(self) -> None:
        self.ever: set[Any] = set()
        self.counts: Counter[int] = Counter()

    def begin(self) -> None:
        self.late = {0: 0}

    def act(self, action: int) -> float:
        self.ever.add((action, self.t % 7))
        self.counts[action] += 1
        if self.t > 45:
            self.late[self.t] = action
        return sum(self.counts.values())

    def seen(self) -> Any:
        return np.array([len(self.ever), sum(key * value for key, value in self.late.items())], np.float64)


KINDS = [Snake, Frames, Maze, Boxes, Servers, Inventory, Made]


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_the_same_as_in_sync(kind: Any) -> None:
    for mode, n in zip(MODES, (8, 1, 8), strict=True):
        assert_same(kind, n, mode)


def test_attributes_are_read_and_set_and_kept() -> None:
    ours, sync = PlainVectorEnv(Inventory, 3, trial="off"), SyncVectorEnv([Inventory] * 3)
    ours.reset(seed=1), sync.reset(seed=1)
    actions = np.array([0, 1, 2])
    for _ in range(9):
        ours.step(actions), sync.step(actions)
    for name in ("held", "kinds", "visits"):
        mine, theirs = ours.get_attr(name), sync.get_attr(name)
        assert mine == theirs
        assert [(type(one), list(one)) for one in mine] == [(type(one), list(one)) for one in theirs]
    held = [{(k % 6, k // 6): 1 for k in range(20 + i)} for i in range(3)]
    ours.set_attr("held", held), sync.set_attr("held", held)
    others = [pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)]
    expected = sync.step(actions)
    for one in (ours, *others):
        assert not first_difference("step", expected, one.step(actions), None)
    with pytest.raises(TypeError):
        ours.set_attr("held", [{"a": 1}] * 3)
    frames = PlainVectorEnv(Frames, 2, trial="off")
    frames.reset(seed=1)
    assert [one.maxlen for one in frames.get_attr("recent")] == [4, 4]
    with pytest.raises(TypeError):
        frames.set_attr("recent", [deque([1.0])] * 2)


class Twice(Made):
    def begin(self) -> None:
        super().begin()
        self.other = self.ever


class Common(Made):
    common: deque[int] = deque(maxlen=3)

    def begin(self) -> None:
        super().begin()
        self.common.append(1)


def test_what_two_attributes_share_is_one() -> None:
    assert_same(Twice, 3, MODES[0])


def test_what_all_environments_share_is_not_changed() -> None:
    with pytest.raises(CannotCompile, match=r"a constant deque is changed"):
        PlainVectorEnv(Common, 2)
