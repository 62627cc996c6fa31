"""Several pictures as one."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

import numpy as np
from numpy.typing import NDArray


def grid_shape(n: int, height: int, width: int, aspect: float) -> tuple[int, int]:
    """Returns the rows and columns of a full grid of `n` pictures.

    Of the grids with no more rows than columns, it is the one with the ratio of width to height nearest to `aspect`.
    """
    grids = [(rows, n // rows) for rows in range(1, isqrt(n) + 1) if n % rows == 0]
    return min(grids, key=lambda grid: abs(grid[1] * width / (grid[0] * height) - aspect))


def tiled(frames: Sequence[NDArray[np.uint8]], rows: int, columns: int) -> NDArray[np.uint8]:
    """Returns `rows * columns` pictures of one shape (height, width, 3) as one, row by row.

    Raises:
        ValueError: If their shapes differ.
    """
    shapes = {frame.shape for frame in frames}
    if len(shapes) > 1:
        raise ValueError(f"Pictures of one shape can be put side by side, but these have {sorted(shapes)}")
    height, width, channels = frames[0].shape
    grid = np.reshape(np.stack(frames), (rows, columns, height, width, channels))
    return grid.swapaxes(1, 2).reshape(rows * height, columns * width, channels)
