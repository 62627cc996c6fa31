"""Subclasses of environments that are dynamics, in compiled batches."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.envs.classic_control import PendulumEnv
from palaestra.runner import CompiledVectorEnv
from tests.gymnasium.envs.classic_control.test_subclasses import FiveTorques, Hooked
from tests.gymnasium.envs.toy_text.test_subclasses import OwnLake


def test_a_compiled_batch_refuses_hooks() -> None:
    with pytest.raises(TypeError, match="Hooked overrides `_dsdt`"):
        CompiledVectorEnv(Hooked, 2)
    with pytest.raises(TypeError, match=r"AcrobotEnv\._moved"):
        CompiledVectorEnv(FiveTorques, 2)


def test_a_compiled_batch_refuses_methods_of_an_instance() -> None:
    def patched() -> PendulumEnv:
        env = PendulumEnv()
        env._get_obs = lambda: np.zeros(3, np.float32)
        return env

    with pytest.raises(TypeError, match="PendulumEnv overrides `_get_obs`"):
        CompiledVectorEnv(patched, 2)


def test_a_compiled_batch_of_such_lakes_has_their_tables() -> None:
    envs = CompiledVectorEnv(OwnLake, 3)
    assert set(envs.reset(seed=list(range(3)))[0]) <= {0, 2}
    envs.set_attr("s", [0, 1, 4])
    assert envs.step(np.array([2, 1, 1]))[1].tolist() == [-0.5, -5.0, -0.5]
