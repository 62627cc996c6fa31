"""The commands, with an environment that was registered by its dynamics alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.palaestra.cli.conftest import Cli

ROOMS = """
import gymnasium as gym
from tests.contracts.mistaken import Room


class Hall(Room):
    '''Keep a hall at 20 °C.'''


gym.register("Hall-v0", func_env=Hall, max_episode_steps=20)
"""


@pytest.fixture(autouse=True)
def _halls(folder: Path) -> None:
    (folder / "halls.py").write_text(ROOMS, encoding="utf-8")


def test_list(cli: Cli) -> None:
    done = cli("list", "--import", "halls", "--family", "halls", "--json")

    assert (done.returncode, done.stderr) == (0, "")
    assert "Hall-v0" in done.stdout


def test_show(cli: Cli) -> None:
    """The summary is that of the dynamics, the arguments are the fields of their params."""
    done = cli("show", "halls:Hall-v0")
    report = json.loads(cli("show", "halls:Hall-v0", "--json").stdout)

    assert (done.returncode, done.stderr) == (0, "")
    assert "Keep a hall at 20 °C." in done.stdout
    assert (report["make_vec"], report["entry_point"]) == ("compiled", "halls:Hall")
    assert [(each["name"], each["default"]) for each in report["arguments"]] == [
        ("render_mode", "None"),
        ("power", "2.0"),
        ("loss", "0.1"),
    ]


@pytest.mark.parametrize("options", [[], ["--num-envs", "4"], ["-k", "power=3.0"]], ids=" ".join)
def test_run(cli: Cli, options: list[str]) -> None:
    done = cli("run", "halls:Hall-v0", "--episodes", "4", *options, "--json")

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["id"] == "Hall-v0"


def test_bench(cli: Cli) -> None:
    """In each mode."""
    done = cli("bench", "halls:Hall-v0", "--num-envs", "8", "--seconds", "0.05", "--json")
    report = json.loads(done.stdout)

    assert (done.returncode, done.stderr) == (0, "")
    speeds = {each["mode"]: each["speed"] for each in report["results"]}
    assert speeds.keys() == {"single", "sync", "async", "compiled"}
    assert min(speeds.values()) > 0
