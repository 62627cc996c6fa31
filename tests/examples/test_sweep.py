"""`examples/sweep.py` plays in many worlds at once, and draws the returns."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("llvmlite")

EXAMPLE = Path(__file__).parents[2] / "examples" / "sweep.py"


def test_short_poles_fall_first(tmp_path: Path) -> None:
    picture = tmp_path / "sweep.png"
    command = [sys.executable, str(EXAMPLE), "--size", "4", "--episodes", "2", "--out", str(picture)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    assert "16 worlds, 2 episodes in each" in told
    assert "length 0.05" in told
    assert picture.stat().st_size > 1000
