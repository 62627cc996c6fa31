"""Subclasses with a step of their own find what the base class keeps, as those of MO-Gymnasium do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

N, STEPS = 3, 60


class Pairs(SyncVectorEnv):
    """Rewards of two numbers: one for a step, and the cart's distance."""

    def __init__(self, env_fns: Any) -> None:
        super().__init__(env_fns)
        self._rewards = np.zeros((self.num_envs, 2))

    def step(self, actions: Any) -> Any:
        for i, env in enumerate(self.envs):
            if self._autoreset_envs[i]:
                self._env_obs[i], _ = env.reset()
                self._rewards[i], self._terminations[i], self._truncations[i] = 0.0, False, False
            else:
                observation, reward, self._terminations[i], self._truncations[i], _ = env.step(actions[i])
                self._env_obs[i], self._rewards[i] = observation, [float(reward), abs(observation[0])]
        self._autoreset_envs = self._terminations | self._truncations
        ends = self._terminations.copy(), self._truncations.copy()
        return np.array(self._env_obs), self._rewards.copy(), *ends, {}


class Own(RecordEpisodeStatistics[Any, Any, Any]):
    """Counts in its own step, in place."""

    def step(self, actions: Any) -> Any:
        result = self.env.step(actions)
        self.episode_lengths[self.prev_dones] = 0
        self.episode_lengths[~self.prev_dones] += 1
        self.prev_dones = result[2] | result[3]
        self.length_queue.extend(self.episode_lengths[self.prev_dones].tolist())
        return result


def made() -> list[Any]:
    return [lambda: gymnasium.make("CartPole-v1", max_episode_steps=20)] * N


def test_a_step_of_its_own_gives_the_trajectory_of_the_base() -> None:
    ours, base = Pairs(made()), SyncVectorEnv(made())
    assert np.array_equal(ours.reset(seed=2)[0], base.reset(seed=2)[0])
    base.action_space.seed(1)
    ended = 0
    for _ in range(STEPS):
        actions = base.action_space.sample()
        found, expected = ours.step(actions), base.step(actions)
        assert np.array_equal(found[0], expected[0])
        assert np.array_equal(found[1][:, 0], expected[1])
        assert np.array_equal(found[2:4], expected[2:4])
        assert np.array_equal(ours._autoreset_envs, base._autoreset_envs)
        ended += int((found[2] | found[3]).sum())
    assert ended > N
    ours.reset(seed=3)
    assert not ours._autoreset_envs.any()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_last_results_are_at_hand(mode: AutoresetMode) -> None:
    envs = SyncVectorEnv(made(), autoreset_mode=mode)
    envs.reset(seed=2)
    for _ in range(15 if mode is AutoresetMode.DISABLED else STEPS):
        _, rewards, terminations, truncations, _ = envs.step(np.array([0, 1, 0]))
        assert np.array_equal(envs._rewards, rewards)
        assert np.array_equal(envs._terminations, terminations)
        assert np.array_equal(envs._truncations, truncations)
        expected = np.zeros(N, bool) if mode is AutoresetMode.SAME_STEP else terminations | truncations
        assert np.array_equal(envs._autoreset_envs, expected)
        if (terminations | truncations).any() and mode is AutoresetMode.DISABLED:
            with pytest.raises(AssertionError):
                envs.step(np.zeros(N, np.int64))
            break


def test_statistics_counted_by_a_subclass() -> None:
    ours, base = Own(SyncVectorEnv(made())), RecordEpisodeStatistics(SyncVectorEnv(made()))
    for envs in (ours, base):
        envs.reset(seed=4)
        envs.action_space.seed(1)
        for _ in range(STEPS):
            envs.step(envs.action_space.sample())
    assert ours.length_queue == base.length_queue
    assert np.array_equal(ours.episode_lengths, base.episode_lengths)


def test_statistics_go_on_from_what_is_written() -> None:
    envs = RecordEpisodeStatistics(SyncVectorEnv(made()))
    envs.reset(seed=4)
    envs.episode_lengths += 100
    envs.prev_dones[1] = True
    envs.step(np.zeros(N, np.int64))
    assert envs.episode_lengths.tolist() == [101, 0, 101]
    told = envs.get_state()
    told["episode_lengths"][:] = 0
    assert envs.episode_lengths.tolist() == [101, 0, 101]
