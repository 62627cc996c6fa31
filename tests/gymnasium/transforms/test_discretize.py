"""Boxes cut into cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.transforms import discretize
from gymnasium.transforms.discretize import Grid, grid

BOX = Box(np.array([0, -1], np.float32), np.array([10, 1], np.float32))


def over(multidiscrete: bool = False, bins: Any = (5, 2)) -> Grid:
    return grid("A test", BOX, bins, multidiscrete)


def test_the_space_is_that_of_the_cells() -> None:
    assert discretize.cells(over()) == Discrete(10)
    assert discretize.cells(over(True)) == MultiDiscrete([5, 2])
    assert discretize.cells(over(bins=3)) == Discrete(9)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ([0, -1], (0, 0)),
        ([1.9, -0.1], (0, 0)),
        ([2, 0], (1, 1)),
        ([10, 1], (4, 1)),
        ([-9, 9], (0, 1)),
        ([99, -9], (4, 0)),
    ],
)
def test_a_value_lies_in_a_cell(value: list[float], cell: tuple[int, int]) -> None:
    """The lower edge belongs to a cell; what lies outside counts to the border."""
    found = discretize.cell(np.array(value, np.float32), over(True))

    assert tuple(found) == cell
    assert found.dtype == np.int64
    assert discretize.cell(np.array(value), over()) == cell[0] * 2 + cell[1]
    assert type(discretize.cell(np.array(value), over())) is int


@given(st.lists(st.floats(0, 10, width=32), min_size=2, max_size=2), st.booleans())
def test_a_value_lies_between_the_bounds_of_its_cell_and_its_middle_in_it(value: list[float], multi: bool) -> None:
    value = [value[0], value[1] / 5 - 1]
    cell = discretize.cell(np.array(value), over(multi))
    low, high = discretize.interval(cell, over(multi))

    assert (low <= value).all()
    assert (value <= high).all()
    np.testing.assert_allclose(discretize.center(cell, over(multi)), (low + high) / 2)
    assert np.all(discretize.cell(discretize.center(cell, over(multi)), over(multi)) == cell)
    assert np.all(discretize.nearest_cell(discretize.center(cell, over(multi)), over(multi)) == cell)


@pytest.mark.parametrize("multi", [False, True])
def test_batches_are_cut_row_by_row(multi: bool) -> None:
    batch = np.stack([BOX.sample() for _ in range(9)])
    cells = discretize.cells_of(batch, over(multi))

    assert cells.tolist() == [np.asarray(discretize.cell(row, over(multi))).tolist() for row in batch]
    centers = [discretize.center(cell, over(multi)) for cell in cells]
    np.testing.assert_array_equal(discretize.centers_of(cells, over(multi)), centers)
    assert all(center in BOX for center in centers)


def test_an_index_beyond_the_grid_is_the_last() -> None:
    assert discretize.center(99, over()).tolist() == discretize.center(9, over()).tolist()
    assert discretize.center([9, -9], over(True)).tolist() == [9, -0.5]


def test_integers_are_rounded_so_that_all_are_reached() -> None:
    integers = grid("A test", Box(0, 1, (1,), np.int8), 2, False)

    assert [discretize.center(cell, integers).tolist() for cell in (0, 1)] == [[0], [1]]
    assert discretize.center(0, integers).dtype == np.int8


def test_any_shape_can_be_cut() -> None:
    square = grid("A test", Box(0, 1, (2, 2)), 2, False)

    assert discretize.center(15, square).tolist() == [[0.75, 0.75], [0.75, 0.75]]
    assert discretize.cell(np.array([[0, 0], [0, 1]]), square) == 1
    assert discretize.interval(1, square)[0].tolist() == [[0, 0], [0, 0.5]]


@pytest.mark.parametrize(
    ("space", "bins", "error", "named"),
    [
        (Discrete(3), 2, TypeError, "Box"),
        (Box(-np.inf, 1), 2, ValueError, "low=.*high="),
        (Box(-np.inf, np.inf, (1,), np.int32), 2, ValueError, "finite"),
        (Box(1, 1), 2, ValueError, "differ"),
        (BOX, 2.0, TypeError, "bins"),
        (BOX, "52", TypeError, "bins"),
        (BOX, (5, 2.0), TypeError, "bins"),
        (BOX, (5,), ValueError, "bins"),
        (BOX, 0, ValueError, "bins"),
        (BOX, (5, -1), ValueError, "bins"),
    ],
)
def test_what_cannot_be_cut_is_refused(space: Any, bins: Any, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        grid("A test", space, bins, False)


def test_bins_may_be_a_list() -> None:
    """That is what a tuple is in JSON."""
    assert grid("A test", BOX, [5, 2], False).bins == (5, 2)  # type: ignore[arg-type]
