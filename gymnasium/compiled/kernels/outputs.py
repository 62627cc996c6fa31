"""The arrays that steps return: the kernels copy fresh results, while they are in the cache, into these arrays.

An array without other references is reused: new memory from the operating system takes longer than the steps of a
large batch. A view of an array, or a tensor of its memory, counts as a reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.compiled.kernels.columns import Column, aligned, padded
from gymnasium.compiled.kernels.packing import packed
from gymnasium.spaces.space import Space

KEPT = 3  # sets of arrays: one in use by the caller, one being written, and one for callers that keep the last step
SOURCE, TARGET, SIZE = range(3)  # of a row of a table

Results = tuple[Any, np.ndarray, np.ndarray, np.ndarray]  # observations, rewards, terminations, truncations


class Handed:
    """Copies of the columns that a step returns.

    Args:
        space: The space of one observation.
        columns: The arrays, of n rows each: the parts of the observations, rewards, terminations and truncations.
        told: The columns of `Layout.told`, to which the kernels write without a copy.
    """

    def __init__(self, space: Space, columns: list[np.ndarray], told: list[Column]) -> None:
        self._space, self._columns, self._told = space, columns, told
        self._kept: list[HandedSet] = []

    def renew(self) -> HandedSet:
        """Returns arrays without other references, for the next step."""
        for kept in self._kept:
            if sum(map(getrefcount, kept.objects)) == kept.alone:
                return kept
        kept = HandedSet(self._space, self._columns, self._told)
        self._kept = [*self._kept[1 - KEPT :], kept]
        return kept

    def copy_rows(self, kept: HandedSet, rows: NDArray[np.int64]) -> None:
        """Copy some rows again."""
        for column, array in zip(self._columns, kept.objects, strict=False):
            array[rows] = column[rows]


class HandedSet:
    """Arrays with the shapes and dtypes of some columns.

    Attributes:
        results: The arrays, in the form of a step's results.
        told: The arrays of what infos tell.
        objects: All objects of the results that a caller may hold.
        alone: The number of references to these without a caller.
        address: The address of a table for the kernels with, for each column, its address, that of the copy, and the
            bytes of a row.
        told_addresses: The addresses of `told`.
    """

    def __init__(self, space: Space, columns: list[np.ndarray], told: list[Column]) -> None:
        self.objects: list[Any] = [np.empty_like(column) for column in columns]
        rows = [(a.ctypes.data, b.ctypes.data, a[0].nbytes) for a, b in zip(columns, self.objects, strict=True)]
        self._table = np.array(rows, np.int64)
        self.address = self._table.ctypes.data
        self.results = results_of(space, self.objects)
        self.objects += _collections_in(self.results[0])
        self.told = [aligned(column.dtype, (len(columns[0]),), padded(len(columns[0]))) for column in told]
        self.objects += self.told
        self.told_addresses = np.array([array.ctypes.data for array in self.told], np.int64)
        self.alone = sum(map(getrefcount, self.objects))


def results_of(space: Space, columns: list[np.ndarray]) -> Results:
    """Returns a step's results from the columns: observations are tuples if their space is a `Tuple`."""
    *leaves, rewards, terminations, truncations = columns
    return packed(space, iter(leaves)), rewards, terminations, truncations


def _collections_in(observations: object) -> Iterator[Any]:
    if isinstance(observations, (tuple, dict)):
        yield observations
        for part in observations.values() if isinstance(observations, dict) else observations:
            yield from _collections_in(part)
