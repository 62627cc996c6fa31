"""The moment of one environment of a batch, copied into others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium import make_vec
from gymnasium.vector import AutoresetMode
from palaestra import fork, restore, snapshot
from palaestra.error import CannotSnapshot
from tests.contracts.test_snapshots import RUNNERS, batch, played
from tests.contracts.test_wrapper_laws import assert_same


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Hopper-v5", "LunarLander-v3", "FrozenLake-v1"])
@pytest.mark.parametrize("runner", RUNNERS)
def test_forks_have_one_future_or_each_its_own(env_id: str, runner: str) -> None:
    envs = batch(env_id, runner, AutoresetMode.SAME_STEP)
    envs.reset(seed=1)
    played(envs, 1, 9)
    envs.single_action_space.seed(0)

    fork(envs, 2)
    before = snapshot(envs)
    for _ in range(60):
        action = envs.single_action_space.sample()
        observations, rewards, *_ = envs.step(np.array([action] * 4))
        assert np.array_equal(observations, np.stack([observations[0]] * 4))
        assert len(set(rewards.tolist())) == 1

    futures = []
    for _ in range(2):
        restore(envs, before)
        fork(envs, 2, into=[0, 3], seeds=[7, 8])
        envs.single_action_space.seed(0)
        actions = [envs.single_action_space.sample() for _ in range(60)]
        futures.append([envs.step(np.array([action] * 4))[0] for action in actions])
        after = snapshot(envs)
    assert_same(futures[0], futures[1], ())
    assert all(np.array_equal(one[1], one[2]) for one in futures[0])
    assert any(not np.array_equal(one[0], one[3]) for one in futures[0])
    restore(envs, after)
    envs.close()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((4,), IndexError),
        ((-1,), IndexError),
        ((0, [4]), IndexError),
        ((0, [1, 1]), ValueError),
        ((0, [1, 2], [3]), ValueError),
        ((0, [1], [-3]), gymnasium.error.Error),
    ],
)
def test_forks_of_wrong_arguments(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    envs = make_vec("CartPole-v1", 4)
    envs.reset(seed=0)
    before = snapshot(envs)
    with pytest.raises(error):
        fork(envs, *arguments)
    assert snapshot(envs) == before


def test_a_wrapper_with_one_memory_for_all_is_named() -> None:
    envs = gymnasium.wrappers.vector.NormalizeReward(make_vec("CartPole-v1", 2))
    envs.reset(seed=0)
    with pytest.raises(ValueError, match=r"^NormalizeReward keeps one memory"):
        fork(envs, 0)


def test_batches_with_one_key_have_no_seeds_of_their_own() -> None:
    pytest.importorskip("jax")
    envs = make_vec("phys2d/CartPole-v1", 3)
    envs.reset(seed=0)
    fork(envs, 1)
    np.testing.assert_array_equal(*np.asarray(envs.step(np.ones(3, np.int64))[0])[:2])
    with pytest.raises(CannotSnapshot, match="leave `seeds` out"):
        fork(envs, 1, seeds=3)
    envs.close()
