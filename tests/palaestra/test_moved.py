"""Entry points in files from before the two packages lead to where the classes are now."""

from __future__ import annotations

import pytest

from gymnasium.specs import load_env_creator
from gymnasium.specs.moved import SAFE_WRAPPERS, present

OLD = {
    "gymnasium.wrappers:RandomizeParams": "RandomizeParams",
    "gymnasium.wrappers.randomize_params:RandomizeParams": "RandomizeParams",
    "gymnasium.wrappers.record_actions:RecordActions": "RecordActions",
    "gymnasium.wrappers:RecordReplays": "RecordReplays",
    "gymnasium.wrappers.record_trajectories:RecordTrajectories": "RecordTrajectories",
    "gymnasium.envs.classic_control.vector:CartPoleVectorEnv": "CartPoleVectorEnv",
    "gymnasium.envs.toy_text.vector:TaxiVectorEnv": "TaxiVectorEnv",
    "gymnasium.envs.mujoco.ant_v5:AntVectorEnv": "AntV5VectorEnv",
}


@pytest.mark.parametrize(("entry_point", "name"), OLD.items())
def test_an_old_entry_point_leads_to_the_class(entry_point: str, name: str) -> None:
    assert getattr(load_env_creator(present(entry_point)), "__name__", None) == name


@pytest.mark.parametrize(
    "entry_point", ["gymnasium.wrappers:TimeLimit", "mine.wrappers:RecordActions", "RecordActions"]
)
def test_other_entry_points_stay(entry_point: str) -> None:
    assert present(entry_point) == entry_point


@pytest.mark.parametrize("entry_point", sorted(SAFE_WRAPPERS))
def test_safe_wrappers_exist(entry_point: str) -> None:
    assert load_env_creator(entry_point) is not None
