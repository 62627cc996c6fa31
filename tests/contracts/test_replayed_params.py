"""Replays of episodes whose params were drawn or set: they hold the params."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gymnasium
import palaestra
from gymnasium.vector import AutoresetMode
from palaestra.randomization import RandomizeParams, Scale, Uniform
from palaestra.recording import RecordReplays

CARTPOLE: dict[str, Any] = {"gravity": Uniform(8, 12), "length": Uniform(0.4, 0.6)}
HOPPER: dict[str, Any] = {"body_mass": Scale(Uniform(0.5, 1.5)), "gravity[2]": Uniform(-12, -8)}


def check(folder: Path, least: int) -> None:
    """Check that each replay runs again as it did."""
    paths = sorted(folder.glob("*.replay"))
    assert len(paths) >= least
    for path in paths:
        assert palaestra.Replay.load(path).verify()


@pytest.mark.parametrize("kind", ["sync", "async", "compiled"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_of_a_batch(tmp_path: Path, kind: str, mode: AutoresetMode) -> None:
    envs: Any = gymnasium.make_vec(
        "CartPole-v1",
        2,
        kind,
        max_episode_steps=9,
        vector_kwargs={"autoreset_mode": mode},
        params={"masscart": [0.5, 2.0]},
    )
    envs = palaestra.recording.vector.RecordReplays(
        palaestra.randomization.vector.RandomizeParams(envs, **CARTPOLE), tmp_path
    )
    envs.reset(seed=3)
    for _ in range(35):
        envs.step(envs.action_space.sample())
    envs.close()
    check(tmp_path, 6)


def test_of_a_single_environment(tmp_path: Path) -> None:
    env = RecordReplays(RandomizeParams(gymnasium.make("CartPole-v1", max_episode_steps=9), **CARTPOLE), tmp_path)
    for seed in (1, None, None):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated
    env.close()
    check(tmp_path, 3)


@pytest.mark.parametrize("kind", ["sync", None])
def test_of_robots(tmp_path: Path, kind: str | None) -> None:
    pytest.importorskip("mujoco")
    envs: Any = gymnasium.make_vec("Hopper-v5", 2, kind, max_episode_steps=5)
    envs = palaestra.recording.vector.RecordReplays(
        palaestra.randomization.vector.RandomizeParams(envs, **HOPPER), tmp_path
    )
    envs.reset(seed=3)
    for _ in range(15):
        envs.step(envs.action_space.sample())
    envs.close()
    check(tmp_path, 4)
