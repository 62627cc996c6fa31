"""Sine and cosine of eight float64, with the bits of the C library.

They are computed as sums of two floats whose error is far below that of a float (Dekker 1971, "A floating-point
technique for extending the available precision"; the angle is reduced after Cody and Waite 1980, "Software manual for
the elementary functions"). A library with an error of at most 0.55 units in the last place must round such a sum like
this module, unless the sum is near the middle of two floats: then, for one lane in nine, the library itself is called.
"""

from __future__ import annotations

import math
import platform
from typing import NamedTuple

from palaestra.language.llvm.tracing import Traced, bits_of, bits_of_number, choose, float_of, fma

# The distance from a float, in halves of the gap between two, within which glibc surely rounds to it. By its sources,
# its error is at most 0.55 units in the last place: with 0.9 halves or less it cannot give another float. Two
# hundredths allow for errors of this module. Other libraries are unknown, and therefore always called.
_NEAR = 0.88 if platform.libc_ver()[0] == "glibc" else 0.0
_TWO_OVER_PI = 2.0 / math.pi
_QUARTER, _QUARTER_REST = math.pi / 2.0, 6.123233995736766e-17  # of a turn, and the remainder beyond a float
_FURTHEST = 1e5  # rad, up to which the remainder of a multiple of a quarter turn is exact
_NEAREST = 2.0**-20  # rad from a multiple of it: closer, too few bits of the remainder are known
_ROUNDING = 1.5 * 2.0**52  # added to a float to round off its fraction
_EXPONENT, _MANTISSA, _SIGN_SHIFT = 0x7FF << 52, (1 << 52) - 1, 62


def _coefficient(k: int) -> tuple[float, float]:
    """Returns `1 / k!` with the sign of its term in a series, as the sum of two floats."""
    sign, product = (-1) ** (k // 2), math.factorial(k)
    high = sign / product
    above, below = high.as_integer_ratio()
    return high, (sign * below - above * product) / (below * product)


_S1_HIGH, _S1_LOW = _coefficient(3)
_C2_HIGH, _C2_LOW = _coefficient(4)
_SINES = [_coefficient(k)[0] for k in range(17, 4, -2)]
_COSINES = [_coefficient(k)[0] for k in range(18, 5, -2)]


class Circle(NamedTuple):
    """Sine and cosine of an angle reduced to an eighth of a turn, as sums; the quarter turns; whether that is known.

    A word is negative where something is known: processors collect signs faster than truths.
    """

    sine: tuple[Traced, Traced]
    cosine: tuple[Traced, Traced]
    turns: Traced
    known: Traced


def circle(x: Traced) -> Circle:
    """Returns what `sine` and `cosine` of angles (rad) have in common."""
    high, low, turns, known = _reduced(x)
    z = high * high
    z_low = fma(high, high, -z) + high * 2.0 * low
    return Circle(_sine(high, low, z, z_low), _cosine(z, z_low), turns, known)


def sine(of: Circle) -> tuple[Traced, Traced]:
    """Returns the sines of angles, and whether the library may round them differently."""
    return _turned(of, of.cosine, of.sine, of.turns)


def cosine(of: Circle) -> tuple[Traced, Traced]:
    """Returns the cosines of angles, and whether the library may round them differently."""
    return _turned(of, of.sine, of.cosine, of.turns.apply("add", 1))


def _reduced(x: Traced) -> tuple[Traced, Traced, Traced, Traced]:
    """The angle from the nearest multiple of a quarter turn, as a sum; that multiple; whether it is exact."""
    shifted = fma(x, _TWO_OVER_PI, _ROUNDING)
    n = shifted - _ROUNDING
    product = n * _QUARTER
    rest = x - product
    missing = fma(n, _QUARTER_REST, fma(n, _QUARTER, -product))
    high = rest - missing
    low = (rest - high) - missing
    within = bits_of(abs(x)) - bits_of_number(_FURTHEST)
    away = bits_of_number(_NEAREST) - bits_of(abs(high))
    first = bits_of(abs(n)) - 1
    return high, low, bits_of(shifted), within & (away | first)


def _tail(z: Traced, coefficients: list[float]) -> Traced:
    """A polynomial of z, with the coefficient of the highest power first."""
    first, second, *others = coefficients
    total = fma(z, first, second)
    for coefficient in others:
        total = fma(z, total, coefficient)
    return total


def _sine(high: Traced, low: Traced, z: Traced, z_low: Traced) -> tuple[Traced, Traced]:
    """The sine of an angle up to an eighth of a turn, as a sum; z is its square."""
    term = z * _S1_HIGH
    term_low = fma(z, _S1_HIGH, -term) + (z * _S1_LOW + z_low * _S1_HIGH)
    more = fma(z * z, _tail(z, _SINES), term_low)
    factor = term + more
    factor_low = (term - factor) + more
    product = high * factor
    product_low = fma(high, factor, -product) + high * factor_low
    total = high + product
    return total, ((high - total) + product) + (product_low + low * (factor + 1.0))


def _cosine(z: Traced, z_low: Traced) -> tuple[Traced, Traced]:
    half = z * 0.5
    one = -(half - 1.0)
    one_low = -(one - 1.0) - half
    square = z * z
    square_low = fma(z, z, -square) + z * 2.0 * z_low
    term = square * _C2_HIGH
    term_low = fma(square, _C2_HIGH, -term) + (square * _C2_LOW + square_low * _C2_HIGH)
    more = fma(square * z, _tail(z, _COSINES), term_low)
    total = one + term
    return total, ((one - total) + term) + ((one_low - z_low * 0.5) + more)


def _turned(
    of: Circle, odd: tuple[Traced, Traced], even: tuple[Traced, Traced], turns: Traced
) -> tuple[Traced, Traced]:
    """One sum after an odd number of quarter turns, else the other, rounded; its negative after odd half turns."""
    is_odd = (of.turns << 63) < 0
    total, rest = (choose(is_odd, *parts) for parts in zip(odd, even, strict=True))
    result = total + rest
    beyond = (total - result) + rest
    bits = bits_of(result)
    limit = float_of(bits & _EXPONENT) * (2.0**-53 * _NEAR)
    # Next to a power of two, the floats below are closer together.
    clear = bits_of(abs(beyond) - limit) & -(bits & _MANTISSA) & of.known
    return float_of(bits ^ ((turns & 2) << _SIGN_SHIFT)), clear >= 0
