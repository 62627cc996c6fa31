"""Several pictures as one."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.rendering.tiling import grid_shape, tiled


@pytest.mark.parametrize(
    ("n", "size", "aspect", "wanted"),
    [
        (1, (10, 10), 1, (1, 1)),
        (4, (10, 10), 1, (2, 2)),
        (4, (10, 10), 4, (1, 4)),
        (6, (10, 10), 1, (2, 3)),
        (7, (9, 9), 1, (1, 7)),
        (12, (10, 10), 3, (2, 6)),
        (12, (20, 10), 0.5, (3, 4)),
    ],
)
def test_the_grid_comes_near_to_the_aspect(n, size, aspect, wanted):
    assert grid_shape(n, *size, aspect) == wanted


def test_pictures_are_laid_row_by_row():
    frames = [np.full((2, 3, 3), i, np.uint8) for i in range(6)]
    picture = tiled(frames, 2, 3)
    assert picture.shape == (4, 9, 3)
    assert picture[::2, ::3, 0].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_pictures_of_different_shapes_are_refused():
    with pytest.raises(ValueError, match=r"\(1, 2, 3\).*\(2, 2, 3\)"):
        tiled([np.zeros((1, 2, 3), np.uint8), np.zeros((2, 2, 3), np.uint8)], 1, 2)
