"""Snapshots in the files of earlier versions are restored."""

from __future__ import annotations

from pathlib import Path

import pytest

import gymnasium as gym
import palaestra
from palaestra.snapshots import Snapshot
from tests.golden import snapshots

LIBRARIES = {"lander": "Box2D", "walker": "Box2D", "hopper": "mujoco", "robots": "mujoco"}


def test_every_case_has_a_file() -> None:
    assert {path.stem for path in snapshots.FILES.iterdir()} == set(snapshots.CASES)


@pytest.mark.parametrize("name", snapshots.CASES)
def test_a_kept_moment_is_restored_and_goes_on(name: str, tmp_path: Path) -> None:
    pytest.importorskip(LIBRARIES.get(name, "jax" if name.startswith("jax") else "numpy"))
    path = snapshots.FILES / f"{name}.npz"
    env = snapshots.CASES[name]()
    env.reset(seed=1)

    palaestra.restore(env, Snapshot.load(path))
    palaestra.snapshot(env).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    env.step(env.action_space.sample())
    env.close()


def test_the_bytes_of_a_simulation_are_refused_with_a_word_to_their_owner() -> None:
    """The engine's own reader would take them unchecked."""
    pytest.importorskip("mujoco")
    env = gym.make("Hopper-v5")
    env.reset(seed=1)
    before = palaestra.snapshot(env)
    with pytest.raises(ValueError, match=r"earlier version.*take it again"):
        palaestra.restore(env, Snapshot.load(snapshots.FILES.parent / "refused" / "hopper.npz"))
    assert palaestra.snapshot(env) == before
