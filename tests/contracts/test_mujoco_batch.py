"""A batch of robots gives what a SyncVectorEnv of them gives, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec
from gymnasium.error import (
    ActionOutsideSpace,
    ClosedEnvironmentError,
    ResetNeeded,
)
from gymnasium.vector import AutoresetMode
from palaestra.mujoco import batch as batches
from tests.contracts.mujoco_law import (
    N,
    assert_equal_runs,
    every_mode,
    every_robot,
    pair,
)


@every_mode
@every_robot
def test_a_batch_is_sync(env_id: str, mode: AutoresetMode) -> None:
    sync, batch = pair(env_id, mode)
    assert repr(batch.single_observation_space) == repr(sync.single_observation_space)
    assert batch.metadata == sync.metadata

    assert assert_equal_runs(sync, batch, mode) >= N


@pytest.mark.parametrize("env_id", ["HalfCheetah-v5", "InvertedDoublePendulum-v5", "Reacher-v4"])
def test_threads_around_the_engine_are_sync_too(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on engines that have no batches."""
    monkeypatch.setattr(batches, "VERSION", (3, 3, 0))
    sync, batch = pair(env_id, AutoresetMode.NEXT_STEP)
    assert isinstance(batch._batch, batches.ThreadedBatch)

    assert_equal_runs(sync, batch, AutoresetMode.NEXT_STEP)


@pytest.mark.parametrize(
    ("env_id", "kwargs"),
    [
        ("Ant-v5", {"include_cfrc_ext_in_observation": False, "main_body": "torso"}),
        ("Ant-v4", {"use_contact_forces": True}),
        ("Humanoid-v5", {"include_cinert_in_observation": False, "exclude_current_positions_from_observation": False}),
        ("HalfCheetah-v5", {"frame_skip": 2, "ctrl_cost_weight": 0.7}),
    ],
)
def test_arguments_reach_the_batch(env_id: str, kwargs: dict[str, Any]) -> None:
    sync, batch = pair(env_id, AutoresetMode.SAME_STEP, **kwargs)

    assert_equal_runs(sync, batch, AutoresetMode.SAME_STEP, np.float64)


def test_seeds_of_their_own() -> None:
    """A sequence seeds each environment, None goes on with the generator there is."""
    sync, batch = pair("Swimmer-v5", AutoresetMode.NEXT_STEP)
    for seed in ([5, None, 3, 8], 11, None):
        first = sync.reset(seed=seed)[0], batch.reset(seed=seed)[0]
        rows = [0, 2, 3] if isinstance(seed, list) else slice(None)
        if seed == [5, None, 3, 8]:
            assert batch.np_random_seed[0] == 5
        np.testing.assert_array_equal(first[0][rows], first[1][rows])


def test_make_vec_uses_the_batch() -> None:
    envs = make_vec("Hopper-v5", 3)
    assert type(envs).__name__ == "HopperV5VectorEnv"
    assert envs.unwrapped.max_episode_steps == 1000  # type: ignore[attr-defined]
    envs.close()


def test_infos_only_where_asked_for() -> None:
    keys = {}
    for detail in ("full", "rewards", "none"):
        envs: Any = make_vec("HalfCheetah-v5", 2, infos=detail)
        _, first = envs.reset(seed=0)
        keys[detail] = {*first, *envs.step(envs.action_space.sample())[4]}
        envs.close()
    assert keys["rewards"] == {"reward_forward", "_reward_forward", "reward_ctrl", "_reward_ctrl"}
    assert keys["none"] == set()
    assert keys["full"] > keys["rewards"]
    with pytest.raises(ValueError, match="infos"):
        make_vec("HalfCheetah-v5", 2, infos="some")


def test_infos_keep_their_values() -> None:
    """What a step returned does not change with the next one."""
    envs: Any = make_vec("HalfCheetah-v5", 2)
    envs.reset(seed=0)
    observations, *_, infos = envs.step(envs.action_space.sample())
    kept = observations.copy(), infos["x_position"].copy()
    envs.step(envs.action_space.sample())
    np.testing.assert_array_equal(observations, kept[0])
    np.testing.assert_array_equal(infos["x_position"], kept[1])
    envs.close()


@pytest.mark.parametrize("env_id", ["HalfCheetah-v5", "Ant-v5"])
def test_one_diverging_simulation_is_truncated_and_the_others_go_on(
    env_id: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where the engine writes its log
    envs: Any = make_vec(env_id, 3)
    envs.reset(seed=0)
    envs._batch.qvel[1] = 1e20
    _, _, terminated, truncated, infos = envs.step(envs.action_space.sample())
    assert not terminated.any()
    assert truncated.tolist() == infos["unstable"].tolist() == [False, True, False]
    *_, truncated, infos = envs.step(envs.action_space.sample())
    assert not truncated.any()
    assert "unstable" not in infos
    envs.close()


def test_wrong_batches_are_refused_before_anything_moves() -> None:
    envs: Any = make_vec("HalfCheetah-v5", 2)
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros((2, 6)))
    envs.reset(seed=0)
    before = envs._batch.qpos.copy()
    for wrong, kind in (
        (np.zeros((3, 6)), ValueError),
        (np.zeros(6), ValueError),
        (np.full((2, 6), np.nan), ActionOutsideSpace),
    ):
        with pytest.raises(kind):
            envs.step(wrong)
    np.testing.assert_array_equal(envs._batch.qpos, before)
    envs.close()
    envs.close()
    with pytest.raises(ClosedEnvironmentError):
        envs.step(np.zeros((2, 6)))


def test_stepping_a_finished_environment_without_autoreset_is_an_error() -> None:
    envs: Any = make_vec("HalfCheetah-v5", 2, autoreset_mode="Disabled", max_episode_steps=1)
    envs.reset(seed=0)
    envs.step(np.zeros((2, 6)))
    with pytest.raises(AssertionError, match="reset"):
        envs.step(np.zeros((2, 6)))
    envs.close()
