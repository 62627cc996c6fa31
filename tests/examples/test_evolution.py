"""The example that evolves policies: it solves CartPole in a second, once its kernels are compiled."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.spaces import Box, Discrete
from palaestra.policies import Linear

ROOT = Path(__file__).parents[2]
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
def test_bad_options_are_refused(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *arguments])
    with pytest.raises(SystemExit, match="2"):
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert ("names no goal" if arguments == ["CliffWalking-v1"] else "at least 1") in capsys.readouterr().err


def test_later_episodes_do_not_count() -> None:
    """Those that end in time are the shorter ones."""
    envs = gymnasium.make_vec("CartPole-v1", 3)
    played = palaestra.rollout(envs, lambda observations: np.ones(3, np.int64), 60, start=envs.reset(seed=1)[0])
    returns = runpy.run_path(str(SCRIPT))["first_returns"](played)
    assert len(played.episodes.returns) > 3
    assert returns.tolist() == [played.episodes.returns[played.episodes.envs == i][0] for i in range(3)]


def test_where_nothing_is_compiled_linear_policies_act_by_one_product() -> None:
    """In LunarLander, say; and a short training of two workers ends without leaving them."""
    example = runpy.run_path(str(SCRIPT))
    settings = example["SETTINGS"]["LunarLander-v3"]
    few = settings._replace(population=4, elite=2, episodes=1, limit=20, goal=1e9, tests=2)
    assert not example["train"](Namespace(env_id="LunarLander-v3", seed=1, generations=2), few)


@pytest.mark.parametrize("space", [Discrete(3), Box(-9.0, 9.0, (3,))])
def test_a_product_decides_like_each_policy_alone(space: Discrete | Box) -> None:
    """For weights of normalized observations."""
    rng = np.random.default_rng(1)
    mean, deviation = rng.normal(size=4), rng.uniform(0.5, 2.0, 4)
    policies = runpy.run_path(str(SCRIPT))["Products"](space, mean, deviation)
    tried, observations = rng.normal(size=(5, policies.size)), rng.normal(size=(10, 4))
    actions = policies.of(tried, copies=2)(observations)
    for row, numbers in enumerate(tried.repeat(2, axis=0)):
        weights = numbers.reshape(3, 5)
        alone = Linear(weights[:, :4], space, weights[:, 4])
        assert np.allclose(actions[row], alone.act(alone.params, (observations[row] - mean) / deviation, None))
