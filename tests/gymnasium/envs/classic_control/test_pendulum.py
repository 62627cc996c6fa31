"""What is particular to the pendulum."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.envs.classic_control.pendulum import DEFAULT_X, DEFAULT_Y, PendulumEnv, angle_normalize


def test_angles_are_normalized_into_half_open_turn():
    """Numbers and arrays: moved by whole turns into [-pi, pi)."""
    angles = np.linspace(-20, 20, 401)
    moved = angle_normalize(angles)
    assert ((-np.pi <= moved) & (moved < np.pi)).all()
    np.testing.assert_allclose(np.cos(moved), np.cos(angles), atol=1e-12)
    assert angle_normalize(np.pi) == -np.pi
    assert angle_normalize(7.0) == pytest.approx(7.0 - 2 * np.pi)


def test_reward_and_state_follow_the_procedure_in_numpys_scalars():
    """The torque and what is computed from it alone are of single precision, the rest of double."""
    env = PendulumEnv(g=9.81)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(2000):
        theta, theta_dot = env.state
        action = rng.uniform(-3, 3, 1).astype(np.float32)
        u = np.clip(action, -2.0, 2.0)[0]
        cost = angle_normalize(theta) ** 2 + 0.1 * theta_dot**2 + 0.001 * (u**2)
        new_theta_dot = theta_dot + (3 * 9.81 / (2 * 1.0) * np.sin(theta) + 3.0 / (1.0 * 1.0**2) * u) * 0.05
        new_theta_dot = np.clip(new_theta_dot, -8.0, 8.0)
        _, reward, terminated, _, _ = env.step(action)
        assert reward == -cost
        assert env.state.tolist() == [theta + new_theta_dot * 0.05, new_theta_dot]
        assert env.last_u == u
        assert terminated is False


def test_torque_beyond_the_bounds_is_clipped():
    env, twin = PendulumEnv(), PendulumEnv()
    for each in (env, twin):
        each.reset(seed=0)
    assert env.step(np.array([5.0], np.float32))[0].tolist() == twin.step(np.array([2.0], np.float32))[0].tolist()
    assert env.step([-np.inf])[0].tolist() == twin.step([-2.0])[0].tolist()


def test_last_torque_is_none_until_there_is_one():
    env = PendulumEnv()
    assert env.last_u is None
    env.reset(seed=0)
    assert env.last_u is None
    env.step(np.array([1.5], np.float32))
    assert env.last_u == 1.5
    env.reset()
    assert env.last_u is None


def test_reset_options_are_the_largest_angle_and_velocity():
    env = PendulumEnv()
    env.reset(seed=0)
    default = env.state
    env.reset(seed=0, options={"x_init": DEFAULT_X, "y_init": np.float32(DEFAULT_Y)})
    np.testing.assert_array_equal(env.state, default)
    env.reset(seed=0, options={"x_init": 0.1})
    np.testing.assert_allclose(env.state, [default[0] * 0.1 / DEFAULT_X, default[1]])
    assert env.reset(seed=0, options={"x_init": 0, "y_init": 0})[0].tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("options", [{"x_init": -1}, {"y_init": "1"}, {"x_init": np.inf}, {"y_init": [1]}], ids=str)
def test_wrong_reset_options_leave_the_state(options):
    env = PendulumEnv()
    env.reset(seed=0)
    before = env.state.copy()
    with pytest.raises(ValueError, match="option"):
        env.reset(seed=1, options=options)
    np.testing.assert_array_equal(env.state, before)
    assert env.np_random_seed == 0
