"""`palaestra replay`, and the replays that `run` and `play` write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from gymnasium.states import files
from palaestra import Replay
from tests.palaestra.cli.conftest import Cli
from tests.palaestra.cli.test_run_files import frames

COUNTED = ("run", "counting:Counting-v2", "--episodes", "2", "--policy", "counting:odd", "--record", "out")
FILE = "out/Counting-v2_1.replay"


def test_a_run_is_recorded_and_runs_again(cli: Cli, folder: Path) -> None:
    done = cli(*COUNTED)
    assert done.returncode == 0, done.stderr
    assert "replays: out\n" in done.stdout
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["Counting-v2_0.replay", "Counting-v2_1.replay"]

    again = cli("replay", FILE, "--import", "counting", "--verify", "--video", "a.gif")

    assert again.returncode == 0, again.stderr
    for text in ("Counting-v2", "return", "5, terminated", "equal: all 5 steps", "video: a.gif"):
        assert text in again.stdout
    assert len(frames(folder / "a.gif")) == 6


def test_a_difference_has_exit_code_1_and_its_versions(cli: Cli, folder: Path) -> None:
    cli(*COUNTED)
    module = folder / "counting.py"
    module.write_text(module.read_text().replace("float(action)", "float(action) + (self.t == 3)"))

    done = cli("replay", FILE, "--import", "counting", "--verify")
    facts = json.loads(cli("replay", FILE, "--import", "counting", "--verify", "--json").stdout)
    plain = cli("replay", FILE, "--import", "counting")

    assert done.returncode == 1
    assert "different: reward differs at step 3: 0.0 was recorded, 1.0 came" in done.stdout
    assert "numpy" in done.stdout
    assert (facts["verified"]["step"], facts["verified"]["value"]) == (3, "reward")
    assert facts["verified"]["made_on"] == facts["made_on"]
    assert plain.returncode == 0
    assert "another return was recorded, 2" in plain.stdout


def test_batches_are_recorded(cli: Cli, folder: Path) -> None:
    done = cli("run", "CartPole-v1", "--episodes", "6", "--num-envs", "3", "--seed", "1", "--record", "out", "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["replays"] == "out"
    found = [Replay.load(path) for path in (folder / "out").iterdir()]
    assert sorted({len(replay) for replay in found} & set(facts["lengths"])) == sorted(set(facts["lengths"]))
    assert all(replay.verify() for replay in found)


def test_files_that_are_no_replays(refused: Callable[..., str], cli: Cli, folder: Path) -> None:
    assert cli(*COUNTED).returncode == 0
    torn = folder / "torn"
    torn.write_bytes((folder / FILE).read_bytes()[:-40])
    files.write(folder / "other", "snapshot", {})
    assert "there is no file missing" in refused("replay", "missing", code=2)
    assert "out is a folder" in refused("replay", "out", code=2)
    for name in ("torn", "other", "counting.py"):
        assert f"{name} is no replay, or not a whole one" in refused("replay", name, code=2)
    unknown = refused("replay", FILE, "--video", "a.gif", code=1)
    assert "'Counting'" in unknown and "its code was in 'counting': import that first" in unknown


def test_folders_that_cannot_be_written(refused: Callable[..., str]) -> None:
    for command in ("run", "play"):
        line = refused(command, "CartPole-v1", "--record", "counting.py", code=2)
        assert "counting.py' is a file, but a folder is needed" in line
