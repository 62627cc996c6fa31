"""`RecordEpisodeStatistics`."""

from __future__ import annotations

import time

import pytest

from gymnasium.wrappers import RecordEpisodeStatistics


def episode(env):
    """Returns the info of an episode's last step."""
    env.reset()
    while True:
        _, _, terminated, truncated, info = env.step(0)
        if terminated or truncated:
            return info
        assert "episode" not in info


def test_the_last_info_holds_return_length_and_time(counting):
    env = RecordEpisodeStatistics(counting(length=3))
    before = time.perf_counter()
    for _ in range(2):
        info = episode(env)
        assert info["t"] == 3
        assert info["episode"].keys() == {"r", "l", "t"}
        assert (info["episode"]["r"], info["episode"]["l"]) == (6.0, 3)
        assert 0 <= info["episode"]["t"] <= time.perf_counter() - before
        assert info["episode"]["t"] == round(info["episode"]["t"], 6)


def test_queues_hold_the_last_episodes(counting):
    env = RecordEpisodeStatistics(counting(), buffer_length=2)
    for length in (1, 2, 3):
        env.unwrapped.length = length
        episode(env)
    assert env.episode_count == 3
    assert list(env.length_queue) == [2, 3]
    assert list(env.return_queue) == [3.0, 6.0]
    assert len(env.time_queue) == 2


def test_an_abandoned_episode_is_forgotten(counting):
    env = RecordEpisodeStatistics(counting(length=2))
    env.reset()
    env.step(0)
    assert (env.episode_returns, env.episode_lengths) == (1.0, 1)
    assert episode(env)["episode"]["l"] == 2
    assert env.episode_count == 1


def test_the_key_can_be_chosen_and_must_be_free(counting):
    env = RecordEpisodeStatistics(counting(length=1), stats_key="t")
    env.reset()
    with pytest.raises(AssertionError, match="'t'"):
        env.step(0)
    assert (env.episode_count, len(env.return_queue)) == (0, 0)

    env = RecordEpisodeStatistics(counting(length=1), stats_key="statistics")
    env.reset()
    assert env.step(0)[4]["statistics"]["l"] == 1


def test_the_environments_own_info_stays_as_it_was(counting):
    class Keeping(counting):
        info = {}

        def step(self, action):
            return *super().step(action)[:4], self.info

    env = RecordEpisodeStatistics(Keeping(length=1))
    for _ in range(2):
        assert "episode" in episode(env)
    assert Keeping.info == {}


def test_spec_records_the_arguments(counting):
    (wrapper,) = RecordEpisodeStatistics(counting(), 5, "e").spec.additional_wrappers
    assert wrapper.kwargs == {"buffer_length": 5, "stats_key": "e"}


def test_numbers_are_of_the_same_types_after_a_state(counting):
    env = RecordEpisodeStatistics(counting(length=3))
    calm = episode(env)["episode"]
    env.reset()
    env.step(0)
    env.set_state(env.get_state())
    env.step(0)
    info = env.step(0)[4]
    assert {key: type(value) for key, value in info["episode"].items()} == {"r": float, "l": int, "t": float}
    assert (info["episode"]["r"], info["episode"]["l"]) == (calm["r"], calm["l"])
    queues = (env.return_queue, env.length_queue, env.time_queue)
    assert [[type(value) for value in queue] for queue in queues] == [[float] * 2, [int] * 2, [float] * 2]
