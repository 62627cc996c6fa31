"""What a robot's subclass overrides, in batches of the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.mujoco.ant_v5 import AntEnv
from gymnasium.envs.mujoco.hopper_v5 import HopperEnv
from gymnasium.envs.registration import make_vec
from gymnasium.vector import SyncVectorEnv
from palaestra.mujoco.vector import MujocoVectorEnv
from tests.contracts.mujoco_law import agree
from tests.gymnasium.envs.mujoco.test_hooks import EFFORT, MEMBERS


@pytest.mark.parametrize("name", ["is_healthy", "healthy_reward", "contact_forces", "step", "_get_obs", "reset_model"])
def test_a_batch_refuses_what_it_would_not_call(name: str) -> None:
    class Batch(MujocoVectorEnv):
        env_class = type("Mine", (AntEnv,), {name: property(lambda self: 0)})

    with pytest.raises(TypeError, match=rf"Mine \({name}\)"):
        Batch(2)


def test_a_batch_of_a_subclass_that_overrides_nothing_of_it() -> None:
    """Other arguments, a method more, a name that is this package's in no class of the robot's."""

    class Low(HopperEnv):
        terminated = 3

        def __init__(self, **kwargs: Any) -> None:
            super().__init__(healthy_z_range=(1.2, 2.0), **kwargs)

    class Batch(MujocoVectorEnv):
        env_class = Low

    sync = SyncVectorEnv([Low] * 3)
    batch = Batch(3)
    for envs in (sync, batch):
        envs.reset(seed=1)
        envs.action_space.seed(1)
    for _ in range(40):
        for mine, theirs in zip(
            batch.step(batch.action_space.sample()), sync.step(sync.action_space.sample()), strict=True
        ):
            agree(mine, theirs)
    batch.close()
    sync.close()


@pytest.mark.parametrize("env_id", ["Walker2d-v5", "Hopper-v5", "Humanoid-v5", "Ant-v5"])
def test_batches_are_asked_as_single_environments_are(env_id: str) -> None:
    batch: Any = make_vec(env_id, 2)
    sync: Any = make_vec(env_id, 2, vectorization_mode="sync")
    for envs in (batch, sync):
        envs.reset(seed=3)
        for _ in range(30):
            envs.step(np.zeros(envs.action_space.shape))
    for name in MEMBERS[env_id] - EFFORT:
        np.testing.assert_equal(batch.get_attr(name), sync.get_attr(name))
    action = np.ones(batch.single_action_space.shape)
    assert batch.call("control_cost", action) == sync.call("control_cost", action)

    batch.close()
    sync.close()


def test_what_a_batch_pays_for_health_can_be_set() -> None:
    batch: Any = make_vec("Hopper-v5", 2)
    batch.reset(seed=0)
    batch.set_attr("healthy_reward", [3.0, 7.0])
    assert batch.get_attr("healthy_reward") == (3.0, 7.0)
    assert batch.step(np.zeros((2, 3)))[4]["reward_survive"].tolist() == [3, 7]
    batch.close()
