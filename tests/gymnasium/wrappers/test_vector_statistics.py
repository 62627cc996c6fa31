"""The vector `RecordEpisodeStatistics` and `DictInfoToList`."""

from __future__ import annotations

import io
import time

import numpy as np
import pytest

from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics as Single
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

ACTIONS = np.zeros(3, np.int64)


@pytest.fixture
def batch(counting):
    """Makes three environments with episodes of 2, 3 and 5 steps."""

    def make(mode=AutoresetMode.NEXT_STEP, wrap=lambda env: env):
        lengths = [2, 3, 5]
        return SyncVectorEnv([lambda k=k: wrap(counting(length=k)) for k in lengths], autoreset_mode=mode)

    return make


def step(env, mode):
    """A step, and in the mode DISABLED the reset that it calls for."""
    *_, terminations, truncations, infos = env.step(ACTIONS)
    if mode is AutoresetMode.DISABLED and (terminations | truncations).any():
        env.reset(options={"reset_mask": terminations | truncations})
    return infos


def episodes(infos):
    """The returns and lengths of the episodes that have ended: what the wrapper itself, or those inside, report."""
    source = infos.get("final_info", infos) if "episode" not in infos else infos
    if "episode" not in source:
        return []
    mask = source["_episode"]
    return [*zip(source["episode"]["r"][mask].tolist(), source["episode"]["l"][mask].tolist(), strict=True)]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_statistics_of_a_batch_are_those_of_its_environments(batch, mode):
    env, inside = RecordEpisodeStatistics(batch(mode)), batch(mode, Single)
    env.reset(seed=1)
    inside.reset(seed=1)
    seen = []
    for _ in range(20):
        infos = step(env, mode)
        assert episodes(infos) == episodes(step(inside, mode))
        seen += episodes(infos)
    assert set(seen) == {(3.0, 2), (6.0, 3), (15.0, 5)}
    assert env.episode_count == len(seen)
    assert [*zip(env.return_queue, env.length_queue, strict=True)] == seen


def test_where_no_episode_ended_there_are_zeros(batch):
    env = RecordEpisodeStatistics(batch())
    env.reset()
    assert "episode" not in step(env, None)
    infos = step(env, None)
    assert infos["_episode"].tolist() == [True, False, False]
    assert infos["episode"]["r"].tolist() == [3, 0, 0]
    assert infos["episode"]["l"].tolist() == [2, 0, 0]
    assert infos["episode"]["l"].dtype == np.int64
    assert infos["episode"]["t"][0] > 0
    assert infos["episode"]["t"][1:].tolist() == [0, 0]


def test_a_masked_reset_restarts_those_of_the_mask_only(batch):
    env = RecordEpisodeStatistics(batch(AutoresetMode.DISABLED))
    env.reset()
    env.step(ACTIONS)
    options = {"reset_mask": np.array([True, False, True])}
    env.reset(options=options)
    assert env.episode_lengths.tolist() == [0, 1, 0]
    assert env.episode_returns.tolist() == [0, 1, 0]
    assert list(options) == ["reset_mask"]


def test_a_key_of_the_environment_is_not_overwritten(batch):
    env = RecordEpisodeStatistics(RecordEpisodeStatistics(batch()))
    env.reset()
    env.step(ACTIONS)
    with pytest.raises(ValueError, match="stats_key"):
        env.step(ACTIONS)


@pytest.mark.parametrize(("length", "error"), [(-1, ValueError), (2.5, TypeError)])
def test_a_queue_of_no_length_is_refused(batch, counting, length, error):
    with pytest.raises(error, match="buffer_length"):
        RecordEpisodeStatistics(batch(), length)
    with pytest.raises(error, match="buffer_length"):
        Single(counting(), length)


def test_queues_and_key_can_be_chosen(batch):
    env = RecordEpisodeStatistics(batch(), buffer_length=2, stats_key="mine")
    env.reset()
    found = [step(env, None) for _ in range(30)]
    assert len(env.return_queue) == len(env.length_queue) == len(env.time_queue) == 2
    assert any("mine" in infos for infos in found)
    assert not any("episode" in infos for infos in found)


@pytest.mark.parametrize("buffer_length", [0, 1, 4, None])
@pytest.mark.parametrize("look_every", [1, 7, 300])
def test_the_queues_hold_the_last_episodes_however_rarely_somebody_looks(batch, buffer_length, look_every):
    env, seen = RecordEpisodeStatistics(batch(), buffer_length), []
    env.reset()
    for t in range(1, 601):
        seen += episodes(step(env, None))
        if t % look_every == 0:
            wanted = seen if buffer_length is None else seen[len(seen) - min(buffer_length, len(seen)) :]
            assert [*zip(env.return_queue, env.length_queue, strict=True)] == wanted
            assert len(env.time_queue) == len(wanted)


class Silent(VectorEnv):
    """Does not say when it resets."""

    num_envs = 3

    def __init__(self, metadata):
        self.metadata = metadata


def test_without_a_mode_next_step_is_assumed():
    with pytest.warns(UserWarning, match="autoreset_mode"):
        RecordEpisodeStatistics(Silent({}))
    with pytest.raises(TypeError, match="'NextStep'"):
        RecordEpisodeStatistics(Silent({"autoreset_mode": "NextStep"}))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_state_goes_through_a_file_and_goes_on(batch, mode):
    env, other = RecordEpisodeStatistics(batch(mode)), RecordEpisodeStatistics(batch(mode))
    for one in (env, other):
        one.reset()
        for _ in range(4):
            step(one, mode)
    file = io.BytesIO()
    np.savez(file, **env.get_state())
    file.seek(0)
    other.episode_returns[:] = 99
    other.set_state(dict(np.load(file)))
    for _ in range(12):
        assert episodes(step(env, mode)) == episodes(step(other, mode))
    assert other.episode_count == env.episode_count
    assert list(other.length_queue) == list(env.length_queue)


def test_a_state_holds_the_seconds_since_the_resets(batch):
    env, before = RecordEpisodeStatistics(batch()), time.perf_counter()
    env.reset()
    seconds = env.get_state()["episode_times"]
    assert (seconds >= 0).all() and (seconds <= time.perf_counter() - before).all()


def test_the_state_of_another_number_of_environments_is_refused(batch, counting):
    state = RecordEpisodeStatistics(SyncVectorEnv([counting])).get_state()
    with pytest.raises(ValueError, match="episode_returns"):
        RecordEpisodeStatistics(batch()).set_state(state)


def test_the_state_of_a_single_environment_goes_on_in_another(counting):
    env, other = Single(counting(length=3)), Single(counting(length=3))
    env.reset()
    for _ in range(3):
        env.step(0)
    env.reset()
    env.step(0)
    other.reset()
    other.step(0)
    other.set_state(env.get_state())
    for one in (env, other):
        one.step(0)
        info = one.step(0)[-1]
        assert (info["episode"]["r"], info["episode"]["l"]) == (6.0, 3)
    assert (list(other.return_queue), other.episode_count) == ([6.0, 6.0], 2)


class Reporting(VectorEnv):
    """Reports the infos that it is given."""

    num_envs = 3

    def __init__(self, infos):
        self.infos = infos

    def reset(self, *, seed=None, options=None):
        return None, self.infos

    def step(self, actions):
        return None, None, None, None, self.infos


@pytest.mark.parametrize(
    ("infos", "wanted"),
    [
        ({}, [{}, {}, {}]),
        ({"a": np.arange(3)}, [{"a": 0}, {"a": 1}, {"a": 2}]),
        ({"a": np.arange(3), "_a": np.array([True, False, True])}, [{"a": 0}, {}, {"a": 2}]),
        ({"a": {"b": np.arange(3)}, "_a": np.array([False, True, False])}, [{}, {"a": {"b": 1}}, {}]),
        ({"a": {}, "_a": np.array([True, False, False])}, [{"a": {}}, {}, {}]),
        ({"a": np.array(["x", None, "z"], object), "_a": np.array([True, False, True])}, [{"a": "x"}, {}, {"a": "z"}]),
    ],
)
def test_infos_become_a_list(infos, wanted):
    env = DictInfoToList(Reporting(infos))
    assert env.reset()[1] == wanted
    assert env.step(None)[-1] == wanted


@pytest.mark.parametrize("infos", [[{}, {}, {}], {"a": np.arange(2)}, {"a": [1, 2, 3]}, {"a": np.array(5)}])
def test_what_is_no_dict_of_batches_is_refused(infos):
    with pytest.raises(AssertionError, match=r"DictInfoToList|must be an array of 3"):
        DictInfoToList(Reporting(infos)).reset()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_list_of_infos_is_what_the_environments_report(batch, mode):
    env, alone = DictInfoToList(batch(mode)), batch(mode)
    env.reset()
    alone.reset()
    for _ in range(2):
        infos = env.step(ACTIONS)[-1]
        wanted = alone.step(ACTIONS)[-1]
    assert [info["t"] for info in infos] == wanted["t"].tolist()
    assert ("final_info" in infos[0]) == (mode is AutoresetMode.SAME_STEP)
    assert "final_info" not in infos[1]
