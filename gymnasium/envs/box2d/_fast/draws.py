"""Random numbers that are drawn in Python and in machine code alike, from the same generator."""

from __future__ import annotations

from ctypes import c_void_p, cast
from typing import Any, NamedTuple

import numpy as np


class Source(NamedTuple):
    """A bit generator for machine code."""

    draw: int
    """Address of its C function that draws a float64."""
    state: int
    """Address of that function's argument."""


def source_of(bits: np.random.BitGenerator) -> Source:
    """Returns the source of a bit generator's numbers, valid as long as it lives."""
    interface = bits.ctypes
    return Source(cast(interface.next_double, c_void_p).value or 0, interface.state_address)


def random(rng: Any) -> float:
    """Draws a number in [0, 1), from a `Generator`; in machine code from a `Source`."""
    drawn: float = rng.random()
    return drawn
