"""A call of one environment in a worker, and the names of its wrappers."""

from __future__ import annotations

import gymnasium as gym
from gymnasium.vector._batch.layers import class_name, wrapper_names
from gymnasium.vector._workers.calling import SOME, WRAPPERS, called


class Plain(gym.Env):
    size = 3

    def times(self, factor, plus=0):
        return self.size * factor + plus


def test_an_attribute_is_returned_and_a_method_called():
    env = gym.wrappers.OrderEnforcing(Plain())

    assert called(env, 0, "size", (), {}) == 3
    assert called(env, 0, "times", (2,), {"plus": 1}) == 7


def test_a_call_in_some_environments_leaves_the_others_out():
    arguments = (frozenset({1}), "times", 2)

    assert [called(Plain(), i, SOME, arguments, {"plus": 1}) for i in range(3)] == [None, 7, None]


def test_wrappers_are_named_with_their_bases():
    env = gym.wrappers.TransformReward(gym.wrappers.OrderEnforcing(Plain()), float)
    names = wrapper_names(env)

    wanted = (gym.wrappers.TransformReward, gym.RewardWrapper, gym.wrappers.OrderEnforcing, gym.Wrapper)
    assert {class_name(kind) for kind in wanted} <= names
    assert class_name(gym.wrappers.TimeLimit) not in names and class_name(Plain) not in names
    assert called(env, 0, WRAPPERS, (), {}) == names
    assert wrapper_names(Plain()) == set()
