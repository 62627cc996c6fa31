"""A compiled batch of a plain class has all that batches have."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.error import Error
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.error import CannotCompile
from palaestra.runner.classes.trial import first_difference
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import CounterEnv, assert_same, env_of

N = 4


@pytest.fixture(scope="module")
def envs() -> Iterator[PlainVectorEnv]:
    """One batch for all tests, because it is compiled."""
    made = PlainVectorEnv(CounterEnv, N, autoreset_mode="SameStep")
    yield made
    made.close()


def test_it_equals_sync(envs: PlainVectorEnv) -> None:
    own = SyncVectorEnv([CounterEnv] * N, autoreset_mode="SameStep")
    envs.set_attr("bonus", 0.5)
    assert not first_difference("reset", own.reset(seed=5), envs.reset(seed=5), None)
    own.action_space.seed(5)
    for k in range(60):
        actions = own.action_space.sample()
        assert not first_difference(f"step {k}", own.step(actions), envs.step(actions), None)


def test_attributes_are_those_of_the_class(envs: PlainVectorEnv) -> None:
    envs.reset(seed=1)
    places = envs.get_attr("place")
    assert all(0 <= place < 5 for place in places)
    envs.set_attr("place", 2)
    assert envs.get_attr("place") == (2,) * N
    envs.set_attr("bonus", [0.0, 1.0, 2.0, 3.0])
    envs.step(np.zeros(N, np.int64))
    assert envs.step(np.full(N, 2))[1].tolist() == [0.0, 1.0, 2.0, 3.0]
    with pytest.raises(TypeError, match="part of the machine code"):
        envs.set_attr("moves", {})
    envs.set_attr("bonus", 0.5)


RESET_ONLY = """\
TABLE = np.arange(2.0)

class Part:
    def __init__(self):
        self.size, self.kept = 1, 2

class E(gymnasium.Env):
    def __init__(self):
        self.observation_space, self.action_space = Discrete(10), Discrete(3)
        self.n, self.word, self.table, self.pair, self.zero, self.part = 7, "a", None, (1, 2), 0.0, Part()
    def reset(self, **kwargs):
        super().reset(**kwargs)
        self.n, self.word, self.table, self.pair, self.zero, self.part.size = 3, "b", TABLE, (3, 4.0), -0.0, 5
        self.late = "c"
        return 0, {}
    def step(self, action):
        return 0, 0.0, False, False, {}
"""


def test_an_attribute_that_resets_alone_write_is_that_of_the_reset() -> None:
    kind = env_of(RESET_ONLY)
    ours, sync = PlainVectorEnv(kind, 2, trial="off"), SyncVectorEnv([kind] * 2)
    assert ours.get_attr("n") == sync.get_attr("n") == (7, 7)
    for envs in (ours, sync):
        envs.reset(seed=0)

    for name in ("n", "word", "pair", "zero", "late"):
        assert repr(ours.get_attr(name)) == repr(sync.get_attr(name))
    assert [(part.size, part.kept) for part in ours.get_attr("part")] == [(5, 2)] * 2
    assert all(np.array_equal(table, [0.0, 1.0]) for table in ours.get_attr("table"))


def test_an_exception_is_that_of_the_class(envs: PlainVectorEnv) -> None:
    envs.reset(seed=1)
    envs.set_attr("visits", np.array([7, 0, 0, 0, 0]))
    with pytest.raises(RuntimeError, match="was visited too often") as raised:
        envs.step(np.ones(N, np.int64))
    assert "Environment 0" in raised.value.__notes__[0]


def test_a_moment_is_gone_back_to(envs: PlainVectorEnv) -> None:
    envs.reset(seed=2)
    moment, actions = envs.get_state(1), np.full(N, 2)
    after = envs.step(actions)[0][1]
    envs.set_state(1, moment)
    assert np.array_equal(envs.step(actions)[0][1], after)


def test_a_copy_goes_on_alike(envs: PlainVectorEnv) -> None:
    envs.reset(seed=3)
    other = pickle.loads(pickle.dumps(envs))
    actions = np.arange(N) % 3
    for _ in range(5):
        assert not first_difference("step", envs.step(actions), other.step(actions), None)
    other.close()


def test_options_are_refused_and_never_ignored(envs: PlainVectorEnv) -> None:
    with pytest.raises(Error, match="resets without options"):
        envs.reset(seed=3, options={"anything": 1})


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="trial is one of"):
        PlainVectorEnv(CounterEnv, 2, trial="perhaps")
    with pytest.raises(Error):
        PlainVectorEnv(CounterEnv, 2, render_mode="human")


def test_wrappers_inside_are_refused_and_never_dropped() -> None:
    with pytest.raises(Error, match="has wrappers, which a compiled batch cannot hold"):
        PlainVectorEnv(lambda: TimeLimit(CounterEnv(), 5), 2)


class OwnSeedEnv(CounterEnv):
    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        super().reset(seed=3)
        self.start = float(self.np_random.random())
        return super().reset()


class SeedingStepEnv(CounterEnv):
    def step(self, action: Any) -> Any:
        self.reset(seed=5)
        return super().step(action)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(OwnSeedEnv, "not seeded with the seed that reset gets"), (SeedingStepEnv, "a step seeds the environment")],
)
def test_other_seeds_are_refused(kind: Any, reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        PlainVectorEnv(kind, 2).reset(seed=1)


class Place(NamedTuple):
    x: float


class Walk(FuncEnv):
    """Dynamics without params."""

    observation_space, action_space = Box(-np.inf, np.inf, (1,), np.float64), Discrete(3)

    @staticmethod
    def initial(rng, params):
        return Place(rng.normal())

    @staticmethod
    def transition(state, action, rng, params):
        return Place(state.x + action - 1)

    @staticmethod
    def observation(state, rng, params):
        return (state.x,)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.x

    @staticmethod
    def terminal(state, rng, params):
        return state.x > 2


class PraisedWalk(FunctionalEnv):
    """An environment of such dynamics, whose rewards are higher."""

    def __init__(self) -> None:
        super().__init__(Walk)

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, reward + 1.0, terminated, truncated, info


def test_an_environment_of_dynamics_without_params_compiles() -> None:
    assert_same(PraisedWalk)


def test_a_space_that_was_printed_is_the_same_space() -> None:
    """A Box keeps the texts of its bounds once it has made them."""

    space = Box(-100.0, 100.0, (3,), np.float32)
    repr(space)

    class Printed(CounterEnv):
        def __init__(self) -> None:
            super().__init__()
            self.observation_space = space

    assert_same(Printed)


def test_a_class_that_was_typed_is_told_so_without_a_place() -> None:
    names: dict[str, Any] = {"CounterEnv": CounterEnv}
    exec("class Typed(CounterEnv):\n    def step(self, action):\n        return super().step(action)\n", names)

    with pytest.raises(CannotCompile, match=r"the source of step .* is not there: define it in a file"):
        PlainVectorEnv(names["Typed"], 2)


OPTIONS = """\
class E(gymnasium.Env):
    observation_space, action_space = Discrete(9), Discrete(2)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = BEGIN
        return self.x, {}
    def step(self, action):
        return self.x, 0.0, False, False, {}
"""


@pytest.mark.parametrize(
    ("begin", "taken"),
    [("1 if options is None else 2", False), ("(options or {}).get('x', 1)", True), ("5", True)],
)
def test_a_mask_passes_an_empty_dict_of_options(begin: str, taken: bool) -> None:
    envs = PlainVectorEnv(env_of(OPTIONS.replace("BEGIN", begin)), 3)
    envs.reset(seed=1)
    options = {"reset_mask": np.array([True, False, True])}
    if taken:
        envs.reset(options=options)
    else:
        with pytest.raises(Error, match=r"does something else for options={}"):
            envs.reset(options=options)
    envs.close()
