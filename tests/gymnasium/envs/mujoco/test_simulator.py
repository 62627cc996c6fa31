"""How a simulation is moved on."""

from __future__ import annotations

import copy
from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium.envs.mujoco import MujocoEnv, engine
from gymnasium.envs.mujoco.simulator import needless
from gymnasium.envs.registration import make, make_vec
from gymnasium.error import ActionOutsideSpace
from tests.ours import with_palaestra

ROBOTS = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedPendulum", "InvertedDoublePendulum",
          "Pusher", "Reacher", "Swimmer", "Walker2d"]  # fmt: skip


@pytest.mark.parametrize("name", ROBOTS)
def test_what_is_left_out_changes_no_bit(name: str) -> None:
    """A step is that of the engine with everything switched on."""
    env: Any = make(f"{name}-v5").unwrapped
    env.reset(seed=0)
    model, data = env.model, copy.copy(env.data)
    rng = np.random.default_rng(0)
    for _ in range(150):
        action = rng.uniform(-1, 1, model.nu).astype(np.float32)
        env.step(action)
        assert model.opt.disableflags == 0
        data.ctrl[:] = action
        mujoco.mj_step(model, data, env.frame_skip)
        mujoco.mj_rnePostConstraint(model, data)
        for reading in ("qpos", "qvel", "qacc", "qacc_warmstart", "cfrc_ext", "qfrc_constraint", "xpos"):
            np.testing.assert_array_equal(getattr(env.data, reading), getattr(data, reading), err_msg=reading)
    env.close()


def test_constraints_of_several_trees_are_still_solved_apart() -> None:
    assert needless(make("HalfCheetah-v5").unwrapped.model) != 0  # type: ignore[attr-defined]
    assert needless(make("Pusher-v5").unwrapped.model) == 0  # type: ignore[attr-defined]


def slider() -> MujocoEnv:
    """A point on a floor, of the base class itself."""
    return MujocoEnv("point.xml", 2, None)


@pytest.mark.parametrize("swap", ["copied", "replaced"])
def test_the_simulation_at_hand_is_the_one_that_moves(swap: str) -> None:
    """Of a copy its own; and one that a subclass has put in place."""
    env = slider()
    other: Any = copy.deepcopy(env) if swap == "copied" else slider()
    if swap == "replaced":
        other.data = mujoco.MjData(other.model)
    still = env.data.qpos.copy()
    for _ in range(20):
        other.do_simulation(np.ones(other.model.nu), 2)
    assert (other.data.qpos != still).any()
    np.testing.assert_array_equal(env.data.qpos, still)
    with pytest.raises(ActionOutsideSpace):
        other.do_simulation(np.full(other.model.nu, np.nan), 2)


def test_the_model_can_be_changed_between_steps() -> None:
    env: Any = make("HalfCheetah-v5").unwrapped
    ends = []
    for gravity in (-9.81, -1.0):
        env.reset(seed=0)
        env.model.opt.gravity[2] = gravity
        for _ in range(5):
            env.step(np.zeros(6, np.float32))
        ends.append(env.data.qpos.copy())
    assert (ends[0] != ends[1]).any()
    env.close()


@pytest.mark.skipif(engine.VERSION < (4,), reason="the bindings of older versions hide the clock")
@pytest.mark.parametrize("mode", ["single", pytest.param("vector_entry_point", marks=with_palaestra)])
def test_a_robot_keeps_no_profile_and_a_simulation_of_the_user_does(mode: str) -> None:
    """Reading the clock takes a tenth of a step."""
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model)
    profile = data.timer[mujoco.mjtTimer.mjTIMER_STEP]
    single = make("Hopper-v5")
    env: Any = single if mode == "single" else make_vec("Hopper-v5", 2, vectorization_mode=mode)
    env.reset(seed=0)
    env.step(env.action_space.sample())
    mujoco.mj_step(model, data, 100)
    assert profile.duration > 0
    if mode == "single":
        assert env.unwrapped.data.timer[mujoco.mjtTimer.mjTIMER_STEP].duration == 0
    env.close()


@pytest.mark.skipif(engine.VERSION < (4,), reason="the bindings of older versions hide the clock")
def test_a_clock_of_the_user_goes_on() -> None:
    calls: list[int] = []
    mujoco.set_mjcb_time(lambda: calls.append(1) or float(len(calls)))
    try:
        env = make("Hopper-v5")
        env.reset(seed=0)
        before = len(calls)
        env.step(env.action_space.sample())
        assert len(calls) > before
    finally:
        mujoco.set_mjcb_time(None)
    env.step(env.action_space.sample())
    mujoco.mj_step(env.unwrapped.model, env.unwrapped.data)
