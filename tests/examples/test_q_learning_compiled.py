"""The example that compiles Q-learning into the environment: it learns what Python would, and Taxi nearly perfectly."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium as gym
import palaestra
from gymnasium.functional import FunctionalEnv
from palaestra.runner import CompiledVectorEnv

SCRIPT = Path(__file__).parents[2] / "examples" / "q_learning_compiled.py"
BEST = 7.93  # the mean return of the best policy for Taxi, by value iteration


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """The names in the script; one run of it, so that all tests have the same machine code."""
    return runpy.run_path(str(SCRIPT))


def test_every_seed_learns_taxi(
    example: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["", "--seeds=3"])
    example["main"]()
    means = [float(mean) for mean in re.findall(r"mean return (\S+) of 10,000 new", capsys.readouterr().out)]
    assert len(means) == 3
    assert all(abs(mean - BEST) < 0.1 for mean in means)


def test_machine_code_learns_what_python_learns(example: dict[str, Any]) -> None:
    """To the bit: the tables of two seeds are those of two single environments, which Python steps."""
    dynamics: Any = example["q_learning"](gym.make("Taxi-v4").unwrapped.func_env, limit=200, episodes=20)
    tables = []
    for envs in (CompiledVectorEnv(dynamics, 2), gym.vector.SyncVectorEnv([lambda: FunctionalEnv(dynamics)] * 2)):
        palaestra.rollout(envs, example["Schedule"](), 20, start=envs.reset(seed=1)[0])
        tables.append(np.array([state.values for state in envs.get_attr("state")]))
    assert np.array_equal(*tables)
    assert (tables[0][0] != tables[0][1]).any()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--episodes=0"], "at least 1"),
        (["--seeds=0"], "at least 1"),
        (["CartPole-v1"], "are not Discrete"),
        (["Blackjack-v1"], "are not Discrete"),
    ],
)
def test_bad_options_are_refused(
    arguments: list[str],
    complaint: str,
    example: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["", *arguments])
    with pytest.raises(SystemExit, match="2"):
        example["main"]()
    assert complaint in capsys.readouterr().err
