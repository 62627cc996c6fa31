"""`MaxAndSkipObservation` and `RepeatAction`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.spaces import Text
from gymnasium.wrappers import MaxAndSkipObservation, RepeatAction


class Falling:
    """Mixed into the counting environment: the observation falls, so that the maximum is not the last."""

    def observation(self):
        return np.array([1000 - self.t], np.float32)


@pytest.fixture
def falling(counting):
    return type("FallingEnv", (Falling, counting), {})


def test_the_observation_is_the_greater_of_the_last_two(falling):
    env = MaxAndSkipObservation(falling(), 4)
    env.reset()
    observation, reward, *_, info = env.step(1)
    assert observation.tolist() == [1000 - 3]
    assert reward == 1 + 2 + 3 + 4
    assert info == {"t": 4}
    assert env.unwrapped.actions == [1, 1, 1, 1]


@pytest.mark.parametrize(("length", "seen"), [(1, 1000 - 1), (2, 1000 - 1), (3, 1000 - 2)])
def test_at_an_early_end_only_frames_of_this_step_count(falling, length, seen):
    env = MaxAndSkipObservation(falling(length), 4)
    env.reset()
    env.step(0)
    env.reset()
    observation, reward, terminated, *_ = env.step(0)
    assert observation.tolist() == [seen]
    assert terminated
    assert reward == sum(range(length + 1))


def test_an_environment_may_fill_one_array_again_and_again(counting):
    class Reusing(counting):
        buffer = np.zeros(1, np.float32)

        def observation(self):
            self.buffer[:] = 1000 - self.t
            return self.buffer

    env = MaxAndSkipObservation(Reusing(), 2)
    env.reset()
    assert env.step(0)[0].tolist() == [1000 - 1]


@pytest.mark.parametrize(("skip", "error"), [(1, ValueError), (2.0, TypeError)])
def test_skip_is_an_integer_above_one(counting, skip, error):
    with pytest.raises(error, match="skip"):
        MaxAndSkipObservation(counting(), skip)


def test_there_is_no_maximum_of_texts(counting):
    env = counting()
    env.observation_space = Text(3)
    with pytest.raises(ValueError, match=r"Text.*FlattenObservation"):
        MaxAndSkipObservation(env)


def test_an_action_is_repeated_until_the_end(counting):
    env = RepeatAction(counting(length=5), 3)
    env.reset()
    assert env.step(1) == (np.array([3]), 6.0, False, False, {"t": 3})
    assert env.step(0) == (np.array([5]), 9.0, True, False, {"t": 5})
    assert env.unwrapped.actions == [1, 1, 1, 0, 0]


@pytest.mark.parametrize(("num_repeats", "error"), [(0, ValueError), (2.0, TypeError), ("2", TypeError)])
def test_num_repeats_is_a_positive_integer(counting, num_repeats, error):
    with pytest.raises(error, match="num_repeats"):
        RepeatAction(counting(), num_repeats)
