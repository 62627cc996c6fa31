"""Classes with objects that cannot be followed: they are in pools, and what one reference changes all others see."""

from __future__ import annotations

import copy
import pickle
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.spaces import Box, Dict, Discrete, Text
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.trial import first_difference
from palaestra.runner.classes.vector_env import PlainVectorEnv


class Base(gymnasium.Env[Any, Any]):
    """What all have in common: some numbers are seen."""

    observation_space = Box(-np.inf, np.inf, (4,), np.float64)
    action_space = Discrete(3)
    last = 40

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.t = 0
        self.begin()
        return self.seen(), {}

    def step(self, action: Any) -> Any:
        self.t += 1
        self.act(int(action))
        return self.seen(), 0.0, False, self.t >= self.last, {}

    def begin(self) -> None:
        raise NotImplementedError

    def act(self, action: int) -> None:
        raise NotImplementedError

    def seen(self) -> Any:
        raise NotImplementedError


class Point:
    """A place that moves, with another one behind it."""

    def __init__(self, x: float, following: Point | None = None) -> None:
        self.x, self.following = x, following
        self.place = np.array([x, 0.0])

    def __bool__(self) -> bool:
        return self.x < 3.0


class ChainEnv(Base):
    """A linked list that is made anew again and again, so that places run out; arrays and copies in it."""

    def begin(self) -> None:
        self.head = None
        self.kept = Point(-1.0)
        self.also = self.kept
        for k in range(3):
            self.head = Point(float(k), self.head)

    def act(self, action: int) -> None:
        for _ in range(3 * action):
            self.head = Point(float(self.np_random.random()), self.head)
        count = 0
        node = self.head
        while node is not None:
            count += 1
            if count > 30:
                node.following = None
            node.x += 0.5
            node.place = node.place + node.x
            node = node.following
        if action == 0:
            self.kept = copy.copy(self.head) if self.head is not None else Point(0.0)
            self.kept.x -= 1.0
        self.also.x += 0.25

    def seen(self) -> Any:
        total, node = 0.0, self.head
        while node:
            total += node.place[0]
            node = node.following
        return np.array([total, self.kept.x, self.also.x, float(self.kept is self.also)])


class NothingThereEnv(Base):
    """An attribute of None is changed, later than any sample takes."""

    last = 60

    def begin(self) -> None:
        self.points: list[Point | None] = [Point(1.0), None, Point(2.0), Point(3.0), None]

    def act(self, action: int) -> None:
        if self.t == 50 and action == 2:
            self.points[1].x += 1.0  # type: ignore[union-attr]

    def seen(self) -> Any:
        return np.array([0.0 if one is None else one.x for one in self.points[:4]])


class InPlaceEnv(Base):
    """An array is changed of which an object in a list has a copy, in machine code."""

    def begin(self) -> None:
        self.points: list[Point] = []
        self.origin = np.zeros(2)

    def act(self, action: int) -> None:
        point = Point(0.0)
        point.place = self.origin
        self.points.append(point)
        self.origin[0] += 1.0

    def seen(self) -> Any:
        return np.array([sum(one.place[0] for one in self.points), 0.0, 0.0, 0.0])


@dataclass
class Room:
    """It has a name out of some."""

    name: str
    light: bool = False


class MissionEnv(Base):
    """What is seen has a text in it, made of texts."""

    observation_space = Dict({"mission": Text(40), "place": Box(0, 9, (1,), np.int64)})

    def begin(self) -> None:
        self.rooms = [Room("hall"), Room("attic"), None, Room("cellar")]
        self.at = int(self.np_random.integers(2))
        kind = "go" if self.np_random.random() < 0.5 else "run"
        self.mission = "%s to the %s" % (kind, self.rooms[self.at].name)  # noqa: UP031

    def act(self, action: int) -> None:
        room = self.rooms[(self.at + action) % 4]
        if room is not None:
            room.light = not room.light
            self.at = (self.at + action) % 4

    def seen(self) -> Any:
        return {"mission": self.mission, "place": np.array([self.at])}


class WordEnv(Base):
    """What is seen is a text alone."""

    observation_space = Text(8)

    def begin(self) -> None:
        self.x = 0

    def act(self, action: int) -> None:
        self.x += action - 1

    def seen(self) -> Any:
        return "right" if self.x > 0 else "left"


class QueueEnv(Base):
    """Objects wait in a deque, one of which has another name."""

    def begin(self) -> None:
        self.rooms = deque([Room("hall"), Room("attic")])
        self.last_room = self.rooms[-1]

    def act(self, action: int) -> None:
        kind = "new" if self.np_random.random() < 0.5 else "old"
        self.rooms.append(Room(f"{kind} {self.last_room.name[:1]}", light=action > 0))
        self.last_room = self.rooms[-1]
        if len(self.rooms) > 5:
            self.rooms.popleft().light = False
        self.last_room.light = not self.last_room.light

    def seen(self) -> Any:
        is_new = self.last_room.name.startswith("new")
        nothing = found = object()
        for one in self.rooms:
            found = one if one.light else found
        return np.array([sum(one.light for one in self.rooms), is_new, len(self.last_room.name), found is nothing])


class Plain:
    """It has a place, and what it is given."""

    def __init__(self, held: Any = None) -> None:
        self.held = held


class KeyedEnv(Base):
    """Objects are in a set."""

    def begin(self) -> None:
        self.made = [Plain()]
        self.known = {self.made[0]}

    def act(self, action: int) -> None:
        self.made.append(Plain())
        if self.made[action - 1] in self.known:
            self.known.add(self.made[-1])

    def seen(self) -> Any:
        return np.array([len(self.known), 0.0, 0.0, 0.0])


class HolderEnv(KeyedEnv):
    """Objects in a list hold a generator, which may be the one from before a reset."""

    def begin(self) -> None:
        self.made = [Plain(self.np_random)]

    def act(self, action: int) -> None:
        self.made.append(Plain(self.np_random))

    def seen(self) -> Any:
        return np.array([self.made[0].held.random(), 0.0, 0.0, 0.0])


def _same(kind: type[Any], mode: AutoresetMode, n: int, steps: int = 90) -> PlainVectorEnv:
    ours = PlainVectorEnv(kind, n, autoreset_mode=mode)
    sync = SyncVectorEnv([kind] * n, autoreset_mode=mode)
    sync.action_space.seed(1)
    assert not first_difference("reset", sync.reset(seed=3), ours.reset(seed=3), None)
    for t in range(steps):
        action = sync.action_space.sample()
        expected = sync.step(action)
        assert not first_difference(f"step {t}", expected, ours.step(action), None)
        if mode is AutoresetMode.DISABLED and expected[3].any():
            options = {"reset_mask": expected[3]}
            assert not first_difference("reset", sync.reset(options=options), ours.reset(options=options), None)
    return ours


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [ChainEnv, MissionEnv, QueueEnv, WordEnv])
def test_they_are_as_in_sync(kind: type[Any]) -> None:
    for mode, n in zip(AutoresetMode, (1, 9, 8), strict=True):
        _same(kind, mode, n)


def test_objects_are_shown_and_kept_as_python_has_them() -> None:
    envs = PlainVectorEnv(ChainEnv, 2)
    envs.reset(seed=3)
    envs.step(np.array([1, 2]))
    state = envs.get_state()
    again = pickle.loads(pickle.dumps(envs))
    heads, both = envs.call("head"), zip(envs.call("kept"), envs.call("also"), strict=True)
    assert [type(one) for one in heads] == [Point, Point]
    assert heads[0].following.following.following.x == 2.5  # three are new, and the first of the others was 2.0
    assert isinstance(heads[0].place, np.ndarray)
    assert [one.x == other.x for one, other in both] == [True, True]
    actions = np.array([2, 0])
    expected = [envs.step(actions) for _ in range(5)]
    assert not first_difference("a copy", expected, [again.step(actions) for _ in range(5)], None)
    envs.set_state(None, state)
    assert not first_difference("a snapshot", expected, [envs.step(actions) for _ in range(5)], None)


def test_an_attribute_of_none_raises_as_in_python() -> None:
    envs = PlainVectorEnv(NothingThereEnv, 2)
    envs.reset(seed=1)
    for _ in range(49):
        envs.step(np.array([0, 2]))
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'x'"):
        envs.step(np.array([0, 2]))


def test_an_array_that_an_object_has_a_copy_of_is_not_changed_in_place() -> None:
    with pytest.raises(CannotCompile, match=r"origin is changed|changed in place"):
        PlainVectorEnv(InPlaceEnv, 1)


def test_objects_are_no_keys_and_hold_no_generators() -> None:
    for kind, reason in ((KeyedEnv, "in a set|is a set"), (HolderEnv, "held of a Plain, .* holds a random generator")):
        with pytest.raises(CannotCompile, match=reason):
            PlainVectorEnv(kind, 1)
