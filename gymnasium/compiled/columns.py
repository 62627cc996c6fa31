"""Columns: a number, or an array of numbers, of every environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Column:
    """A number or an array of numbers of every environment."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def empty(self, n: int) -> NDArray[Any]:
        """Returns the memory of n environments."""
        return np.zeros((n, *self.shape), self.dtype)


@dataclass(frozen=True)
class Leaf:
    """A part of an observation: its column, and how to reach it in what `observation` returns."""

    column: Column
    path: str  # "[0]" for the first part of a Tuple
    is_array: bool  # whether it is given as an array, else as nested tuples of numbers
