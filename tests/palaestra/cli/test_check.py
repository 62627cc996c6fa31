"""`palaestra check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.palaestra.cli.conftest import Cli

Refused = Callable[..., str]

FAULTY = """
import gymnasium as gym
from gymnasium.spaces import Box, Discrete


class Faulty(gym.Env):
    metadata = {"render_modes": []}
    observation_space = Discrete(2)
    action_space = Box(-2, 2, (1,))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return 5, 1, False, 0, {}


gym.register("Faulty-v0", Faulty)
gym.register("Broken-v0", "faulty:Missing")
"""


@pytest.fixture
def faulty(folder: Path) -> str:
    """The id of an environment with an error, a warning and a note."""
    (folder / "faulty.py").write_text(FAULTY)
    return "faulty:Faulty-v0"


def test_all_findings_are_reported(faulty: str, cli: Cli) -> None:
    """Errors first, each with what to do; the last line counts them."""
    done = cli("check", faulty)
    lines = done.stdout.splitlines()

    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split(":")[0] for line in lines[::2]] == [
        "error G408 in step",
        "error G313 in step",
        "warning G305 in step",
        "note G115 in action space",
        "Faulty-v0",
    ]
    assert all(line.startswith("    ") for line in lines[1::2])
    assert lines[-1] == "Faulty-v0: 2 errors, 1 warning, 1 note"


def test_json(faulty: str, cli: Cli) -> None:
    """The same for programs."""
    done = cli("check", faulty, "--json")
    report = json.loads(done.stdout)

    assert (done.returncode, report["id"]) == (1, "Faulty-v0")
    assert {finding["id"] for finding in report["findings"]} == {"G115", "G305", "G313", "G408"}
    assert set(report["findings"][0]) == {"id", "severity", "place", "message", "remedy"}


@pytest.mark.parametrize(("options", "code"), [(["--select", "G1"], 0), (["--ignore", "G408,G313"], 0), ([], 1)])
def test_the_exit_code_is_that_of_what_is_wanted(faulty: str, cli: Cli, options: list[str], code: int) -> None:
    """Warnings and notes do not fail a build."""
    assert cli("check", faulty, *options).returncode == code


def test_one_of_ours(cli: Cli) -> None:
    """Deep checks too find nothing."""
    done = cli("check", "Blackjack-v1", "--deep")

    assert (done.returncode, done.stdout, done.stderr) == (0, "Blackjack-v1: 0 errors, 0 warnings, 0 notes\n", "")


def test_what_cannot_be_checked(faulty: str, refused: Refused) -> None:
    """One line says why."""
    assert "no rule 'G9'" in refused("check", faulty, "--select", "G9", code=2)
    assert "CartPole" in refused("check", "CartPol-v1", code=2)


def test_what_cannot_be_made(faulty: str, cli: Cli) -> None:
    """That is a finding too."""
    done = cli("check", "faulty:Broken-v0")

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("error G003 in constructor")
    assert "Missing" in done.stdout


DYNAMICS = """
import gymnasium as gym
from tests.contracts.mistaken import BeginsCold, Method, NotStatic, Room

gym.register("Room-v0", func_env=Room)
number = 3
"""


@pytest.fixture
def rooms(folder: Path) -> str:
    """The name of a module with functional environments."""
    (folder / "rooms.py").write_text(DYNAMICS)
    return "rooms"


@pytest.mark.parametrize("name", ["Room", "Room-v0"])
def test_dynamics_by_their_name_and_by_their_id(rooms: str, cli: Cli, name: str) -> None:
    """A table says which runners take them."""
    done = cli("check", f"{rooms}:{name}")
    words = [line.split() for line in done.stdout.splitlines()]

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == f"{name}: 0 errors, 0 warnings, 0 notes"
    assert [line for line in words if "yes" in line] == [
        [runner, "yes"] for runner in ("single", "sync", "async", "compiled", "jax")
    ]


def test_a_class_needs_no_id(folder: Path, cli: Cli, refused: Refused, rooms: str) -> None:
    """As with --compile, which dynamics have no use for."""
    (folder / "halves.py").write_text("import gymnasium\n\n\nclass Half(gymnasium.Env):\n    pass\n")
    done = cli("check", "halves:Half")

    assert (done.returncode, done.stderr) == (1, "")
    assert "must have an `action_space`, but has none" in done.stdout
    assert "`palaestra check rooms:Room` lists the runners" in refused("check", f"{rooms}:Room", "--compile", code=2)


WALK = """
import math

import gymnasium
import numpy as np


class Walk(gymnasium.Env):
    observation_space, action_space = gymnasium.spaces.Box(-9, 9, (1,)), gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = 0.5
        return np.array([self.x], np.float32), {}

    def step(self, action):
        self.x = math.sin(self.x) if action == 1 else 1 / self.x
        return np.array([self.x], np.float32), 0.0, False, False, {}


class Shown(Walk):
    def step(self, action):
        part = np.sin(np.array([self.x, 1.0])[: int(action)])
        return np.array([part.sum()], np.float32), 0.0, False, False, {}
"""


def test_what_a_class_does_under_jax(folder: Path, cli: Cli, rooms: str, refused: Refused) -> None:
    """Lines of what is rounded otherwise or raised later, and of what is refused."""
    (folder / "walks.py").write_text(WALK)
    walk, shown = (cli("check", f"walks:{name}", "--jax", "--json") for name in ("Walk", "Shown"))
    found, other = json.loads(walk.stdout), json.loads(shown.stdout)

    assert (walk.returncode, shown.returncode) == (0, 1)
    assert {(one["line"], one["what"]) for one in found["differences"]} == {
        (17, "the last digits of sin are XLA's"),
        (17, "ValueError is raised, by the next call"),
        (17, "ZeroDivisionError is raised, by the next call"),
    }
    assert [one["line"] for one in other["reasons"]] == [23]
    assert "lengths are found at run time" in other["reasons"][0]["reason"]
    assert "lists the runners" in refused("check", f"{rooms}:Room", "--jax", code=2)


def test_what_is_wrong_with_dynamics(rooms: str, cli: Cli) -> None:
    """A runner that does not take them is no error; a broken law is one, and so is a mistake."""
    method, law, mistake = (cli("check", f"{rooms}:{name}") for name in ("Method", "BeginsCold", "NotStatic"))

    assert (method.returncode, law.returncode, mistake.returncode) == (0, 1, 1)
    assert "write it without `self`, under @staticmethod" in " ".join(method.stdout.split())
    assert law.stdout.startswith("error G801 in end implies reset: An episode must not be over when it begins")
    assert mistake.stdout.startswith("error G003 in constructor")
    assert "@staticmethod is missing" in mistake.stdout


def test_json_of_dynamics(rooms: str, cli: Cli) -> None:
    """With the verdicts."""
    report = json.loads(cli("check", f"{rooms}:Method", "--json").stdout)

    assert [(each["runner"], each["takes"]) for each in report["runners"]] == [
        ("single", True),
        ("sync", True),
        ("async", True),
        ("compiled", False),
        ("jax", True),
    ]


def test_what_is_no_dynamics(rooms: str, refused: Refused) -> None:
    """It is looked up as an id."""
    assert "number" in refused("check", f"{rooms}:number", code=2)
