"""`TimeLimit`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import ResetNeeded
from gymnasium.wrappers import OrderEnforcing, TimeLimit


def flags(env, steps):
    return [env.step(0)[2:4] for _ in range(steps)]


def test_truncates_at_the_limit_and_counts_anew_after_reset(counting):
    env = TimeLimit(counting(), 3)
    for _ in range(2):
        env.reset()
        assert flags(env, 4) == [(False, False), (False, False), (False, True), (False, True)]


def test_a_task_that_ends_at_the_limit_is_both(counting):
    env = TimeLimit(counting(length=2), 2)
    env.reset()
    assert flags(env, 2) == [(False, False), (True, True)]


def test_leaves_the_rest_alone(counting):
    env, bare = TimeLimit(counting(), 2), counting()
    assert env.reset(seed=1, options={"a": 1}) == bare.reset()
    assert env.unwrapped.resets == [(1, {"a": 1})]
    for _ in range(3):
        observation, reward, _, _, info = env.step(1)
        expected = bare.step(1)
        assert (observation, reward, info) == (expected[0], expected[1], expected[4])


def test_an_inner_truncation_stays(counting):
    env = TimeLimit(TimeLimit(counting(), 1), 5)
    env.reset()
    assert flags(env, 1) == [(False, True)]


@pytest.mark.parametrize("limit", [np.int64(3), 3.0, "3", None])
def test_the_limit_is_an_int(counting, limit):
    with pytest.raises(TypeError, match=f"max_episode_steps.*{type(limit).__name__}"):
        TimeLimit(counting(), limit)


@pytest.mark.parametrize("limit", [0, -1])
def test_the_limit_is_positive(counting, limit):
    with pytest.raises(ValueError, match=f"max_episode_steps.*{limit}"):
        TimeLimit(counting(), limit)


def test_a_step_before_reset_is_an_error_that_says_so(counting):
    with pytest.raises(TypeError, match="reset"):
        TimeLimit(counting(), 3).step(0)


def test_the_inner_check_of_order_comes_first(counting):
    with pytest.raises(ResetNeeded):
        TimeLimit(OrderEnforcing(counting()), 3).step(0)


def test_a_failed_step_or_reset_does_not_count(counting):
    class Fragile(counting):
        def step(self, action):
            if action == 9:
                raise ValueError("nine")
            return super().step(action)

    env = TimeLimit(Fragile(), 2)
    env.reset()
    env.step(0)
    with pytest.raises(ValueError, match="nine"):
        env.step(9)
    with pytest.raises(Exception, match="seed"):
        env.reset(seed=-1)
    assert flags(env, 1) == [(False, True)]


def test_spec_is_the_limit_outermost_wins(counting):
    env = TimeLimit(TimeLimit(counting(), 5), 7)
    assert env.spec.max_episode_steps == 7
    assert env.env.spec.max_episode_steps == 5
    assert env.spec.additional_wrappers == ()
    assert env.unwrapped.spec.max_episode_steps is None
