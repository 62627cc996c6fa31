"""The example that evolves networks: it solves CartPole in a second, once its kernels are compiled."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gymnasium

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "examples" / "evolution.py"


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=110
    )


def test_it_solves_cartpole_without_pytorch() -> None:
    done = _run("--seeds=1")
    assert done.returncode == 0, done.stderr
    (mean,) = re.findall(r"mean return (\S+) of 500 new episodes", done.stdout)
    assert float(mean) >= 475
    assert "475 reached with 1 of 1 seeds" in done.stdout


def test_a_goal_out_of_reach_is_told() -> None:
    """Also of continuous actions."""
    done = _run("Pendulum-v1", "--episodes=1", "--generations=1", "--goal=0", "--seeds=1")
    assert done.returncode == 1, done.stderr
    assert "Pendulum-v1: 0 reached with 0 of 1 seeds" in done.stdout


@pytest.mark.parametrize("arguments", [["--generations=0"], ["--episodes=0"], ["--seeds=0"], ["CliffWalking-v1"]])
def test_bad_options_are_refused(arguments: list[str]) -> None:
    done = _run(*arguments)
    assert done.returncode == 2
    assert ("names no goal" if arguments == ["CliffWalking-v1"] else "at least 1") in done.stderr


def test_later_episodes_do_not_count() -> None:
    """Those that end in time are the shorter ones."""
    envs = gymnasium.make_vec("CartPole-v1", 3)
    played = gymnasium.rollout(envs, lambda observations: np.ones(3, np.int64), 60, start=envs.reset(seed=1)[0])
    returns = runpy.run_path(str(SCRIPT))["first_returns"](played)
    assert len(played.episodes.returns) > 3
    assert returns.tolist() == [played.episodes.returns[played.episodes.envs == i][0] for i in range(3)]
