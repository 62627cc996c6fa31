"""A batch of robots gives what a SyncVectorEnv of them gives, to the bit."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.mujoco import batch as batches
from gymnasium.envs.registration import make_vec, registry
from gymnasium.error import ActionOutsideSpace, ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

N, LIMIT, STEPS = 4, 12, 40
ROBOTS = [
    env_id
    for env_id, spec in registry.items()
    if str(spec.entry_point).startswith("gymnasium.envs.mujoco.") and env_id != "Pusher-v4"  # refuses this engine
]
every_robot = pytest.mark.parametrize("env_id", ROBOTS)
every_mode = pytest.mark.parametrize("mode", AutoresetMode)


def classes(env_id: str) -> tuple[Any, Any]:
    """Returns the single environment's class and the batch's."""
    spec = registry[env_id]
    return tuple(getattr(import_module(str(point).partition(":")[0]), str(point).partition(":")[2])  # type: ignore[return-value]
                 for point in (spec.entry_point, spec.vector_entry_point))  # fmt: skip


def pair(env_id: str, mode: AutoresetMode, **kwargs: Any) -> tuple[Any, Any]:
    """Returns the same environments twice: one after the other, and as a batch."""
    single, batch = classes(env_id)
    sync = SyncVectorEnv([lambda: TimeLimit(single(**kwargs), LIMIT)] * N, autoreset_mode=mode)
    return sync, batch(N, LIMIT, autoreset_mode=mode, num_threads=2, **kwargs)


def agree(a: Any, b: Any, where: str = "") -> None:
    """Equal values, types and shapes, in nested dicts too."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), where
        for key in a:
            agree(a[key], b[key], f"{where}/{key}")
    elif isinstance(a, np.ndarray) and a.dtype == object:
        assert [x is None for x in a] == [x is None for x in b], where
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y, err_msg=where)
    else:
        assert (a.dtype, a.shape) == (b.dtype, b.shape), where
        np.testing.assert_array_equal(a, b, err_msg=where)


def assert_equal_runs(sync: Any, batch: Any, mode: AutoresetMode, dtype: Any = np.float32) -> int:
    """Run both, compare everything, and return how many episodes ended."""
    for x, y in zip(sync.reset(seed=7), batch.reset(seed=7), strict=True):
        agree(x, y, "reset")
    rng = np.random.default_rng(1)
    ended = 0
    for t in range(STEPS):
        actions = rng.uniform(-1, 1, sync.action_space.shape).astype(dtype)
        ours, theirs = batch.step(actions), sync.step(actions)
        for k, (x, y) in enumerate(zip(theirs, ours, strict=True)):
            agree(x, y, f"step {t}, result {k}")
        done = theirs[2] | theirs[3]
        ended += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            options = {"reset_mask": done}
            for x, y in zip(sync.reset(options=options), batch.reset(options=options), strict=True):
                agree(x, y, f"reset after {t}")
    sync.close()
    batch.close()
    return ended


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
    assert type(envs).__name__ == "HopperVectorEnv"
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
