"""Lists of plain data of one form."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.states.plain import equal
from gymnasium.states.stacks import stacked, unstacked


@pytest.mark.parametrize(
    "values",
    [
        [],
        [1, 2, -3],
        [2**70, 1],
        [0.5, -0.0],
        [True, False],
        [np.int8(3), np.int8(4)],
        [np.int8(3), np.int16(4)],
        [np.ones((2, 3)), np.zeros((2, 3))],
        [np.ones(2), np.ones(3)],
        [{"a": 1, "b": (1.5, np.ones(2))}, {"a": 2, "b": (2.5, np.zeros(2))}],
        ["left", "right"],
        [1, "left"],
        [(), ()],
        [{}, {}],
    ],
)
def test_lists_are_stacked_and_come_back(values):
    assert equal(unstacked(stacked(values)), values)
