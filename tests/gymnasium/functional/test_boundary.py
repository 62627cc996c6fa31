"""What crosses between a user and dynamics."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import InvalidAction
from gymnasium.functional.boundary import action_reader, observation_packer
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Tuple


@pytest.mark.parametrize("action", [2, np.int64(2), np.int32(2), np.array(2)], ids=repr)
def test_discrete_action_becomes_an_int(action):
    read = action_reader(Discrete(3, start=1))
    assert (read(action), type(read(action))) == (2, int)


@pytest.mark.parametrize("action", [0, 4, -1, np.int64(4), 1.5, "1", None, [1], np.array([1]), np.nan], ids=repr)
def test_no_discrete_action_is_refused_with_what_came(action):
    """An AssertionError too, which is what programs written for the classic environments catch."""
    with pytest.raises(InvalidAction, match="is not one of Discrete") as refused:
        action_reader(Discrete(3, start=1))(action)
    assert isinstance(refused.value, AssertionError)


@pytest.mark.parametrize("action", [[0.1, 5], (0.1, 5.0), np.array([0.1, 5.0]), np.array([0.1, 5.0], np.float32)])
def test_box_action_becomes_floats_of_the_boxs_precision(action):
    """Beyond the bounds passes."""
    assert action_reader(Box(-1, 1, (2,)))(action) == (float(np.float32(0.1)), 5.0)


@pytest.mark.parametrize("action", [[1e300, -np.inf], np.array([np.inf, -np.inf], np.float32)])
def test_infinities_pass(action):
    assert action_reader(Box(-1, 1, (2,)))(action) == (np.inf, -np.inf)


@pytest.mark.parametrize(
    "action",
    [0.5, [0.5], [[0.5, 0.5]], [0.5, np.nan], [np.nan, np.inf], [0.5, [1.0]], ["a", "b"], [None, 1.0], None, {}],
    ids=repr,
)
def test_no_box_action_is_refused(action):
    with pytest.raises(InvalidAction, match="is not one of Box"):
        action_reader(Box(-1, 1, (2,)))(action)


def test_box_of_several_axes_is_read_as_an_array():
    read = action_reader(Box(-1, 1, (2, 2)))
    np.testing.assert_array_equal(read([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]], np.float32))
    with pytest.raises(InvalidAction):
        read([[1, 2], [3, np.nan]])


def test_other_spaces_check_what_they_contain():
    read = action_reader(MultiDiscrete([2, 3]))
    action = np.array([1, 2], np.int8)
    move = read(action)
    assert (move.dtype, move.tolist()) == (np.int64, [1, 2])
    action[0] = 0
    assert move[0] == 1  # dynamics may keep it
    with pytest.raises(InvalidAction, match="is not one of MultiDiscrete"):
        read(np.array([2, 2]))


@pytest.mark.parametrize(
    ("space", "observation"),
    [
        (Box(-9, 9, (2,), np.float32), (0.1, 2)),
        (Box(-9, 9, (2, 1), np.float64), np.ones((2, 1))),
        (Discrete(4), np.int64(3)),
        (Discrete(4, dtype=np.int32), 3),
        (MultiDiscrete([2, 3]), [1, 2]),
        (Tuple([Discrete(4), Discrete(2)]), (np.int64(3), True)),
        (Tuple([Discrete(4), Box(-1, 1, (1,))]), (3, [0.5])),
        (Dict(a=Discrete(4), b=Box(-1, 1, (1,))), {"a": 3, "b": [0.5]}),
    ],
    ids=repr,
)
def test_packed_observation_lies_in_the_space(space, observation):
    packed = observation_packer(space)(observation)
    assert space.contains(packed)


def test_packed_array_is_a_new_one():
    """Neither what dynamics hold nor an earlier observation is handed out."""
    pack = observation_packer(Box(-9, 9, (2,), np.float64))
    inner = np.ones(2)
    packed = pack(inner)
    packed[:] = 5.0
    assert inner.tolist() == pack(inner).tolist() == [1.0, 1.0]
