"""What all classic control environments keep."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest

from gymnasium.envs.classic_control import __all__ as names
from gymnasium.envs.classic_control.acrobot import AcrobotEnv
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.classic_control.continuous_mountain_car import Continuous_MountainCarEnv
from gymnasium.envs.classic_control.mountain_car import MountainCarEnv
from gymnasium.envs.classic_control.pendulum import PendulumEnv
from gymnasium.error import Error, InvalidAction, ResetNeeded, StepBeforeReset

ENVS = [AcrobotEnv, CartPoleEnv, Continuous_MountainCarEnv, MountainCarEnv, PendulumEnv]
every_env = pytest.mark.parametrize("make", ENVS, ids=lambda make: make.__name__)

# An attribute of each, and a value that changes the next step.
SETTINGS = [
    *[(CartPoleEnv, name, value) for name, value in [("gravity", 3.0), ("length", 1.0), ("masspole", 0.5)]],
    *[(CartPoleEnv, name, value) for name, value in [("masscart", 2.0), ("force_mag", 5.0), ("tau", 0.1)]],
    (CartPoleEnv, "kinematics_integrator", "semi-implicit euler"),
    *[(MountainCarEnv, name, value) for name, value in [("force", 0.1), ("gravity", 0.1), ("max_speed", 1e-4)]],
    *[(MountainCarEnv, name, value) for name, value in [("min_position", 0.4), ("max_position", -0.7)]],
    *[(Continuous_MountainCarEnv, name, value) for name, value in [("power", 0.1), ("gravity", 0.1)]],
    *[(Continuous_MountainCarEnv, name, value) for name, value in [("max_speed", 1e-4), ("min_position", 0.4)]],
    *[(PendulumEnv, name, value) for name, value in [("g", 1.0), ("m", 2.0), ("l", 2.0), ("dt", 0.1)]],
    *[(PendulumEnv, name, value) for name, value in [("max_torque", 0.1), ("max_speed", 0.01)]],
    *[(AcrobotEnv, name, value) for name, value in [("dt", 0.1), ("g", 1.0), ("LINK_LENGTH_1", 2.0)]],
    *[(AcrobotEnv, name, value) for name, value in [("LINK_MASS_1", 2.0), ("LINK_MASS_2", 2.0), ("LINK_MOI", 2.0)]],
    *[(AcrobotEnv, name, value) for name, value in [("LINK_COM_POS_1", 0.2), ("LINK_COM_POS_2", 0.2)]],
    *[(AcrobotEnv, name, value) for name, value in [("MAX_VEL_1", 1e-4), ("MAX_VEL_2", 1e-4)]],
    *[(AcrobotEnv, name, value) for name, value in [("torque_noise_max", 1.0), ("AVAIL_TORQUE", (2.0, 2.0, 2.0))]],
]


def steps(env, actions):
    """What the actions lead to, in plain numbers; no CartPole falls within seven of them."""
    return [(o.tolist(), r, end) for o, r, end, _, _ in map(env.step, actions)]


def some_actions(env, n=7):
    env.action_space.seed(1)
    return [env.action_space.sample() for _ in range(n)]


def test_package_exports_the_environments():
    assert sorted(names) == sorted(make.__name__ for make in ENVS)


@every_env
def test_observations_lie_in_the_space_and_are_new(make):
    """Neither a later step nor the caller's change of an observation reaches another observation or the state."""
    env, twin = make(), make()
    seen = [env.reset(seed=3)[0]]
    twin.reset(seed=3)
    for action in some_actions(env):
        observation = env.step(action)[0]
        assert env.observation_space.contains(observation)
        expected = twin.step(action)[0].copy()
        np.testing.assert_array_equal(observation, expected)
        seen.append(observation)
        observation[:] = 99.0
    assert not any(np.shares_memory(a, b) for a, b in pairwise(seen))


@every_env
def test_same_seed_same_trajectory(make):
    env = make()
    actions = some_actions(env)
    env.reset(seed=5)
    first = steps(env, actions)
    env.reset(seed=np.int64(5))
    assert steps(env, actions) == first
    env.reset()
    assert steps(env, actions) != first


@every_env
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deep", "pickle"])
def test_copy_continues_the_same(make, copied):
    """State, params, and the position in the stream of random numbers travel."""
    env = make()
    env.reset(seed=7)
    steps(env, some_actions(env, 5))
    twin = copied(env)
    actions = some_actions(env)
    assert steps(env, actions) == steps(twin, actions)
    assert env.reset()[0].tolist() == twin.reset()[0].tolist()


@every_env
def test_changing_the_state_in_place_acts_at_the_next_step(make):
    env, twin = make(), make()
    for each in (env, twin):
        each.reset(seed=0)
    action = some_actions(env, 1)[0]
    env.state[0] += 0.25
    changed = env.state.copy()
    assert env.step(action)[0].tolist() != twin.step(action)[0].tolist()
    twin.reset(seed=0)
    twin.state = changed
    env.reset(seed=0)
    env.state[0] += 0.25
    assert env.step(action)[0].tolist() == twin.step(action)[0].tolist()


@every_env
def test_assigning_the_state_it_has_changes_nothing(make):
    env, twin = make(), make()
    for each in (env, twin):
        each.reset(seed=0)
    for action in some_actions(env):
        env.state = env.state
        assert env.step(action)[0].tolist() == twin.step(action)[0].tolist()


@every_env
def test_state_is_none_before_the_first_reset_and_has_a_length(make):
    env = make()
    assert env.state is None
    env.reset(seed=0)
    with pytest.raises(ValueError, match=f"has {env.state_size} numbers, but 1 came"):
        env.state = [0.5]
    env.state = longer = np.arange(7.0)
    assert env.state is longer
    with pytest.raises(ValueError, match=f"has {env.state_size} numbers, but 7 came"):
        env.step(env.action_space.sample())
    env.state = None
    assert env.state is None
    with pytest.raises(StepBeforeReset):
        env.step(env.action_space.sample())


@pytest.mark.parametrize(("make", "name", "value"), SETTINGS, ids=lambda value: getattr(value, "__name__", str(value)))
def test_set_attribute_reads_back_and_acts_at_the_next_step(make, name, value):
    env, twin = make(), make()
    for each in (env, twin):
        each.reset(seed=2)
    # Near the middle, moving; pushed to the right.
    env.state = twin.state = np.array([0.3, 0.01, 0.2, 0.1][: env.state_size])
    action = 2 if env.action_space.shape == () else np.array([1.0], np.float32)
    action = 1 if make is CartPoleEnv else action
    setattr(env, name, value)
    assert getattr(env, name) == value
    assert getattr(twin, name) != value
    # A second step, as a new velocity changes some observations only then.
    assert steps(env, [action] * 2) != steps(twin, [action] * 2)


@every_env
def test_step_before_reset_says_so(make):
    env = make()
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        env.step(some_actions(env, 1)[0])


@every_env
def test_refused_action_leaves_the_state(make):
    """An action that is none is an error, before anything has moved."""
    env = make()
    env.reset(seed=0)
    before = env.state.copy()
    wrong = [99, -1, 0.5, "x", None] if env.action_space.shape == () else [[np.nan], [0.0, 0.0], 0.0, "x", None]
    for action in wrong:
        with pytest.raises(InvalidAction, match="is not one of"):
            env.step(action)
    np.testing.assert_array_equal(env.state, before)


@every_env
@pytest.mark.parametrize("seed", [-1, 1.5, "x"])
def test_wrong_seed_leaves_the_state(make, seed):
    env = make()
    env.reset(seed=0)
    before = env.state.copy()
    with pytest.raises(Error):
        env.reset(seed=seed)
    np.testing.assert_array_equal(env.state, before)


BOUNDED = [AcrobotEnv, CartPoleEnv, Continuous_MountainCarEnv, MountainCarEnv]


@pytest.mark.parametrize("make", BOUNDED, ids=lambda make: make.__name__)
def test_reset_options_bound_the_random_coordinates(make):
    """Numbers and arrays without axes are taken; the options hold for the one reset."""
    env = make()
    random = slice(None) if env.state_size == 4 else slice(1)
    for low, high in [(0.2, 0.3), (np.array(0.2), np.float32(0.3)), (0, 0)]:
        env.reset(seed=0, options={"low": low, "high": high})
        assert np.all((float(low) - 1e-6 <= env.state[random]) & (env.state[random] <= float(high) + 1e-6))
    env.reset(seed=0)
    default = env.state.copy()
    env.reset(seed=0, options={})
    np.testing.assert_array_equal(env.state, default)


@pytest.mark.parametrize("make", BOUNDED, ids=lambda make: make.__name__)
@pytest.mark.parametrize(
    "options",
    [{"low": 1, "high": 0}, {"low": "0.1"}, {"low": [0.1]}, {"high": None}, {"low": np.nan}, {"high": np.inf}],
    ids=str,
)
def test_wrong_reset_options_leave_the_state(make, options):
    env = make()
    env.reset(seed=0)
    before = env.state.copy()
    with pytest.raises(ValueError, match="option"):
        env.reset(seed=1, options=options)
    np.testing.assert_array_equal(env.state, before)
    assert env.np_random_seed == 0


@every_env
def test_frames_follow_the_state(make):
    """None before the first reset, then an image of the state, a new one at each call."""
    env = make(render_mode="rgb_array")
    assert env.render() is None
    env.reset(seed=0)
    first = env.render()
    assert first.dtype == np.uint8 and first.ndim == 3 and first.shape[2] == 3
    kept = first.copy()
    steps(env, some_actions(env, 15))
    second = env.render()
    assert second.shape == first.shape
    assert (first != second).any()
    np.testing.assert_array_equal(first, kept)
    env.close()
    env.close()
    assert not env.isopen


@every_env
def test_human_mode_shows_by_itself(make):
    env = make(render_mode="human")
    env.reset(seed=0)
    steps(env, some_actions(env, 2))
    assert env.render() is None
    env.close()
