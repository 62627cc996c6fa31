"""What pages of trainings are told, and what becomes of those that say nonsense, or nothing."""

from __future__ import annotations

import json
import random
import struct
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

import gymnasium
from palaestra.studio.training import dashboard, tile_drawer
from palaestra.studio.training.helper import ASKED, NOTHING
from tests.palaestra.studio.conftest import PATIENCE, Serve, Training


def awaited(what: Callable[[], bool]) -> None:
    """Waits until something is true."""
    limit = time.monotonic() + PATIENCE
    while not what() and time.monotonic() < limit:
        time.sleep(0.01)
    assert what()


def test_a_page_is_told_of_runs_and_sees_tiles(training: Training) -> None:
    envs = training.watch(gymnasium.make_vec("CartPole-v1", 4), name="mine")
    training.train(envs, loss=0.5)
    page = training.studio.page(place="training")
    page.until(lambda page: page.runs)
    [run_id] = page.runs
    page.say("show", runs=[run_id])
    page.say("look", run=run_id)

    records = page.until(lambda page: len(page.records.get(run_id, [])) > 1 and page.records[run_id])
    page.until(lambda page: page.pictures > 2)

    assert page.runs[run_id]["name"] == "mine"
    assert records[-1]["own"] == {"loss": 0.5}
    assert records[-1]["steps"] > records[0]["steps"]


def test_tiles_are_as_large_as_the_widest_page_shows_them(training: Training) -> None:
    """In steps, so that not each size of a window draws everything anew."""
    training.train(training.watch(gymnasium.make_vec("CartPole-v1", 4)))
    small, large = (training.studio.page(place="training") for _ in range(2))

    def width() -> int:
        [tiles] = training.dashboard.drawers.values()
        (size,) = struct.unpack_from("<I", tiles.frame or bytes(4))
        found: int = json.loads(tiles.frame[4 : 4 + size])["width"] if tiles.frame else 0
        return found

    for page, wide in ((small, 100), (large, 200)):
        page.until(lambda page: page.runs)
        page.say("width", value=wide)
        page.say("look", run=next(iter(page.runs)))
        awaited(lambda: width() in (104, 200))
    awaited(lambda: width() == 200)
    large.socket.close()
    awaited(lambda: width() == 104)


def test_a_page_that_draws_nothing_gets_two_pictures(training: Training) -> None:
    """And another one, beside it, gets all; records go on to both."""
    envs = training.watch(gymnasium.make_vec("CartPole-v1", 2))
    training.train(envs)
    slow, quick = (training.studio.page(place="training") for _ in range(2))
    slow.patient = False
    for page in (slow, quick):
        page.until(lambda page: page.runs)
        page.say("look", run=next(iter(page.runs)))
    quick.until(lambda page: page.pictures > 5)

    slow.say("show", runs=list(slow.runs))
    slow.until(lambda page: any(page.records.values()))
    assert slow.pictures == 2


def test_a_page_that_says_again_where_it_looks_gets_no_picture_twice(tmp_path: Path) -> None:
    """Only one that looks away in between."""
    looked = dashboard.Dashboard(tmp_path)
    looked.drawers["run"] = SimpleNamespace(frame=b"picture", problem="", close=lambda: None)  # type: ignore[assignment]
    looked.reads = 1
    page = dashboard.Page(looked)

    def pictures(*runs: str | None) -> int:
        for run in runs:
            page.receive(json.dumps({"do": "look", "run": run}))
        return sum(isinstance(news, bytes) for news in page.news())

    assert [pictures("run"), pictures("run"), pictures(None, "run")] == [1, 0, 1]
    looked.close()


def test_nobody_looks_and_nothing_is_drawn(training: Training) -> None:
    envs = training.watch(gymnasium.make_vec("CartPole-v1", 2))
    end = training.train(envs)
    page = training.studio.page(place="training")
    page.until(lambda page: page.runs)
    page.say("look", run=next(iter(page.runs)))
    page.until(lambda page: page.pictures)
    page.socket.close()
    awaited(lambda: not training.dashboard.is_watched)
    time.sleep(0.1)
    end()

    [tiles] = training.dashboard.drawers.values()
    drawn = tiles.frame
    time.sleep(0.2)
    assert tiles.frame is drawn
    assert envs._monitor.tiles.asked[ASKED] == NOTHING


def test_of_a_run_that_is_over_only_the_last_picture_is_kept(
    training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For those who look at it; whether it was closed or forgotten."""
    for module in (dashboard, tile_drawer):
        monkeypatch.setattr(module, "KEPT", 0.1)
    watched = [training.watch(gymnasium.make_vec("CartPole-v1", 2), name=name) for name in ("closed", "forgotten")]
    folders = [envs._monitor.tiles.folder for envs in watched]
    end = training.train(watched[0])
    page = training.studio.page(place="training")
    page.until(lambda page: len(page.runs) == 2)
    page.say("look", run=watched[0]._monitor.run.path.name)
    page.until(lambda page: page.pictures)

    end()
    watched[0].close()
    watched[1]._monitor.tiles.end()  # as the end of the object does
    awaited(lambda: not any(folder.exists() for folder in folders))
    [left] = training.dashboard.drawers.values()
    assert left.is_over
    assert left.frame is not None
    page.socket.close()
    awaited(lambda: not training.dashboard.drawers)


class Bare(gymnasium.Env[Any, Any]):
    """Knows nothing of states and pictures."""

    observation_space = action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        return 0, {}

    def step(self, action: Any) -> tuple[int, float, bool, bool, dict[str, Any]]:
        return 1, 1.0, False, False, {}


def test_environments_without_states_and_pictures_are_said_to_have_none(training: Training) -> None:
    envs = training.watch(gymnasium.vector.SyncVectorEnv([Bare] * 2))
    training.train(envs)
    page = training.studio.page(place="training")
    page.until(lambda page: page.runs)
    page.say("look", run=next(iter(page.runs)))

    told: list[str] = []
    while not told:
        message = page.socket.recv(30)
        told = [message] if isinstance(message, str) and "render_mode" in message else []
    assert json.loads(told[0])["kind"] == "tiles"


def garbage(rng: random.Random) -> str | bytes:
    values = [None, True, -1, 2**70, "x" * 300, "../..", "/etc/passwd", [], [[]], ["a"] * 99, [1], {}, [None]]
    fields = {rng.choice(["runs", "run", "step", "folder"]): rng.choice(values) for _ in range(rng.randrange(3))}
    message = json.dumps({"do": rng.choice(["show", "look", "seen", "play", "open", 3]), **fields})
    return rng.choice([message, message, message[: rng.randrange(len(message))], rng.randbytes(rng.randrange(30))])


def test_garbage_gets_answers_and_the_studio_lives_on(training: Training) -> None:
    envs = training.watch(gymnasium.make_vec("CartPole-v1", 2))
    training.train(envs)
    page, rng = training.studio.page(place="training"), random.Random(3)

    for _ in range(300):
        page.socket.send(garbage(rng))
    page.say("look", run=None)
    page.until(lambda page: page.runs)
    page.say("show", runs=list(page.runs))
    page.until(lambda page: page.records.get(next(iter(page.runs))))

    assert len(page.refused) > 50


@pytest.mark.parametrize("path", ["training/x", "runs", "records/run.json", "page/run.json"])
def test_no_file_of_a_run_is_served(training: Training, path: str) -> None:
    training.watch(gymnasium.make_vec("CartPole-v1", 2))

    assert training.studio.get(training.studio.path + path)[0] == 404


def test_a_studio_of_environments_has_no_trainings(serve: Serve) -> None:
    page = serve().page(place="training")
    with pytest.raises(ConnectionClosed):
        page.until(lambda page: page.runs)
    assert "no training" in page.unavailable
