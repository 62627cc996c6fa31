"""Recorded episodes come back as they were, or it is said that they cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.error import Error
from palaestra.recording import RecordReplays, RecordTrajectories
from palaestra.recording.data_sets.reading import RecordedSet
from palaestra.recording.vector import RecordTrajectories as RecordBatch
from palaestra.studio.recordings import DataSet, Recorded, opened
from palaestra.studio.session import Session, StudioError
from tests.palaestra.studio.conftest import Serve


def recorded(env: Any, episodes: int) -> None:
    """Plays episodes, of which only the first begins with a seed."""
    env.action_space.seed(1)
    env.reset(seed=3)
    for _ in range(episodes):
        over = False
        while not over:
            *_, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated
        env.reset()
    env.close()


def opened_recordings(path: Path) -> tuple[Recorded, Session]:
    """The episodes, and a session in which the first is open."""
    recordings = Recorded(opened(path))
    session = Session(recordings.made({}), 0)
    recordings.prepare(session)
    return recordings, session


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Blackjack-v1", "Pendulum-v1", "LunarLander-v3"])
def test_episodes_of_one_environment_are_repeated(env_id: str, tmp_path: Path) -> None:
    """In any order, also those without a seed; values are the recorded ones, and the last step is the end."""
    recorded(RecordTrajectories(gymnasium.make(env_id, max_episode_steps=30), "set-v0", folder=tmp_path), 5)
    recordings, session = opened_recordings(tmp_path / "set-v0")
    totals = [row[0] for row in recordings.listed()["rows"]]

    for k in (3, 0, 4, 1):
        session.record(recordings.episode(k))
        assert session.branch.is_drawn
        assert session.branch.steps[-1].row[1] == pytest.approx(totals[k], rel=1e-4, abs=1e-4)
        assert session.branch.steps[-1].over
    assert not session.drifted
    assert len(totals) == 5
    session.seek(0)
    session.fork()
    session.step(session.env.action_space.sample())
    assert session.branch.last == 1
    session.env.close()


def test_episodes_of_a_batch_are_shown_by_their_values(tmp_path: Path) -> None:
    """Those with a seed are drawn; of the others it is not known how they began."""
    envs = RecordBatch(gymnasium.make_vec("CartPole-v1", 3), "batch-v0", folder=tmp_path)
    envs.action_space.seed(1)
    envs.reset(seed=5)
    for _ in range(80):
        envs.step(envs.action_space.sample())
    envs.close()
    recordings, session = opened_recordings(tmp_path / "batch-v0")
    seeds = [row[2] for row in recordings.listed()["rows"]]
    assert len(seeds) > 6

    for k, seed in enumerate(seeds):
        session.record(recordings.episode(k))
        assert session.branch.is_drawn == (seed is not None)
        assert len(session.branch.steps) == recordings.listed()["rows"][k][1] + 1
    assert not session.drifted
    assert session.picture(session.branch, 0, lambda env: b"drawn") is None
    for act in (lambda: session.step(0), session.fork, session.moment):
        with pytest.raises(StudioError, match="looked at only"):
            act()
    session.env.close()


def test_replays_of_a_folder_are_listed(tmp_path: Path) -> None:
    """Those of another environment, and files that are none, are left out, which is said."""
    recorded(RecordReplays(gymnasium.make("CartPole-v1"), tmp_path, name_prefix="a"), 3)
    recorded(RecordReplays(gymnasium.make("MountainCar-v0", max_episode_steps=5), tmp_path, name_prefix="other"), 1)
    (tmp_path / "torn0.replay").write_bytes(b"PK")
    recordings, session = opened_recordings(tmp_path)

    listed = recordings.listed()
    assert len(listed["rows"]) == 3
    assert listed["remark"] == "2 other files are not shown."
    session.record(recordings.episode(2))
    assert session.branch.steps[-1].row[1] == listed["rows"][2][0]
    assert not session.drifted
    session.env.close()


def test_another_outcome_is_told(tmp_path: Path) -> None:
    """Also a data set whose episodes go on where this environment ends."""
    recorded(RecordTrajectories(gymnasium.make("CartPole-v1"), "set-v0", folder=tmp_path), 2)
    recordings, session = opened_recordings(tmp_path / "set-v0")
    episode = recordings.episode(1)
    changed = episode._replace(rewards=[2.0] * len(episode.rewards))
    session.record(changed)
    assert session.drifted
    session.env.close()


def test_what_is_no_data_set_is_refused(tmp_path: Path) -> None:
    import h5py

    with pytest.raises(ValueError, match="no data set"):
        opened(tmp_path)
    recorded(RecordTrajectories(gymnasium.make("CartPole-v1"), "set-v0", folder=tmp_path), 1)
    data = tmp_path / "set-v0" / "data"
    with h5py.File(data / "main_data.hdf5", "r+") as file:
        del file["episode_0"]["actions"]
    recordings = DataSet(data / "main_data.hdf5")
    with gymnasium.make("CartPole-v1") as env, pytest.raises(StudioError, match="cannot be read"):
        recordings.episode(0, env)

    text = (data / "metadata.json").read_text()
    (data / "metadata.json").write_text(text.replace("classic_control.cartpole:CartPoleEnv", "nowhere:Evil"))
    with pytest.raises(Error):
        RecordedSet(tmp_path / "set-v0")
    (data / "metadata.json").write_text("[]")
    with pytest.raises(ValueError, match="describes no data set"):
        RecordedSet(tmp_path / "set-v0")


def test_a_page_chooses_and_compares_by_number(serve: Serve, tmp_path: Path) -> None:
    """A number that is none gets an answer."""
    recorded(RecordTrajectories(gymnasium.make("CartPole-v1"), "set-v0", folder=tmp_path), 3)
    page = serve(Recorded(opened(tmp_path / "set-v0"))).page()
    page.until(lambda page: page.description and page.status.get("branch"))
    assert page.description is not None
    assert [row[3] for row in page.description["episodes"]["rows"]] == [1, 1, 1]

    page.say("episode", number=2, compare=True)
    page.until(lambda page: page.status["compared"] is not None)
    page.say("episode", number=99, compare=False)
    page.until(lambda page: page.status["problem"])
    assert "no episode 99" in page.status["problem"]["text"]
    other = next(branch for branch in page.status["branches"] if branch[0] == page.status["compared"])
    assert other[7] == 2
    assert np.isclose(other[5], page.description["episodes"]["rows"][2][0])
