"""Wrappers that change the action."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gymnasium.error import InvalidBound
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.wrappers import ClipAction, DiscretizeAction, RescaleAction, TransformAction


def minus(action):
    return 1 - action


def test_the_function_is_applied(counting):
    env = TransformAction(counting(), minus, None)
    env.reset()
    env.step(0)
    assert env.unwrapped.actions == [1]
    assert env.action_space == Discrete(2)
    assert env.func is minus


def test_the_space_can_be_replaced(counting):
    env = TransformAction(counting(), minus, Discrete(7))
    assert env.action_space == Discrete(7)
    assert env.unwrapped.action_space == Discrete(2)
    (wrapper,) = env.spec.additional_wrappers
    assert wrapper.kwargs == {"func": minus, "action_space": Discrete(7)}


@pytest.fixture
def boxed(counting):
    """Makes an environment with a `Box` of actions."""

    def make(low, high, dtype=np.float32):
        env = counting()
        env.action_space = Box(np.array(low, dtype), np.array(high, dtype), dtype=dtype)
        return env

    return make


def test_actions_are_moved_onto_the_bounds(boxed):
    env = ClipAction(boxed([-1, 0], [1, 2]))
    assert env.action_space == Box(-np.inf, np.inf, (2,), np.float32)
    env.reset()
    env.step(np.array([-3, 3], np.float32))
    env.step(np.array([0.5, 0.5], np.float32))
    first, second = env.unwrapped.actions
    assert first.tolist() == [-1, 2]
    assert second.tolist() == [0.5, 0.5]
    assert first.dtype == np.float32


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64, np.float64, np.bool_])
def test_any_dtype_can_be_clipped(boxed, dtype):
    env = ClipAction(boxed([0, 1], [1, 1], dtype))
    env.reset()
    for action in (env.action_space.low, env.action_space.high):
        env.step(action)
    assert all(action in env.unwrapped.action_space for action in env.unwrapped.actions)


def test_the_unsigned_space_is_the_dtypes(boxed):
    assert ClipAction(boxed([1], [3], np.uint8)).action_space == Box(0, 255, (1,), np.uint8)


def test_only_a_box_has_bounds(counting):
    with pytest.raises(TypeError, match="Box"):
        ClipAction(counting())


def test_it_needs_no_arguments_to_be_made_again_and_can_be_pickled(boxed):
    env = ClipAction(boxed([0], [1]))
    assert env.spec.additional_wrappers[0].kwargs == {}
    again = pickle.loads(pickle.dumps(env.func))
    assert again([5.0]) == [1.0]


def test_a_range_is_mapped_onto_the_environments(boxed):
    env = RescaleAction(boxed([-2, 0], [2, 10]), -1, 1)
    assert env.action_space == Box(-1, 1, (2,))
    env.reset()
    env.step(np.array([-1, 0.5], np.float32))
    (action,) = env.unwrapped.actions
    assert action.tolist() == [-2, 7.5]
    assert action.dtype == np.float32


@pytest.mark.parametrize(("least", "most", "error"), [(1, 1, InvalidBound), (2, 1, ValueError), ("a", 1, TypeError)])
def test_a_range_has_a_length(boxed, least, most, error):
    with pytest.raises(error):
        RescaleAction(boxed([0], [1]), least, most)


@pytest.mark.parametrize("wrapper", [lambda env: RescaleAction(env, 0, 1), lambda env: DiscretizeAction(env, 2)])
def test_only_a_box_has_a_range(counting, wrapper):
    with pytest.raises(TypeError, match="Box"):
        wrapper(counting())


def test_a_cell_stands_for_its_middle(boxed):
    env = DiscretizeAction(boxed([0, -1], [10, 1]), (5, 2))
    assert env.action_space == Discrete(10)
    env.reset()
    env.step(3)
    assert env.unwrapped.actions[0].tolist() == [3, 0.5]
    assert env.revert_action(np.array([3.4, 0.1])) == 3
    assert [centers.tolist() for centers in env.bin_centers] == [[1, 3, 5, 7, 9], [-0.5, 0.5]]


def test_cells_can_be_arrays(boxed):
    env = DiscretizeAction(boxed([0, -1], [10, 1]), (5, 2), multidiscrete=True)
    assert env.action_space == MultiDiscrete([5, 2])
    env.reset()
    env.step(np.array([1, 1]))
    assert env.unwrapped.actions[0].tolist() == [3, 0.5]
    assert env.revert_action(np.array([3.4, 0.1])).tolist() == [1, 1]
