"""Playing over the wire: what pages ask for, and what they are shown."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete
from palaestra.studio.making import Given, Registered
from palaestra.studio.player_thread import PlayerThread
from palaestra.studio.recorded import Recorded
from palaestra.studio.viewers import MAX_IN_FLIGHT, MAX_ROWS, Viewer
from tests.palaestra.studio.conftest import Page, Serve


class Moody(Env[Any, int]):
    """Action 0 is worth no number, 1 raises, 2 waits for `gate`; it draws nothing."""

    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Discrete(3)

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.threads: set[int] = set()

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        self.threads.add(threading.get_ident())
        return np.array([np.nan, np.inf]), {"odd": object()}

    def step(self, action: int) -> Any:
        self.threads.add(threading.get_ident())
        if action == 1:
            raise ZeroDivisionError("no more")
        if action == 2:
            self.gate.wait(30)
        return np.array([0.5, 1e300]), float("nan"), False, False, {}


def started(page: Page) -> bool:
    return page.description is not None and bool(page.status.get("branches"))


def test_an_episode_is_played_rewound_and_branched(serve: Serve) -> None:
    page = serve(seed=3).page()
    page.until(started)
    for _ in range(6):
        page.say("act", action=1)
    page.until(lambda page: page.status["step"] == 6)

    page.say("seek", step=2)
    page.until(lambda page: page.status["step"] == 2)
    page.say("act", action=0)
    page.until(lambda page: page.status["branch"] == 2 and len(page.rows.get(2, [])) == 4)

    expected = [[1, 3, None, 0, 6, 6.0, 0, None, True, ""], [2, 3, 1, 2, 3, 3.0, 0, None, True, ""]]
    assert page.status["branches"] == expected
    assert page.rows[2][:3] == page.rows[1][:3]
    page.say("compare", branch=1)
    page.until(lambda page: page.status["compared"] == 1)
    page.until(lambda page: page.pictures >= 3)


def test_a_page_that_comes_back_sees_all_of_it(serve: Serve) -> None:
    """As after a reload."""
    studio = serve()
    page = studio.page()
    page.until(started)
    for k in range(5):
        page.say("act", action=k % 2)
    page.until(lambda page: page.status["step"] == 5)
    page.socket.close()

    again = studio.page()
    again.until(lambda page: started(page) and page.pictures)

    assert again.status["step"] == 5
    assert again.rows == page.rows


def test_two_pages_see_the_same(serve: Serve) -> None:
    studio = serve()
    one, other = studio.page(), studio.page()
    one.until(started)
    other.until(started)

    one.say("next")
    other.until(lambda page: page.status["step"] == 1)
    other.say("next")
    one.until(lambda page: page.status["step"] == 2)
    other.until(lambda page: page.status["step"] == 2)

    assert one.rows == other.rows


def test_playing_ends_with_the_episode_or_begins_another(serve: Serve) -> None:
    page = serve().page()
    page.until(started)
    page.say("speed", value=0)
    page.say("play")
    page.until(lambda page: page.status["branches"][0][6] == 1 and not page.status["playing"])

    page.say("loop", value=True)
    page.say("play")
    page.until(lambda page: len(page.status["branches"]) >= 3)
    page.say("pause")
    page.until(lambda page: not page.status["playing"])
    first, second, third = (branch[1] for branch in page.status["branches"][:3])  # of many, the last ones
    assert (second, third) == (first + 1, first + 2)


def test_nothing_plays_when_nobody_looks(serve: Serve) -> None:
    studio = serve("Pendulum-v1")
    page = studio.page()
    page.until(started)
    page.say("loop", value=True)
    page.say("play")
    page.until(lambda page: page.status["step"] > 2)
    page.socket.close()

    player = studio.server._players.running("")
    assert player is not None
    limit = time.monotonic() + 20
    while player._player.playing and time.monotonic() < limit:
        time.sleep(0.02)
    assert not player._player.playing


def test_an_exception_is_shown_with_its_line_and_can_be_left_behind(serve: Serve) -> None:
    page = serve(Given(Moody())).page()
    page.until(started)
    page.say("act", action=1)
    problem = page.until(lambda page: page.status.get("problem"))

    assert problem["text"] == "ZeroDivisionError: no more"
    assert 'raise ZeroDivisionError("no more")' in problem["place"]
    assert problem["kind"] == "failed"
    page.say("reset", seed=4)
    page.until(lambda page: page.status["problem"] is None and page.status["branch"] == 2)
    page.say("act", action=0)
    page.until(lambda page: page.status["step"] == 1)
    assert page.rows[2][1] == [None, None, 0, 0, [0.5, 1e300], {}]


def test_a_slow_step_keeps_no_page_waiting(serve: Serve) -> None:
    """Others are served meanwhile, from the latest view."""
    env = Moody()
    studio = serve(Given(env))
    page = studio.page()
    page.until(started)
    page.say("act", action=2)

    other = studio.page()
    other.until(started)
    assert studio.get(f"{studio.path}gallery")[0] == 200

    env.gate.set()
    page.until(lambda page: page.status["step"] == 1)
    assert len(env.threads) == 1


def test_an_environment_that_cannot_be_made_says_why(serve: Serve) -> None:
    class Unmade(Given):
        def made(self, arguments: Any) -> Env:
            raise gymnasium.error.DependencyNotInstalled("something is missing")

    page = serve(Unmade(Moody())).page()
    problem = page.until(lambda page: page.status.get("problem"))

    assert "something is missing" in problem["text"]
    page.say("next")
    page.until(lambda page: "could not be made" in (page.status.get("problem") or {}).get("text", ""))


def test_arguments_make_it_again(serve: Serve) -> None:
    page = serve("FrozenLake-v1").page()
    page.until(started)
    page.say("remake", arguments={"map_name": "8x8", "xml": 1})
    page.until(lambda page: "no argument 'xml'" in (page.status.get("problem") or {}).get("text", ""))

    page.say("remake", arguments={"map_name": "8x8", "is_slippery": False})
    page.until(lambda page: page.description and page.description["observation"]["space"] == "Discrete(64)")
    shown = {field["name"]: field["value"] for field in page.description["arguments"]}
    assert shown["is_slippery"] is False


def test_arguments_that_it_refuses_leave_it_as_it_is(serve: Serve) -> None:
    """The error of its constructor is shown, and the episode goes on."""
    page = serve("LunarLander-v3").page()
    page.until(started)
    page.say("act", action=0)
    page.say("remake", arguments={"gravity": 5.0})
    problem = page.until(lambda page: page.status.get("problem"))

    assert "gravity" in problem["text"]
    page.say("act", action=0)
    page.until(lambda page: page.status["step"] == 2 and page.status["problem"] is None)


def test_a_policy_acts(serve: Serve) -> None:
    """From the observation of the step, also after going back."""
    page = serve(policy=(lambda observation: int(observation[2] > 0), "upright"), seed=1).page()
    page.until(started)
    assert page.description["policy"] == "upright"
    assert page.status["source"] == "policy"
    for _ in range(8):
        page.say("next")
    page.until(lambda page: page.status["step"] == 8)
    page.say("seek", step=3)
    page.say("fork")
    page.say("next")
    page.until(lambda page: page.status["branch"] == 2 and page.status["step"] == 4 and len(page.rows.get(2, [])) == 5)

    assert page.rows[2] == page.rows[1][:5]
    assert [row[3] for row in page.rows[1][1:]] == [int(row[4][2] > 0) for row in page.rows[1][:-1]]


def test_files_to_take_away(serve: Serve, tmp_path: Path) -> None:
    """They all lead to the step looked at."""
    studio = serve("LunarLander-v3", seed=5)
    page = studio.page()
    page.until(started)
    for k in range(5):
        page.say("act", action=k % 4)
    page.until(lambda page: page.status["step"] == 5)
    page.say("seek", step=4)
    page.until(lambda page: page.status["step"] == 4)
    saved = {
        kind: studio.get(f"{studio.path}save/{kind}") for kind in ("code", "replay", "snapshot", "mp4", "gif", "exe")
    }

    assert {kind: status for kind, (status, _) in saved.items()} == dict.fromkeys(saved, 200) | {"exe": 404}
    replay, moment = tmp_path / "one.replay", tmp_path / "one.npz"
    replay.write_bytes(saved["replay"][1])
    moment.write_bytes(saved["snapshot"][1])
    assert palaestra.Replay.load(replay).verify()
    names: dict[str, Any] = {}
    exec(saved["code"][1].decode(), names)
    with gymnasium.make("LunarLander-v3") as env:
        palaestra.restore(env, palaestra.Snapshot.load(moment))
        results = [one.step(2) for one in (env, names["env"])]
    names["env"].close()
    assert results[0][1] == results[1][1]
    assert saved["mp4"][1][4:8] == b"ftyp"
    assert saved["gif"][1][:3] == b"GIF"
    page.say("act", action=0)
    page.until(lambda page: page.status["step"] == 5)  # and the environment is where it was


def test_what_cannot_be_saved_is_explained(serve: Serve) -> None:
    studio = serve(Given(Moody()))
    page = studio.page()
    page.until(started)

    for kind, reason in (("mp4", b"needs pictures"), ("replay", b"one step"), ("snapshot", b"get_state")):
        status, text = studio.get(f"{studio.path}save/{kind}")
        assert status == 409
        assert reason in text


def test_the_gallery_has_pictures(serve: Serve) -> None:
    studio = serve(None)

    status, picture = studio.get(f"{studio.path}picture/CartPole-v1")

    assert status == 200
    assert picture[:4] == b"RIFF"
    assert picture[8:12] == b"WEBP"


def test_a_slow_page_gets_the_latest_and_no_queue() -> None:
    """At most some pictures are under way, and rows come in portions."""
    player = PlayerThread(Registered(gymnasium.spec("CartPole-v1")))
    try:
        limit = time.monotonic() + 30
        while not player.view.branches and time.monotonic() < limit:
            time.sleep(0.01)
        branch = player.view.branches[1]
        branch.steps.extend(branch.steps[-1:] * (2 * MAX_ROWS))
        viewer = Viewer()
        sizes = []
        while not sizes or viewer.behind:
            news = list(viewer.news(player.view))
            sizes.append(max(len(one) for one in news))
        assert len(sizes) == 3
        views = [player.view.__class__(1, {}, player.view.status, {}, (bytes([k]), None)) for k in range(9)]
        sent = [one for view in views for one in Viewer.news(viewer, view) if isinstance(one, bytes)]
        assert len(sent) <= MAX_IN_FLIGHT
        viewer.seen()
        assert next(one for one in viewer.news(views[-1]) if isinstance(one, bytes))[2:] == bytes([8])
    finally:
        player.close()


@pytest.mark.parametrize("seeds", [1, None])
def test_a_replay_is_there_from_the_beginning(serve: Serve, tmp_path: Path, seeds: int | None) -> None:
    """All its steps are the recorded ones, it can be gone on from, and taken away if it began with a seed."""
    env = palaestra.recording.RecordReplays(gymnasium.make("CartPole-v1"), tmp_path)
    rng, over = np.random.default_rng(3), False
    env.reset(seed=seeds)
    rewards = []
    while not over:
        _, reward, terminated, truncated, _ = env.step(int(rng.integers(2)))
        over = terminated or truncated
        rewards.append(reward)
    env.close()
    recorded = Recorded(palaestra.Replay.load(tmp_path / "episode_0.replay"))
    studio = serve(recorded, seed=recorded.seed)
    page = studio.page()
    page.until(lambda page: started(page) and len(page.rows[1]) == len(rewards) + 1)

    assert page.status["step"] == 0
    assert not page.status["drifted"]
    assert [row[0] for row in page.rows[1][1:]] == rewards
    assert page.rows[1][-1][2] == 1
    page.say("seek", step=5)
    page.say("act", action=0)
    page.until(lambda page: page.status["branch"] == 2 and page.status["step"] == 6)
    assert page.rows[2][:6] == page.rows[1][:6]
    assert studio.get(f"{studio.path}save/replay")[0] == (409 if seeds is None else 200)
    assert studio.get(f"{studio.path}save/snapshot")[0] == 200
