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

from gymnasium.spaces.space import Space
from palaestra.runner.kernels.columns import Column, aligned, padded
from palaestra.runner.kernels.packing import packed

KEPT = 3  # sets of arrays: one in use by the caller, one being written, and one for callers that keep the last step
SOURCE, TARGET, SIZE = range(3)  # of a row of a table
NO_COPIES = np.zeros((1, 3), np.int64)  # a table without a source

Results = tuple[Any, np.ndarray, np.ndarray, np.ndarray]  # observations, rewards, terminations, truncations


class OutputPool:
    """Copies of the columns that a step returns.

    Args:
        space: The space of one observation.
        columns: The arrays, of n rows each: the parts of the observations, rewards, terminations and truncations.
        info_params: The columns of `Layout.info_params`, to which the kernels write without a copy.
    """

    def __init__(self, space: Space, columns: list[np.ndarray], info_params: list[Column]) -> None:
        self._space, self._columns, self._info_params = space, columns, info_params
        self._kept: list[OutputArrays] = []

    def renew(self) -> OutputArrays:
        """Returns arrays without other references, for the next step."""
        for kept in self._kept:
            if sum(map(getrefcount, kept.objects)) == kept.alone:
                return kept
        kept = OutputArrays(self._space, self._columns, self._info_params)
        self._kept = [*self._kept[1 - KEPT :], kept]
        return kept

    def copy_rows(self, kept: OutputArrays, rows: NDArray[np.int64]) -> None:
        """Copy some rows again."""
        for column, array in zip(self._columns, kept.objects, strict=False):
            array[rows] = column[rows]


class OutputArrays:
    """Arrays with the shapes and dtypes of some columns.

    Attributes:
        results: The arrays, in the form of a step's results.
        info_params: The arrays of own params in infos.
        objects: All objects of the results that a caller may hold.
        alone: The number of references to these without a caller.
        table: For the kernels, for each column its address, that of the copy, and the bytes of a row.
        info_param_addresses: The addresses of `info_params`.
    """

    def __init__(self, space: Space, columns: list[np.ndarray], info_params: list[Column]) -> None:
        self.objects: list[Any] = [np.empty_like(column) for column in columns]
        rows = [(a.ctypes.data, b.ctypes.data, a[0].nbytes) for a, b in zip(columns, self.objects, strict=True)]
        self.table = np.array(rows, np.int64)
        self.results = results_of(space, self.objects)
        self.objects += _collections_in(self.results[0])
        self.info_params = [
            aligned(column.dtype, (len(columns[0]),), padded(len(columns[0]))) for column in info_params
        ]
        self.objects += self.info_params
        self.info_param_addresses = np.array([array.ctypes.data for array in self.info_params], np.int64)
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
