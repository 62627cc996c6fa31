"""The continuous car's roundings, against the procedure written with NumPy's scalars."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gymnasium.envs.classic_control.continuous_mountain_car import Continuous_MountainCarEnv


class Model:
    """The specification's procedure; NumPy 2 promotes a float32 and a Python float to float32."""

    goal_velocity = 0

    def reset(self, position):
        self.state = np.array([position, 0.0])

    def step(self, action):
        position, velocity = self.state
        force = min(max(action[0], -1.0), 1.0)
        velocity += force * 0.0015 - 0.0025 * math.cos(3 * position)
        if velocity > 0.07:
            velocity = 0.07
        if velocity < -0.07:
            velocity = -0.07
        position += velocity
        if position > 0.6:
            position = 0.6
        if position < -1.2:
            position = -1.2
        if position == -1.2 and velocity < 0:
            velocity = 0
        terminated = bool(position >= 0.45 and velocity >= self.goal_velocity)
        reward = (100.0 if terminated else 0) - math.pow(action[0], 2) * 0.1
        self.state = np.array([position, velocity], dtype=np.float32)
        return self.state, reward, terminated


def policy(kind, rng, velocity):
    """Actions within the bounds, beyond them, of both kinds, on them; driving along and at random."""
    size = {"within": 1.0, "beyond": 3.0, "mixed": 1.4, "on": 1.0}[kind]
    if kind == "on":
        return np.array([rng.choice([-1.0, 0.0, 1.0])], np.float32)
    along = rng.uniform(0.3, 1.0) * (1 if velocity >= 0 else -1) if rng.random() < 0.8 else rng.uniform(-1, 1)
    return np.array([size * along], np.float32)


@pytest.mark.parametrize("kind", ["within", "beyond", "mixed", "on"])
@pytest.mark.parametrize("seed", range(5))
def test_every_bit_is_that_of_numpys_scalars(kind, seed):
    """At the first step (double precision) and at later ones (single), over several episodes."""
    env, model, rng = Continuous_MountainCarEnv(), Model(), np.random.default_rng(seed)
    env.reset(seed=seed)
    ends = 0
    for t in range(1500):
        if t % 300 == 0:
            env.reset()
            model.reset(env.state[0])
        action = policy(kind, rng, env.state[1])
        expected, reward, terminated = model.step(action)
        came = env.step(action)
        assert came[0].tobytes() == expected.tobytes(), t
        assert came[1:3] == (reward, terminated)
        assert env.state.dtype == np.float32 and env.state.tobytes() == expected.tobytes()
        if terminated:
            ends += 1
            env.reset()
            model.reset(env.state[0])
    assert ends or kind == "on"


@pytest.mark.parametrize("seed", range(20))
def test_first_steps_are_of_double_precision(seed):
    """From anywhere: the state that options choose, at the walls too."""
    env, model, rng = Continuous_MountainCarEnv(), Model(), np.random.default_rng(seed)
    for _ in range(50):
        env.reset(seed=int(rng.integers(1000)), options={"low": -1.2, "high": 0.42})
        model.reset(env.state[0])
        for _ in range(3):
            action = rng.uniform(-2, 2, 1).astype(np.float32)
            expected, reward, _ = model.step(action)
            came = env.step(action)
            assert (came[0].tobytes(), came[1]) == (expected.tobytes(), reward)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_assigned_state_keeps_its_precision(dtype):
    """As in NumPy, where the array's dtype decides."""
    env, model, rng = Continuous_MountainCarEnv(), Model(), np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(200):
        env.state = model.state = rng.uniform([-1.1, -0.06], [0.3, 0.06]).astype(dtype)
        assert env.state.dtype == dtype
        action = rng.uniform(-1.2, 1.2, 1).astype(np.float32)
        assert env.step(action)[0].tobytes() == model.step(action)[0].tobytes()


def test_beyond_the_bounds_is_clipped_but_paid_for():
    """The same observation as at the bound; the reward is of the action as it came."""
    env, twin = Continuous_MountainCarEnv(), Continuous_MountainCarEnv()
    for each in (env, twin):
        each.reset(seed=0)
    at_bound, cost = env.step(np.array([1.0], np.float32))[:2]
    beyond, more = twin.step(np.array([3.0], np.float32))[:2]
    np.testing.assert_allclose(beyond, at_bound, rtol=1e-6)
    assert (cost, more) == (-0.1, pytest.approx(-0.9))


def test_goal_pays_100():
    env = Continuous_MountainCarEnv()
    env.reset(seed=0)
    env.state = [0.44, 0.05]
    assert env.step(np.array([0.5], np.float32))[1:3] == (100 - 0.025, True)
