"""`make run`, with settings that take seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import av
import pytest

ROOT = Path(__file__).parents[2]


def _process(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "examples/first_episode.py", "--out", str(out), *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=110,
    )


def _run(out: Path, *arguments: str) -> str:
    done = _process(out, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _number_of_frames(path: Path) -> int:
    with av.open(str(path)) as file:
        return sum(1 for _ in file.decode(video=0))


def _before_and_after(printed: str, measured: str) -> tuple[float, float]:
    (row,) = [line for line in printed.splitlines() if measured in line]
    before, after = re.findall(r"\d+\.\d", row)
    return float(before), float(after)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first run leaves its files; it does not exist before."""
    return tmp_path_factory.mktemp("example") / "new" / "out"


@pytest.fixture(scope="module")
def printed(out: Path) -> str:
    """What a short run prints."""
    return _run(out, "--episodes", "4000", "--generations", "4", "--evaluation", "100")


def test_the_agents_learn(printed: str) -> None:
    """Even in a short run both are far better than chance."""
    lake_before, lake_after = _before_and_after(printed, "goal reached")
    pole_before, pole_after = _before_and_after(printed, "mean return")

    assert lake_before < 10 < 40 < lake_after
    assert pole_before < 40 < 200 < pole_after


def test_it_leaves_a_picture_and_videos(printed: str, out: Path) -> None:
    """Their paths are printed, and they can be opened."""
    assert {path.name for path in out.iterdir()} == {"learning_curves.png", "frozen_lake.gif", "cartpole.mp4"}
    assert all(f"wrote {path}\n" in printed for path in out.iterdir())
    assert (out / "learning_curves.png").read_bytes().startswith(b"\x89PNG")
    assert _number_of_frames(out / "frozen_lake.gif") > 3
    assert _number_of_frames(out / "cartpole.mp4") > 100


@pytest.mark.parametrize("option", ["--episodes", "--generations", "--evaluation"])
def test_there_has_to_be_something_to_do(option: str, tmp_path: Path) -> None:
    """Nothing is made then."""
    done = _process(tmp_path / "out", option, "0")

    assert done.returncode == 2
    assert option in done.stderr
    assert not (tmp_path / "out").exists()


def test_it_is_reproducible(tmp_path: Path) -> None:
    """Equal seeds give equal results; the speed, in the last column, is another matter."""
    arguments = ("--episodes", "300", "--generations", "1", "--evaluation", "50")
    results = [_figures(_run(tmp_path, *arguments)) for _ in range(2)]

    assert results[0] == results[1]


def _figures(printed: str) -> list[list[str]]:
    """The cells of the table's rows, without the speeds."""
    return [[cell.strip() for cell in line.split("│")[1:5]] for line in printed.splitlines() if line.startswith("│")]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_every_example_does_something(path: Path) -> None:
    """Or says where to look: none ends silently."""
    assert '\nif __name__ == "__main__":\n' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("q_learning", 0, r"in [01]\.\d% of the episodes at random, in 7\d\.\d% after"),
        ("cross_entropy", 0, r"mean return 2\d\.\d of random policies, (49\d|500)\.\d after"),
        ("report", 1, r"run: python examples/first_episode\.py"),
    ],
)
def test_the_parts_of_the_example_run_alone(name: str, code: int, said: str) -> None:
    done = subprocess.run(
        [sys.executable, f"examples/{name}.py"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=110,
    )

    assert done.returncode == code, done.stderr
    assert re.search(said, done.stdout + done.stderr)
