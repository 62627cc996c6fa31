"""`StickyAction`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import InvalidBound, InvalidProbability
from gymnasium.wrappers import StickyAction


def taken(env, steps=400, seed=3):
    env.reset(seed=seed)
    for i in range(steps):
        env.step(i)
    return env.unwrapped.actions[-steps:]


def test_without_probability_every_action_is_taken(counting):
    assert taken(StickyAction(counting(), 0.0)) == list(range(400))


def test_a_sticky_action_is_the_last_one_taken(counting):
    actions = taken(StickyAction(counting(), 0.5))
    repeated = [i for i in range(1, 400) if actions[i] != i]
    assert 150 < len(repeated) < 250
    assert all(actions[i] == actions[i - 1] for i in repeated)


@pytest.mark.parametrize("duration", [3, (3, 3), [3, 3], np.int64(3)])
def test_a_repetition_has_its_duration(counting, duration):
    actions = taken(StickyAction(counting(), 0.1, duration))
    runs = np.diff(np.flatnonzero(np.diff([-1, *actions, -1])))
    assert set(runs[:-1]) <= {1, 4, 7, 10, 13}
    assert 4 in runs


def test_the_first_action_of_an_episode_is_its_own(counting):
    env = StickyAction(counting(), 0.999)
    taken(env)
    env.reset()
    env.step(-1)
    assert env.unwrapped.actions[-1] == -1


@pytest.mark.parametrize("probability", [-0.1, 1.0, np.nan])
def test_the_probability_is_below_one(counting, probability):
    with pytest.raises(InvalidProbability, match="repeat_action_probability"):
        StickyAction(counting(), probability)


@pytest.mark.parametrize("duration", [0, (0, 2), (1, 2, 3), "12", 1.5, (1, 1.5)])
def test_a_duration_is_steps(counting, duration):
    with pytest.raises(ValueError, match="repeat_action_duration"):
        StickyAction(counting(), 0.1, duration)


def test_a_range_goes_upwards(counting):
    with pytest.raises(InvalidBound, match="low <= high"):
        StickyAction(counting(), 0.1, (3, 2))


@pytest.mark.parametrize("steps", [0, 17])
def test_the_state_goes_on_in_another(counting, steps):
    env, other = StickyAction(counting(), 0.6, (2, 5)), StickyAction(counting(), 0.6, (2, 5))
    taken(env, steps)
    other.reset()
    other.set_state(env.get_state())
    other.np_random = np.random.default_rng(8)
    env.np_random = np.random.default_rng(8)
    for i in range(50):
        env.step(i)
        other.step(i)
    assert other.unwrapped.actions == env.unwrapped.actions[steps:]
