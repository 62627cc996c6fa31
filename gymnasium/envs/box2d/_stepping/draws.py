"""Random numbers that are drawn in Python and in machine code alike, from the same generator."""

from __future__ import annotations

from ctypes import c_void_p, cast
from typing import Any, NamedTuple


class Source(NamedTuple):
    """A bit generator for machine code."""

    draw: int
    """Address of its C function that draws a float64."""
    state: int
    """Address of that function's argument."""


def source_of(rng: Any) -> Source:
    """Returns the source of a `Stream`'s numbers, valid as long as its bit generator."""
    try:
        found: Source = rng.source
    except AttributeError:  # finding it takes longer than making a body of the engine
        interface = rng.bit_generator.ctypes
        found = rng.source = Source(cast(interface.next_double, c_void_p).value or 0, interface.state_address)
    return found


def random(rng: Any) -> float:
    """Draws a number in [0, 1), from a `Generator`; in machine code from a `Source`."""
    drawn: float = rng.random()
    return drawn
