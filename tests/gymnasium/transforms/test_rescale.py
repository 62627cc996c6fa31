"""Boxes mapped onto other Boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from jax import numpy as jnp

from gymnasium.error import InvalidBound
from gymnasium.spaces import Box, Discrete
from gymnasium.transforms.rescale import rescale_box, rescaling, restoring

INF = np.inf


def arrays(*values: float) -> Any:
    return np.array(values)


def test_the_bounds_become_the_new_bounds() -> None:
    box, forward, backward = rescale_box(Box(-1, 3, (2,)), 0, arrays(1.0, 10.0))

    assert box == Box(np.array([0, 0], np.float32), np.array([1, 10], np.float32))
    assert forward(np.array([-1, 3], np.float32)).tolist() == [0, 10]
    assert backward(np.array([0, 10], np.float32)).tolist() == [-1, 3]
    assert forward(box.low).dtype == np.float32


@pytest.mark.parametrize(
    "box",
    [
        Box(-3, 5, (2, 3)),
        Box(-1.7e308, 1.7e308, (2,), np.float64),
        Box(np.array([0, -INF, -INF, 1]), np.array([INF, 0, INF, 2]), dtype=np.float64),
        Box(0, 255, (2,), np.uint8),
        Box(-5, 10, (3,), np.int64),
        Box(3, 200, (3,), np.uint8),
        Box(0, 1, (3,), bool),
    ],
    ids=repr,
)
def test_back_is_where_it_came_from(box: Box) -> None:
    low, high = box.low.astype(np.float64), box.high.astype(np.float64)
    new, forward, backward = rescale_box(box, np.where(np.isinf(low), low, -2.0), np.where(np.isinf(high), high, 7.0))
    box.seed(0)

    for _ in range(20):
        value = box.sample()
        assert forward(value) in new
        assert backward(forward(value)).dtype == box.dtype
        np.testing.assert_allclose(backward(forward(value)), value, rtol=1e-5, atol=1e-5)


def test_integers_become_floats() -> None:
    box, forward, backward = rescale_box(Box(0, 255, (3,), np.uint8), 0, 1)

    assert box == Box(0, 1, (3,), np.float32)
    assert forward(np.array([0, 51, 255], np.uint8)).tolist() == pytest.approx([0, 0.2, 1])
    assert backward(arrays(0, 0.2, 1)).tolist() == [0, 51, 255]
    assert backward(arrays(-3, 0.25, 9)).tolist() == [0, 64, 255]


@pytest.mark.parametrize(("new_min", "new_max"), [(0, 1), (2, 2)])
def test_a_range_without_length_gives_no_nan(new_min: int, new_max: int) -> None:
    box, forward, backward = rescale_box(
        Box(np.array([3.0, 0.0]), np.array([3.0, 1.0]), dtype=np.float64), new_min, new_max
    )

    assert forward(arrays(3, 1)) in box
    assert forward(arrays(3, 1))[0] == new_min
    assert np.isfinite(backward(arrays(new_min, new_max))).all()
    assert backward(arrays(new_max, new_min))[0] == 3


def test_new_bounds_may_be_arrays_of_small_integers() -> None:
    """Their difference, 255, is no int8."""
    box, forward, _ = rescale_box(Box(0, 1, (1,)), np.array([-128], np.int8), np.array([127], np.int8))

    assert box == Box(-128, 127, (1,))
    assert forward(np.array([1], np.float32)).tolist() == [127]


@pytest.mark.parametrize(
    ("box", "low", "high"),
    [
        (Box(0, 1), 0, 1e300),
        (Box(-2, 7, (2,), np.float64), -1.7e308, 1.7e308),
        (Box(-1e30, 1e30), 0, 1e-30),
    ],
    ids=repr,
)
def test_a_map_beyond_the_dtype_is_refused(box: Box, low: float, high: float) -> None:
    with pytest.raises(ValueError, match="cannot hold"):
        rescale_box(box, low, high)


def test_the_bounds_of_the_widest_integers_are_reached() -> None:
    """The greatest int64 is no float."""
    box = Box(np.iinfo(np.int64).min, np.iinfo(np.int64).max, (2,), np.int64)
    _, forward, backward = rescale_box(box, 0, 1)

    assert backward(arrays(0, 1)).tolist() == [box.low[0], box.high[0]]
    assert backward(forward(box.high)).tolist() == box.high.tolist()


@pytest.mark.parametrize("kind", [list, torch.tensor, jnp.array])
def test_values_may_be_lists_tensors_and_arrays_of_jax(kind: Any) -> None:
    """Tensors and lists become arrays of NumPy."""
    _, forward, backward = rescale_box(Box(0, 2, (2,)), -1, 1)

    for found in (forward(kind([0.0, 2.0])), backward(kind([-1.0, 1.0])) - 1):
        assert found.tolist() == [-1.0, 1.0]
        assert isinstance(found, jnp.ndarray if kind is jnp.array else np.ndarray)


def test_a_batch_is_mapped_row_by_row() -> None:
    transform = rescaling(Box(np.array([0, -1], np.float32), np.array([2, 1], np.float32)), 0, 1)
    batch = np.array([[0, 0], [1, 1], [2, -1]], np.float32)

    assert transform.many(batch).tolist() == [transform.one(row).tolist() for row in batch]


@pytest.mark.parametrize(
    ("box", "low", "high", "error"),
    [
        (Discrete(3), 0, 1, TypeError),
        (Box(0, 1), "0", 1, TypeError),
        (Box(0, 1), [0.0], 1, TypeError),
        (Box(0, 1), True, 1, TypeError),
        (Box(0, 1, (2,)), np.zeros(3), 1, ValueError),
        (Box(0, 1), 1, 0, ValueError),
        (Box(0, 1), -INF, 1, ValueError),
        (Box(0, INF), 0, 1, ValueError),
        (Box(-INF, INF, (1,), np.int32), 0, 1, ValueError),
    ],
)
def test_bounds_that_do_not_fit_are_refused(box: Any, low: Any, high: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        rescale_box(box, low, high)


def test_wrappers_refuse_ranges_without_length() -> None:
    flat = Box(np.array([1.0, 0.0]), np.array([1.0, 2.0]), dtype=np.float64)
    with pytest.raises(ValueError, match="equal"):
        rescaling(flat, 0, 1)
    with pytest.raises(ValueError, match="equal"):
        restoring(flat, 0, 1)
    with pytest.raises(InvalidBound, match="below"):
        restoring(Box(0, 1), 1, 1)
