"""Classes whose lists hold lists, dicts and arrays, and grow: the same as in sync."""

from __future__ import annotations

import copy
import pickle
from collections import defaultdict, deque
from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.trial import first_difference
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.test_growing import Base, assert_same

MODES = list(AutoresetMode)


class Four(Base):
    """Four numbers are seen."""

    observation_space = Box(-np.inf, np.inf, (4,), np.float64)

    def over(self) -> bool:
        return self.t > 12 and float(self.np_random.random()) < 0.1


class Piles(Four):
    """Piles of cards; one of them moves to a list of piles, and another takes its place."""

    def begin(self) -> None:
        self.piles: list[list[int]] = [[] for _ in range(3)]
        self.moved: list[list[int]] = []
        self.now = [0]
        self.rows: list[list[int]] = []

    def act(self, action: int) -> float:
        self.piles[action].append(int(self.np_random.integers(9)))
        if self.np_random.random() < 0.3 and self.piles[0]:
            self.moved.append(self.piles[0])
            self.piles[0] = []
        self.now.append(action)  # which `rows` shows, too
        if len(self.now) == 2:
            self.rows.append(self.now)
        if len(self.now) > 3:
            self.now = [self.t]
        return sum(len(one) for one in self.piles)

    def seen(self) -> Any:
        moved, rows = sum(sum(one) for one in self.moved), sum(len(one) for one in self.rows)
        return np.array([len(self.piles[0]), sum(self.piles[1]), moved, rows], np.float64)

    def told(self) -> dict[str, Any]:
        return {"rows": self.rows, "last": self.now}


class Pipes(Four):
    """Dicts in a deque, which are changed where they are."""

    def begin(self) -> None:
        self.pipes: deque[dict[str, Any]] = deque()
        for k in range(3):
            self.pipes.append(self.made(10 * k))

    def made(self, x: int) -> dict[str, Any]:
        return {"x": x, "gap": float(self.np_random.random()), "passed": False}

    def act(self, action: int) -> float:
        passed = 0.0
        for pipe in self.pipes:
            pipe["x"] -= action
            if pipe["x"] < 0 and not pipe["passed"]:
                pipe["passed"] = True
                passed += 1
        if self.pipes[0]["x"] < -3:
            self.pipes.popleft()
            self.pipes.append(self.made(self.pipes[-1]["x"] + 10))
        return passed

    def seen(self) -> Any:
        near = [pipe for pipe in self.pipes if pipe["x"] > 0][:2]
        second = near[1]["x"] if len(near) > 1 else -1
        return np.array([near[0]["x"], near[0]["gap"], second, len(self.pipes)], np.float64)


class Graph(Four):
    """Dicts of lists."""

    def begin(self) -> None:
        self.edges: defaultdict[int, list[int]] = defaultdict(list)
        self.times: dict[int, list[int]] = {}

    def act(self, action: int) -> float:
        self.edges[int(self.np_random.integers(4))].append(action)
        self.times.setdefault(action, []).append(self.t)
        return len(self.edges)

    def seen(self) -> Any:
        most = max(len(one) for one in self.edges.values()) if len(self.edges) else 0
        return np.array([len(self.edges[0]), sum(self.edges[1]), len(self.times), most], np.float64)


class Job:
    """It has operations, and notes those that are done."""

    def __init__(self, k: int, operations: list[tuple[int, int]]) -> None:
        self.k, self.operations = k, operations
        self.log: list[tuple[int, int]] = []

    def left(self) -> int:
        return sum(one[1] for one in self.operations[len(self.log) :])


class Shop(Four):
    """Objects in a queue, which hold lists."""

    def begin(self) -> None:
        self.jobs = [Job(k, [(k, int(self.np_random.integers(5))) for _ in range(3)]) for k in range(4)]
        self.queue: deque[Job] = deque()

    def act(self, action: int) -> float:
        job = self.jobs[int(self.np_random.integers(4))]
        if len(job.log) < 3:
            job.log.append((action, self.t))
        if job not in self.queue:
            self.queue.append(job)
        if len(self.queue) > 2:
            self.queue.popleft().operations.append((9, action))
        return job.left()

    def seen(self) -> Any:
        left, noted = sum(one.left() for one in self.jobs), sum(len(one.log) for one in self.jobs)
        return np.array([len(self.queue), left, noted, len(self.jobs[0].operations)], np.float64)


class Long(Four):
    """Lists in a list that get long in the middle of an episode."""

    def begin(self) -> None:
        self.rows = [[0], [1]]

    def act(self, action: int) -> float:
        for k in range(6):
            self.rows[k % len(self.rows)].append(self.t)
        if action == 0:
            self.rows.append([7])
        return len(self.rows[0])

    def seen(self) -> Any:
        return np.array([len(self.rows), len(self.rows[0]), sum(self.rows[-1]), sum(self.rows[1])], np.float64)


class Frames(Four):
    """The last arrays, of which one is an attribute, too; and a trail of all."""

    observation_space = Box(-np.inf, np.inf, (4, 2), np.float64)

    def begin(self) -> None:
        self.at = np.zeros(2)
        self.frames: deque[Any] = deque([self.at] * 4, maxlen=4)
        self.trail = [self.at]

    def act(self, action: int) -> float:
        self.at = self.at.copy()
        self.at[0] += action
        self.frames.append(self.at)
        self.trail.append(self.at)
        return float(np.linalg.norm(self.trail[-1] - self.trail[-2]))

    def seen(self) -> Any:
        return np.stack(self.frames)

    def told(self) -> dict[str, Any]:
        return {"first": self.trail[0], "trail": self.trail}


class Grid(Four):
    """Rows of a grid of known size are in a list that grows, too, and one has a name of its own."""

    def begin(self) -> None:
        self.grid = [[0] * 3 for _ in range(3)]
        self.row = self.grid[0]
        self.seen_rows: list[list[int]] = []
        self.grids: list[list[list[int]]] = []

    def act(self, action: int) -> float:
        self.grid[action][self.t % 3] += 1
        self.row[2] -= 1
        self.row = self.grid[action]
        self.seen_rows.append(self.row)
        self.grids.append([row[:] for row in self.grid])
        return sum(self.seen_rows[0]) + sum(self.grids[0][action])

    def seen(self) -> Any:
        return np.array(
            [sum(map(sum, self.grid)), self.row is self.grid[0], len(self.grids), self.grid[1][1]], np.float64
        )


KINDS = [Piles, Pipes, Graph, Shop, Long, Frames, Grid]


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_the_same_as_in_sync(kind: Any) -> None:
    """In one mode each; all of them together in all modes."""
    assert_same(kind, 5, MODES[KINDS.index(kind) % len(MODES)], 120)


@pytest.mark.parametrize("kind", [Piles, Long])
def test_snapshots(kind: Any) -> None:
    """Those from before lists got more room, too, and in other batches."""
    ours = PlainVectorEnv(kind, 4, trial="off")
    ours.reset(seed=1)
    actions = np.random.default_rng(0).integers(0, 3, (40, 4))
    ours.step(actions[0])
    early = ours.get_state()
    results = [ours.step(one) for one in actions[1:]]
    late = ours.get_state()
    others = [pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours), PlainVectorEnv(kind, 4, trial="off")]
    others[2].reset(seed=7)
    others[2].set_state(None, late)
    expected = ours.step(actions[0])
    for other in others:
        assert not first_difference("step", expected, other.step(actions[0]), None)
    ours.set_state(None, early)
    for one, result in zip(actions[1:], results, strict=True):
        assert not first_difference("step", result, ours.step(one), None)


def test_attributes_are_read_as_python_has_them() -> None:
    """One list that two attributes hold is one."""
    ours, sync = PlainVectorEnv(Piles, 3), SyncVectorEnv([Piles] * 3)
    ours.reset(seed=1), sync.reset(seed=1)
    ours.step(np.ones(3, int)), sync.step(np.ones(3, int))
    for name in ("piles", "rows", "now"):
        assert ours.get_attr(name) == sync.get_attr(name)


class Changed(Frames):
    """An array in a list is changed in place by its other name."""

    def act(self, action: int) -> float:
        self.at[0] += action
        self.trail.append(self.at)
        return 0.0


def test_an_array_in_a_list_is_not_changed_in_place() -> None:
    with pytest.raises(CannotCompile, match="is changed"):
        PlainVectorEnv(Changed, 2)


class Heap(Four):
    """Lists in a list get more items than a step has room for."""

    def begin(self) -> None:
        self.piles: list[list[int]] = [[], [], []]

    def act(self, action: int) -> float:
        for k in range(100):
            self.piles[action].append(k)
        return 0.0

    def over(self) -> bool:
        return False

    def seen(self) -> Any:
        return np.array([len(self.piles[0]), self.t, 0, 0], np.float64)


def test_a_step_that_needs_more_room_than_there_is_raises_so() -> None:
    ours = PlainVectorEnv(Heap, 2, trial="off")
    ours.reset(seed=1)
    with pytest.raises(OverflowError, match="Environment 0: the lists of a step need more room"):
        for _ in range(200):
            ours.step(np.zeros(2, int))
