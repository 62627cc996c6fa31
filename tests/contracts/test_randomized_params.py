"""Each episode has params of its own, and is that of an environment that was made with them."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
import pytest

import palaestra
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.registration import make, make_vec
from gymnasium.functional import FunctionalEnv
from gymnasium.params import targets
from gymnasium.spaces.batching import iterate
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv
from palaestra import fork, restore, snapshot
from palaestra.randomization import Choice, Constant, LogNormal, RandomizeParams, Scale, Uniform
from tests.contracts.params_law import IDS, Reference, distributions_for, params_of, same

N, SEED, STEPS, LIMIT = 3, 5, 40, 9
MODES = list(AutoresetMode)
RUNNERS: dict[str, Callable[..., VectorEnv]] = {"sync": SyncVectorEnv, "async": AsyncVectorEnv}


def batch(runner: str, env_id: str, mode: AutoresetMode, n: int = N, **kwargs: Any) -> VectorEnv:
    """Returns a batch of short episodes."""
    return RUNNERS[runner]([lambda: make(env_id, max_episode_steps=LIMIT)] * n, autoreset_mode=mode, **kwargs)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("runner", RUNNERS)
def test_each_environment_is_one_made_with_what_was_drawn(runner: str, env_id: str, mode: AutoresetMode) -> None:
    distributions = distributions_for(env_id)
    envs = palaestra.randomization.vector.RandomizeParams(batch(runner, env_id, mode), **distributions)
    singles = [Reference(env_id, max_episode_steps=LIMIT) for _ in range(N)]
    alone = [RandomizeParams(make(env_id, max_episode_steps=LIMIT), **distributions) for _ in range(N)]
    envs.action_space.seed(SEED)
    seen = set()

    def begun(i: int, infos: dict[str, Any], observation: Any, seed: int | None) -> None:
        params = params_of(infos, i)
        seen.add(tuple(params.values()))
        expected, _ = singles[i].reset(params, seed)
        own, info = alone[i].reset(seed=seed)
        assert same(observation, expected)
        assert same(observation, own)
        assert info["params"] == params

    observations, infos = envs.reset(seed=SEED)
    for i, observation in enumerate(iterate(envs.observation_space, observations)):
        begun(i, infos, observation, SEED + i)
    finished = np.zeros(N, bool)
    for _ in range(STEPS):
        if mode is AutoresetMode.DISABLED and finished.any():
            observations, infos = envs.reset(options={"reset_mask": finished})
            for i in np.flatnonzero(finished):
                begun(i, infos, list(iterate(envs.observation_space, observations))[i], None)
            finished[:] = False
        actions = envs.action_space.sample()
        each = list(iterate(envs.action_space, actions))
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        rows = list(iterate(envs.observation_space, observations))
        for i in range(N):
            if finished[i] and mode is AutoresetMode.NEXT_STEP:
                begun(i, infos, rows[i], None)
                continue
            observation, reward, terminated, truncated, _ = singles[i].env.step(each[i])
            alone[i].step(each[i])
            assert (reward, terminated, truncated) == (rewards[i], terminations[i], truncations[i])
            if mode is AutoresetMode.SAME_STEP and (terminated or truncated):
                assert same(infos["final_obs"][i], observation)
                assert "params" not in infos["final_info"]
                begun(i, infos, rows[i], None)
            else:
                assert same(rows[i], observation)
        finished = terminations | truncations
    envs.close()
    assert len(seen) > N


def test_tables_that_no_param_changes_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[object] = []
    monkeypatch.setattr(targets, "equal", lambda one, other: compared.append(one) or True)
    RandomizeParams(make("Taxi-v4"), **distributions_for("Taxi-v4")).reset(seed=0)
    assert not any(isinstance(one, tuple) for one in compared)


@pytest.mark.parametrize("mode", MODES[:2])
@pytest.mark.parametrize("runner", RUNNERS)
def test_a_moment_holds_the_params_and_their_stream(runner: str, mode: AutoresetMode) -> None:
    envs = palaestra.randomization.vector.RandomizeParams(
        batch(runner, "CartPole-v1", mode), gravity=Uniform(8, 12), length=Uniform(0.4, 0.6)
    )
    envs.reset(seed=SEED)
    actions = [envs.action_space.sample() for _ in range(STEPS)]
    for action in actions[:7]:
        envs.step(action)
    moment = snapshot(envs)
    others = palaestra.randomization.vector.RandomizeParams(
        batch("sync", "CartPole-v1", mode), gravity=Uniform(8, 12), length=Uniform(0.4, 0.6)
    )
    first = [envs.step(action) for action in actions]
    for again in (envs, others):
        restore(again, moment)
        for action, before in zip(actions, first, strict=True):
            after = again.step(action)
            assert all(same(a, b) for a, b in zip(before[:4], after[:4], strict=True))
            assert str(before[4]) == str(after[4])
    envs.close()


@pytest.mark.parametrize("runner", ["sync", "async", "compiled"])
def test_params_that_are_set_are_those_of_the_moment(runner: str) -> None:
    """Also in environments whose params nobody had set at that moment, or has set in this batch."""
    envs, others = (make_vec("Pendulum-v1", 2, vectorization_mode=runner) for _ in range(2))
    envs.reset(seed=1)
    none = snapshot(envs)
    envs.set_params([0], {"g": 1.0})
    first = snapshot(envs)
    envs.set_params([1], {"g": 5.0})
    both = snapshot(envs)
    for moment, expected in ((first, (1.0, 10.0)), (both, (1.0, 5.0)), (none, (10.0, 10.0))):
        for batch in (envs, others):
            restore(batch, moment)
            assert batch.get_attr("g") == expected
    envs.close()
    others.close()


def test_a_single_moment_holds_them_too() -> None:
    env = RandomizeParams(make("CartPole-v1"), gravity=Uniform(8, 12))
    env.reset(seed=1)
    moment, gravity = snapshot(env), env.unwrapped.params.gravity
    following = env.reset()
    restore(env, moment)
    assert env.unwrapped.params.gravity == gravity
    again = env.reset()
    assert same(following[0], again[0])
    assert following[1] == again[1]


@pytest.mark.filterwarnings("ignore::UserWarning")  # a worker reports what is refused
@pytest.mark.parametrize("runner", RUNNERS)
def test_params_and_options_are_set_for_some(runner: str) -> None:
    envs = batch(runner, "CartPole-v1", AutoresetMode.NEXT_STEP)
    envs.reset(seed=SEED)
    envs.set_params([2, 0], {"gravity": np.array([3.0, 2.0]), "length": 0.7})
    assert [params.gravity for params in envs.get_attr("params")] == [2.0, 9.8, 3.0]
    envs.set_reset_options(np.array([True, False, True]), [{"low": 0.01, "high": 0.02}, None])
    observations, infos = envs.reset()
    assert (observations[0] >= 0.01).all()
    assert infos["params"]["gravity"].tolist() == [2.0, 0.0, 3.0]
    assert infos["_params"].tolist() == [True, False, True]
    for ids, params in (
        ([0], {"gravity": "x"}),
        ([0], {"weight": 1.0}),
        ([5], {"gravity": 1.0}),
        ([0], {"gravity": [1, 2]}),
        ([2, 0], {"gravity": np.array([2.5, np.nan])}),
        ([0, 1, 2], {"gravity": [2.5, 2.5, "x"]}),
        ([0, 2], {"gravity": np.ones((2, 1))}),
    ):
        with pytest.raises((ValueError, TypeError)):
            envs.set_params(ids, params)
    with pytest.raises((ValueError, TypeError)):
        envs.set_reset_options([0, 2], [{"low": 0.04, "high": 0.05}, {"low": 2, "high": 1}])
    assert (envs.reset()[0] < 0.04).any(axis=1).all()
    assert [params.gravity for params in envs.get_attr("params")] == [2.0, 9.8, 3.0]
    with pytest.raises(ValueError, match="reset_mask"):
        envs.set_reset_options([0], {"reset_mask": np.ones(3, bool)})
    envs.close()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"gravty": 1.0}, "did you mean 'gravity'"),
        ({"weight": 1.0}, "there are gravity, masscart"),
        ({"gravity": Uniform([1, 2], 3)}, "shape"),
        ({"gravity": [1.0, 2.0]}, "3 environments"),
        ({"semi_implicit": Uniform(0, 1)}, "type bool"),
        ({"gravity": object()}, "gravity needs a distribution"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_moves(runner: str, params: dict[str, Any], message: str) -> None:
    envs = batch(runner, "CartPole-v1", AutoresetMode.NEXT_STEP)
    envs.reset(seed=SEED)
    with pytest.raises((ValueError, TypeError), match=message):
        palaestra.randomization.vector.RandomizeParams(envs, **params)
    palaestra.randomization.vector.RandomizeParams(envs, gravity=Uniform(8, 12))
    with pytest.raises(ValueError, match="drawn already"):
        palaestra.randomization.vector.RandomizeParams(envs, length=Uniform(8, 12))
    envs.close()


def test_a_batch_under_jax_says_which_others_take_options() -> None:
    pytest.importorskip("jax")
    envs = make_vec("CartPole-v1", N, vectorization_mode="jax")
    with pytest.raises(TypeError, match=r"JaxVectorEnv .* vectorization_mode"):
        envs.set_reset_options([0], {})


def test_params_are_observed() -> None:
    for mode in MODES:
        envs = palaestra.randomization.vector.RandomizeParams(
            batch("sync", "CartPole-v1", mode),
            observe=["length", "gravity"],
            gravity=Uniform(8, 12),
            length=Uniform(0.4, 1),
        )
        assert envs.single_observation_space.shape == (6,)
        observations, infos = envs.reset(seed=SEED)
        assert observations in envs.observation_space
        now = np.stack([infos["params"]["length"], infos["params"]["gravity"]], axis=1)
        finished = np.zeros(N, bool)
        for _ in range(STEPS):
            assert np.array_equal(observations[:, 4:], now.astype(np.float32))
            if mode is AutoresetMode.DISABLED and finished.any():
                observations, infos = envs.reset(options={"reset_mask": finished})
            else:
                observations, _, terminated, truncated, infos = envs.step(envs.action_space.sample())
                finished = terminated | truncated
            for i in np.flatnonzero(infos.get("_final_obs", np.zeros(N, bool))):
                assert np.array_equal(infos["final_obs"][i][4:], now[i].astype(np.float32))
            begun = infos.get("_params", np.zeros(N, bool))
            for k, name in enumerate(("length", "gravity")):
                now[begun, k] = infos["params"][name][begun] if begun.any() else 0
    with pytest.raises(ValueError, match="cannot be observed"):
        palaestra.randomization.vector.RandomizeParams(
            batch("sync", "CartPole-v1", mode), observe=["mass"], gravity=9.0
        )
    with pytest.raises(ValueError, match="appended to a Box"):
        palaestra.randomization.vector.RandomizeParams(
            batch("sync", "Taxi-v4", mode), observe=["fickle_probability"], fickle_probability=0.1
        )


@pytest.mark.parametrize("runner", ["sync"])
def test_a_pickled_batch_draws_the_same(runner: str) -> None:
    envs = palaestra.randomization.vector.RandomizeParams(
        batch(runner, "CartPole-v1", MODES[0]), gravity=Uniform(8, 12)
    )
    envs.reset(seed=SEED)
    copy = deepcopy(envs)
    for _ in range(STEPS):
        actions = envs.action_space.sample()
        one, other = envs.step(actions), copy.step(actions)
        assert same(one[0], other[0])
        assert str(one[4]) == str(other[4])


def test_a_fork_has_the_same_params_and_with_a_seed_other_ones_next() -> None:
    for seeds in (None, 100):
        envs = palaestra.randomization.vector.RandomizeParams(
            batch("sync", "CartPole-v1", MODES[0]), gravity=Uniform(8, 12)
        )
        envs.reset(seed=SEED)
        fork(envs, 0, seeds=seeds)
        assert len({params.gravity for params in envs.unwrapped.get_attr("params")}) == 1
        _, infos = envs.reset()
        assert len(set(infos["params"]["gravity"])) == (1 if seeds is None else N)


def test_derived_params_are_refused() -> None:
    class Params(NamedTuple):
        mass: float = 1.0
        double: float = 2.0

    class Derived(CartPole):
        def get_default_params(self, **kwargs: Any) -> Any:
            params = Params(**kwargs)
            return params._replace(double=2 * params.mass)

    with pytest.raises(TypeError, match="compute 'double' from 'mass'"):
        RandomizeParams(FunctionalEnv(Derived()), mass=Uniform(1, 2))


@pytest.mark.parametrize("runner", RUNNERS)
def test_factors_for_each_environment(runner: str) -> None:
    envs = palaestra.randomization.vector.RandomizeParams(
        batch(runner, "CartPole-v1", MODES[0]), gravity=Scale([1.0, 2.0, 3.0])
    )
    _, infos = envs.reset(seed=SEED)
    assert infos["params"]["gravity"].tolist() == [9.8 * k for k in (1.0, 2.0, 3.0)]
    envs.close()


def test_two_that_draw_would_draw_the_same() -> None:
    inner = RandomizeParams(make("CartPole-v1"), gravity=Uniform(8, 12))
    with pytest.raises(ValueError, match="drawn already"):
        RandomizeParams(inner, length=Uniform(0.4, 0.6))
    with pytest.raises(ValueError, match="drawn already"):
        palaestra.randomization.vector.RandomizeParams(SyncVectorEnv([lambda: inner]), length=Uniform(0.4, 0.6))


HOSTILE: dict[str, Any] = {
    "params": 1.0,
    "np_random": 1.0,
    "spec": 1.0,
    "action_space": 1,
    "observation_space": 1.0,
    "metadata": 1.0,
    "render_mode": 1.0,
}


@pytest.mark.parametrize("kind", ["sync", "compiled"])
def test_refusals_tell_the_name_and_are_of_one_kind(kind: str) -> None:
    envs = make_vec("CartPole-v1", N, vectorization_mode=kind)
    refused: list[tuple[str, Any]] = list(HOSTILE.items())
    refused += [("total_mass", 2.0)] if kind == "compiled" else []  # follows from fields of the params
    values: list[Any] = [np.nan, np.inf, Choice([9.0, np.nan]), [1.0, np.nan, 1.0], 10**400, Constant([[1], [2, 3]])]
    values += [lambda rng, episode: None, lambda: 1.0, lambda rng, episode: np.nan, Scale(1e308), "9"]
    refused += [("gravity", value) for value in values]
    for name, value in refused:
        with pytest.raises((TypeError, ValueError), match=name):
            palaestra.randomization.vector.RandomizeParams(envs, **{name: value})
    held: list[Any] = [np.nan, [1.0, 2.5, None], [1.0, 2.0, "3"], [1.0, True, 2.0], [1.0, -np.inf, 2.0], 10**400]
    held += [[[1], [2, 3], 4], np.array([1, 2, "x"]), Uniform(8, 12), lambda rng, episode: 1.0]
    for name, value in [*HOSTILE.items(), *(("gravity", value) for value in held), (1, 2.0)]:
        with pytest.raises((TypeError, ValueError), match=str(name)):
            envs.set_params(range(N), {name: value})
    assert [params.gravity for params in envs.get_attr("params")] == [9.8] * N
    with pytest.raises(ValueError, match="infinite"):
        LogNormal(1000.0, 1.0)


@pytest.mark.parametrize("kind", ["sync", "compiled"])
@pytest.mark.parametrize("mode", MODES)
def test_what_is_observed_is_present(kind: str, mode: AutoresetMode) -> None:
    inner: Any = make_vec("CartPole-v1", N, vectorization_mode=kind, vector_kwargs={"autoreset_mode": mode})
    inner.reset(seed=SEED)
    with pytest.raises(TypeError, match="'kinematics_integrator'"):
        palaestra.randomization.vector.RandomizeParams(
            inner, observe=["kinematics_integrator"], kinematics_integrator=Choice(["euler", "semi"])
        )
    envs = palaestra.randomization.vector.RandomizeParams(inner, observe=["gravity"], gravity=Uniform(8, 12))
    actions = np.zeros(N, int)
    assert np.allclose(envs.step(actions)[0][:, -1], 9.8)
    inner.set_attr("gravity", 5.0)
    assert np.allclose(envs.step(actions)[0][:, -1], 5.0)
    _, infos = envs.reset(seed=SEED)
    assert np.allclose(envs.step(actions)[0][:, -1], infos["params"]["gravity"])
