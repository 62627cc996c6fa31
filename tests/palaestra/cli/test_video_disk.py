"""`palaestra run --video` and `palaestra record` on a full disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.palaestra.cli.conftest import Cli, environment

LIMITED = """
import resource, sys
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), most))
from palaestra.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a limit as POSIX has it")
@pytest.mark.parametrize("name", ["a.mp4", "a.gif"])
@pytest.mark.parametrize("command", [("run", "--video"), ("record", "--out")])
@pytest.mark.parametrize(("episodes", "finished"), [(50, range(50)), (1, [1])])
def test_a_full_disk(
    name: str, command: tuple[str, str], episodes: int, finished: list[int], cli: Cli, folder: Path
) -> None:
    """It ends a long run; of a short one it is found out at the end. Episodes are reported, the error is one line."""
    arguments = [command[0], "counting:Counting-v2", "--episodes", str(episodes), command[1], name]
    assert cli(*arguments).returncode == 0
    limit = (folder / name).stat().st_size - 1 if episodes == 1 else 1800

    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=100,
    )

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("palaestra: error: ")
    assert "File too large" in line
    assert line.endswith(f": '{name}'")
    assert any(f"{n} of {episodes} episodes, " in done.stdout or f"{n} episode, " in done.stdout for n in finished)
    assert "video:" not in done.stdout
    assert not (folder / name).exists()


def test_a_rate_that_cannot_be_one(cli: Cli, folder: Path) -> None:
    """The metadata are wrong: one line says so, before anything runs."""
    text = (folder / "counting.py").read_text()
    (folder / "counting.py").write_text(text.replace('"render_fps": 10', '"render_fps": None'))

    done = cli("run", "counting:Counting-v2", "--video", "a.mp4")

    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "counting:Counting-v2" in line
    assert "fps=None" in line
