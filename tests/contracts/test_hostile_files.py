"""Damaged files of snapshots, replays and data sets crash nothing, write nothing, and change nothing when refused."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.hostile_files import ENVS

ROOT = Path(__file__).parents[2]
GROUPS = {
    "numpy": ["classic", "toy", "cards", "wrappers", "params", "sync", "async", "replay"],
    "llvmlite": ["compiled", "vector wrappers"],
    "Box2D": ["box2d"],
    "mujoco": ["mujoco", "robots", "replay of robots"],
    "h5py": ["data set"],
}
"""The families that need a package, tried in one process."""
CODE = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.contracts.hostile_files import main; main"


def test_each_family_is_in_a_group() -> None:
    assert {name for group in GROUPS.values() for name in group} > set(ENVS)


@pytest.mark.parametrize("package", GROUPS)
def test_damaged_files_are_refused_or_taken(package: str, tmp_path: Path) -> None:
    """In a process of its own, which a crash would end."""
    pytest.importorskip(package)
    done = subprocess.run(
        [sys.executable, "-c", f"{CODE}({GROUPS[package]}, 40, 7)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    outcomes = ast.literal_eval(done.stdout.splitlines()[-1])
    assert all(outcomes[name]["refused"] > 10 for name in GROUPS[package])
    assert list(tmp_path.iterdir()) == []
