"""A batch of robots has the whole interface of a vector environment, and agrees with sync in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec
from gymnasium.error import (
    AlreadyPendingCallError,
    ResetNeeded,
    UnsupportedMode,
)
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.mujoco import batch as batches
from tests.contracts.mujoco_law import (
    LIMIT,
    STEPS,
    N,
    agree,
    assert_equal_runs,
    classes,
    every_mode,
    pair,
)
from tests.gymnasium.envs.mujoco.coarse import draw_coarsely, share_contexts


@every_mode
@pytest.mark.parametrize("env_id", ["Ant-v5", "Hopper-v5", "Reacher-v5"])
def test_what_was_sent_is_received_as_from_sync(env_id: str, mode: AutoresetMode) -> None:
    sync, batch = pair(env_id, mode)
    sync.reset(seed=3), batch.reset(seed=3)
    rng = np.random.default_rng(2)
    done = np.zeros(N, np.bool_)
    for _ in range(STEPS):
        ids = rng.permutation(N)[: rng.integers(1, N + 1)]
        if mode is AutoresetMode.DISABLED and done.any():
            sync.reset(options={"reset_mask": done}), batch.reset(options={"reset_mask": done})
        actions = rng.uniform(-1, 1, (len(ids), *sync.single_action_space.shape)).astype(np.float32)
        halves = (slice(None, len(ids) // 2), slice(len(ids) // 2, None))
        for part in (part for part in halves if len(ids[part])):
            sync.send(actions[part], ids[part])
            batch.send(actions[part], ids[part])
        expected, found = sync.recv(len(ids)), batch.recv(1)
        for k, (x, y) in enumerate(zip(expected, found, strict=True)):
            agree(x, y, f"result {k}")
        done = np.zeros(N, np.bool_)
        done[ids] = found[2] | found[3]
    sync.close()
    batch.close()


def test_a_mask_of_other_bytes_than_one_is_as_true() -> None:
    """Such as a view of numbers from another library."""
    envs: Any = make_vec("Hopper-v5", 3)
    told = []
    for mask in (np.array([True, False, True]), np.frombuffer(b"\xff\0\2", np.bool_)):
        envs.reset(seed=0)
        told.append(envs.reset(options={"reset_mask": mask})[1])
    assert told[0] and repr(told[0]) == repr(told[1])


def test_what_is_in_flight_has_to_be_received_first() -> None:
    envs: Any = make_vec("HalfCheetah-v5", 3)
    actions = np.zeros((2, 6))
    with pytest.raises(ResetNeeded):
        envs.send(actions, [0, 2])
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="in flight"):
        envs.recv()
    envs.send(actions, [0, 2])
    actions[:] = np.nan  # belongs to the caller again
    for refused in (
        envs.reset,
        envs.render,
        lambda: envs.step(np.zeros((3, 6))),
        lambda: envs.get_attr("dt"),
        lambda: envs.set_attr("frame_skip", 3),
        lambda: envs.get_state(1),
        lambda: envs.send(np.zeros((1, 6)), [2]),
    ):
        with pytest.raises(AlreadyPendingCallError):
            refused()
    observations, *_, infos = envs.recv(2)
    assert infos["env_id"].tolist() == [0, 2]
    assert np.isfinite(observations).all()
    envs.step(np.zeros((3, 6)))
    envs.close()


@pytest.mark.parametrize("engine", [(3, 3, 0), batches.VERSION])
@pytest.mark.parametrize(
    "env_id", ["Ant-v4", "HalfCheetah-v5", "Humanoid-v5", "InvertedDoublePendulum-v5", "Reacher-v4"]
)
def test_a_state_goes_on_exactly_in_any_environment(
    env_id: str, engine: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the end of an episode too; the others do not notice."""
    monkeypatch.setattr(batches, "VERSION", engine)
    _, batch = pair(env_id, AutoresetMode.NEXT_STEP)
    batch.reset(seed=5)
    rng = np.random.default_rng(4)
    actions = rng.uniform(-1, 1, (30, N, *batch.single_action_space.shape)).astype(np.float32)
    for k in range(5):
        batch.step(actions[k])
    state, other = batch.get_state(1), batch.get_state(3)

    def run(first: int) -> list[Any]:
        found = []
        for k in range(5, 30):
            moves = actions[k].copy()
            moves[first] = actions[k, 1]
            results = batch.step(moves)
            found.append([result[[first, 3]] for result in results[:4]])
        return found

    once = run(1)
    batch.set_state(0, state)
    batch.set_state(3, other)
    for before, after in zip(once, run(0), strict=True):
        for x, y in zip(before, after, strict=True):
            np.testing.assert_array_equal(x, y)
    batch.close()


def test_states_that_are_none_are_refused() -> None:
    envs: Any = make_vec("HalfCheetah-v5", 2)
    other: Any = make_vec("Ant-v5", 2)
    with pytest.raises(ResetNeeded):
        envs.get_state(0)
    envs.reset(seed=0), other.reset(seed=0)
    for i, state, kind in (
        (2, envs.get_state(0), IndexError),
        (0, None, TypeError),
        (0, other.get_state(0), ValueError),
    ):
        with pytest.raises(kind):
            envs.set_state(i, state)
    envs.close()
    other.close()


@pytest.mark.parametrize(
    ("env_id", "name", "values"),
    [
        ("HalfCheetah-v5", "frame_skip", 2),
        ("Ant-v5", "frame_skip", [1, 5, 2, 5]),
        ("Walker2d-v5", "init_qpos", [np.full(9, 1.25 + 0.1 * i) for i in range(N)]),
        ("Humanoid-v5", "frame_skip", [3, 5, 3, 5]),
    ],
)
@every_mode
def test_parameters_act_as_in_sync(env_id: str, name: str, values: Any, mode: AutoresetMode) -> None:
    sync, batch = pair(env_id, mode)
    for envs in (sync, batch):
        envs.set_attr(name, values)
    agree(np.array(sync.get_attr(name)), np.array(batch.get_attr(name)))
    assert sync.get_attr("dt") == batch.get_attr("dt")
    assert_equal_runs(sync, batch, mode)


def test_a_task_differs_between_environments() -> None:
    """As between environments that are made so."""
    weights = [0.1, 0.5, 0.1, 2.0]
    single, batch = classes("Ant-v5")
    sync = SyncVectorEnv([lambda w=w: TimeLimit(single(ctrl_cost_weight=w), LIMIT) for w in weights])
    envs = batch(N, LIMIT)
    envs.set_attr("ctrl_cost_weight", weights)
    assert envs.get_attr("ctrl_cost_weight") == tuple(weights)
    assert_equal_runs(sync, envs, AutoresetMode.NEXT_STEP)


def test_methods_are_called_on_each() -> None:
    sync, batch = pair("Ant-v5", AutoresetMode.NEXT_STEP)
    for envs in (sync, batch):
        envs.reset(seed=0)
        envs.step(np.full((N, 8), 0.3, np.float32))
    for call in (("state_vector",), ("_get_obs",), ("get_body_com", "torso"), ("body_id", "torso")):
        for x, y in zip(sync.call(*call), batch.call(*call), strict=True):
            np.testing.assert_array_equal(x, y)
    assert [g.random() for g in sync.get_attr("np_random")] == [g.random() for g in batch.get_attr("np_random")]
    sync.close()
    batch.close()


def test_what_a_batch_was_made_from_cannot_be_set() -> None:
    envs: Any = make_vec("HalfCheetah-v5", 2)
    for name, value, kind in (
        ("model", None, AttributeError),
        ("observation_space", None, AttributeError),
        ("frame_skip", 0, ValueError),
        ("frame_skip", [1, 2, 3], ValueError),
        ("init_qpos", np.zeros(3), ValueError),
        ("task", None, TypeError),
        ("np_random", 3, TypeError),
    ):
        with pytest.raises(kind):
            envs.set_attr(name, value)
    assert envs.get_attr("frame_skip") == (5, 5)
    envs.set_attr("label", ["a", "b"])
    assert envs.get_attr("label") == ("a", "b")
    envs.close()


def test_generators_can_be_given() -> None:
    sync, batch = pair("Hopper-v5", AutoresetMode.SAME_STEP)
    for envs in (sync, batch):
        envs.set_attr("np_random", [np.random.default_rng(i) for i in range(N)])
        assert envs.np_random_seed == (-1,) * N
    agree(sync.reset()[0], batch.reset()[0])
    sync.close()
    batch.close()


def test_without_copies_observations_are_in_one_array() -> None:
    envs: Any = make_vec("HalfCheetah-v5", 3, vector_kwargs={"copy": False})
    other: Any = make_vec("HalfCheetah-v5", 3)
    first, again = envs.reset(seed=0)[0], other.reset(seed=0)[0]
    for _ in range(3):
        actions = other.action_space.sample()
        assert envs.step(actions)[0] is first
        again = other.step(actions)[0]
        np.testing.assert_array_equal(first, again)
    envs.close()
    other.close()


def test_options_of_their_own() -> None:
    """Robots know none, and a batch takes them as sync does."""
    sync, batch = pair("Swimmer-v5", AutoresetMode.NEXT_STEP)
    options = [{"a": 1}, None, {}, {"b": 2}]
    agree(sync.reset(seed=1, options=options)[0], batch.reset(seed=1, options=options)[0])
    for wrong, kind in ((options[:2], ValueError), ([1] * N, TypeError), ("ab", TypeError)):
        with pytest.raises(kind):
            batch.reset(options=wrong)
    sync.close()
    batch.close()


def test_any_environment_is_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_coarsely(monkeypatch)
    share_contexts(monkeypatch)
    sync, batch = pair("Hopper-v5", AutoresetMode.NEXT_STEP, render_mode="rgb_array", width=64, height=64)
    for envs in (sync, batch):
        envs.reset(seed=0)
        envs.set_attr("label", 1)
    frames = batch.render()
    np.testing.assert_array_equal(batch.render_one(2), frames[2])
    np.testing.assert_array_equal(batch.call("render")[2], frames[2])
    np.testing.assert_array_equal(sync.render()[2], frames[2])
    assert (frames[2] != frames[0]).any()
    with pytest.raises(IndexError):
        batch.render_one(N)
    sync.close()
    batch.close()


def test_a_batch_has_no_window() -> None:
    with pytest.raises(UnsupportedMode, match="human"):
        classes("Hopper-v5")[1](2, render_mode="human")
