"""A data set of a stranger leads nowhere else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
from palaestra.recording import RecordTrajectories
from palaestra.recording.data_sets.reading import RecordedSet

h5py = pytest.importorskip("h5py")


@pytest.fixture
def data_set(tmp_path: Path) -> Path:
    env = RecordTrajectories(gymnasium.make("CartPole-v1"), "a/b-v0", folder=tmp_path)
    env.reset(seed=0)
    while not any(env.step(1)[2:4]):
        pass
    env.close()
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["rewards"] = np.zeros(50)
    return tmp_path / "a" / "b-v0"


def external(episode: Any) -> None:
    """A link to another file."""
    episode["rewards"] = h5py.ExternalLink("../../../other.h5", "/rewards")


def circular(episode: Any) -> None:
    """A link to itself."""
    episode["rewards"] = h5py.SoftLink("/episode_0/rewards")


def virtual(episode: Any) -> None:
    """Values that are pieced together from another file."""
    layout = h5py.VirtualLayout((9,), "f8")
    layout[:] = h5py.VirtualSource("../../../other.h5", "rewards", (50,))[:9]
    episode.create_virtual_dataset("rewards", layout)


def raw(episode: Any) -> None:
    """Values that are the bytes of any file."""
    episode.create_dataset("rewards", (9,), "f8", external=[("/etc/passwd", 0, 72)])


def endless(episode: Any) -> None:
    """Values that nothing stores."""
    episode.create_dataset("rewards", (10**12,), "f8", chunks=(1000,))


@pytest.mark.parametrize("change", [external, circular, virtual, raw, endless])
def test_what_is_not_in_the_file_is_refused(data_set: Path, change: Callable[[Any], None]) -> None:
    with h5py.File(data_set / "data" / "main_data.hdf5", "a") as file:
        del file["episode_0"]["rewards"]
        change(file["episode_0"])
    found = RecordedSet(data_set)
    with pytest.raises(ValueError, match="rewards"):
        found.facts(5)
    env = gymnasium.make("CartPole-v1")
    with pytest.raises(ValueError, match="rewards"):
        found.values(0, env.observation_space, env.action_space)


def test_the_studio_says_so_in_one_line(data_set: Path) -> None:
    with h5py.File(data_set / "data" / "main_data.hdf5", "a") as file:
        del file["episode_0"]
        file["episode_0"] = h5py.SoftLink("/episode_0")
    command = [sys.executable, "-m", "palaestra", "studio", "--no-browser", "--port", "0", "--replay", str(data_set)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "link" in done.stderr
    assert done.stderr.count("\n") == 1
