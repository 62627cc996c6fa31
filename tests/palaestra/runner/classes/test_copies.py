"""Copies that differ as they are made: a compiled batch makes each, in order, and keeps what it holds."""

from __future__ import annotations

import pickle
import random
import time
from typing import Any

import numpy as np
import pytest

import gymnasium as gym
from gymnasium import spaces
from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.copies import copies_of
from palaestra.runner.classes.vector_env import PlainVectorEnv


class Bandit(gym.Env[Any, Any]):
    """Arms, a price, a text and a generator, each drawn as it is made; and a number by which it is counted."""

    count = 0

    def __init__(self, wide: bool = False) -> None:
        Bandit.count += 1
        self.id = Bandit.count
        self.name = f"bandit {self.id}"
        self.arms = np.random.rand(5)
        self.price = random.choice([1, 2, 3])
        self.kind = random.choice(["easy", "hard"])
        self.levels = [random.random() for _ in range(3)]
        self.rng = np.random.default_rng(self.id)
        self.sizes = np.zeros(1 + self.id % 3 if wide else 1)
        self.action_space = spaces.Discrete(5)
        self.observation_space = spaces.Box(-np.inf, np.inf, (3,), np.float64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin again with the same arms."""
        super().reset(seed=seed)
        self.t = 0
        return self._seen(), {}

    def _seen(self) -> Any:
        return np.array([self.t, self.price, self.id], np.float64)

    def step(self, a: Any) -> Any:
        """Pull an arm."""
        self.t += 1
        gain = float(self.arms[a]) + self.levels[a % 3] + self.np_random.random() + self.rng.random()
        return self._seen(), gain - (self.price if self.kind == "hard" else 0), self.t >= 7, False, {}


def begin() -> None:
    """Let the process be as it was at the first call."""
    Bandit.count = 0
    random.seed(3)
    np.random.seed(3)


def outside() -> Any:
    """Returns what constructors change, at the next draw."""
    return Bandit.count, random.random(), np.random.rand()


def equal(a: Any, b: Any) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a[:4], b[:4], strict=True))


NAMES = "id", "name", "price", "kind", "levels", "arms"


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_copies_are_those_of_sync(mode: str) -> None:
    for n in (1, 2, 40):
        begin()
        envs = PlainVectorEnv(Bandit, n, autoreset_mode=mode, num_threads=2)
        left = outside()
        begin()
        own = SyncVectorEnv([Bandit] * n, autoreset_mode=mode)
        assert left == outside()
        assert np.array_equal(envs.reset(seed=5)[0], own.reset(seed=5)[0])
        for t in range(20):
            actions = (np.arange(n) + t) % 5
            result = own.step(actions)
            assert equal(envs.step(actions), result)
            if mode == "Disabled" and result[2].any():
                options = {"reset_mask": result[2]}
                assert np.array_equal(envs.reset(options=options)[0], own.reset(options=options)[0])
        for name in NAMES:
            assert np.array_equal(envs.get_attr(name), own.get_attr(name))


@pytest.mark.parametrize("n", [1, 12])
def test_pickles_and_snapshots_hold_what_copies_were_made_with(n: int) -> None:
    envs = PlainVectorEnv(Bandit, n)
    actions = np.arange(n) % 5
    for moved in range(2):
        other = pickle.loads(pickle.dumps(envs))
        for name in NAMES:
            assert np.array_equal(envs.get_attr(name), other.get_attr(name))
        if not moved:
            envs.reset(seed=1)
    for _ in range(9):
        assert equal(envs.step(actions), other.step(actions))
    begin()
    again, same = (_made_again(n) for _ in range(2))
    again.step(actions)
    same.set_state(None, again.get_state())
    for _ in range(9):
        assert equal(again.step(actions), same.step(actions))


def _made_again(n: int) -> PlainVectorEnv:
    begin()
    envs = PlainVectorEnv(Bandit, n)
    envs.reset(seed=2)
    return envs


def test_a_snapshot_of_other_constants_is_refused() -> None:
    one, other = PlainVectorEnv(Bandit, 1), PlainVectorEnv(Bandit, 1)
    one.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="made as"):
        other.set_state(None, one.get_state())


def test_what_differs_can_be_set() -> None:
    envs = PlainVectorEnv(Bandit, 3)
    envs.reset(seed=1)
    envs.set_attr("price", [5, 6, 7])
    assert envs.step(np.zeros(3, np.int64))[0][:, 1].tolist() == [5.0, 6.0, 7.0]


class Wide(Bandit):
    """Reads an array whose shape differs between copies."""

    def __init__(self) -> None:
        super().__init__(wide=True)
        self.f: Any = [abs, round][self.id % 2]

    def step(self, a: Any) -> Any:
        """See `Bandit.step`."""
        seen, gain, terminated, truncated, info = super().step(a)
        return seen, gain + float(self.sizes.sum()) + float(self.f(gain)), terminated, truncated, info


class Counted(Bandit):
    """Reads how many environments there are."""

    def step(self, a: Any) -> Any:
        """See `Bandit.step`."""
        seen, gain, terminated, truncated, info = super().step(a)
        return seen, gain + Bandit.count, terminated, truncated, info


def test_what_no_column_holds_is_refused_with_its_line() -> None:
    with pytest.raises(CannotCompile, match=r"(?s)`self\.f: Any = .*: self\.f is .*, another in each copy: let copies"):
        PlainVectorEnv(Wide, 4)
    with pytest.raises(CannotCompile, match=r"changes `Bandit\.count`, which reset or step reads: keep what __init__"):
        PlainVectorEnv(Counted, 4)


class Rows(Bandit):
    """Has more rows in some copies than in others."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = [[1.0] for _ in range(1 + self.id % 3)]


class Shared(Bandit):
    """Has one list under two names in some copies."""

    def __init__(self) -> None:
        super().__init__()
        self.best = self.levels if self.id > 3 else [0.5, 0.5, 0.5]


@pytest.mark.parametrize(("kind", "name"), [(Rows, "rows"), (Shared, "levels")])
def test_copies_whose_containers_differ_in_number_or_sharing_are_refused(kind: Any, name: str) -> None:
    begin()
    with pytest.raises(CannotCompile, match=rf"self\.{name} holds other containers in some copies"):
        PlainVectorEnv(kind, 5)


class Plain(gym.Env[Any, Any]):
    """Always made alike."""

    time = 0.0

    def __init__(self) -> None:
        self.observation_space = self.action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Make a generator, which no constructor does."""
        self.time, self.rng = 0.0, np.random.default_rng(seed)
        return 0, {}


class Drawing(Plain):
    """Made alike, as far as two copies show, by a constructor that reads a clock."""

    def __init__(self) -> None:
        super().__init__()
        self.late = [time.time() > 1e12 for _ in range(2)]


def test_copies_that_are_alike_are_made_twice() -> None:
    kinds = {Plain: 1, Drawing: 99, Bandit: 99}
    for kind, others in kinds.items():
        assert len(copies_of(kind, 100).others) == others
    assert len(copies_of(Plain, 1).others) == 0
