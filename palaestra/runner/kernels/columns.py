"""Columns: a number, or an array of numbers, of every environment."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from palaestra.language.frozen import frozen
from palaestra.language.program import WIDTH

CACHE_LINE = 64  # bytes


def padded(n: int) -> int:
    """Returns the number of rows with room for n environments in lanes."""
    return -(-n // WIDTH) * WIDTH


def aligned(dtype: np.dtype, shape: tuple[int, ...], rows: int) -> np.ndarray:
    """Returns zeros at the beginning of a line of the cache, with room for so many rows.

    NumPy lets a view of a view depend on the array below both, so this is none of another array.
    """
    memory = bytearray(rows * math.prod(shape[1:]) * dtype.itemsize + CACHE_LINE)
    start = -np.frombuffer(memory, np.uint8).ctypes.data % CACHE_LINE
    return np.ndarray(shape, dtype, memory, start)


@dataclass(frozen=True)
class Column:
    """A number or an array of numbers of every environment."""

    name: str
    dtype: np.dtype
    shape: tuple[int, ...]
    is_numpy: bool = field(default=False, compare=False)  # whether dynamics hold a number of NumPy there
    longer: Callable[[np.ndarray], np.ndarray] | None = field(default=None, compare=False)  # rows with as much room

    def empty(self, n: int) -> np.ndarray:
        """Returns memory for n environments, with further room behind it for lanes."""
        return aligned(self.dtype, (padded(n), *self.shape), padded(n))[:n]


@frozen
class Leaf:
    """A part of an observation: its column, and its place in the result of `observation`."""

    column: Column
    path: str  # "[0]" for the first part of a Tuple
    is_array: bool  # whether it is given as an array, else as nested tuples of numbers

    @property
    def indices(self) -> list[int]:
        """The indices of the path."""
        return [int(index) for index in re.findall(r"\d+", self.path)]


def own_value(row: Any) -> Any:
    """Returns a copy of a row: an array, or a number, Python's where it has 64 bits."""
    if isinstance(row, np.ndarray):
        return row.copy()
    return row.item() if row.dtype in (np.float64, np.int64, np.bool_) else row
