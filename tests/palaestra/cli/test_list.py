"""`palaestra list`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from gymnasium.dependencies import install_command
from gymnasium.envs.registration import find_highest_version, get_env_id, registry
from palaestra.cli import main
from tests.palaestra.cli.conftest import Cli

Refused = Callable[..., str]


def _words(text: str) -> list[str]:
    return [word.strip(",") for word in text.split()]


@pytest.mark.parametrize("columns", ["60", "80"])
def test_every_environment_is_listed_once_also_in_few_columns(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the id of its latest version, whatever its family; no id is broken."""
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["list", "--all"]) == 0

    words = _words(capsys.readouterr().out)
    names = {(spec.namespace, spec.name) for spec in registry.values()}
    latest = [get_env_id(namespace, name, find_highest_version(namespace, name)) for namespace, name in names]
    assert [env_id for env_id in latest if words.count(env_id) != 1] == []


def test_older_versions_stand_beside_the_latest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The columns are id, limit, threshold, older versions, and where there is room a description."""
    monkeypatch.setenv("COLUMNS", "120")
    main(["list", "--family", "classic_control"])

    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["CartPole-v1", "500", "475", "v0", "keep", "the", "pole", "from", "falling"] in lines


def test_versions_in_another_package_are_apart(cli: Cli) -> None:
    """Making them names the package; ids that only do so are not listed without being asked for."""
    lines = [line.split() for line in cli("list", "--family", "mujoco").stdout.splitlines()]
    assert ["environment", "steps", "solved", "from", "older", "elsewhere", "about"] in lines
    assert ["Ant-v5", "1000", "6000", "v4", "v2", "v3"] in [line[:6] for line in lines]
    assert "GymV21Environment" not in cli("list").stdout
    assert "GymV21Environment" in cli("list", "--all").stdout


def test_headers_break_between_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    main(["list", "--family", "toy_text"])
    assert {"solved", "from", "older"} <= set(_words(capsys.readouterr().out))


def test_one_family(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of the others."""
    assert main(["list", "--family", "toy_text"]) == 0

    words = _words(capsys.readouterr().out)
    assert "Taxi-v4" in words
    assert "CartPole-v1" not in words


def test_an_unknown_family_is_refused_with_those_there_are(refused: Refused) -> None:
    """One picks from the message."""
    line = refused("list", "--family", "toytext", code=2)

    assert "toytext" in line
    assert "toy_text" in line


@pytest.mark.parametrize(
    ("family", "library", "condition"),
    [
        ("classic_control", "llvmlite", "ready\n"),
        ("classic_control", "pygame", f"ready; for rendering: {install_command('pygame-ce')}\n"),
        ("toy_text", "pygame", f"ready; for rendering: {install_command('pygame-ce')}\n"),
    ],
)
def test_what_is_installed(cli: Cli, family: str, library: str, condition: str) -> None:
    """A missing library comes with the line that installs it."""
    done = cli("list", "--family", family, without=library)

    head, _, rest = done.stdout.partition(" environments, ")
    assert head == f"{family}  {'5' if family == 'classic_control' else '6'}"
    assert rest.startswith(condition)


def test_a_family_in_need_of_its_library(cli: Cli) -> None:
    """Without it none of its environments can be made."""
    done = cli("list", "--family", "box2d", without="Box2D")

    head = done.stdout.splitlines()[0]
    assert head == f"box2d  5 environments, missing: {install_command('box2d', 'pygame-ce')}"


def test_a_package_is_imported_first(cli: Cli) -> None:
    """So that what it registers is listed."""
    done = cli("list", "--import", "counting", "--family", "counting")

    assert (done.returncode, done.stderr) == (0, "")
    assert ["Counting-v2", "50", "4", "v0"] in [line.split() for line in done.stdout.splitlines()]


def test_a_package_that_cannot_be_imported(refused: Refused) -> None:
    """The reason is given."""
    assert "no_such_package" in refused("list", "--import", "no_such_package", code=2)


def test_output_into_a_pipe_is_plain_and_unbroken(cli: Cli) -> None:
    """No control codes; a line for each environment."""
    done = cli("list", "--family", "classic_control")

    assert "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert sum(line.strip().startswith("MountainCarContinuous-v0") for line in lines) == 1


def test_the_games_of_a_plugin_are_hidden(cli: Cli) -> None:
    """There are hundreds; one is told how to see them."""
    pytest.importorskip("ale_py")
    text = cli("list").stdout

    assert "ALE/Pong-v5" not in text
    assert "see them: palaestra list --family ALE, or --all" in text
    assert "ALE/Pong-v5" in cli("list", "--family", "ALE").stdout


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """By family, with the older ids."""
    assert main(["list", "--json"]) == 0
    families = json.loads(capsys.readouterr().out)

    (cart_pole,) = [row for row in families["classic_control"]["environments"] if row["id"] == "CartPole-v1"]
    assert cart_pole == {
        "id": "CartPole-v1",
        "max_episode_steps": 500,
        "reward_threshold": 475.0,
        "older": ["CartPole-v0"],
        "elsewhere": [],
    }
    assert families["toy_text"]["condition"] == "ready"


def test_the_list_fits_100_columns_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(["list", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    assert any("keep the pole from falling" in line for line in lines)
