"""Running mean and variance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.transforms import moments
from gymnasium.transforms.moments import Moments


def batches(n: int, *shape: int, dtype: Any = np.float64) -> Any:
    return (np.random.default_rng(n).normal(3, 2, (n, *shape))).astype(dtype)


@pytest.mark.parametrize("shape", [(), (1,), (17,), (3, 5), (2000,), (0,)])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 100, 1000, 4096])
def test_moments_are_numpys(n: int, shape: tuple[int, ...]) -> None:
    if n * np.prod(shape) > 1e6:
        n = 512
    batch = batches(n, *shape)
    found = moments.of_batch(batch)

    assert found.n == n
    assert found.mean.shape == found.var.shape == shape
    np.testing.assert_allclose(found.mean, batch.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.var, batch.var(axis=0), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("n", [1, 3, 8])
def test_of_a_small_batch_they_are_numpys_to_the_bit(n: int) -> None:
    batch = batches(n, 4, dtype=np.float32)
    found = moments.of_batch(batch)

    assert found.mean.tobytes() == batch.mean(axis=0).tobytes()
    assert found.var.tobytes() == batch.var(axis=0).tobytes()


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [(np.float64, np.float64), (np.float32, np.float32), (np.float16, np.float32), (np.uint8, np.float64)],
)
def test_precision_is_the_batchs_but_single_at_least(dtype: Any, expected: Any) -> None:
    found = moments.of_batch(np.full((4096, 3), 200, dtype))

    assert (found.mean.dtype, found.var.dtype) == (expected, expected)
    assert found.mean.tolist() == [200] * 3
    assert found.var.tolist() == [0] * 3


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_it_does_not_matter_how_values_come_in_batches(sizes: list[int]) -> None:
    values = batches(sum(sizes), 2)
    merged = Moments(np.zeros(2), np.ones(2), 0.0)
    for batch in np.split(values, np.cumsum(sizes)[:-1]):
        merged = moments.merged(merged, moments.of_batch(batch))

    assert merged.n == len(values)
    np.testing.assert_allclose(merged.mean, values.mean(axis=0), rtol=1e-9)
    np.testing.assert_allclose(merged.var, values.var(axis=0), rtol=1e-9, atol=1e-12)


def test_merging_by_hand() -> None:
    """(1, 3) and (8,) together are (1, 3, 8): mean 4, squares 9 + 1 + 16."""
    a, b = Moments(np.array(2.0), np.array(1.0), 2), Moments(np.array(8.0), np.array(0.0), 1)

    assert moments.merged(a, b) == (4.0, 26 / 3, 3)


def test_normalized_by_hand() -> None:
    found = moments.normalized(np.array([[1.0], [7.0]]), np.array([3.0]), np.array([3.0]), 1.0)

    assert found.dtype == np.float32
    assert found.tolist() == [[-1.0], [2.0]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.uint8, np.int64])
@pytest.mark.parametrize("shape", [(4096, 17), (4095, 17), (20_000,), (3, 84, 84), (5, 3)])
def test_counting_and_normalizing_at_once_is_one_after_the_other(shape: tuple[int, ...], dtype: Any) -> None:
    batch = np.random.default_rng(0).uniform(1, 100, shape).astype(dtype)
    before = Moments(np.full(shape[1:], 40.0, np.float32), np.full(shape[1:], 2.0, np.float32), 1000.0)
    now, found = moments.counted_and_normalized(batch, before, 1e-8)
    expected = moments.merged(before, moments.of_batch(batch))

    assert now.n == expected.n
    assert found.dtype == np.float32
    np.testing.assert_allclose(now.mean, expected.mean, rtol=1e-4)
    np.testing.assert_allclose(now.var, expected.var, rtol=1e-4)
    np.testing.assert_allclose(
        found, moments.normalized(batch, expected.mean, expected.var, 1e-8), rtol=1e-3, atol=1e-4
    )


def test_values_far_from_zero_keep_their_digits() -> None:
    """Seconds since 1970, a hundredth apart, which single precision does not tell apart."""
    batch = 1.7e9 + np.arange(20_000).reshape(-1, 1) * 0.01
    now, found = moments.counted_and_normalized(batch, Moments(np.full(1, 1.7e9), np.ones(1), 1e-9), 1e-8)

    np.testing.assert_allclose(now.var, batch.var(axis=0), rtol=1e-3)
    np.testing.assert_allclose(found.std(), 1, rtol=1e-3)
    assert (np.diff(found[:, 0]) > 0).all()


def test_the_batch_stays_as_it_was() -> None:
    batch = batches(4096, 17, dtype=np.float32)
    kept = batch.copy()
    moments.of_batch(batch)
    moments.normalized(batch, np.ones(17), np.ones(17), 1.0)
    moments.counted_and_normalized(batch, Moments(np.ones(17), np.ones(17), 1.0), 1.0)

    np.testing.assert_array_equal(batch, kept)
