"""What is particular to the acrobot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.envs.classic_control.acrobot import Acrobot, AcrobotEnv, Params, State, bound, derivatives, rk4, wrap


def wrapped_by_loop(x, m, M):
    """The specification's procedure."""
    while x > M:
        x -= M - m
    while x < m:
        x += M - m
    return x


@given(st.floats(-45.0, 45.0))
def test_wrap_is_repeated_turning_to_the_bit(x):
    """For all angles that a step can lead to, and more."""
    assert wrap(x, -np.pi, np.pi) == wrapped_by_loop(x, -np.pi, np.pi)


@pytest.mark.parametrize("turns", [-5, -3, -1, 1, 3, 5])
@pytest.mark.parametrize("nudge", [-np.inf, 0.0, np.inf])
def test_wrap_at_the_seam_is_repeated_turning_to_the_bit(turns, nudge):
    x = turns * np.pi if nudge == 0.0 else float(np.nextafter(turns * np.pi, nudge))
    assert wrap(x, -np.pi, np.pi) == wrapped_by_loop(x, -np.pi, np.pi)


@given(st.floats(-1e12, 1e12), st.floats(-10, 10), st.floats(0.1, 20))
def test_wrap_ends_in_the_interval(x, m, turn):
    assert m - 1e-3 <= wrap(x, m, m + turn) <= m + turn + 1e-3


def test_bound_takes_two_bounds_or_a_pair():
    assert [bound(x, -1, 2) for x in (-3, 0.5, 3)] == [-1, 0.5, 2]
    assert [bound(x, (-1, 2)) for x in (-3, 0.5, 3)] == [-1, 0.5, 2]


def test_rk4_is_of_fourth_order():
    """y'' = -y, over a turn: half the step, a sixteenth of the error."""

    def error(n):
        end = rk4(lambda y: [y[1], -y[0], 0.0, 0.0, 0.0], [1.0, 0.0, 3.0, 4.0, 5.0], np.linspace(0, 2 * np.pi, n + 1))
        assert end.tolist()[2:] == [3.0, 4.0]
        return abs(end[0] - 1.0) + abs(end[1])

    assert error(200) < 1e-6
    assert error(100) / error(200) == pytest.approx(16, rel=0.1)


@pytest.mark.parametrize("nips", [False, True])
def test_dynamics_are_rk4_of_the_equations(nips):
    """One step of the general integrator gives the same bits as the dynamics' own."""
    params, rng = Params(nips=nips), np.random.default_rng(0)
    for _ in range(200):
        state = State(*rng.uniform([-3, -3, -4, -9], [3, 3, 4, 9]).tolist())
        action = int(rng.integers(3))

        def derivs(y):
            return [*derivatives(tuple(y[:4].tolist()), float(y[4]), params), 0.0]

        expected = rk4(derivs, [*state, action - 1.0], [0, params.dt]).tolist()
        expected[:2] = [wrap(angle, -np.pi, np.pi) for angle in expected[:2]]
        expected[2] = bound(expected[2], -4 * np.pi, 4 * np.pi)
        expected[3] = bound(expected[3], -9 * np.pi, 9 * np.pi)
        assert list(Acrobot.transition(state, action, None, params)) == expected


def test_energy_is_kept_without_torque():
    """The book's equations describe a frictionless double pendulum, so only the integrator changes its energy."""
    g = Params().g

    def energy(state):
        a, b, va, vb = state
        kinetic = 0.5 * (va**2 * (0.25 + 1 + 1 + 0.25 + np.cos(b) + 1) + 2 * va * vb * (0.25 + 0.5 * np.cos(b) + 1))
        kinetic += 0.5 * vb**2 * 1.25
        return kinetic - g * (0.5 * np.cos(a) + np.cos(a) + 0.5 * np.cos(a + b))

    state, params = State(0.8, -0.5, 0.3, 0.2), Params(dt=0.001)
    start = energy(state)
    for _ in range(2000):
        state = Acrobot.transition(state, 1, None, params)
    assert energy(state) == pytest.approx(start, abs=1e-6)


def test_book_and_nips_differ():
    """The equations can be chosen by name; another name is refused, and the choice stays."""
    env, twin = AcrobotEnv(), AcrobotEnv()
    for each in (env, twin):
        each.reset(seed=0)
        each.state = [0.5, 0.5, 1.0, 1.0]
    assert env.book_or_nips == AcrobotEnv.book_or_nips == "book"
    env.book_or_nips = "nips"
    assert env.step(1)[0].tolist() != twin.step(1)[0].tolist()
    with pytest.raises(ValueError, match="must be 'book' or 'nips'"):
        env.book_or_nips = "novel"
    assert env.book_or_nips == "nips"


def test_constants_are_read_on_the_class():
    assert (AcrobotEnv.dt, AcrobotEnv.LINK_LENGTH_1, AcrobotEnv.LINK_MOI, AcrobotEnv.g) == (0.2, 1.0, 1.0, 9.8)
    velocities = AcrobotEnv.MAX_VEL_1, AcrobotEnv.MAX_VEL_2
    assert velocities == (4 * np.pi, 9 * np.pi)
    assert (AcrobotEnv.AVAIL_TORQUE, AcrobotEnv.torque_noise_max) == ((-1.0, 0.0, 1.0), 0.0)


def test_the_end_may_be_asked_for():
    env = AcrobotEnv()
    env.reset(seed=1)
    assert env._terminal() is False
    env.state = np.array([np.pi, 0.1, 0.0, 0.0])
    assert env._terminal() is True


def test_subclass_sets_constants_in_its_body():
    """They are its own defaults, and can be set on an instance as before."""

    class Heavy(AcrobotEnv):
        LINK_MASS_1 = 3
        book_or_nips = "nips"

    class Heavier(Heavy):
        LINK_MASS_1 = 4.0

    assert (Heavy.LINK_MASS_1, Heavier.LINK_MASS_1, AcrobotEnv.LINK_MASS_1) == (3.0, 4.0, 1.0)
    assert (Heavier.book_or_nips, AcrobotEnv.book_or_nips) == ("nips", "book")
    env = Heavier()
    assert (env.params.link_mass_1, env.params.nips) == (4.0, True)
    env.LINK_MASS_1 = 5.0
    assert (env.params.link_mass_1, Heavier.LINK_MASS_1) == (5.0, 4.0)


def test_reward_is_0_for_reaching_the_line():
    env = AcrobotEnv()
    env.reset(seed=0)
    env.state = [np.pi, 0.0, 0.0, 0.0]
    assert env.step(1)[1:3] == (0.0, True)
    env.reset(seed=0)
    assert env.step(1)[1:3] == (-1.0, False)
