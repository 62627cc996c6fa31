"""Remainders of eight float64, with the bits of the C library's `fmod(x, y)`, which is exact.

The quotient, rounded, is the whole number that is wanted or, just below the next one, that one: then the remainder has
the wrong sign, and one more divisor makes it right. None of these steps rounds.
"""

from __future__ import annotations

import math

from palaestra.language.llvm.tracing import Traced, bits_of, bits_of_number, choose, fma

_MANY = 2.0**31  # whole divisors, up to which this holds with room to spare


def remainder(x: Traced, y: Traced) -> tuple[Traced, Traced]:
    """Returns the remainders of float64, and whether they are none: too many divisors, or infinite ones."""
    ratio = x.apply("div", y)
    rest = fma(-ratio.apply("trunc"), y, x)
    step = y.apply("copysign", x)
    across = rest.apply("copysign", rest * step) < 0.0  # also if the product is too small for a float
    rest = choose(across, rest + step, rest).apply("copysign", x)
    known = bits_of(abs(ratio)) - bits_of_number(_MANY)
    return rest, known & (bits_of(abs(rest)) - bits_of_number(math.inf)) >= 0
