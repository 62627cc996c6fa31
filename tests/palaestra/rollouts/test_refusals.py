"""What `rollout` refuses: arguments, results of policies, and environments that break their contract."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.error import ActionOutsideSpace
from gymnasium.spaces import Space, Text
from gymnasium.vector import AsyncVectorEnv
from tests.palaestra.rollouts.echoes import (
    BOX,
    NESTED,
    Counter,
    N,
    by_row,
    echoes,
    still,
)


@pytest.mark.parametrize(
    "changed, error, message",
    [
        (
            lambda result: (result[0][:1], *result[1:]),
            ValueError,
            r"shape \(2, 1\), but in row 1 one of \(1, 1\) came",
        ),
        (lambda result: (result[0].astype(float), *result[1:]), TypeError, "float32, but in row 1 float64 came"),
        (
            lambda result: (*result[:4], {}),
            ValueError,
            r"ended episodes in the mode SAME_STEP without infos\['final_obs'\]",
        ),
    ],
)
def test_a_vector_environment_that_breaks_the_contract_is_reported(changed, error, message):
    envs = Counter()
    envs.step = lambda actions: changed(Counter.step(envs, actions))
    with pytest.raises(error, match=message):
        palaestra.rollout(envs, lambda observations: np.zeros(2, int), 4)


def test_a_failing_policy_leaves_no_environment_in_flight():
    envs = AsyncVectorEnv([partial(gymnasium.make, "CartPole-v1")] * 4, num_workers=2)
    calls = iter(range(5))

    def failing(observations):
        if next(calls, None) is None:
            raise KeyError("weights")
        return by_row(observations)

    with pytest.raises(KeyError, match="weights"):
        palaestra.rollout(envs, failing, 9, overlap=True)
    envs.reset(seed=1)
    envs.close()


def refused(act: Any, error: type[Exception], message: str, space: Space[Any] | None = None) -> None:
    """A rollout whose policy acts so ends with this error, and no environment has moved."""
    envs = echoes(BOX, space)
    with pytest.raises(error, match=message):
        palaestra.rollout(envs, act, 3)
    assert [env.unwrapped.actions for env in envs.envs] == [[]] * N


@pytest.mark.parametrize(
    "actions, error, message",
    [
        (np.zeros((N, 1), np.int64), ValueError, r"has the shape \(3,\), not \(3, 1\)"),
        (np.zeros(N + 1, np.int64), ValueError, r"has the shape \(3,\), not \(4,\)"),
        (np.zeros(N), ActionOutsideSpace, "cannot have the dtype float64"),
        (np.array([0, 5, 1]), ActionOutsideSpace, r"rows \[1\]"),
        (None, TypeError, "leading axis"),
    ],
)
def test_actions_of_another_form_are_refused(actions, error, message):
    refused(lambda observations: actions, error, message)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_actions_that_are_not_finite_are_refused(bad):
    refused(lambda observations: np.full((N, 2), bad), ActionOutsideSpace, "Box", BOX)


@pytest.mark.parametrize(
    "extras, error, message",
    [
        ({"value": np.zeros(N - 1)}, ValueError, r"'value' must have the shape \(3, ...\).*one of \(2,\) came"),
        ({"value": 1.0}, ValueError, r"one of \(\) came"),
        ({"value": np.array([0, np.nan, 0])}, ValueError, r"'value' is NaN in the rows \[1\]"),
        ({"name": np.array(["a", "b", "c"])}, TypeError, "'name' must be an array of numbers, but <U1"),
        ({3: np.zeros(N)}, TypeError, "named by strings, but one is named 3"),
    ],
)
def test_extras_of_another_form_are_refused(extras, error, message):
    refused(lambda observations: (still(observations), extras), error, message)


def test_infinite_extras_pass():
    logits = np.array([[0, -np.inf]] * N, np.float32)
    rollout = palaestra.rollout(echoes(BOX), lambda observations: (still(observations), {"logits": logits}), 2)
    assert np.array_equal(rollout.extras["logits"], [logits] * 2)


@pytest.mark.parametrize(
    "later, message",
    [
        ({}, r"at first \['value'\], but \[\] at step 1"),
        ({"value": np.zeros(N), "more": np.zeros(N)}, r"but \['value', 'more'\] at step 1"),
        (
            {"value": np.zeros((N, 1))},
            r"float64 of the shape \(3,\), but at step 1 it is float64 of the shape \(3, 1\)",
        ),
        ({"value": np.zeros(N, np.float32)}, "at step 1 it is float32"),
        ({"value": np.full(N, np.nan)}, "NaN in the rows"),
    ],
)
def test_extras_that_change_are_refused_before_the_step(later, message):
    envs, results = echoes(BOX), iter([{"value": np.zeros(N)}, later])
    with pytest.raises(ValueError, match=message):
        palaestra.rollout(envs, lambda observations: (still(observations), next(results)), 3)
    assert [len(env.unwrapped.actions) for env in envs.envs] == [1] * N


@pytest.mark.parametrize("later", [np.zeros((N, 1), np.int64), np.full(N, 9), np.zeros(N)])
def test_actions_that_change_are_refused_before_the_step(later):
    envs, results = echoes(BOX), iter([still(None), later])
    with pytest.raises((ValueError, ActionOutsideSpace)):
        palaestra.rollout(envs, lambda observations: next(results), 3)
    assert [len(env.unwrapped.actions) for env in envs.envs] == [1] * N


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"envs": gymnasium.make("CartPole-v1")}, TypeError, "needs a gymnasium.vector.VectorEnv"),
        ({"policy": 3}, TypeError, "must be a function of a batch of observations"),
        ({"steps": 0}, ValueError, "steps"),
        ({"out": 3}, TypeError, "must be an earlier Rollout"),
        ({"start": np.zeros((2, 4), np.float32)}, ValueError, r"must have the shape \(3, 4\), but one of \(2, 4\)"),
    ],
)
def test_invalid_arguments_are_refused(arguments, error, message):
    envs = gymnasium.make_vec("CartPole-v1", N)
    with pytest.raises(error, match=message):
        palaestra.rollout(**{"envs": envs, "policy": still, "steps": 3, **arguments})


def test_the_pair_that_reset_returns_is_no_start():
    envs = gymnasium.make_vec("CartPole-v1", N)
    with pytest.raises(ValueError, match=r"must be an array of the shape \(3, 4\), but a tuple of 2 came"):
        palaestra.rollout(envs, still, 3, start=envs.reset(seed=1))


def test_memory_that_is_read_only_is_refused_before_a_reset():
    envs = echoes(BOX)
    earlier = palaestra.rollout(envs, still, 3)
    earlier.observations.flags.writeable = False
    envs.reset = lambda **arguments: pytest.fail("the environments were reset")
    with pytest.raises(ValueError, match=r"out\['observations'\] must be writable memory, but it is read-only"):
        palaestra.rollout(envs, still, 3, out=earlier)


def test_a_start_with_too_few_texts_is_refused():
    with pytest.raises(ValueError, match="observations must be 3 values, but 1 came"):
        palaestra.rollout(echoes(Text(3)), still, 3, start=("a",))


def test_a_start_or_memory_of_other_environments_is_refused():
    few = palaestra.rollout(gymnasium.make_vec("CartPole-v1", 2), lambda observations: np.zeros(2, int), 3)
    envs = gymnasium.make_vec("CartPole-v1", N)
    with pytest.raises(ValueError, match="a rollout of 3 environments, but it is of 2"):
        palaestra.rollout(envs, still, 3, start=few)
    with pytest.raises(ValueError, match=r"must hold rewards as float64 of the shape \(3, 3\), but .* \(3, 2\)"):
        palaestra.rollout(envs, still, 3, out=few)


@pytest.mark.parametrize(
    "now, message",
    [
        ({}, r"must hold \[\], but it holds \['value'\]"),
        (
            {"value": np.zeros((N, 2))},
            r"value as float64 of the shape \(3, 3, 2\), but as float64 of the shape \(3, 3\)",
        ),
    ],
)
def test_memory_for_other_extras_is_refused(now, message):
    envs = gymnasium.make_vec("CartPole-v1", N)
    earlier = palaestra.rollout(envs, lambda observations: (still(observations), {"value": np.zeros(N)}), 3)
    with pytest.raises(ValueError, match=message):
        palaestra.rollout(envs, lambda observations: (still(observations), now), 3, out=earlier)


@pytest.mark.parametrize(
    "start, message",
    [
        ({"place": 1}, r"the keys \['place'\]"),
        (3, "a <class 'int'> came"),
        (
            {"place": np.zeros((N, 2)), "rest": (np.zeros(N, int),)},
            r"\['rest'\] must be a tuple of 2 batches, but a tuple of 1 came",
        ),
    ],
)
def test_a_start_of_another_structure_is_refused(start, message):
    with pytest.raises(TypeError, match=message):
        palaestra.rollout(echoes(NESTED), still, 3, start=start)
