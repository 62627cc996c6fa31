"""Random streams as rows of an array, which compiled code and NumPy's generators continue alike.

A row has five words of 64 bits: the state (low, high), the increment (low, high), and the spare half of the last draw
of 32 bits with, above it, the bit that says whether it is still unused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORDS = 5  # of a row

_LOW = (1 << 64) - 1


def row_of(bits: np.random.BitGenerator) -> NDArray[np.uint64]:
    """Returns the row of a PCG64 generator.

    Raises:
        ValueError: If it is of another kind.
    """
    state = bits.state
    if state["bit_generator"] != "PCG64":
        raise ValueError(f"The compiled runner draws from PCG64 generators, but a {state['bit_generator']} came")
    number, increment = state["state"]["state"], state["state"]["inc"]
    spare = (state["has_uint32"] << 32) | state["uinteger"]
    return np.array([number & _LOW, number >> 64, increment & _LOW, increment >> 64, spare], np.uint64)


def generator_at(row: NDArray[np.uint64]) -> np.random.Generator:
    """Returns a generator that continues from a row; the row itself does not advance."""
    bits = np.random.PCG64(0)
    bits.state = _state_at(row)
    return np.random.Generator(bits)


def advancing(rows: NDArray[np.uint64]) -> Iterator[np.random.Generator]:
    """Yields for each row a generator that continues from it, until the next one is taken; the row advances then."""
    bits = np.random.PCG64(0)
    generator = np.random.Generator(bits)
    for row in rows:
        bits.state = _state_at(row)
        yield generator
        row[:] = row_of(bits)


def _state_at(row: NDArray[np.uint64]) -> Any:
    low, high, increment_low, increment_high, spare = row.tolist()
    return {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": increment_high << 64 | increment_low},
        "has_uint32": spare >> 32,
        "uinteger": spare & 0xFFFFFFFF,
    }
