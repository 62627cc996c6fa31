"""Numbers in other shapes and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Text
from gymnasium.spaces.batching import concatenate, create_empty_array
from gymnasium.transforms.layout import convert, reshape
from tests.spaces_zoo import seeded

INF = np.inf


@pytest.mark.parametrize(("shape", "full"), [((6,), (6,)), ((3, 2), (3, 2)), ((-1, 2), (3, 2)), ((-1,), (6,))])
def test_values_and_batches_take_the_shape(shape: tuple[int, ...], full: tuple[int, ...]) -> None:
    space = Box(np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3) + 1, dtype=np.float64)
    transform = reshape(space, shape)
    batch = np.stack([space.sample() for _ in range(4)])

    assert transform.space == Box(np.arange(6.0).reshape(full), np.arange(6.0).reshape(full) + 1, dtype=np.float64)
    np.testing.assert_array_equal(transform.many(batch), [transform.one(value) for value in batch])
    assert all(row in transform.space for row in transform.many(batch))


@pytest.mark.parametrize(
    ("space", "shape", "error"),
    [
        (Discrete(3), (1,), TypeError),
        (Box(0, 1, (6,)), 6, TypeError),
        (Box(0, 1, (6,)), "6", TypeError),
        (Box(0, 1, (6,)), (6.0,), TypeError),
        (Box(0, 1, (6,)), (0, 6), ValueError),
        (Box(0, 1, (6,)), (-2, 3), ValueError),
        (Box(0, 1, (6,)), (5,), ValueError),
        (Box(0, 1, (6,)), (4, -1), ValueError),
        (Box(0, 1, (6,)), (-1, -1), ValueError),
    ],
    ids=repr,
)
def test_shapes_that_do_not_fit_are_refused(space: Any, shape: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        reshape(space, shape)


def test_a_shape_may_be_a_list() -> None:
    """That is what a tuple is in JSON."""
    assert reshape(Box(0, 1, (6,)), [2, -1]).space == Box(0, 1, (2, 3))


CONVERSIONS: list[tuple[Any, Any, Any]] = [
    (Box(-2, 5, (2, 2)), np.float64, Box(-2, 5, (2, 2), np.float64)),
    (Box(-2, 5, (2, 2)), np.int8, Box(-2, 5, (2, 2), np.int8)),
    (Box(-INF, INF, (3,)), np.int32, Box(-INF, INF, (3,), np.int32)),
    (Box(-INF, INF, (3,), np.int32), np.float32, Box(-INF, INF, (3,))),
    (Box(-1e300, 1e300, (3,), np.float64), np.float32, Box(-INF, INF, (3,))),
    (Discrete(5, start=-2), np.int16, Box(-2, 2, (), np.int16)),
    (MultiDiscrete([2, 3], start=[1, 5]), np.int16, MultiDiscrete([2, 3], dtype=np.int16, start=[1, 5])),
    (MultiBinary((2, 3)), bool, Box(0, 1, (2, 3), bool)),
]


@pytest.mark.parametrize(("space", "dtype", "expected"), CONVERSIONS, ids=repr)
def test_space_values_and_batches_take_the_dtype(space: Any, dtype: Any, expected: Any) -> None:
    transform = convert(space, dtype)
    seeded(space)
    values = [space.sample() for _ in range(4)]
    batch = concatenate(space, values, create_empty_array(space, 4))

    assert transform.space == expected
    with np.errstate(over="ignore"):
        changed = [transform.one(value) for value in values]
        np.testing.assert_array_equal(transform.many(batch), changed)
    assert all(np.asarray(value).dtype == dtype for value in changed)
    assert all(value in transform.space for value in changed)


@pytest.mark.parametrize(
    ("space", "dtype", "error"),
    [
        (Text(3), np.int8, TypeError),
        (Box(0, 255, (2,), np.uint8), np.int8, ValueError),
        (Box(-1, 1), np.uint8, ValueError),
    ],
)
def test_what_has_no_such_dtype_is_refused(space: Any, dtype: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        convert(space, dtype)
