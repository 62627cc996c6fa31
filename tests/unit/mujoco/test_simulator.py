"""How a simulation is moved on."""

from __future__ import annotations

import copy
from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium.envs.mujoco import MujocoEnv, engine
from gymnasium.envs.mujoco.simulator import needless
from gymnasium.envs.registration import make
from gymnasium.error import ActionOutsideSpace

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
def test_the_engine_keeps_no_profile_until_it_is_given_a_clock() -> None:
    """Reading the clock takes a tenth of a step; the bindings' own call puts it back."""
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model)
    profile = data.timer[mujoco.mjtTimer.mjTIMER_STEP]
    try:
        mujoco.mj_step(model, data)
        assert profile.duration == 0
        mujoco.set_mjcb_time(None)
        mujoco.mj_step(model, data, 100)
        assert profile.duration > 0
    finally:
        engine.stop_the_clock()
