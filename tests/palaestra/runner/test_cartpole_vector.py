"""What programs read of a batch of CartPoles and write into it, with the same steps as of single environments."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.classic_control.cartpole import CartPoleVectorEnv
from gymnasium.envs.registration import make_vec
from gymnasium.error import ResetNeeded
from tests.contracts.compiled_law import assert_same

ATTRIBUTES = ["gravity", "masscart", "masspole", "length", "force_mag", "tau", "theta_threshold_radians", "x_threshold"]


def both(n: int, limit: int = 20) -> tuple[CartPoleVectorEnv, Any]:
    """The same CartPoles compiled and in sync, reset."""
    ours, sync = CartPoleVectorEnv(n, limit), make_vec("CartPole-v1", n, "sync", max_episode_steps=limit)
    assert_same(ours.reset(seed=3), sync.reset(seed=3), "reset")
    return ours, sync


def assert_same_steps(ours: CartPoleVectorEnv, sync: Any, steps: int) -> None:
    sync.action_space.seed(0)
    for t in range(steps):
        actions = sync.action_space.sample()
        assert_same(ours.step(actions), sync.step(actions), f"step {t}")
        assert ours.state is not None
        assert_same(ours.state.T.copy(), np.stack(sync.get_attr("state")), f"state {t}")


@pytest.mark.parametrize("n", [1, 3, 8, 33])
def test_the_state_has_a_column_for_each_environment(n: int) -> None:
    ours, sync = both(n)
    assert ours.state is not None
    assert (ours.state.shape, ours.state.dtype) == ((4, n), np.float64)
    assert_same_steps(ours, sync, 30)


@pytest.mark.parametrize("n", [1, 3, 8, 33])
def test_a_state_that_is_set_is_gone_on_from(n: int) -> None:
    """Assigned as a whole, written into, or changed in place, before and after params of another form."""
    ours, sync = both(n)
    ours.state = wanted = np.random.default_rng(0).uniform(-0.1, 0.1, (4, n))
    sync.set_attr("state", list(wanted.T))
    assert_same_steps(ours, sync, 3)
    ours.gravity = 9
    sync.set_attr("gravity", 9)
    state = ours.state
    state[1] = 0.25
    state[:, -1] *= 0.5
    wanted = state.copy()
    sync.set_attr("state", list(wanted.T))
    assert_same_steps(ours, sync, 30)
    assert np.shares_memory(ours.state, state)


def test_the_attributes_are_those_of_the_environments() -> None:
    """One value for all, or an array of one for each."""
    ours, sync = both(3)
    for name in [*ATTRIBUTES, "total_mass", "polemass_length", "kinematics_integrator"]:
        assert getattr(ours, name) == sync.get_attr(name)[0]
    for name in ATTRIBUTES[:-2]:
        value = np.array([0.9, 1.0, 1.2]) * getattr(ours, name)
        setattr(ours, name, value)
        sync.set_attr(name, value.tolist())
        assert getattr(ours, name).tolist() == list(sync.get_attr(name))
    ours.kinematics_integrator = "semi-implicit euler"
    ours.x_threshold = np.float64(0.3)
    sync.set_attr("kinematics_integrator", "semi-implicit euler")
    sync.set_attr("x_threshold", 0.3)
    assert ours.total_mass.tolist() == list(sync.get_attr("total_mass"))
    assert_same_steps(ours, sync, 40)


def test_the_elapsed_steps_can_be_set() -> None:
    ours, _ = both(3, limit=20)
    assert (ours.steps.tolist(), ours.max_episode_steps, ours.steps_beyond_terminated) == ([0, 0, 0], 20, None)
    ours.step(np.zeros(3, np.int64))
    assert ours.steps.tolist() == [1, 1, 1]
    ours.steps = np.array([19, 18, 0])
    assert ours.step(np.ones(3, np.int64))[3].tolist() == [True, False, False]
    ours.steps[2] = 19
    assert ours.prev_done.tolist() == [True, False, False]
    assert ours.step(np.zeros(3, np.int64))[3].tolist() == [False, True, True]
    ours.prev_done = np.zeros(3, np.bool_)
    assert ours.step(np.zeros(3, np.int64))[3].tolist() == [False, True, True]


def test_the_bounds_of_the_beginnings_are_those_of_the_last_reset() -> None:
    ours, _ = both(3)
    assert (ours.low, ours.high) == (-0.05, 0.05)
    ours.reset(options={"low": 0.1, "high": 0.2})
    assert (ours.low, ours.high) == (0.1, 0.2)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_a_copy_has_a_state_of_its_own(copied: Any) -> None:
    ours, sync = both(3)
    other = copied(ours)
    assert_same(other.state, ours.state, "state")
    other.state[:] = 0.125
    assert_same_steps(ours, sync, 3)
    assert (other.state == 0.125).all()
    assert other.step(np.zeros(3, np.int64))[0][0, 0] != 0.125


def test_wrong_states_are_refused() -> None:
    envs = CartPoleVectorEnv(3)
    assert envs.state is None
    with pytest.raises(ResetNeeded):
        envs.state = np.zeros((4, 3))
    envs.reset(seed=0)
    before = envs.get_attr("state")
    for wrong in (np.zeros((3, 4)), np.zeros(4), 0.0, "abcd"):
        with pytest.raises(ValueError, match=r"\(4, 3\)"):
            envs.state = wrong
    assert_same(envs.get_attr("state"), before, "state")
