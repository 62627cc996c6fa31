"""Classes that people derive from the classic control environments: with constructors and methods of their own."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.classic_control import (
    AcrobotEnv,
    CartPoleEnv,
    Continuous_MountainCarEnv,
    MountainCarEnv,
    PendulumEnv,
)
from gymnasium.envs.classic_control.acrobot import rk4, wrap
from gymnasium.spaces import Box, Discrete

UNBOUNDED = Box(-np.inf, np.inf, (4,), np.float64)


class OwnCartPole(CartPoleEnv):
    def __init__(self, render_mode: str | None = None) -> None:
        self.gravity, self.masscart, self.masspole = 9.8, 1.0, 0.2
        self.total_mass = self.masspole + self.masscart
        self.length = 0.7
        self.polemass_length = self.masspole * self.length
        self.force_mag, self.tau, self.kinematics_integrator = 12.0, 0.02, "euler"
        self._sutton_barto_reward = False
        self.theta_threshold_radians, self.x_threshold = 12 * 2 * math.pi / 360, 2.4
        self.action_space, self.observation_space = Discrete(2), UNBOUNDED
        self.render_mode, self.screen, self.clock, self.isopen = render_mode, None, None, True
        self.state = self.steps_beyond_terminated = None


class OwnMountainCar(MountainCarEnv):
    def __init__(self, render_mode: str | None = None) -> None:
        self.min_position, self.max_position, self.max_speed = -1.2, 0.6, 0.07
        self.goal_position, self.goal_velocity, self.force, self.gravity = 0.5, 0, 0.002, 0.003
        self.low, self.high = np.array([-1.2, -0.07], np.float32), np.array([0.6, 0.07], np.float32)
        self.action_space, self.observation_space = Discrete(3), Box(self.low, self.high)
        self.render_mode = render_mode


class OwnContinuous(Continuous_MountainCarEnv):
    def __init__(self, render_mode: str | None = None) -> None:
        self.power = 0.003
        self.low_state, self.high_state = np.array([-1.2, -0.07], np.float32), np.array([0.6, 0.07], np.float32)
        self.action_space, self.observation_space = Box(-1.0, 1.0, (1,)), Box(self.low_state, self.high_state)
        self.render_mode = render_mode


class OwnPendulum(PendulumEnv):
    def __init__(self, render_mode: str | None = None) -> None:
        self.max_speed, self.max_torque, self.dt, self.g, self.m, self.l = 8, 2.0, 0.05, 5.0, 1.0, 1.5
        self.action_space, self.observation_space = Box(-2.0, 2.0, (1,)), Box(-8.0, 8.0, (3,))
        self.render_mode = render_mode


class OwnAcrobot(AcrobotEnv):
    LINK_LENGTH_1 = 1.5

    def __init__(self, render_mode: str | None = None) -> None:
        self.action_space, self.observation_space = Discrete(3), Box(-30.0, 30.0, (6,))
        self.render_mode = render_mode


SET: list[tuple[type[Any], dict[str, Any]]] = [
    (OwnCartPole, {"masspole": 0.2, "length": 0.7, "force_mag": 12.0}),
    (OwnMountainCar, {"force": 0.002, "gravity": 0.003}),
    (OwnContinuous, {"power": 0.003}),
    (OwnPendulum, {"g": 5.0, "l": 1.5}),
    (OwnAcrobot, {"LINK_LENGTH_1": 1.5}),
]


@pytest.mark.parametrize(("kind", "values"), SET)
@pytest.mark.parametrize("copied", [lambda env: env, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_constructor_that_does_not_call_the_inherited_one_is_enough(kind: Any, values: Any, copied: Any) -> None:
    env, usual = copied(kind(render_mode="rgb_array")), kind.__mro__[1]()
    for name, value in values.items():
        setattr(usual, name, value)
    assert env.render() is None
    np.testing.assert_array_equal(env.reset(seed=3)[0], usual.reset(seed=3)[0])
    env = copied(env)
    env.action_space.seed(1)
    for _ in range(15):
        action = env.action_space.sample()
        found, expected = env.step(action), usual.step(action)
        np.testing.assert_array_equal(found[0], expected[0])
        assert found[0].dtype == np.float32 and found[1:] == expected[1:]
    assert env.render().ndim == 3
    env.close()
    assert not env.isopen


def cart_pole_by_hand(state: Any, action: int, total_mass: float, polemass_length: float) -> list[float]:
    """Returns the next state of a usual cart-pole by the published equations, with these two constants as they are."""
    x, x_dot, theta, theta_dot = state
    force = 10.0 if action == 1 else -10.0
    c, s = math.cos(theta), math.sin(theta)
    temp = (force + polemass_length * theta_dot**2 * s) / total_mass
    theta_acc = (9.8 * s - c * temp) / (0.5 * (4.0 / 3.0 - 0.1 * c**2 / total_mass))
    x_acc = temp - polemass_length * theta_acc * c / total_mass
    return [x + 0.02 * x_dot, x_dot + 0.02 * x_acc, theta + 0.02 * theta_dot, theta_dot + 0.02 * theta_acc]


def test_assigned_constants_of_cart_pole_take_the_place_of_those_that_follow() -> None:
    env = CartPoleEnv()
    env.length = 0.7
    assert (env.total_mass, env.polemass_length) == (1.1, 0.1 * 0.7)
    env.length = 0.5
    env.total_mass, env.polemass_length = 2.5, 0.4
    env.reset(seed=1)
    before = list(env.state)
    np.testing.assert_allclose(env.step(1)[0], cart_pole_by_hand(before, 1, 2.5, 0.4), rtol=1e-6)
    env.polemass_length = 0.0
    before = list(env.state)
    np.testing.assert_allclose(env.step(0)[0], cart_pole_by_hand(before, 0, 2.5, 0.0), rtol=1e-6)
    env.masspole = 0.3
    assert (env.total_mass, env.polemass_length) == (2.5, 0.0)


def test_assigned_bounds_of_mountain_car_are_kept_and_others_follow() -> None:
    env = MountainCarEnv()
    env.max_speed = 0.1
    assert env.high.tolist() == np.array([0.6, 0.1], np.float32).tolist()
    env.high = mine = np.ones(2)
    env.max_speed = 0.2
    assert env.high is mine and pickle.loads(pickle.dumps(env)).high.tolist() == [1, 1]


def test_the_last_torque_of_a_pendulum_can_be_assigned() -> None:
    env = PendulumEnv()
    assert env.last_u is None
    env.last_u = None
    env.reset(seed=1)
    assert env.last_u is None
    env.step(np.zeros(1, np.float32))
    assert env.last_u == 0.0 and type(env.last_u) is np.float32
    env.step(np.array([-0.0], np.float32))
    env.last_u = 0.1 + 0.2
    assert env.last_u == 0.1 + 0.2
    env.state = np.array([1.0, 0.0])
    assert env.last_u == 0.1 + 0.2
    env.last_u = np.array([1.5], np.float32)
    assert env.last_u == 1.5
    env.last_u = None
    assert env.last_u is None
    env.step(np.array([9.0], np.float32))
    assert env.last_u == 2.0


def test_the_last_torque_may_be_assigned_before_the_first_reset() -> None:
    env = PendulumEnv()
    env.last_u = 1.0
    assert env.last_u == 1.0
    env.reset(seed=1)
    assert env.last_u is None


class Hooked(AcrobotEnv):
    """Ends as soon as the upper link swings to the right, with slower links."""

    ends = 0

    def _terminal(self) -> bool:
        self.ends += 1
        return bool(self.state[0] > 0.05)

    def _dsdt(self, s_augmented: Any) -> tuple[float, ...]:
        *derivatives, last = super()._dsdt(s_augmented)
        return *(0.5 * number for number in derivatives), last


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_methods_of_a_subclass_of_acrobot_are_called_in_each_step(copied: Any) -> None:
    env, usual = Hooked(), AcrobotEnv()
    env.reset(seed=1)
    env = copied(env)
    for t in range(100):
        torque = (-1.0, 0.0, 1.0)[t // 5 % 3]
        usual.reset()
        expected = rk4(lambda y, u=torque: 0.5 * np.array(usual._dsdt([*y, u]))[:4], env.state, [0, 0.2])
        _, reward, terminated, *_ = env.step(t // 5 % 3)
        np.testing.assert_allclose(env.state[:2], [wrap(x, -np.pi, np.pi) for x in expected[:2]], rtol=1e-12)
        assert env.ends == t + 1
        assert terminated == (env.state[0] > 0.05) and reward == (0.0 if terminated else -1.0)
        if terminated:
            return
    pytest.fail("it never swung to the right")


def test_a_copy_with_hooks_leaves_the_original_alone() -> None:
    env = Hooked()
    env.reset(seed=1)
    twin = copy.copy(env)
    twin.step(2)
    assert (env.ends, twin.ends) == (0, 1)


def test_methods_assigned_to_an_instance_are_called_until_they_are_deleted() -> None:
    env = AcrobotEnv()
    env._terminal = lambda: True
    env._dsdt = lambda s: np.zeros(5)
    env._get_ob = lambda: np.ones(6, np.float32)
    assert env.reset(seed=1)[0].tolist() == [1] * 6
    before = env.state.copy()
    observation, reward, terminated, *_ = env.step(2)
    assert (observation.tolist(), reward, terminated) == ([1] * 6, 0.0, True)
    assert env.state.tolist() == before.tolist()
    del env._terminal, env._dsdt, env._get_ob
    env.reset(seed=1)
    usual = AcrobotEnv()
    usual.reset(seed=1)
    np.testing.assert_equal(env.step(2)[:3], usual.step(2)[:3])


class FiveTorques(AcrobotEnv):
    AVAIL_TORQUE = (-2.0, -1.0, 0.0, 1.0, 2.0)

    def __init__(self) -> None:
        super().__init__()
        self.action_space = Discrete(5)


def test_acrobot_takes_as_many_torques_as_its_subclass_has() -> None:
    env, usual = FiveTorques(), AcrobotEnv()
    for action in (0, 4):
        env.reset(seed=1), usual.reset(seed=1)
        usual.AVAIL_TORQUE = (env.AVAIL_TORQUE[action],) * 3
        np.testing.assert_allclose(env.step(action)[0], usual.step(0)[0], rtol=1e-6)


def test_an_assigned_action_space_counts_from_the_next_reset() -> None:
    env = CartPoleEnv()
    env.action_space = Discrete(3)
    env.reset(seed=1)
    assert env.step(2)[0].shape == (4,)


def test_a_class_with_more_numbers_in_its_state_reads_them_back() -> None:
    class Counting(CartPoleEnv):
        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed=seed)
            self.state = np.append(self.state, 7.0)
            return self.state, {}

        def step(self, action: Any) -> Any:
            self.state = np.append(self.state[:4], self.state[4] + action)
            return self.state, 1.0, False, False, {}

    env = Counting(render_mode="rgb_array")
    assert env.reset(seed=1)[0][4] == 7
    assert env.step(1)[0][4] == 8 and env.state[4] == 8
    assert env.render().shape == (400, 600, 3)
