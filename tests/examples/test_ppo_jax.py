"""The example that trains many seeds in one program of JAX, with settings that take seconds."""

from __future__ import annotations

import csv
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / "ppo_jax.py"), *arguments]
    return subprocess.run(
        command, env={**environment, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=110
    )


SMALL = "--num-envs=4", "--minibatches=2", "--hidden=8"


def test_agents_learn_until_all_have_reached_the_goal(tmp_path: Path, hasty_environment: dict[str, str]) -> None:
    """Each in its own time."""
    out = tmp_path / "curves.csv"
    done = _run(hasty_environment, "--seeds=2", "--goal=60", "--updates=150", f"--out={out}", *SMALL)
    assert done.returncode == 0, done.stderr

    assert "2 of 2 seeds reached a mean return of 60 in CartPole-v1" in done.stdout
    most = int(re.findall(r"([\d,]+) \(most\)", done.stdout)[0].replace(",", ""))
    assert 4 * 64 < most < 150 * 4 * 64
    with out.open() as file:
        rows = [(int(row["seed"]), int(row["steps"]), float(row["mean_return"])) for row in csv.DictReader(file)]
    for seed in (0, 1):
        means = [mean for own, _, mean in rows if own == seed]
        assert [mean for mean in dict.fromkeys(means) if mean >= 60] == [means[-1]]  # it then stands still


def test_a_goal_out_of_reach_is_told(hasty_environment: dict[str, str]) -> None:
    """Here by an agent that sees the number of a state."""
    done = _run(hasty_environment, "--env-id=CliffWalking-v1", "--seeds=2", "--goal=0", "--updates=2", *SMALL)
    assert done.returncode == 0, done.stderr
    assert "0 of 2 seeds reached a mean return of 0 in CliffWalking-v1" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seeds=0"], "every count must be at least 1"),
        (["--minibatches=3"], "must divide"),
        (["--env-id=Pendulum-v1"], "The actions must be discrete"),
    ],
)
def test_bad_options_are_refused(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ppo_jax.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "examples" / "ppo_jax.py"), run_name="__main__")
    assert ended.value.code
    assert message in capsys.readouterr().err + str(ended.value)
