"""The example that trains on the device, with settings that take seconds."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thorough import THOROUGH

ROOT = Path(__file__).parents[2]


def _run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    code = (
        "import runpy, sys; sys.path.insert(0, '.'); runpy.run_path('examples/train_on_device.py', run_name='__main__')"
    )
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=110)


def test_the_agent_learns(hasty_environment: dict[str, str]) -> None:
    """From chance, which is 23, to several times as much; in a thorough run to most of an episode's 500 steps."""
    done = _run(hasty_environment, "--updates", "200" if THOROUGH else "80")
    assert done.returncode == 0, done.stderr
    before, after = map(float, re.findall(r"mean return .*?(\d+\.\d)", done.stdout))

    assert before < 60
    assert after > (300 if THOROUGH else 150)


def test_there_has_to_be_something_to_do(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["train_on_device.py", "--updates", "0"])
    with pytest.raises(SystemExit, match="2"):
        runpy.run_path(str(ROOT / "examples" / "train_on_device.py"), run_name="__main__")

    assert "at least one update" in capsys.readouterr().err
