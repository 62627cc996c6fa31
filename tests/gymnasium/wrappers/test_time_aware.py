"""`TimeAwareObservation`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.spaces import Box, Dict, Tuple
from gymnasium.wrappers import TimeAwareObservation, TimeLimit


@pytest.fixture
def limited(counting):
    """Makes a counting environment of at most 10 steps, whose observation is put into something by `put`."""

    def make(space=None, put=lambda observation: observation):
        class Putting(counting):
            def observation(self):
                return put(super().observation())

        env = Putting()
        if space is not None:
            env.observation_space = space(env.observation_space)
        return TimeLimit(env, 10)

    return make


def test_time_is_the_last_entry_of_a_flat_observation(limited):
    env = TimeAwareObservation(limited())
    assert env.observation_space.shape == (2,)
    assert env.reset()[0].tolist() == [0, 0]
    assert env.step(0)[0].tolist() == [1, 1]
    assert env.reset()[0].tolist() == [0, 0]
    assert env.max_timesteps == 10


def test_an_array_and_the_time_make_a_dict(limited):
    env = TimeAwareObservation(limited(), flatten=False)
    env.reset()
    observation, *_ = env.step(0)
    assert observation in env.observation_space
    assert observation["obs"].tolist() == [1]
    assert observation["time"].tolist() == [1]
    assert env.observation_space["time"] == Box(0, 10, (1,), np.int32)


def test_the_time_can_be_a_part_of_the_limit(limited):
    env = TimeAwareObservation(limited(), flatten=False, normalize_time=True)
    env.reset()
    observation, *_ = env.step(0)
    assert observation["time"].tolist() == [np.float32(0.1)]
    assert env.observation_space["time"] == Box(0.0, 1.0, (1,), np.float32)


def test_a_dict_gets_a_key(limited):
    inner = limited(lambda space: Dict(x=space), lambda observation: {"x": observation})
    env = TimeAwareObservation(inner, flatten=False, dict_time_key="clock")
    observation, _ = env.reset()
    assert observation in env.observation_space
    assert set(observation) == {"x", "clock"}
    with pytest.raises(ValueError, match=r"'x'.*dict_time_key"):
        TimeAwareObservation(inner, dict_time_key="x")


def test_a_tuple_gets_one_more(limited):
    inner = limited(lambda space: Tuple((space, space)), lambda observation: (observation, observation))
    env = TimeAwareObservation(inner, flatten=False)
    observation, _ = env.reset()
    assert observation in env.observation_space
    assert len(observation) == 3


def test_the_limit_may_be_found_without_a_spec(limited):
    inner = limited()
    inner.unwrapped.spec = None
    assert TimeAwareObservation(inner).max_timesteps == 10


def test_without_a_limit_there_is_no_time(counting):
    with pytest.raises(ValueError, match=r"TimeLimit.*max_episode_steps"):
        TimeAwareObservation(counting())


def test_the_state_is_the_time(limited):
    env, other = TimeAwareObservation(limited()), TimeAwareObservation(limited())
    env.reset()
    env.step(0)
    other.reset()
    other.set_state(env.get_state())
    assert other.step(0)[0].tolist() == [1, 2]
