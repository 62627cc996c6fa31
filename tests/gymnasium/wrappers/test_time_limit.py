"""`TimeLimit`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import ResetNeeded
from gymnasium.wrappers import OrderEnforcing, RepeatAction, TimeLimit


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


LISTED = "gymnasium.wrappers.common:TimeLimit"


def listed(env):
    return [(wrapper.name, wrapper.kwargs) for wrapper in env.spec.additional_wrappers]


def test_of_limits_side_by_side_the_field_is_the_outermost_and_the_others_are_listed(counting):
    env = TimeLimit(TimeLimit(counting(), 5), 7)
    assert env.spec.max_episode_steps == 7
    assert listed(env) == [("TimeLimit", {"max_episode_steps": 5})]
    assert env.spec.additional_wrappers[0].entry_point == LISTED
    assert env.env.spec.max_episode_steps == 5
    assert listed(env.env) == []
    assert env.unwrapped.spec.max_episode_steps is None


@pytest.mark.parametrize("inner", [None, 10])
def test_outside_another_wrapper_a_limit_is_listed_there(counting, inner):
    limited = counting() if inner is None else TimeLimit(counting(), inner)
    env = TimeLimit(RepeatAction(limited, 2), 3)
    assert env.spec.max_episode_steps == inner
    assert listed(env) == [("RepeatAction", {"num_repeats": 2}), ("TimeLimit", {"max_episode_steps": 3})]


def test_a_limit_that_only_a_spec_set_by_hand_tells_of_is_none(counting):
    env = counting()
    env.spec.max_episode_steps = 5
    assert TimeLimit(env, 7).spec.max_episode_steps == 7
    assert listed(TimeLimit(env, 7)) == []


class SoftLimit(TimeLimit):
    """Says at the limit that it is reached, and goes on."""


def test_a_limit_of_another_class_is_listed_as_that(counting):
    env = SoftLimit(counting(), 4)
    assert env.spec.max_episode_steps is None
    assert listed(env) == [("SoftLimit", {"max_episode_steps": 4})]
