"""`gymnasium.wrappers.utils`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import CustomSpaceError
from gymnasium.spaces import Box
from gymnasium.wrappers.utils import RunningMeanStd, create_zero_array, update_mean_var_count_from_moments
from tests.spaces_zoo import SPACES, Letters


def test_it_begins_with_mean_0_and_variance_1():
    rms = RunningMeanStd(epsilon=1e-3, shape=(2, 3), dtype=np.float32)
    assert rms.mean.tolist() == [[0] * 3] * 2
    assert rms.var.tolist() == [[1] * 3] * 2
    assert rms.count == 1e-3
    assert rms.mean.dtype == rms.var.dtype == np.float32


def test_it_comes_to_the_moments_of_what_it_is_given():
    rms = RunningMeanStd(shape=(3,))
    values = np.random.default_rng(0).normal(2, 5, (1000, 3))
    for batch in np.split(values, [1, 1, 10, 500]):  # one of them is empty
        rms.update(batch)
    np.testing.assert_allclose(rms.mean, values.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(rms.var, values.var(axis=0), rtol=1e-5)
    assert rms.count == pytest.approx(1000)


def test_moments_are_counted_like_what_they_are_of():
    a, b = RunningMeanStd(shape=(2,)), RunningMeanStd(shape=(2,))
    batch = np.array([[1.0, 2.0], [3.0, 8.0]])
    a.update(batch)
    b.update_from_moments(batch.mean(axis=0), batch.var(axis=0), 2)
    assert a.get_state().keys() == b.get_state().keys()
    assert all(np.array_equal(a.get_state()[name], b.get_state()[name]) for name in a.get_state())
    assert update_mean_var_count_from_moments(0.0, 1.0, 1, 2.0, 1.0, 1) == (1.0, 2.0, 2)


def test_the_state_is_a_copy():
    rms = RunningMeanStd(shape=(2,))
    state = rms.get_state()
    rms.update(np.ones((3, 2)))
    assert state["mean"].tolist() == [0, 0]
    other = RunningMeanStd(shape=(2,))
    other.set_state(state)
    state["mean"][:] = 7
    assert other.mean.tolist() == [0, 0]
    assert type(other.count) is float


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_the_zero_of_a_space_is_in_it(space):
    assert create_zero_array(space) in space


def test_zero_is_as_near_as_the_bounds_allow():
    box = Box(np.array([-1, 2, -5], np.float32), np.array([1, 3, -4], np.float32))
    assert create_zero_array(box).tolist() == [0, 2, -4]


def test_a_users_space_has_no_zero_known():
    with pytest.raises(CustomSpaceError):
        create_zero_array(Letters())
    with pytest.raises(TypeError):
        create_zero_array(3)
