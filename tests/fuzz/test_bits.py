"""The comparison itself: what counts as a difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.fuzz.bits import gaps


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (1.0, 1.0),
        (np.nan, -np.nan),
        (np.array([0.0, np.nan]), np.array([0.0, np.nan])),
        (np.int64(3), np.int64(3)),
        ({"x": (1, None)}, {"x": (1, None)}),
    ],
)
def test_the_same(ours: Any, theirs: Any) -> None:
    assert list(gaps(ours, theirs, "here")) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "where"),
    [
        (0.0, -0.0, "here"),
        (np.array([1.0]), np.array([np.nextafter(1.0, 2.0)]), "here[0]"),
        (np.nan, 0.0, "here"),
        (1, 1.0, "here (type)"),
        (True, 1, "here (type)"),
        (np.float32(0.5), 0.5, "here (type)"),
        (np.zeros(2), np.zeros(3), "here (dtype, shape)"),
        (3, np.int64(3), "here (type)"),
        (0, 2**64, "here"),
        ({"x": 1}, {"y": 1}, "here (keys)"),
        ({"x": 1}, {"x": 2}, "here['x']"),
        ((1,), (1, 2), "here (length)"),
        (np.array([1, None], object), np.array([1, 2], object), "here[1] (type)"),
    ],
)
def test_not_the_same(ours: Any, theirs: Any, where: str) -> None:
    assert [gap.where for gap in gaps(ours, theirs, "here")] == [where]
