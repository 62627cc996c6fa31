"""`palaestra show`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from palaestra.cli import main
from palaestra.cli.showing import show
from tests.palaestra.cli.conftest import Cli

Refused = Callable[..., str]


def _rows(text: str) -> dict[str, list[str]]:
    """The words of each line by the line's start."""
    return {line.strip().partition("  ")[0]: line.split() for line in text.splitlines() if line.strip()}


def test_a_users_environment(cli: Cli) -> None:
    """All that the class, its registration and its instance tell."""
    done = cli("show", "counting:Counting-v2")
    rows = _rows(done.stdout)

    assert (done.returncode, done.stderr) == (0, "")
    assert "Count to a goal, one at a time.\n" in done.stdout
    assert "This paragraph" not in done.stdout
    assert rows["observations"][1:] == ["Discrete(100)"]
    assert rows["actions"][1:] == ["Discrete(2)"]
    assert rows["rewards"][1:] == ["from", "0", "to", "1"]
    assert rows["solved from"][-1] == "4"
    assert rows["steps at most"][-1] == "50"
    assert rows["render modes"][-2:] == ["rgb_array,", "ansi"]
    assert rows["wrappers by make"][-3:] == ["PassiveEnvChecker,", "OrderEnforcing,", "TimeLimit"]


def test_numbers_have_their_meaning(cli: Cli) -> None:
    """As the docstring of the class tells it."""
    text = cli("show", "CartPole-v1").stdout

    assert "angle of the pole (rad)" in text
    assert "0 pushes the cart to the left" in text
    assert "1 a step" in text


def test_arguments_with_defaults(cli: Cli) -> None:
    """Those registered with the id count as defaults; types are shown where they are annotated."""
    rows = _rows(cli("show", "counting:Counting-v2").stdout)

    assert rows["goal"] == ["goal", "5", "int"]
    assert rows["speed"] == ["speed", "2.5", "float"]
    assert rows["render_mode"] == ["render_mode", "None"]


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Pendulum-v1", "Blackjack-v1", "FrozenLake-v1", "Taxi-v4"])
def test_environments_of_ours(env_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They have spaces, a summary and arguments to show."""
    assert main(["show", env_id]) == 0

    rows = _rows(capsys.readouterr().out)
    assert {"observations", "actions", "rewards", "argument", "render_mode"} <= set(rows)


def test_an_outdated_id_is_warned_of_in_one_line(cli: Cli) -> None:
    """And shown nevertheless."""
    done = cli("show", "CartPole-v0")

    assert done.returncode == 0
    (warning,) = done.stderr.splitlines()
    assert warning.startswith("palaestra: warning: ")
    assert "CartPole-v1" in warning
    assert "\x1b" not in warning


@pytest.mark.parametrize(
    ("env_id", "hint"),
    [
        ("CartPol-v1", "CartPole"),
        ("CartPole-v7", "v1"),
        ("Cart Pole", "Cart Pole"),
        ("no_module:A-v0", "no_module"),
        ("Wholly", "see `palaestra list`, or name the module that registers it, `module:ID`"),
    ],
)
def test_an_unknown_id(env_id: str, hint: str, refused: Refused) -> None:
    """The line says what to type instead."""
    assert hint in refused("show", env_id, code=2)


def test_an_environment_that_cannot_be_made(cli: Cli) -> None:
    """What the registry knows is shown, then why there is no more."""
    done = cli("show", "Ant-v2")

    assert done.returncode in {0, 1}
    assert "Ant-v2" in done.stdout
    (*_, error) = done.stderr.splitlines()
    assert error.startswith("palaestra: error: ")
    assert done.returncode == 1


def test_the_kernel_is_shown_as_python(cli: Cli) -> None:
    """With the names of the state's fields, and the lines of the source."""
    done = cli("show", "CartPole-v1", "--kernel")

    assert (done.returncode, done.stderr) == (0, "")
    ast.parse(done.stdout)
    assert "def step(context: address, row: int64):" in done.stdout
    assert "# cartpole.py:" in done.stdout
    assert "theta_dot = load_float64(" in done.stdout


def test_a_class_of_ones_own_is_shown_translated(cli: Cli) -> None:
    """As the programs that a compiled batch would run, with the lines of the class."""
    done = cli("show", "counting:Counting-v2", "--kernel")

    assert (done.returncode, done.stderr) == (0, "")
    ast.parse(done.stdout)
    for name in ("begin", "step"):
        assert f"def {name}(context: address, row: int64):" in done.stdout
    assert "# counting.py:" in done.stdout


CLASSES = """
import gymnasium
from counting import Counting
from tests.contracts.mistaken import Method, Room


class Simple(Counting):
    pass


class Reading(Counting):
    def step(self, action):
        return self.t, float(open("/dev/null").read() or 0), False, False, {}
"""


@pytest.mark.parametrize(
    ("name", "runner", "verdict"),
    [
        ("Simple", "one after the other", 'yes: make_vec(..., vectorization_mode="compiled")'),
        ("Reading", "one after the other", "no: `open` reaches outside of the environment; see `palaestra check "),
        ("Room", "compiled", "yes"),
        ("Method", 'with vectorization_mode="sync" or "async"', "no: To be compiled, Method.reward must be a static"),
    ],
)
def test_a_class_needs_no_id(folder: Path, cli: Cli, name: str, runner: str, verdict: str) -> None:
    """An `Env` and a `FuncEnv` alike; whether machine code takes it is shown with the reason."""
    (folder / "classes.py").write_text(CLASSES)
    done = cli("show", f"classes:{name}")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{name}  classes, not registered\n")
    assert re.search(f"make_vec runs it +{re.escape(runner)}\n", done.stdout)
    assert re.search(f"as machine code +{re.escape(verdict)}", done.stdout)


def test_arguments_of_a_class_reach_its_translation(folder: Path, cli: Cli) -> None:
    (folder / "needs.py").write_text(
        "from counting import Counting\n\n\nclass Needs(Counting):\n"
        "    def __init__(self, goal, render_mode=None):\n        super().__init__(goal)\n"
    )
    assert "as machine code   yes" in cli("show", "needs:Needs", "-k", "goal=2").stdout
    assert "Needs.__init__() missing 1 required" in cli("show", "needs:Needs").stderr


def test_a_class_is_run_too(folder: Path, cli: Cli) -> None:
    """As any other command makes it."""
    (folder / "classes.py").write_text(CLASSES)
    done = cli("run", "classes:Simple", "--episodes", "2", "--num-envs", "2", "--json")

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["id"] == "Simple"


def test_programs_get_numbers_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    show("MountainCarContinuous-v0", (), (), as_json=True)
    facts = json.loads(capsys.readouterr().out)

    assert (facts["max_episode_steps"], facts["reward_threshold"], facts["render_fps"]) == (999, 90.0, 30)
    assert facts["reward_range"] == [None, None]
    assert facts["render_modes"] == ["human", "rgb_array"]
    assert facts["wrappers"] == ["PassiveEnvChecker", "OrderEnforcing", "TimeLimit"]
    assert {"name": "render_mode", "default": "None", "type": "str | None"} in facts["arguments"]
