"""What goes wrong has a kind, by which the page knows its place; recorded steps are told from played ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.registration import spec
from palaestra.recording import RecordReplays, RecordTrajectories
from palaestra.recording.replays import Replay
from palaestra.studio.forms import constants_of, summary
from palaestra.studio.gallery import Family, Gallery
from palaestra.studio.making import Given, Registered
from palaestra.studio.player_pool import PlayerPool
from palaestra.studio.recorded import Recorded
from palaestra.studio.server import Server
from palaestra.studio.session import Session
from palaestra.studio.training.dashboard import Dashboard
from tests.palaestra.studio.conftest import Serve, Studio, Training, started  # noqa: F401  (fixtures)


def kind(page: Any) -> Any:
    """The kind of what went wrong."""
    return (page.status.get("problem") or {}).get("kind")


def ended(page: Any) -> None:
    """Plays a CartPole to its end."""
    page.until(lambda page: page.status.get("branch") == 1)
    for _ in range(12):
        page.say("act", action=1)
    page.until(kind)


@pytest.mark.parametrize("command", [("act", {"action": 1}), ("next", {}), ("play", {})])
def test_the_end_of_an_episode_is_no_failure(serve: Serve, command: tuple[str, dict[str, Any]]) -> None:
    page = serve().page()
    ended(page)
    page.say("seek", step=page.status["branches"][0][4])
    page.until(lambda page: page.status["problem"] is None)

    page.say(command[0], **command[1])

    assert page.until(kind) == "over"
    assert not page.status["playing"]
    page.say("reset", seed=None)
    page.until(lambda page: page.status["branch"] == 2 and page.status["problem"] is None)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [({"max_episode_steps": 0}, "must be positive"), ({"gravity": "x"}, "a number"), ({"nowhere": 1}, "no argument")],
)
def test_wrong_arguments_are_said_beside_them(serve: Serve, arguments: dict[str, Any], reason: str) -> None:
    """And the environment until now stays."""
    page = serve().page()
    page.until(lambda page: page.status.get("branch") == 1)

    page.say("remake", arguments=arguments)

    assert page.until(kind) == "arguments"
    assert reason in page.status["problem"]["text"]
    assert page.status["problem"]["place"] == ""
    page.say("next")
    page.until(lambda page: page.status["step"] == 1)


def test_a_choice_that_is_no_action_is_said_beside_it(serve: Serve) -> None:
    page = serve().page()
    page.say("act", action=7)

    assert page.until(kind) == "action"


def test_nothing_is_described_before_it_is_made(serve: Serve) -> None:
    """So that the page can tell what is being made from what could not be."""
    import threading

    goes_on = threading.Event()

    class Slow(Given):
        def made(self, arguments: Any) -> Any:
            goes_on.wait(30)
            return super().made(arguments)

    page = serve(Slow(gymnasium.make("CartPole-v1"))).page()
    with pytest.raises(TimeoutError):
        page.socket.recv(0.3)
    goes_on.set()
    page.until(lambda page: page.description)


def test_constants_are_offered_set_and_written_into_the_code(serve: Serve) -> None:
    studio = serve()
    page = studio.page()
    page.until(lambda page: page.status.get("branch") == 1)
    fields = {field["name"]: field for field in page.description["arguments"]}
    assert fields["gravity"]["constant"]
    assert fields["gravity"]["text"] == "m/s^2"
    assert "sutton_barto_reward" in fields
    assert "constant" not in fields["sutton_barto_reward"]

    page.say("remake", arguments={name: field["value"] for name, field in fields.items()} | {"gravity": 3})
    page.until(lambda page: {f["name"]: f["value"] for f in page.description["arguments"]}["gravity"] == 3)
    code = studio.get(f"{studio.path}save/code?env=")[1].decode()

    assert "env.set_wrapper_attr('gravity', 3.0)" in code
    assert code.count("set_wrapper_attr") == 1  # not what the page has rounded
    page.say("next")
    page.until(lambda page: page.status["step"] == 1)
    status, text = studio.get(f"{studio.path}save/replay?env=")
    assert status == 409
    assert b"constants (gravity)" in text


def test_rounded_values_stay_what_they_are() -> None:
    """The page shows six digits."""
    from palaestra.studio.messages import Remake
    from palaestra.studio.player import Player

    player = Player(Registered(spec("CartPole-v1")), 0, None, "")
    player.remake()
    exact = player.session.env.unwrapped.params.theta_threshold_radians
    shown = {field["name"]: field["value"] for field in player.description["arguments"]}
    assert shown["theta_threshold_radians"] != exact

    player.do(Remake(shown | {"length": 0.7}))

    params = player.session.env.unwrapped.params
    assert (params.length, params.theta_threshold_radians) == (0.7, exact)
    player.close()


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Pendulum-v1", "Acrobot-v1", "MountainCar-v0", "Blackjack-v1"])
def test_constants_are_the_plain_fields_that_are_no_arguments(env_id: str) -> None:
    arguments = Registered(spec(env_id)).fields()
    with gymnasium.make(env_id) as env:
        constants = constants_of(env, arguments)
        for field in constants:
            assert env.get_wrapper_attr(field["name"]) == field["value"]

    assert not {field["name"] for field in arguments} & {field["name"] for field in constants}


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    """A replay that ends before its episode does."""
    with RecordReplays(gymnasium.make("CartPole-v1"), tmp_path, keep_unfinished=True) as env:
        env.reset(seed=1)
        for _ in range(4):
            env.step(0)
    [path] = tmp_path.glob("*.replay")
    return Replay.load(path)


def records(page: Any) -> list[str]:
    return [branch[9] for branch in page.status["branches"]]


def test_recorded_steps_are_verified_and_told_from_those_after_them(serve: Serve, replay: Replay) -> None:
    page = serve(Recorded(replay)).page()
    page.until(lambda page: page.status.get("branch") == 1)
    assert records(page) == ["verified"]

    page.say("seek", step=4)
    page.say("act", action=1)

    page.until(lambda page: page.status["step"] == 5)
    assert records(page) == ["verified", ""]


def test_recorded_steps_that_come_out_otherwise_are_said_to(serve: Serve, replay: Replay) -> None:
    replay.rewards = np.array([1.0, 1.0, 5.0, 1.0])
    page = serve(Recorded(replay)).page()
    page.until(lambda page: page.status.get("branch") == 1)

    assert records(page) == ["differs"]


def gallery(*env_ids: str) -> Gallery:
    return Gallery([Family("classic_control", "ready", True, [spec(env_id) for env_id in env_ids])])


def test_older_versions_are_opened_as_make_does() -> None:
    found = gallery("CartPole-v1")

    assert found.registered("HalfCheetah-v4").id == "HalfCheetah-v4"
    assert found.registered("Acrobot").id == "Acrobot-v1"
    with pytest.raises(KeyError, match="did you mean CartPole-v1"):
        found.registered("CartPolle-v1")


def test_families_have_names_to_be_read_and_slow_ones_come_last() -> None:
    specs = [spec("CartPole-v1")]
    names = ["phys2d", "ALE", "mujoco", "my_envs", "classic_control"]
    listed = Gallery([Family(name, "ready", True, specs) for name in names]).listed()

    assert [one["name"] for one in listed] == ["my_envs", "classic_control", "mujoco", "phys2d", "ALE"]
    assert [one["title"] for one in listed[:3]] == ["my_envs", "Classic control", "MuJoCo"]


def test_a_card_says_what_an_environment_is() -> None:
    look = gallery("CartPole-v1").look("CartPole-v1")

    assert look.picture is not None
    assert look.actions == "2 actions"
    assert look.text.endswith(".")


@pytest.mark.parametrize("env_id", sorted({one.id for one in gymnasium.registry.values() if one.namespace is None}))
def test_no_summary_is_longer_than_a_card(env_id: str) -> None:
    try:
        env = gymnasium.make(gymnasium.spec(env_id))
    except Exception:  # what cannot be made has no card
        return
    with env:
        text, actions = summary(env)
    assert len(text) <= 200
    assert actions


def test_the_gallery_leads_to_trainings_and_data_sets(
    tmp_path: Path, training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import ExitStack

    from palaestra.studio.recordings import local_sets

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "sets"))
    assert local_sets() == {}
    with RecordTrajectories(gymnasium.make("CartPole-v1"), "cart/pole-v0") as env:
        env.reset(seed=1)
        while not env.step(0)[2]:
            pass
    families = [Family("classic_control", "ready", True, [spec("CartPole-v1")])]
    training.watch(gymnasium.make_vec("CartPole-v1", 2))
    with ExitStack() as stack:
        server = Server(PlayerPool(families, sets=local_sets()), dashboard=Dashboard(tmp_path))
        stack.callback(server.close)
        studio = Studio(server, stack)
        status, body = studio.get(f"{studio.path}gallery")
        page = studio.page("!data/cart/pole-v0")
        page.until(lambda page: page.description)

    import json

    told = json.loads(body)
    assert (status, told["training"], told["sets"]) == (200, False, ["cart/pole-v0"])
    assert told["trainings"] == {"folder": tmp_path.name, "count": 1}
    assert page.description["episodes"]["name"] == "cart/pole-v0"


def test_a_session_branches_where_a_record_ends() -> None:
    """A recorded branch never grows."""
    with gymnasium.make("CartPole-v1") as env:
        session = Session(env, 1)
        session.step(0)
        session.repeated(differs=False)
        session.step(0)
        assert [(branch.last, branch.record) for branch in session.branches.values()] == [(1, "verified"), (2, "")]
