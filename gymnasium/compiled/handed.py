"""The arrays that steps return: the kernels copy what they have just computed, while the cache has it, into them.

An array that nobody else holds any more is used again: to get new memory from the operating system takes longer than
the steps of a large batch. Whoever holds a view of an array, or a tensor of its memory, holds the array.
"""

from __future__ import annotations

from collections.abc import Iterator
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.compiled.packing import packed
from gymnasium.spaces.space import Space

KEPT = 3  # sets of arrays: one that a caller has, one that is written to, one more for those who look back a step
SOURCE, TARGET, SIZE = range(3)  # of a row of a table

Results = tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any]]  # observations, rewards, terminations, truncations


class Handed:
    """Copies of the columns that a step returns.

    Args:
        space: The space of one observation.
        columns: The arrays, of n rows each: the parts of the observations, rewards, terminations and truncations.
    """

    def __init__(self, space: Space[Any], columns: list[NDArray[Any]]) -> None:
        self._space, self._columns = space, columns
        self._kept: list[HandedSet] = []

    def renew(self) -> HandedSet:
        """Returns arrays that nobody holds, for the next step."""
        for kept in self._kept:
            if sum(map(getrefcount, kept.objects)) == kept.alone:
                return kept
        kept = HandedSet(self._space, self._columns)
        self._kept = [*self._kept[1 - KEPT :], kept]
        return kept

    def copy_rows(self, kept: HandedSet, rows: NDArray[np.int64]) -> None:
        """Copy some rows anew."""
        for column, array in zip(self._columns, kept.objects, strict=False):
            array[rows] = column[rows]


class HandedSet:
    """Arrays like some columns.

    Attributes:
        results: They, as a step returns them.
        objects: All that a caller may hold of the results.
        alone: How many references there are to these while nobody does.
        address: Where kernels find a table with, for each column, its address, that of the copy, the bytes of a row.
    """

    def __init__(self, space: Space[Any], columns: list[NDArray[Any]]) -> None:
        self.objects: list[Any] = [np.empty_like(column) for column in columns]
        rows = [(a.ctypes.data, b.ctypes.data, a.strides[0]) for a, b in zip(columns, self.objects, strict=True)]
        self._table = np.array(rows, np.int64)
        self.address = self._table.ctypes.data
        self.results = results_of(space, self.objects)
        self.objects += _tuples_in(self.results[0])
        self.alone = sum(map(getrefcount, self.objects))


def results_of(space: Space[Any], columns: list[NDArray[Any]]) -> Results:
    """Returns what a step returns of the columns: observations are tuples where their space is a `Tuple`."""
    *leaves, rewards, terminations, truncations = columns
    return packed(space, iter(leaves)), rewards, terminations, truncations


def _tuples_in(observations: Any) -> Iterator[Any]:
    if isinstance(observations, tuple):
        yield observations
        for part in observations:
            yield from _tuples_in(part)
