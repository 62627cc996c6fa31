"""Wrappers that change the observation."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import InvalidBound
from gymnasium.spaces import Box, Dict, Discrete, Text
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import (
    DiscretizeAction,
    DiscretizeObservation,
    DtypeObservation,
    FilterObservation,
    FlattenObservation,
    GrayscaleObservation,
    NormalizeObservation,
    RescaleAction,
    RescaleObservation,
    ReshapeObservation,
    ResizeObservation,
    TransformObservation,
)


@pytest.fixture
def observing(counting):
    """Makes an environment that observes samples of a space."""

    def make(space):
        env = counting()
        env.observation_space = space
        env.observation = space.sample
        return env

    return make


def test_the_function_is_applied(counting):
    env = TransformObservation(counting(), lambda obs: obs + 5, None)
    assert env.observation_space == counting().observation_space
    assert env.reset()[0].tolist() == [5]
    assert env.step(0)[0].tolist() == [6]


def test_the_function_is_not_called_before_the_first_observation(counting):
    """So it may need an episode under way."""
    inner = counting()
    env = TransformObservation(inner, lambda obs: obs + inner.resets[-1][0], Box(0, 9, (1,), np.int64))
    assert env.reset(seed=4)[0].tolist() == [4]


@pytest.mark.parametrize("declared", [None, Box(0, 1, (3,)), Discrete(2)])
def test_observations_are_not_compared_with_the_declared_space(counting, declared):
    """Programs declare the old space for a new range, and know why."""
    env = TransformObservation(counting(), lambda obs: obs * 2.5 - 7, declared)
    assert env.observation_space == (counting().observation_space if declared is None else declared)
    assert env.reset()[0].tolist() == [-7]


@pytest.mark.parametrize(
    ("wrapper", "kwargs", "space", "error"),
    [
        (FilterObservation, {"filter_keys": ["a"]}, Box(0, 1), ValueError),
        (GrayscaleObservation, {}, Discrete(3), TypeError),
        (ResizeObservation, {"shape": (0, 1)}, Box(0, 255, (4, 6), np.uint8), ValueError),
        (ReshapeObservation, {"shape": 6}, Box(0, 1, (6,)), TypeError),
        (RescaleObservation, {"min_obs": 0, "max_obs": 1}, Discrete(3), TypeError),
        (RescaleObservation, {"min_obs": 0, "max_obs": 1}, Box(1, 1), ValueError),
        (RescaleObservation, {"min_obs": 0, "max_obs": 1}, Box(-np.inf, 1), ValueError),
        (DtypeObservation, {"dtype": np.int8}, Text(3), TypeError),
        (DiscretizeObservation, {"bins": 2}, Box(-np.inf, 1), ValueError),
        (NormalizeObservation, {}, Dict(a=Box(0, 1)), ValueError),
        (NormalizeObservation, {"epsilon": 0}, Box(0, 1), InvalidBound),
        (NormalizeObservation, {"epsilon": np.nan}, Box(0, 1), InvalidBound),
    ],
)
def test_a_space_that_does_not_fit_is_refused_at_construction(observing, wrapper, kwargs, space, error):
    with pytest.raises(error):
        wrapper(observing(space), **kwargs)


@pytest.mark.parametrize(
    "make",
    [
        FlattenObservation,
        lambda env: RescaleObservation(env, 0, 1),
        lambda env: DiscretizeObservation(env, 3),
        lambda env: TransformObservation(env, abs, None),
        lambda env: RescaleAction(env, 0, 1),
        lambda env: DiscretizeAction(env, 3),
    ],
)
def test_a_vector_environment_is_no_environment(counting, make):
    with pytest.raises(TypeError, match=r"gymnasium\.Env"):
        make(SyncVectorEnv([counting]))


def test_public_attributes(observing):
    pixels = Box(0, 255, (8, 10, 3), np.uint8)
    resized = ResizeObservation(observing(pixels), (4, 5))
    assert (resized.shape, resized.cv2_shape) == ((4, 5), (5, 4))
    assert resized.reset()[0].shape == (4, 5, 3)
    assert FilterObservation(observing(Dict(a=pixels, b=pixels)), ["a"]).filter_keys == ["a"]
    assert GrayscaleObservation(observing(pixels), True).keep_dim is True


def test_a_cell_can_be_turned_back_into_bounds(observing):
    env = DiscretizeObservation(observing(Box(np.array([0, -1], np.float32), np.array([10, 1], np.float32))), (5, 2))
    low, high = env.revert_observation(3)
    assert (low.tolist(), high.tolist()) == ([2, 0], [4, 1])
    assert [edges.tolist() for edges in env.bin_edges] == [[2, 4, 6, 8], [0]]
    assert (env.bins, env.n_dims, env.multidiscrete) == ((5, 2), 2, False)
    assert (env.low.tolist(), env.high.tolist()) == ([0, -1], [10, 1])
