"""Classes that draw from `random` and `np.random`: each copy of a batch has its own, and the law that says which."""

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
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.own_generators import process_kept
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.contracts.compiled_law import assert_same

pytestmark = pytest.mark.filterwarnings("ignore:.*draws from")
SEED, STEPS = 11, 40
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


class Walk(gymnasium.Env[Any, Any]):
    """Draws from both global generators and from its own, in loops and on some paths only."""

    def __init__(self) -> None:
        self.observation_space = Box(-np.inf, np.inf, (3,), np.float64)
        self.action_space = Discrete(3)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        super().reset(seed=seed)
        if seed is not None:
            random.seed(seed)
            np.random.seed(seed)
        self.t = random.randint(0, 5)
        self.x = np.array([random.random(), np.random.rand(), self.np_random.random()])
        return self.x.copy(), {"t": self.t}

    def step(self, action: Any) -> Any:
        """Draw."""
        self.t += 1
        self.x[0] += random.gauss(0, 1) + action
        if self.x[0] > 1.0:
            self.x[1] = np.random.normal(1.0, 2.0) + random.choice([1, 2, 3])
        for _ in range(int(action)):
            self.x[2] += np.random.choice([0.5, -0.5])
        return self.x.copy(), random.uniform(-1, 1), self.t > 10, False, {"t": self.t}


class Straight(Walk):
    """Draws without loops, so that eight copies are stepped together."""

    def step(self, action: Any) -> Any:
        """Draw."""
        self.t += 1
        v = random.random()
        self.x = np.array([self.x[0] + v, self.x[1] if v > 0.5 else np.random.random_sample(), 0.0])
        return self.x.copy(), v, self.t > 10, False, {}


class Reseeds(Walk):
    """Seeds its generators in steps."""

    def step(self, action: Any) -> Any:
        """Draw."""
        self.t += 1
        if self.t % 3 == 0:
            random.seed(self.t)
            np.random.seed(self.t + 7)
        self.x[0] = random.gauss(0.0, 1.0)
        self.x[1] = np.random.randn()
        return self.x.copy(), 0.0, self.t > 10, False, {}


class Many(Walk):
    """Draws more often in a step than there are words, and raises."""

    def step(self, action: Any) -> Any:
        """Draw."""
        self.t += 1
        self.x[0] = 0.0
        for _ in range(700):
            self.x[0] += random.random() - 0.5
        if self.x[0] > 25.0:
            raise RuntimeError(f"at {self.x[0]!r}")
        return self.x.copy(), 0.0, self.t > 20, False, {}


def _alone(make: Callable[[], Any], i: int, mode: AutoresetMode, actions: Any) -> list[Any]:
    """What the class alone does in a process that is seeded for it."""
    with process_kept():
        random.seed(SEED + i)
        np.random.seed(SEED + i)
        return _episodes(SyncVectorEnv([make], autoreset_mode=mode), SEED + i, mode, actions[:, i : i + 1])


def _episodes(envs: Any, seed: Any, mode: AutoresetMode, actions: Any) -> list[Any]:
    results = [envs.reset(seed=seed)]
    for one in actions:
        results.append(envs.step(one))
        done = results[-1][2] | results[-1][3]
        if mode is AutoresetMode.DISABLED and done.any():
            results.append(envs.reset(options={"reset_mask": done}))
    return results


def _observed(results: list[Any], i: int) -> list[Any]:
    """The observations and rewards of environment i in steps."""
    return [(one[0][i].tolist(), float(one[1][i]), bool(one[2][i])) for one in results if len(one) == 5]


@pytest.mark.parametrize("n", [1, 8, 64])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", [Walk, Straight, Reseeds])
def test_a_copy_draws_as_the_class_alone(make: Callable[[], Any], mode: AutoresetMode, n: int) -> None:
    actions = np.random.default_rng(n).integers(3, size=(STEPS, n))
    before = random.getstate(), repr(np.random.get_state())
    envs = PlainVectorEnv(make, n, autoreset_mode=mode)
    results = _episodes(envs, SEED, mode, actions)
    assert (random.getstate(), repr(np.random.get_state())) == before
    for i in {0, n // 2, n - 1}:
        assert _observed(results, i) == _observed(_alone(make, i, mode, actions), 0)


def test_seeds_may_be_given_to_some_and_anew() -> None:
    envs = PlainVectorEnv(Straight, 3)
    first = envs.reset(seed=[5, None, 2**31])[0]
    envs.step(np.zeros(3, np.int64))
    again = envs.reset(seed=[5, None, None])[0]
    assert first[0].tolist() == again[0].tolist()
    assert first[1].tolist() != again[1].tolist()
    assert first[2].tolist() != again[2].tolist()
    assert envs.reset(seed=2**31 - 2)[0][2].tolist() == first[2].tolist()


def test_a_seed_that_numpy_does_not_take_is_raised() -> None:
    envs = PlainVectorEnv(Straight, 2, trial="off")
    with pytest.raises(ValueError, match="Seed must be between"):
        envs.reset(seed=2**32)


def test_without_a_seed_the_operating_system_seeds_once() -> None:
    one, other = (PlainVectorEnv(Straight, 9, trial="off") for _ in range(2))
    drawn = [one.reset()[0], one.reset()[0], other.reset()[0]]
    assert len({value for each in drawn for value in each[:, :2].ravel().tolist()}) == 3 * 9 * 2


def test_a_batch_says_once_that_copies_have_their_own() -> None:
    with pytest.warns(
        UserWarning, match=r"Walk draws from random and np\.random, which .* after random\.seed\(s \+ i\) and np"
    ):
        PlainVectorEnv(Walk, 2, trial="off")


def test_what_is_shown_of_the_state_names_the_modules() -> None:
    state, _ = PlainVectorEnv(Walk, 1, trial="off").dynamics.described()
    assert state["random"] == state["np.random"] == "a generator of each copy's own"
    assert not [name for name in state if name.startswith("_")]


@pytest.mark.parametrize("n", [3, 16])
def test_snapshots_hold_the_generators(n: int) -> None:
    envs = PlainVectorEnv(Walk, n)
    envs.reset(seed=3)
    actions = np.random.default_rng(0).integers(3, size=(30, n))
    for one in actions[:7]:
        envs.step(one)
    state, twin, pickled = envs.get_state(None), copy.deepcopy(envs), pickle.dumps(envs)
    expected = [envs.step(one) for one in actions]
    envs.set_state(None, state)
    for again in (envs, twin, pickle.loads(pickled)):
        for k, one in enumerate(actions):
            assert_same(again.step(one), expected[k], f"step {k}")


def test_one_environment_goes_on_where_another_is() -> None:
    envs = PlainVectorEnv(Walk, 4)
    envs.reset(seed=3)
    actions = np.ones(4, np.int64)
    envs.step(actions)
    envs.set_state(2, envs.get_state(1))
    envs.fork(1, [3], seeds=[9])
    x = envs.step(actions)[0]
    assert x[2].tolist() == x[1].tolist() != x[3].tolist()
    with process_kept():
        random.seed(9)
        theirs = random.gauss(0, 1)
    envs.fork(1, [0, 2], seeds=[9, 9])
    before = envs.state_of(0).x[0]
    assert envs.step(actions)[0][[0, 2], 0].tolist() == [before + (theirs + 1)] * 2


def test_an_exception_is_that_of_python_and_leaves_the_process_alone() -> None:
    n = 8
    envs = PlainVectorEnv(Many, n, trial="off")
    envs.reset(seed=SEED)
    before, steps = random.getstate(), 0
    with pytest.raises(RuntimeError) as raised:
        for steps in range(1, 500):  # noqa: B007
            envs.step(np.zeros(n, np.int64))
    assert random.getstate() == before
    with pytest.raises(RuntimeError) as alone:
        _alone(Many, envs._runner.memory.failed, AutoresetMode.NEXT_STEP, np.zeros((steps, n), np.int64))
    assert str(raised.value).endswith(str(alone.value))


def _class(reset: str, step: str = "pass", made: str = "pass") -> Any:
    from tests.palaestra.runner.classes.test_law import names_of

    return names_of(made=made, begin=reset, act=step)["E"]


def test_a_reset_that_seeds_without_a_seed_goes_on() -> None:
    make = _class("np.random.seed(seed)\nrandom.seed(seed)\nself.x = np.random.rand() + random.random()")
    envs = PlainVectorEnv(make, 8)
    drawn = {float(envs.reset(seed=None if k else 4)[0][i, 0]) for k in range(5) for i in range(8)}
    assert len(drawn) == 40
    with process_kept():
        np.random.seed(4)
        random.seed(4)
        assert np.random.rand() + random.random() in drawn


def test_a_reset_that_seeds_after_a_draw_is_refused() -> None:
    with pytest.raises(CannotCompile, match="draws before the reset seeds it"):
        PlainVectorEnv(_class("self.x = random.random()\nrandom.seed(seed)"), 2)


def test_a_reset_may_ask_whether_it_has_a_seed() -> None:
    envs = PlainVectorEnv(_class("self.x = 5.0 if seed is not None else 3.0"), 4, max_episode_steps=3)
    assert envs.reset(seed=[1, None, 2, None])[0][:, 0].tolist() == [5.0, 3.0, 5.0, 3.0]
    assert envs.reset()[0][:, 0].tolist() == [3.0] * 4
    envs.reset(seed=1)
    for _ in range(4):
        observed = envs.step(np.zeros((4, 2), np.float32))[0]
    assert observed[:, 0].tolist() == [3.0] * 4


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_constructor_draws_once_for_each_copy(n: int) -> None:
    make = _class("pass", "self.x = self.v", made="self.v = random.random()")
    random.seed(4)
    envs = PlainVectorEnv(make, n)
    after = random.random()
    envs.reset(seed=1)
    observed = envs.step(np.zeros((n, 2), np.float32))[0]
    random.seed(4)
    assert envs.get_attr("v") == tuple(random.random() for _ in range(n))
    assert observed[:, 0].tolist() == [1.0 + one for one in envs.get_attr("v")]
    assert after == random.random()


class Guarded(Walk):
    """Hands its seed on only if it has one."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        if seed is not None:
            super(Walk, self).reset(seed=seed)
        self.x, self.t = self.np_random.random(3), 0
        return self.x.copy(), {}


class Reversed(Walk):
    """Hands its seed on only if it has none."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin anywhere."""
        if seed is None:
            super(Walk, self).reset(seed=seed)
        self.x, self.t = self.np_random.random(3), 0
        return self.x.copy(), {}


def test_a_reset_may_seed_the_environment_if_it_has_a_seed() -> None:
    envs, own = PlainVectorEnv(Guarded, 4), SyncVectorEnv([Guarded] * 4)
    for seed in (3, None, [None, 5, 6, None]):
        assert_same(envs.reset(seed=seed), own.reset(seed=seed), f"seed {seed}")


def test_a_reset_that_seeds_the_environment_only_without_a_seed_is_refused() -> None:
    with pytest.raises(CannotCompile, match="some resets do not seed the environment"):
        PlainVectorEnv(Reversed, 2)


@pytest.mark.parametrize("mode", MODES)
def test_sync_may_have_generators_of_its_own_too(mode: AutoresetMode) -> None:
    gymnasium.register("Walk-v0", Walk)
    try:
        kwargs = {"autoreset_mode": mode, "global_random": "own"}
        own = gymnasium.make_vec("Walk-v0", 3, vectorization_mode="sync", vector_kwargs=kwargs)
        with pytest.raises(ValueError, match='global_random must be "shared" or "own"'):
            gymnasium.make_vec("Walk-v0", vectorization_mode="sync", vector_kwargs={"global_random": "all"})
        assert own.spec is not None and own.spec.kwargs["vector_kwargs"] == kwargs
    finally:
        del gymnasium.registry["Walk-v0"]
    actions = np.random.default_rng(1).integers(3, size=(STEPS, 3))
    before = random.getstate()
    expected, came = (
        _episodes(one, SEED, mode, actions) for one in (own, PlainVectorEnv(Walk, 3, autoreset_mode=mode))
    )
    assert random.getstate() == before
    assert [_observed(expected, i) for i in range(3)] == [_observed(came, i) for i in range(3)]
