"""Observations and rewards in units of what was seen so far."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.spaces import Box, Dict
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import NormalizeObservation, NormalizeReward
from gymnasium.wrappers import vector as vector_wrappers

every_mode = pytest.mark.parametrize("mode", AutoresetMode)
MODES = list(AutoresetMode)


def run(envs, steps, mode):
    """Steps, in the mode DISABLED with a reset of what has ended after each."""
    envs.reset()
    for _ in range(steps):
        *_, terminations, truncations, _ = envs.step(np.zeros(envs.num_envs, np.int64))
        ended = terminations | truncations
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})


def test_observations_are_in_units_of_all_so_far(counting):
    env = NormalizeObservation(counting(), epsilon=1e-12)
    env.reset()
    for t in range(1, 50):
        found = env.step(0)[0]
        seen = np.arange(t + 1)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, [(t - seen.mean()) / seen.std()], rtol=2e-2)
    assert env.observation_space == Box(-np.inf, np.inf, (1,))
    assert env.obs_rms.count == 50 + 1e-4


def test_a_number_can_be_normalized_too(counting):
    inner = counting()
    inner.observation_space = Box(0, 1000, (), np.float32)
    inner.observation = lambda: np.float32(inner.t)
    env = NormalizeObservation(inner)
    assert env.reset()[0] in env.observation_space


@every_mode
def test_each_observation_counts_once_in_every_mode(counting, mode):
    """Episodes of three steps observe 0, 1, 2, 3."""
    envs = vector_wrappers.NormalizeObservation(SyncVectorEnv([lambda: counting(3)] * 2, autoreset_mode=mode))
    run(envs, 4 if mode is AutoresetMode.NEXT_STEP else 3, mode)
    seen = [0, 1, 2, 3, 0] * 2
    assert envs.obs_rms.count == pytest.approx(len(seen), abs=1e-3)
    assert envs.obs_rms.mean == pytest.approx(np.mean(seen), rel=1e-3)
    assert envs.obs_rms.var == pytest.approx(np.var(seen), rel=1e-3)


@pytest.mark.parametrize("mode", MODES)
def test_of_one_environment_the_batch_has_the_single_ones_moments(counting, mode):
    single = NormalizeObservation(counting(3))
    single.reset()
    for _ in range(3):
        single.step(0)
    single.reset()
    envs = vector_wrappers.NormalizeObservation(SyncVectorEnv([lambda: counting(3)], autoreset_mode=mode))
    run(envs, 4 if mode is AutoresetMode.NEXT_STEP else 3, mode)

    assert envs.get_state() == single.get_state()


def test_a_reset_with_a_mask_counts_only_its_rows(counting):
    envs = vector_wrappers.NormalizeObservation(SyncVectorEnv([counting] * 3))
    envs.reset()
    envs.step(np.zeros(3, np.int64))
    envs.reset(options={"reset_mask": np.array([True, False, False])})
    assert envs.obs_rms.count == pytest.approx(7, abs=1e-3)
    assert envs.obs_rms.mean == pytest.approx(3 / 7, rel=1e-3)


def test_large_batches_are_counted_as_well(counting):
    def large():
        inner = counting()
        inner.observation_space = Box(0, 1000, (200, 100))
        inner.observation = lambda: np.random.default_rng(inner.t).normal(5, 2, (200, 100)).astype(np.float32)
        return inner

    envs = vector_wrappers.NormalizeObservation(SyncVectorEnv([large] * 2))
    envs.reset()
    found = envs.step(np.zeros(2, np.int64))[0]
    assert envs.obs_rms.count == pytest.approx(4, abs=1e-3)
    assert found in envs.observation_space


def test_frozen_moments_stay(counting):
    for env in (NormalizeObservation(counting()), vector_wrappers.NormalizeObservation(SyncVectorEnv([counting]))):
        assert env.update_running_mean
        env.update_running_mean = False
        found = env.reset()[0]
        assert env.obs_rms.count == 1e-4
        assert found.ravel().tolist() == [0]


def test_only_arrays_have_moments(counting):
    def structured():
        env = counting()
        env.observation_space = Dict(a=Box(0, 1))
        return env

    with pytest.raises(ValueError, match="FlattenObservation"):
        vector_wrappers.NormalizeObservation(SyncVectorEnv([structured]))


def returns(gamma, rewards):
    """The discounted returns of an episode, its last step included."""
    found = [0.0]
    for reward in rewards:
        found.append(found[-1] * gamma + reward)
    return found[1:]


def test_rewards_are_in_units_of_the_returns_deviation(counting):
    env = NormalizeReward(counting(3), gamma=0.5)
    for _ in range(2):
        env.reset()
        found = [env.step(0)[1] for _ in range(3)]
    seen = returns(0.5, [1, 2, 3]) * 2
    assert env.return_rms.mean == pytest.approx(np.mean(seen), rel=1e-3)
    assert found[-1] == pytest.approx(3 / np.std(seen), rel=1e-3)
    assert env.discounted_reward.tolist() == [0]


@every_mode
def test_returns_begin_anew_with_each_episode_in_every_mode(counting, mode):
    envs = SyncVectorEnv([lambda: counting(3)] * 2, autoreset_mode=mode)
    envs = vector_wrappers.NormalizeReward(envs, gamma=0.5)
    run(envs, 8 if mode is AutoresetMode.NEXT_STEP else 6, mode)
    seen = returns(0.5, [1, 2, 3]) * 4
    assert envs.return_rms.count == pytest.approx(len(seen), abs=1e-3)
    assert envs.return_rms.mean == pytest.approx(np.mean(seen), rel=1e-3)
    assert envs.return_rms.var == pytest.approx(np.var(seen), rel=1e-3)
    assert envs.accumulated_reward.tolist() == [0, 0]


def test_truncation_and_reset_end_a_return_too(counting):
    env = NormalizeReward(counting())
    env.reset()
    env.step(0)
    env.reset()
    assert env.discounted_reward.tolist() == [0]


def test_a_reset_with_a_mask_begins_only_its_returns(counting):
    envs = vector_wrappers.NormalizeReward(SyncVectorEnv([counting] * 3))
    envs.reset()
    envs.step(np.zeros(3, np.int64))
    envs.reset(options={"reset_mask": np.array([True, False, False])})
    assert envs.accumulated_reward.tolist() == [0, 1, 1]


def test_a_step_in_which_all_reset_counts_for_nothing(counting):
    envs = vector_wrappers.NormalizeReward(SyncVectorEnv([lambda: counting(1)] * 2))
    envs.reset()
    envs.step(np.zeros(2, np.int64))
    before = envs.get_state()
    rewards = envs.step(np.zeros(2, np.int64))[1]
    assert rewards.tolist() == [0, 0]
    assert envs.get_state()["count"] == before["count"]
