"""The policies of Box2D run from the command line."""

from __future__ import annotations

import pytest

from palaestra.cli import main


@pytest.mark.parametrize(
    ("env_id", "policy"),
    [
        ("LunarLander-v3", "gymnasium.envs.box2d.lunar_policy:land"),
        ("LunarLanderContinuous-v3", "gymnasium.envs.box2d.lunar_policy:land_continuous"),
        ("BipedalWalker-v3", "gymnasium.envs.box2d.bipedal_policy:walk"),
    ],
)
def test_policies_run_from_the_command_line(env_id, policy, capsys) -> None:
    assert main(["run", env_id, "--policy", policy, "--episodes", "1", "--seed", "1"]) == 0
    assert "1 episode" in capsys.readouterr().out
