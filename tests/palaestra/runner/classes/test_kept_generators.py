"""Classes with generators in their attributes: the environment's own in objects, and those that they make."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.spaces import Box, Discrete
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.contracts.compiled_law import assert_same

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]
STEPS = 30


class Weather:
    """Draws from the generator that it is given."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.wind = rng, rng.normal()

    def blow(self) -> float:
        """Change."""
        self.wind += self.rng.normal()
        return self.wind


class Base(gymnasium.Env[Any, Any]):
    """Observes two numbers, for six steps."""

    def __init__(self) -> None:
        self.observation_space = Box(-np.inf, np.inf, (2,), np.float64)
        self.action_space = Discrete(3)

    def seen(self, a: Any, b: Any) -> Any:
        """Return the results of a step."""
        self.t += 1
        return np.array([a, b], np.float64), float(a), self.t > 6, False, {}


class Holds(Base):
    """Holds the environment's generator in objects, in a list of objects, in a tuple and under another name."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        super().reset(seed=seed)
        rng = self.np_random
        self.weather, self.fields = Weather(rng), [Weather(rng) for _ in range(2)]
        self.pair, self.rng, self.t = (rng, 1), rng, 0
        return np.array([self.weather.wind, self.fields[1].wind]), {}

    def step(self, action: Any) -> Any:
        """Draw."""
        for field in self.fields:
            field.blow()
        return self.seen(self.weather.blow() + self.pair[0].random(), self.fields[0].wind + self.rng.integers(7))


class Owns(Base):
    """Has generators of three kinds, made in __init__ and anew, or seeded again, in a reset with a seed."""

    def __init__(self) -> None:
        super().__init__()
        self.rng, self.old, self.dice = np.random.default_rng(3), np.random.RandomState(0), random.Random(1234)
        self.last: int | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        super().reset(seed=seed)
        if seed is not None:
            self.rng, self.old = np.random.default_rng(seed), np.random.RandomState(seed + 1)
            self.dice.seed(seed)
        self.last, self.t = seed, 0
        self.more = random.Random(0 if seed is None else 2 * seed)
        return np.array([self.rng.normal() + self.dice.gauss(0, 1), self.old.randn() + self.more.random()]), {
            "seed": seed
        }

    def step(self, action: Any) -> Any:
        """Draw."""
        cards, places = [1, 2, 3, 4], np.arange(5)
        self.rng.shuffle(cards)
        self.dice.shuffle(cards)
        self.old.shuffle(places)
        a = self.rng.integers(9) + self.dice.randint(1, 6) + self.rng.random() + self.dice.choice([0.5, 1.5]) + cards[0]
        if action > 0:
            a += self.dice.gauss(0, 1) + self.np_random.random()
        return self.seen(a, self.old.randint(5) + self.old.normal(1.0, 2.0) + places[0] + self.more.random())


class Seeded(Base):
    """Has a method `seed`, as classes had it, and no call of `super().reset`."""

    def __init__(self) -> None:
        super().__init__()
        self.seed(5)

    def seed(self, seed: int | None = None) -> list[Any]:
        """Make a generator."""
        self._rng, seed = seeding.np_random(seed)
        return [seed]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        if seed is not None:
            self.seed(seed)
        self.weather, self.t = Weather(np.random.default_rng(7)), 0
        return self._rng.uniform(-1, 1, size=2), {}

    def step(self, action: Any) -> Any:
        """Draw."""
        return self.seen(self._rng.random(), self.weather.blow())


class Assigns(Base):
    """Seeds the environment as its base does, by hand."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        if seed is not None:
            self.np_random, seed = seeding.np_random(seed)
        self.t = 0
        return self.np_random.random(2), {}

    def step(self, action: Any) -> Any:
        """Draw."""
        return self.seen(self.np_random.random(), 0.0)


@pytest.mark.parametrize(("n", "mode"), [(1, MODES[0]), (8, MODES[1]), (9, MODES[2])])
@pytest.mark.parametrize("make", [Holds, Owns, Seeded, Assigns])
def test_a_copy_draws_as_in_sync(make: Callable[[], Any], n: int, mode: AutoresetMode) -> None:
    envs = PlainVectorEnv(make, n, autoreset_mode=mode)
    own = SyncVectorEnv([make] * n, autoreset_mode=mode)
    far = 2**31 if make is Owns else 2**40  # `RandomState` takes 32 bits
    for seed in (3, [far + 7 * i for i in range(n)], None):
        assert_same(envs.reset(seed=seed), own.reset(seed=seed), f"seed {seed}")
        for k, actions in enumerate(np.random.default_rng(n).integers(3, size=(STEPS, n))):
            came, expected = envs.step(actions), own.step(actions)
            assert_same(came, expected, f"step {k}")
            done = expected[2] | expected[3]
            if mode is AutoresetMode.DISABLED and done.any():
                again = {"reset_mask": done}
                assert_same(envs.reset(options=again), own.reset(options=again), f"reset behind {k}")


def _stepped(envs: Any, count: int = 3) -> list[Any]:
    return [envs.step(np.ones(envs.num_envs, np.int64)) for _ in range(count)]


@pytest.mark.parametrize("make", [Holds, Owns])
def test_snapshots_and_attributes_are_those_of_generators(make: Callable[[], Any]) -> None:
    envs, own = PlainVectorEnv(make, 3), SyncVectorEnv([make] * 3)
    for one in (envs, own):
        one.reset(seed=4)
        _stepped(one)
    names = ["rng"] if make is Holds else ["rng", "old", "dice"]
    for name in names:
        ours, theirs = envs.get_attr(name)[1], own.get_attr(name)[1]
        assert type(ours) is type(theirs)
        assert copy.deepcopy(ours).random() == copy.deepcopy(theirs).random()
    state, row, twin, pickled = envs.get_state(None), envs.get_state(1), copy.deepcopy(envs), pickle.dumps(envs)
    expected = _stepped(envs)
    envs.set_state(None, state)
    for again in (envs, twin, pickle.loads(pickled)):
        assert_same(_stepped(again), expected, "again")
    envs.set_state(0, row)
    envs.set_state(1, row)
    envs.fork(1, [2])
    x = envs.step(np.ones(3, np.int64))[0]
    assert x[0].tolist() == x[1].tolist() == x[2].tolist()


def test_an_object_has_the_generator_of_its_environment() -> None:
    envs = PlainVectorEnv(Holds, 2, trial="off")
    envs.reset(seed=1)
    env = envs._attributes._plain(1)
    assert env.weather.rng is env.np_random is env.rng is env.fields[1].rng is env.pair[0]
    with pytest.raises(TypeError, match=r"self\.np_random is held here"):
        envs.set_attr("weather", Weather(np.random.default_rng(3)))


def test_a_generator_may_be_set() -> None:
    envs = PlainVectorEnv(Owns, 2, trial="off")
    envs.reset(seed=1)
    envs.set_attr("dice", random.Random(8))
    assert [one.random() for one in envs.get_attr("dice")] == [random.Random(8).random()] * 2
    with pytest.raises(TypeError, match="a Random is held here"):
        envs.set_attr("dice", np.random.default_rng(8))
    assert envs.get_attr("last") == (1, 2)
    assert "a generator of its own" in envs.dynamics.described()[0]["dice"]


class Anywhere(Base):
    """Has generators without seeds, unless a reset has one."""

    def __init__(self) -> None:
        super().__init__()
        self.dice = random.Random()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        super().reset(seed=seed)
        if seed:
            self.dice = random.Random(seed)
        self.rng, self.old, self.t = np.random.default_rng(seed), np.random.RandomState(seed), 0
        return np.array([self.rng.random() + self.old.rand(), self.dice.random()]), {}

    def step(self, action: Any) -> Any:
        """Draw."""
        return self.seen(self.rng.random() + self.old.rand(), self.dice.random())


def test_without_a_seed_the_operating_system_begins() -> None:
    envs, own = PlainVectorEnv(Anywhere, 9), SyncVectorEnv([Anywhere] * 9)
    drawn = [envs.reset()[0], envs.reset()[0]]
    assert len({x for each in drawn for x in each.ravel().tolist()}) == 36
    seeds = [0, None, *range(1, 8)]
    assert_same(envs.reset(seed=seeds)[0][2:], own.reset(seed=seeds)[0][2:], "seeds")
    assert_same(_stepped(envs)[2][0][2:], _stepped(own)[2][0][2:], "a step")
    with pytest.raises(ValueError, match=r"seeds below 2\*\*63"):
        envs.reset(seed=2**63)


class Late(Holds):
    """Keeps an object over resets."""

    def __init__(self) -> None:
        super().__init__()
        self.weather: Any = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        super(Holds, self).reset(seed=seed)
        if self.weather is None:
            self.weather = Weather(self.np_random)
        self.t = 0
        return np.zeros(2), {}

    def step(self, action: Any) -> Any:
        """Draw."""
        return self.seen(self.weather.blow(), 0.0)


class Twice(Owns):
    """Has a generator under two names."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        result = super().reset(seed=seed)
        self.other = self.rng
        return result


@pytest.mark.parametrize(
    ("make", "reason"),
    [(Late, "keeps the generator from before the reset"), (Twice, r"self\.rng is changed, and may be the same as")],
)
def test_what_is_another_generator_in_python_is_refused(make: Callable[[], Any], reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        PlainVectorEnv(make, 2)
