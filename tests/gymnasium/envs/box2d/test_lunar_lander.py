from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d.lunar_lander import ContactDetector, LunarLander, LunarLanderV2
from gymnasium.envs.box2d.lunar_policy import demo_heuristic_lander, heuristic, land, land_continuous

FIRST = [0.00517692556604743, 1.4033938646316528, 0.5243375301361084, -0.33451709151268005]
FIRST += [-0.005991833284497261, -0.11877015978097916, 0.0, 0.0]


@pytest.mark.parametrize(
    ("env_id", "rewards", "steps", "total"),
    [
        ("LunarLander-v3", [-1.1371642358415386, 1.554486311364667], 71, -3.4373815377903867),
        ("LunarLanderContinuous-v3", [2.53900107422481, -0.47584279038483146], 78, -74.59033778009832),
    ],
)
def test_the_recorded_trace(env_id, rewards, steps, total) -> None:
    env = gymnasium.make(env_id)
    observation, _ = env.reset(seed=123)
    assert observation.tolist() == FIRST
    env.action_space.seed(123)
    found = []
    while True:
        _, reward, terminated, _, _ = env.step(env.action_space.sample())
        found.append(reward)
        if terminated:
            break
    assert found[:2] == rewards
    assert len(found) == steps
    assert list(accumulate(found))[-1] == total  # from Python 3.12 on, `sum` rounds otherwise


@pytest.mark.parametrize("gravity", [-12.0, -13.0, 0.0, 1.0, float("nan")])
def test_gravity_has_a_range(gravity) -> None:
    with pytest.raises(AssertionError, match="gravity"):
        LunarLander(gravity=gravity)


@pytest.mark.parametrize("argument", [{"wind_power": 20.5}, {"wind_power": -1.0}, {"turbulence_power": 2.5}])
def test_unusual_winds_are_warned_of(argument) -> None:
    with pytest.warns(UserWarning, match=next(iter(argument))):
        LunarLander(**argument)


def test_weaker_gravity_falls_slower() -> None:
    speeds = []
    for gravity in (-10.0, -2.0):
        env = LunarLander(gravity=gravity)
        env.reset(seed=0)
        speeds.append(env.step(0)[0][3])
    assert speeds[0] < speeds[1]


def test_engines_push_to_their_sides() -> None:
    """From the same moment: the main engine lifts, the left one turns to the left, the right one to the right."""
    env = LunarLander()
    env.reset(seed=0)
    start = env.get_state()
    after = []
    for action in range(4):
        env.set_state(start)
        for _ in range(5):
            observation = env.step(action)[0]
        after.append(observation)
    nothing, left, main, right = after
    assert main[3] > nothing[3] + 0.05
    assert left[5] > nothing[5] > right[5]


def test_the_throttle_below_its_threshold_does_nothing() -> None:
    idle, weak = LunarLander(continuous=True), LunarLander(continuous=True)
    idle.reset(seed=0)
    weak.reset(seed=0)
    for _ in range(5):
        expected = idle.step(np.array([-1.0, 0.0], np.float32))
        found = weak.step(np.array([0.0, 0.5], np.float32))
        assert (expected[0] == found[0]).all()
        assert expected[1] == found[1]


def test_fuel_costs() -> None:
    """The reward is the change of the shaping less 0.3 for the main and 0.03 for a side engine."""
    env = LunarLander()
    env.reset(seed=0)
    for action, cost in ((2, 0.30), (1, 0.03), (0, 0.0)):
        before = env.prev_shaping
        reward = env.step(action)[1]
        assert reward == pytest.approx(env.prev_shaping - before - cost, abs=1e-12)


def test_a_crash_ends_the_episode() -> None:
    env = LunarLander()
    env.reset(seed=0)
    for _ in range(200):
        _, reward, terminated, _, _ = env.step(0)
        if terminated:
            break
    assert terminated
    assert reward == -100.0
    assert env.game_over


def test_wind_blows_until_a_leg_stands() -> None:
    calm, windy = LunarLander(), LunarLander(enable_wind=True)
    env = windy
    env.reset(seed=0)
    phase = env.wind_idx
    env.step(0)
    assert env.wind_idx == phase + 1
    env.legs[0].ground_contact = True
    env.step(0)
    assert env.wind_idx == phase + 1
    calm.reset(seed=0)
    assert calm.wind_idx == 0


def test_v3_draws_the_wind_anew_and_v2_lets_it_blow_on() -> None:
    new, old = LunarLander(enable_wind=True), LunarLanderV2(enable_wind=True)
    for env in (new, old):
        env.reset(seed=0)
    assert old.wind_idx == new.wind_idx
    before = old.wind_idx
    old.step(0)
    old.reset()
    assert old.wind_idx == before + 2  # the step, and the one within reset
    new.reset()
    assert new.wind_idx not in (before, before + 2)
    old.reset(seed=0)
    assert old.wind_idx == before


def test_v2_without_wind_is_v3() -> None:
    with pytest.warns(DeprecationWarning, match="LunarLander-v3"):
        old = gymnasium.make("LunarLander-v2")
    new = gymnasium.make("LunarLander-v3")
    assert (old.reset(seed=9)[0] == new.reset(seed=9)[0]).all()
    assert (old.step(2)[0] == new.step(2)[0]).all()


def test_v2_returns_to_a_state_with_its_wind() -> None:
    env = LunarLanderV2(enable_wind=True)
    env.reset(seed=0)
    env.step(0)
    env.reset()
    state = env.get_state()
    expected = [env.step(0)[0].tobytes() for _ in range(10)]
    env.set_state(state)
    assert [env.step(0)[0].tobytes() for _ in range(10)] == expected


@pytest.mark.parametrize("continuous", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_heuristic_lands(continuous, seed) -> None:
    env = gymnasium.make("LunarLander-v3", continuous=continuous)
    assert demo_heuristic_lander(env, seed=seed) > 200


def test_the_policies_are_the_heuristic() -> None:
    for continuous, policy in ((False, land), (True, land_continuous)):
        env = gymnasium.make("LunarLander-v3", continuous=continuous)
        observation, _ = env.reset(seed=1)
        for _ in range(50):
            action = policy(observation)
            assert env.action_space.contains(action)
            assert np.array_equal(action, heuristic(env, observation))
            observation, *_ = env.step(action)


def test_a_demonstration_can_be_watched() -> None:
    env = gymnasium.make("LunarLander-v3", render_mode="rgb_array", max_episode_steps=5)
    assert demo_heuristic_lander(env, seed=0, render=True) != 0.0


def test_jets_are_seen_and_go_out() -> None:
    env = LunarLander(render_mode="rgb_array")
    env.reset(seed=0)
    for _ in range(3):
        env.step(2)
    assert len(env._exhaust.sparks) == 3
    for _ in range(8):
        env.step(0)
    assert env._exhaust.sparks == []


@pytest.mark.parametrize("continuous", [False, True])
def test_a_state_is_seen_with_its_jets(continuous) -> None:
    one, other = (LunarLander("rgb_array", continuous=continuous, enable_wind=True) for _ in range(2))
    one.reset(seed=2)
    other.reset(seed=3)
    full = np.array([1.0, 0.8], np.float32)
    for step in range(24):
        one.step(full if continuous else 2)
        if step in (0, 5, 6, 7, 8, 23):
            other.set_state(one.get_state())
            np.testing.assert_array_equal(other.render(), one.render(), err_msg=f"step {step}")
    fresh = LunarLander("rgb_array", continuous=continuous, enable_wind=True)
    fresh.reset(seed=2)
    assert (one.render() != fresh.render()).any()


def test_flags_stand_at_the_pad() -> None:
    env = LunarLander(render_mode="rgb_array")
    env.reset(seed=0)
    frame = env.render()
    _, columns = np.nonzero((frame == (204, 204, 0)).all(axis=2))
    assert (env.helipad_x1, env.helipad_x2) == (8.0, 12.0)
    assert {int(columns.min()) // 10, int(columns.max()) // 10} == {24, 38}


def test_public_attributes() -> None:
    env = LunarLander()
    env.reset(seed=0)
    assert isinstance(env.world.contactListener, ContactDetector)
    assert [leg.ground_contact for leg in env.legs] == [False, False]
    assert env.lander.position.x == pytest.approx(10.0, abs=0.2)
    assert env.metadata == {"render_modes": ["human", "rgb_array"], "render_fps": 50}
