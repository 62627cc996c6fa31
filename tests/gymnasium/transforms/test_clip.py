"""Values moved onto bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.error import InvalidBound
from gymnasium.spaces import Box, Discrete
from gymnasium.transforms.clip import clip_between, clip_into


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.int64, np.uint8, np.uint64, bool])
def test_whatever_fits_the_dtype_is_moved_into_the_box(dtype: Any) -> None:
    box = Box(np.array([0, 1], dtype), np.array([1, 1], dtype), dtype=dtype)
    transform = clip_into(box)
    extremes = np.stack([transform.space.low, transform.space.high])  # type: ignore[attr-defined]

    assert all(row in box for row in transform.many(extremes))
    assert transform.one(extremes[0]) in box
    assert box.low in transform.space


def test_only_a_box_has_bounds() -> None:
    with pytest.raises(TypeError, match="Box"):
        clip_into(Discrete(2))


def test_one_bound_is_enough() -> None:
    assert clip_between(None, 1)(5) == 1
    assert clip_between(0, None)(np.array([-3.0, 5.0])).tolist() == [0, 5]
    assert clip_between(np.array([0, 1]), np.array([0, 3]))(2).tolist() == [0, 2]


@pytest.mark.parametrize(("least", "most"), [(None, None), (2, 1), (np.array([0, 2]), np.array([1, 1]))])
def test_bounds_that_leave_nothing_are_refused(least: Any, most: Any) -> None:
    with pytest.raises(InvalidBound):
        clip_between(least, most)
