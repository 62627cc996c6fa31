"""`palaestra play` and `palaestra record`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.envs.registration import make, registry
from gymnasium.error import UnsupportedMode
from gymnasium.rendering._libraries import load_pygame
from gymnasium.spaces import Box, Discrete, MultiBinary
from palaestra.cli import main, playing
from palaestra.cli.errors import CommandError
from palaestra.cli.playing import _actions, _code, _noop
from tests.palaestra.cli.conftest import Cli

Refused = Callable[..., str]
pygame = load_pygame()


@pytest.fixture
def escape_after(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Makes the player hold the right arrow, and leave after so many rounds."""

    def hold(rounds: int) -> None:
        events = iter(
            [[pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT)]]
            + [[]] * (rounds - 2)
            + [[pygame.event.Event(pygame.QUIT)]]
        )
        monkeypatch.setattr(pygame.event, "get", lambda: next(events))

    yield hold
    pygame.display.quit()


def test_playing(escape_after: Callable[[int], None], capsys: pytest.CaptureFixture[str]) -> None:
    """The keys are shown first and the score last; always pushing right lasts less than 20 steps."""
    escape_after(40)

    assert main(["play", "CartPole-v1", "--seed", "1", "--fps", "1000"]) == 0

    text = capsys.readouterr().out
    rows = [line.split() for line in text.splitlines() if line.strip()]
    assert [row for row in rows if row[0] in ("left", "right")] == [["left", "0"], ["right", "1"]]
    assert text.index("right") < text.index("return")
    assert "1 episode, " in text  # the second waits for the key to be pressed anew


def test_time_waits_in_board_games(escape_after: Callable[[int], None], capsys: pytest.CaptureFixture[str]) -> None:
    """Before a key is pressed, nothing moves: of ten rounds the first makes no step."""
    escape_after(10)

    assert main(["play", "CliffWalking-v1", "--fps", "1000"]) == 0

    steps = [line for line in capsys.readouterr().out.splitlines() if "steps" in line]
    assert "9 steps" in steps[-1]


class Still(Env[Any, Any]):
    """An environment of some action space."""

    observation_space = Discrete(2)

    def __init__(self, action_space: Any) -> None:
        self.action_space = action_space


@pytest.mark.parametrize(
    ("space", "keys", "expected"),
    [
        (Discrete(3), None, {"0": 0, "1": 1, "2": 2}),
        (Discrete(2, start=5), None, {"0": 5, "1": 6}),
        (Discrete(3), "a=2,left=0", {"a": 2, "left": 0}),
        (Discrete(3), "==1", {"=": 1}),
    ],
)
def test_keys(space: Any, keys: str | None, expected: dict[str, Any]) -> None:
    """Given, or else digits."""
    assert _actions(Still(space), "Still", keys) == expected


def test_arrows_for_one_force() -> None:
    """They push as hard as can be; without a key, there is no push."""
    env = Still(Box(-2, 2, (1,), np.float32))

    assert _actions(env, "Still", None) == {"left": [-2], "right": [2]}
    assert _noop(env, "Still") == [0]
    assert (_code("left"), _code("a")) == (pygame.K_LEFT, ord("a"))


@pytest.mark.parametrize(
    ("space", "keys", "hint"),
    [
        (MultiBinary(3), None, "MultiBinary"),
        (Box(-np.inf, np.inf, (1,)), None, "Box"),
        (Discrete(30), None, "Discrete"),
        (Discrete(2), "a", "KEY=ACTION"),
        (Discrete(2), "shift=1", "KEY=ACTION"),
        (Discrete(2), "a=x", "KEY=ACTION"),
        (Discrete(2), "a=2", "Discrete"),
        (Box(-1, 1, (1,)), "a=1", "KEY=ACTION"),
    ],
)
def test_no_keys(space: Any, keys: str | None, hint: str) -> None:
    """The error says what is missing or wrong."""
    with pytest.raises(CommandError, match=hint):
        _actions(Still(space), "Still", keys)


@pytest.mark.parametrize(
    "env_id", [spec.id for spec in registry.values() if spec.id.startswith(("Cart", "Taxi", "Fro"))]
)
@pytest.mark.filterwarnings("ignore:.*out of date:DeprecationWarning")
def test_ours_have_keys(env_id: str) -> None:
    """Their actions are in the space."""
    env = make(env_id)
    actions = _actions(env, env_id.partition("-")[0], None)

    assert actions
    assert all(action in env.action_space for action in actions.values())


def test_without_a_display_the_commands_that_need_none_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def require_display() -> None:
        raise UnsupportedMode("no display")

    monkeypatch.setattr(playing, "require_display", require_display)
    assert main(["play", "CartPole-v1"]) == 1
    line = capsys.readouterr().err
    assert "`palaestra studio CartPole-v1`" in line
    assert "--video out.mp4" in line


def test_what_cannot_be_played(refused: Refused) -> None:
    """One line says why."""
    assert "CartPole" in refused("play", "CartPol-v1", code=2)
    assert "Discrete(2)" in refused("play", "counting:Counting-v2", "--keys", "x=7", code=2)
    assert "zoom" in refused("play", "counting:Counting-v2", "--zoom", "-1", code=2)


def test_recording(cli: Cli, folder: Path) -> None:
    """One episode, unless more are asked for."""
    done = cli("record", "counting:Counting-v2", "--out", "film.gif")

    assert (done.returncode, done.stderr) == (0, "")
    assert "1 episode, 5 steps" in done.stdout
    assert (folder / "film.gif").read_bytes().startswith(b"GIF8")


def test_recording_needs_a_file(refused: Refused) -> None:
    """A video at least."""
    assert "--out" in refused("record", "CartPole-v1", code=2)
    assert ".mp4" in refused("record", "CartPole-v1", "--out", "film.avi", code=2)
