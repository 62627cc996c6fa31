"""Wrappers that change the reward."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import InvalidBound
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import ClipReward, NormalizeReward, TransformReward
from gymnasium.wrappers import vector as vector_wrappers


def rewards(env, steps=4):
    env.reset()
    return [env.step(0)[1] for _ in range(steps)]


def test_the_function_is_applied(counting):
    assert rewards(TransformReward(counting(), lambda r: 10 * r)) == [10, 20, 30, 40]


def test_rewards_are_moved_onto_the_bounds(counting):
    assert rewards(ClipReward(counting(), 2, 3)) == [2, 2, 3, 3]
    assert rewards(ClipReward(counting(), max_reward=3)) == [1, 2, 3, 3]
    env = ClipReward(counting(), 2)
    assert (env.min_reward, env.max_reward) == (2, None)


@pytest.mark.parametrize("bounds", [(None, None), (1, 0)])
def test_bounds_that_leave_nothing_are_refused(counting, bounds):
    for wrapper, env in ((ClipReward, counting()), (vector_wrappers.ClipReward, SyncVectorEnv([counting]))):
        with pytest.raises(InvalidBound):
            wrapper(env, *bounds)


def test_a_single_function_is_called_for_each_reward_of_a_batch(counting):
    seen = []

    def noted(reward):
        seen.append(float(reward))
        return reward / 2

    envs = vector_wrappers.VectorizeTransformReward(SyncVectorEnv([counting] * 3), TransformReward, func=noted)
    envs.reset()
    found = envs.step(np.zeros(3, np.int64))[1]
    assert seen == [1, 1, 1]
    assert found.tolist() == [0.5, 0.5, 0.5]
    assert found.dtype == np.float64


@pytest.mark.parametrize("kwargs", [{"gamma": -0.1}, {"gamma": 1.1}, {"gamma": np.nan}, {"epsilon": 0}])
def test_discount_and_epsilon_have_bounds(counting, kwargs):
    for wrapper, env in ((NormalizeReward, counting()), (vector_wrappers.NormalizeReward, SyncVectorEnv([counting]))):
        with pytest.raises(InvalidBound):
            wrapper(env, **kwargs)
