"""Params that machine code draws at each episode are those that Python draws, bit for bit."""

from __future__ import annotations

import pickle
from contextlib import redirect_stdout
from io import StringIO
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import TimeLimit
from gymnasium.wrappers.vector import NormalizeReward
from palaestra.language.program import WIDTH
from palaestra.policies import Linear
from palaestra.randomization import Choice, Constant, Each, Scale, Uniform
from palaestra.randomization.vector import RandomizeParams
from palaestra.runner.classes.vector_env import PlainVectorEnv
from palaestra.runner.kernels import pool, runner
from tests.contracts.compiled_law import MODES, assert_same, assert_same_streams, pair
from tests.contracts.params_law import IDS, distributions_for, some_drawn


@pytest.fixture(params=[1, 2])
def num_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """With two threads, chunks are so small that few environments are shared too."""
    monkeypatch.setattr(runner, "SHARED_FROM", 2)
    monkeypatch.setattr(pool, "ROWS_TOGETHER", WIDTH)
    return int(request.param)


def randomized(env_id: str, n: int, mode: AutoresetMode, **compiled: Any) -> tuple[Any, Any]:
    """The same environments, compiled and in sync, with all numbers among their params drawn."""
    distributions: Any = distributions_for(env_id)
    ours, sync = (RandomizeParams(envs, **distributions) for envs in pair(env_id, n, mode, **compiled))
    return ours, sync


def assert_same_episodes(ours: Any, sync: Any, mode: AutoresetMode, steps: int, seed: int) -> None:
    """Both play the same episodes, some of which are interrupted."""
    rng = np.random.default_rng(seed)
    sync.action_space.seed(seed)
    for t in range(steps):
        actions = sync.action_space.sample()
        result = sync.step(actions)
        assert_same(ours.step(actions), result, f"step {t}")
        done = result[2] | result[3]
        mask = done if mode is AutoresetMode.DISABLED else rng.random(len(done)) < 0.02
        if mask.any():
            options = {"reset_mask": mask}
            assert_same(ours.reset(options=options), sync.reset(options=options), f"reset after step {t}")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("env_id", IDS)
def test_compiled_is_sync(env_id: str, mode: AutoresetMode, num_threads: int) -> None:
    for n in (20, 3):
        ours, sync = randomized(env_id, n, mode, num_threads=num_threads)
        for seed in (0, 2**31, 2**130):
            assert_same(ours.reset(seed=seed), sync.reset(seed=seed), "reset")
            assert_same_episodes(ours, sync, mode, 40, seed)
        assert_same(ours.reset(), sync.reset(), "reset without a seed")
        assert_same_streams(ours, sync)
        ours.close()


def drift(rng: Any, episode: int) -> Any:
    """A param that changes from episode to episode."""
    return 0.02 + 0.001 * episode + 1e-4 * rng.random()


def drawn_pair(mode: AutoresetMode, n: int = 20) -> tuple[Any, Any]:
    """CartPoles with params of all further kinds."""
    ours, sync = (
        RandomizeParams(
            envs,
            length=Each(np.linspace(0.4, 0.6, n)),
            masspole=Scale(Uniform(0.8, 1.2)),
            tau=drift,
            masscart=Constant(2),
        )
        for envs in pair("CartPole-v1", n, mode)
    )
    return ours, sync


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_functions_scales_and_values_of_each_are_drawn_alike(mode: AutoresetMode) -> None:
    ours, sync = drawn_pair(mode)
    assert_same(ours.reset(seed=3), sync.reset(seed=3), "reset")
    assert_same_episodes(ours, sync, mode, 60, 1)
    for name in ("gravity", "length", "masspole", "tau"):
        assert ours.env.get_attr(name) == sync.env.get_attr(name)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize(
    ("env_id", "name", "low", "options"),
    [
        ("CartPole-v1", "gravity", 8.0, {"low": 0.1, "high": 0.2}),
        ("Pendulum-v1", "m", 0.7, {"x_init": 0.1, "y_init": 0.2}),
    ],
)
def test_params_and_options_that_are_set_for_some(
    env_id: str, name: str, low: float, options: dict[str, float], mode: AutoresetMode
) -> None:
    n = 20
    ours, sync = pair(env_id, n, mode)
    rng = np.random.default_rng(5)
    assert_same(ours.reset(seed=3), sync.reset(seed=3), "reset")
    for t in range(5):
        ids = rng.permutation(n)[:7]
        params = {name: rng.uniform(low, 1.2 * low, 7)}
        each = [options if k % 3 else None for k in range(7)]
        for envs in (ours, sync):
            envs.set_params(ids, params)
            envs.set_reset_options(ids, each)
        if t == 2:
            assert_same(ours.reset(), sync.reset(), "reset")
        if t == 3:
            some = {"reset_mask": np.arange(n) > 2, **{key: 0.5 * value for key, value in options.items()}}
            assert_same(ours.reset(options=some), sync.reset(options=some), "reset with other options")
        assert_same_episodes(ours, sync, mode, 20, t)
    assert ours.get_attr(name) == sync.get_attr(name)


@pytest.mark.parametrize("mode", MODES[:2], ids=lambda mode: mode.name)
def test_a_moment_holds_what_was_drawn_and_the_streams(mode: AutoresetMode) -> None:
    ours, sync = drawn_pair(mode)
    ours.reset(seed=1)
    sync.action_space.seed(1)
    actions = [sync.action_space.sample() for _ in range(40)]
    for action in actions[:10]:
        ours.step(action)
    moment, one = ours.env.get_state(), ours.env.get_state(3)
    others = drawn_pair(mode)[0]
    others.reset(seed=8)
    others.env.set_state(None, moment)
    copy = pickle.loads(pickle.dumps(ours))
    expected = [ours.step(action) for action in actions]

    for envs in (others, copy):
        assert_same([envs.step(action) for action in actions], expected, "again")
    ours.env.set_state(3, pickle.loads(pickle.dumps(one)))
    for result, action in zip(expected, actions, strict=True):
        assert_same(ours.step(action)[0][3], result[0][3], "one")
    sync.reset(seed=2)
    ours.env.fork(2, [4], [77])
    assert ours.env.np_random_seed[4] == 77


def test_what_cannot_be_drawn_is_refused_and_nothing_changes() -> None:
    envs = pair("CartPole-v1", 3, AutoresetMode.NEXT_STEP)[0]
    envs.reset(seed=0)
    for params, told in (
        ({"gravty": 1.0}, "did you mean 'gravity'"),
        ({"kinematics_integrator": Choice(["euler"])}, "SyncVectorEnv takes any"),
        ({"gravity": [1.0, 2.0]}, "2 values"),
    ):
        with pytest.raises((TypeError, ValueError), match=told):
            RandomizeParams(envs, **params)
    some_drawn(envs)
    with pytest.raises(ValueError, match="is drawn"):
        envs.set_params([0], {"gravity": 9.0})
    with pytest.raises(ValueError, match="drawn already"):
        RandomizeParams(envs, tau=0.05)
    with pytest.raises(ValueError, match="low"):
        envs.set_reset_options([0], {"low": 1.0, "high": 0.0})
    assert envs.reset()[1]["params"]["gravity"].min() >= 8


def twice(rng: Any, episode: Any) -> Any:
    """A param that has no value from the third episode on."""
    return 9.0 / (2 - episode)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_draw_that_raises_in_machine_code_raises_what_it_raises_in_python(mode: AutoresetMode) -> None:
    envs = RandomizeParams(pair("CartPole-v1", 3, mode)[0], gravity=twice)
    envs.reset(seed=0)
    with pytest.raises(ZeroDivisionError) as caught:
        for _ in range(100):
            _, _, terminations, _, _ = envs.step(np.ones(3, np.int64))
            if mode is AutoresetMode.DISABLED and terminations.any():
                envs.reset(options={"reset_mask": terminations})
    assert str(caught.value) == "float division by zero"


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_rollout_in_machine_code_draws_what_the_loop_draws(mode: AutoresetMode) -> None:
    batches: list[Any] = [NormalizeReward(envs) for envs in drawn_pair(mode)]
    ours, sync = batches
    policy = Linear(np.random.default_rng(0).normal(size=(2, 4)), ours.single_action_space)
    for envs in (ours, sync):
        envs.reset(seed=4)
    told = StringIO()
    with redirect_stdout(told):
        parts = [palaestra.rollout(envs, policy, 30, start=None, explain=envs is ours) for envs in (ours, sync)]
    assert "machine code" in told.getvalue()
    for _ in range(2):
        for name in ("observations", "actions", "rewards", "terminated", "truncated", "valid"):
            assert_same(getattr(parts[0], name), getattr(parts[1], name), name)
        parts = [
            palaestra.rollout(envs, policy, 30, start=part) for envs, part in zip((ours, sync), parts, strict=True)
        ]
    for name in ("length", "masspole", "tau"):
        assert ours.unwrapped.get_attr(name) == sync.unwrapped.get_attr(name)


class Fall(gymnasium.Env):
    """An ordinary class."""

    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (1,), np.float64)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self) -> None:
        self.gravity = 9.8

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin at some height."""
        super().reset(seed=seed)
        self.x = self.np_random.uniform(0.0, 1.0)
        return np.array([self.x]), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Fall."""
        self.x -= self.gravity * 0.01
        return np.array([self.x]), 1.0, self.x < 0, False, {}


def test_attributes_of_a_plain_class_are_drawn_if_it_does_not_change_them() -> None:
    batches: list[VectorEnv] = [
        PlainVectorEnv(Fall, 3, max_episode_steps=20),
        SyncVectorEnv([lambda: TimeLimit(Fall(), 20)] * 3),
    ]
    ours, sync = (RandomizeParams(envs, gravity=Uniform(8, 12)) for envs in batches)
    assert_same(ours.reset(seed=1), sync.reset(seed=1), "reset")
    assert_same_episodes(ours, sync, AutoresetMode.NEXT_STEP, 60, 1)
    with pytest.raises(ValueError, match="no param 'x'"):
        RandomizeParams(PlainVectorEnv(Fall, 2), x=Uniform(0, 1))


@pytest.mark.parametrize("n", [5, 21])
def test_the_arrays_of_infos_are_separate(n: int) -> None:
    envs = some_drawn(gymnasium.make_vec("CartPole-v1", n))
    envs.reset(seed=0)
    told = [envs.step(np.ones(n, np.int64))[4] for _ in range(40)]
    names = set()
    for infos in filter(None, told):
        arrays = [*infos["params"].values(), infos["_params"]]
        assert not any(np.shares_memory(*two) for two in combinations(arrays, 2))
        names |= infos["params"].keys()
    assert {"gravity", "masspole", "length"} <= names
    envs.close()


@pytest.mark.parametrize("kind", ["sync", "compiled"])
def test_a_function_that_draws_no_finite_number_later_is_refused(kind: str) -> None:
    def drawn(rng: Any, episode: int) -> float:
        return np.inf if episode > 1 else 9.8

    envs = RandomizeParams(
        gymnasium.make_vec("CartPole-v1", 3, vectorization_mode=kind, max_episode_steps=3), gravity=drawn
    )
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="'gravity' takes finite numbers"):
        for _ in range(20):
            envs.step(np.zeros(3, np.int64))


@pytest.mark.parametrize("kind", ["sync", "compiled"])
def test_a_snapshot_replaces_params_that_were_set_in_other_environments_only(kind: str) -> None:
    envs: Any = gymnasium.make_vec("CartPole-v1", 3, kind)
    envs.reset(seed=0)
    usual = envs.get_attr("gravity")[1]
    envs.set_params([0], {"gravity": 5.0})
    envs.set_attr("length", [0.4, 0.5, 0.6])

    palaestra.fork(envs, 0, [2])
    assert envs.get_attr("gravity") == (5.0, usual, 5.0)

    for i in (0, 2):
        envs.set_state(i, envs.get_state(1))
    assert envs.get_attr("gravity") == (usual,) * 3
    assert envs.get_attr("length")[:2] == (0.4, 0.5)


@pytest.mark.parametrize("kind", ["sync", "async", "compiled"])
def test_an_attribute_replaces_a_param_that_was_set_or_drawn(kind: str) -> None:
    """The next reset reports what `set_attr` has set, and a snapshot returns to it."""
    envs: Any = RandomizeParams(gymnasium.make_vec("CartPole-v1", 2, kind), gravity=Uniform(8, 12))
    envs.reset(seed=0)
    envs.unwrapped.set_params([0, 1], {"length": [0.4, 0.6]})
    envs.unwrapped.set_attr("length", 0.7)
    envs.unwrapped.set_attr("gravity", 5.0)
    moment = palaestra.snapshot(envs)
    envs.unwrapped.set_attr("gravity", 6.0)
    envs.unwrapped.set_attr("length", 0.8)

    palaestra.restore(envs, moment)
    assert envs.unwrapped.get_attr("gravity") == (5.0, 5.0)
    assert envs.unwrapped.get_attr("length") == (0.7, 0.7)
    assert envs.reset(seed=0)[1]["params"]["length"].tolist() == [0.7, 0.7]
    envs.close()
