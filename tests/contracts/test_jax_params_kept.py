"""Params of environments under JAX stay what they are: kinds, places, pictures, snapshots; refusals change nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

from jax import numpy as jnp

import palaestra
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.functional_jax_env import FunctionalJaxVectorEnv
from gymnasium.envs.registration import make
from palaestra.jax import JaxDynamics
from palaestra.randomization import Choice, Scale, Uniform
from palaestra.randomization import RandomizeParams as RandomizeOne
from palaestra.randomization.vector import RandomizeParams
from tests.contracts.jax_params_law import DRAWN, Constantly, Count, N, Params, assert_equal, batch, played

pytestmark = pytest.mark.usefixtures("little_optimised")


def test_whole_numbers_stay_whole() -> None:
    envs = RandomizeParams(FunctionalJaxVectorEnv(Count(), 2 * N), goal=Choice([2, 3, 7]))
    envs.reset(seed=0)
    goals = np.asarray(envs.unwrapped.own.values["goal"])  # type: ignore[attr-defined]
    assert goals.dtype.kind == "i" and set(goals.tolist()) == {2, 3, 7}
    over = np.zeros(2 * N, int)
    for t in range(1, 8):
        over += np.where(np.asarray(envs.step(np.zeros(2 * N, np.int64))[2]) & (over == 0), t, 0)
    assert over.tolist() == goals.tolist()


REFUSED: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "unknown": (lambda envs: RandomizeParams(envs, goall=Choice([2])), ValueError, "no param 'goall'.*'goal'"),
    "branch": (lambda envs: RandomizeParams(envs, fast=Choice([True])), TypeError, "'fast' cannot be.*`.*params.fast"),
    "kind": (lambda envs: RandomizeParams(envs, goal=Uniform(1, 2)), TypeError, "'goal' is of the type int"),
    "draws a float": (lambda envs: RandomizeParams(envs, goal=lambda rng, e: 2.5 + e), TypeError, "'goal'"),
    "too large": (lambda envs: RandomizeParams(envs, goal=Choice([2**40])), ValueError, "'goal' cannot be 1099511"),
    "if": (
        lambda envs: RandomizeParams(envs, goal=lambda rng, e: 2 if rng.random() < 0.5 else 3),
        TypeError,
        "the draw of 'goal' cannot run under JAX",
    ),
    "count": (lambda envs: RandomizeParams(envs, goal=[1, 2]), ValueError, "2 values, but there are 3"),
    "attribute": (lambda envs: RandomizeParams(envs, params=Choice([2])), TypeError, "'params' is none"),
    "set unknown": (lambda envs: envs.set_params([0], {"goall": 2}), ValueError, "no param 'goall'"),
    "set half": (lambda envs: envs.set_params([0, 1, 2], {"goal": [1, 1.5, 2]}), TypeError, "1.5"),
    "set whom": (lambda envs: envs.set_params([7], {"goal": 2}), ValueError, "0 to 2"),
    "options": (lambda envs: envs.set_reset_options([0], {"low": 0.0}), TypeError, 'options.*without "phys2d/"'),
}


@cache
def two() -> list[FunctionalJaxVectorEnv]:
    """The one that all attempts are made on, and the one that none is."""
    return [FunctionalJaxVectorEnv(Count(), 3) for _ in range(2)]


@pytest.mark.parametrize("case", REFUSED)
def test_refused_and_nothing_changes(case: str) -> None:
    attempt, kind, words = REFUSED[case]
    envs, plain = two()
    for each in (envs, plain):
        each.reset(seed=0)
    with pytest.raises(kind, match=words):
        attempt(envs)
    assert envs.own is None
    for _ in range(7):
        assert_equal(envs.step(np.zeros(3, np.int64)), plain.step(np.zeros(3, np.int64)))


def test_the_dynamics_are_traced_once_for_all_params(monkeypatch: pytest.MonkeyPatch) -> None:
    traced: list[Any] = []
    begin = JaxDynamics.begin
    monkeypatch.setattr(JaxDynamics, "begin", lambda *arguments: traced.append(0) or begin(*arguments))
    counts = []
    for names in (["gravity"], ["gravity", "length", "tau"]):
        envs = batch()
        before = len(traced)
        RandomizeParams(envs, **dict.fromkeys(names, Uniform(0.5, 1.5)))
        counts.append(len(traced) - before)
    assert counts[0] == counts[1]


def test_a_param_that_is_drawn_is_not_set() -> None:
    envs: Any = RandomizeParams(FunctionalJaxVectorEnv(Count(), 3), goal=Choice([2, 3]))
    with pytest.raises(ValueError, match="'goal' is drawn"):
        envs.set_params([0], {"goal": 2})
    with pytest.raises(ValueError, match="drawn already"):
        RandomizeParams(envs, goal=Choice([4]))
    assert set(np.asarray(envs.reset(seed=0)[1]["params"]["goal"]).tolist()) <= {2, 3}


def test_values_belong_to_the_environments_as_they_are_named() -> None:
    envs = batch()
    for k, ids in enumerate(([4, 1], np.array([4, 1]), jnp.array([4, 1]))):
        envs.set_params(ids, {"gravity": jnp.array([2.0 + k, 1.0 + k])})
        values = np.asarray(envs.reset(seed=0)[1]["params"]["gravity"])
        assert values[[4, 1]].tolist() == [2.0 + k, 1.0 + k]
    envs = batch()
    envs.set_params(jnp.arange(N) == 3, {"gravity": 2.0})
    assert envs.reset(seed=0)[1]["params"]["_gravity"].tolist() == [False, False, False, True, False, False]
    with pytest.raises(ValueError, match="2 values for 3"):
        envs.set_params([0, 1, 2], {"gravity": jnp.array([2.0, 1.0])})


def test_no_params_are_none() -> None:
    plain, empty, none = batch(), batch(), RandomizeParams(batch())
    empty.set_params([0], {})
    for envs in (empty, none):
        assert_equal(played(envs, 30), played(plain, 30))


def test_a_picture_shows_the_params_of_its_environment() -> None:
    envs, plain = (FunctionalJaxVectorEnv(CartPole(), 2, render_mode="rgb_array") for _ in range(2))
    envs.set_params([1], {"length": 1.5})
    longer = FunctionalJaxVectorEnv(
        CartPole(), 2, render_mode="rgb_array", params=CartPole().default_params._replace(length=1.5)
    )
    shown = []
    for each in (envs, plain, longer):
        each.reset(seed=0)
        shown.append(each.render())
    assert np.array_equal(shown[0][0], shown[1][0]) and np.array_equal(shown[0][1], shown[2][1])
    assert not np.array_equal(shown[1][1], shown[2][1])


def test_what_was_rendered_is_pickled_and_copied() -> None:
    env = RandomizeOne(make("phys2d/CartPole-v1", render_mode="rgb_array"), length=Uniform(1, 2))
    env.reset(seed=0)
    env.render()
    again = pickle.loads(pickle.dumps(env))
    assert np.array_equal(again.render(), env.render())
    env.close()
    assert pickle.loads(pickle.dumps(env)).unwrapped.render_state is None


def test_new_params_reach_whoever_has_none_of_its_own() -> None:
    envs, heavier = batch(), batch()
    envs.set_params([1], {"gravity": 5.0})
    envs.reset(seed=0)
    heavier.reset(seed=0)
    envs.params = heavier.params = envs.params._replace(gravity=20.0)
    for _ in range(3):
        ours, theirs = (each.step(np.ones(N, np.int64))[0] for each in (envs, heavier))
    assert [bool(np.allclose(a, b)) for a, b in zip(ours, theirs, strict=True)] == [True, False, *[True] * 4]
    assert np.asarray(envs._params_now("gravity")).tolist() == [20.0, 5.0, *[20.0] * 4]


def test_a_scale_multiplies_the_value_of_its_beginning() -> None:
    envs: Any = RandomizeParams(batch(), gravity=Scale(Uniform(0.9, 1.1)))
    envs.unwrapped.params = envs.unwrapped.params._replace(gravity=20.0)
    again = pickle.loads(pickle.dumps(envs))
    first = envs.reset(seed=0)[1]["params"]["gravity"]
    assert_equal(again.reset(seed=0)[1]["params"]["gravity"], first)
    assert (first < 11).all()


def test_snapshots_with_and_without_own_params() -> None:
    def some(params: dict[str, float]) -> FunctionalJaxVectorEnv:
        envs = batch()
        if params:
            envs.set_params([1], params)
        return envs

    for taken in ({}, {"gravity": 1.0}, {"length": 1.0}):
        ours = some(taken)
        for held in ({}, {"gravity": 2.0}):
            others = some(held)
            played(ours, 5)
            others.reset(seed=8)
            palaestra.restore(others, pickle.loads(pickle.dumps(palaestra.snapshot(ours))))
            for _ in range(40):
                assert_equal(*[each.step(np.ones(N, np.int64))[:4] for each in (ours, others)])


def test_a_snapshot_without_streams_begins_those_of_its_seed() -> None:
    plain, late = batch(), batch()
    for each in (plain, late):
        each.reset(seed=3)
    expected = RandomizeParams(late, **DRAWN).reset()[1]["params"]["gravity"]
    for seed in (1, 2):
        envs = RandomizeParams(batch(), **DRAWN)
        envs.reset(seed=seed)
        palaestra.restore(envs, palaestra.snapshot(plain))
        assert_equal(envs.reset()[1]["params"]["gravity"], expected)


def test_one_environment_names_its_params_while_they_are_drawn() -> None:
    env: Any = make("phys2d/CartPole-v1")
    names = env.unwrapped.param_names()
    RandomizeOne(env, gravity=Uniform(8, 12)).reset(seed=0)
    assert env.unwrapped.param_names() == names


@pytest.mark.parametrize("attempt", ["set", "draw"])
@pytest.mark.parametrize(
    ("goal", "words"), [(2**40, "too large for int32"), (np.arange(3), "no number, but a ndarray")], ids=str
)
def test_a_value_that_the_dtype_cannot_hold_is_refused(goal: Any, words: str, attempt: str) -> None:
    envs = FunctionalJaxVectorEnv(Constantly(), 3, params=Params(goal=goal))
    with pytest.raises((ValueError, TypeError), match=words):
        if attempt == "set":
            envs.set_params([1], {"goal": 2})
        else:
            RandomizeParams(envs, goal=Choice([2]))
    assert envs.own is None
