"""The numbers of an object, by its address: from some byte of the object on, one behind the other.

They are columns, see `column_at`: an index is not checked, and one of the columns of `pairs` is two numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from palaestra.language.operations.memory import column_at, row_at


def words(address: int, byte: int = 0) -> Any:
    """Returns the integers of 64 bits: addresses, counts."""
    return column_at(row_at(address, 1, byte), np.int64)


def integers(address: int, byte: int = 0) -> Any:
    """Returns the integers of 32 bits."""
    return column_at(row_at(address, 1, byte), np.int32)


def floats(address: int, byte: int = 0) -> Any:
    """Returns the floats of 32 bits, with which one computes in 32 bits."""
    return column_at(row_at(address, 1, byte), np.float32)


def pairs(address: int, byte: int = 0) -> Any:
    """Returns the same two by two, of shape (2,) each."""
    return column_at(row_at(address, 1, byte), np.float32, (2,))


def doubles(address: int, byte: int = 0) -> Any:
    """Returns the floats of 64 bits."""
    return column_at(row_at(address, 1, byte), np.float64)


def octets(address: int, byte: int = 0) -> Any:
    """Returns the bytes."""
    return column_at(row_at(address, 1, byte), np.uint8)


def flags(address: int, byte: int = 0) -> Any:
    """Returns the integers of 16 bits, without a sign."""
    return column_at(row_at(address, 1, byte), np.uint16)
