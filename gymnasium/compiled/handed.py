"""The arrays that steps return: the kernels copy what they have just computed, while the cache has it, into them.

An array that nobody else holds any more is used again: to get new memory from the operating system takes longer than
the steps of a large batch.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEPT = 3  # sets of arrays: one that a caller has, one that is written to, one more for those who look back a step
SOURCE, TARGET, SIZE = range(3)  # of a row of the table


class Handed:
    """Copies of some columns.

    Args:
        columns: The arrays that are copied, of n rows each.

    Attributes:
        table: For each column its address, that of the copy, and the bytes of a row, which the kernels read.
    """

    def __init__(self, columns: list[NDArray[Any]]) -> None:
        self._columns = columns
        self.table = np.zeros((len(columns), 3), np.int64)
        self.table[:, SOURCE] = _addresses(columns)
        self.table[:, SIZE] = [column.strides[0] for column in columns]
        self._kept: list[_Set] = []

    def renew(self) -> list[NDArray[Any]]:
        """Returns the arrays that the next step is copied to, which nobody holds yet."""
        kept = next((one for one in self._kept if one.is_free()), None)
        if kept is None:
            kept = _Set([np.empty_like(column) for column in self._columns])
            self._kept = [*self._kept[1 - KEPT :], kept]
        self.table[:, TARGET] = kept.addresses
        return kept.arrays


class _Set:
    """Arrays, and how many references there are to each while nobody else has one."""

    def __init__(self, arrays: list[NDArray[Any]]) -> None:
        self.arrays = arrays
        self.addresses = np.array(_addresses(arrays), np.int64)
        self._alone = list(map(getrefcount, arrays))

    def is_free(self) -> bool:
        return list(map(getrefcount, self.arrays)) == self._alone


def _addresses(arrays: list[NDArray[Any]]) -> list[int]:
    return [array.ctypes.data for array in arrays]
