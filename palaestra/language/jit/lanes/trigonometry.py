"""Sine and cosine of lanes, with the bits of the C library.

They are computed as sums of two floats whose error is far below that of a float (Dekker 1971, "A floating-point
technique for extending the available precision"; the angle is reduced after Cody and Waite 1980, "Software manual for
the elementary functions"). A library with an error of at most 0.55 units in the last place must round such a sum like
this module, unless the sum is near the middle of two floats: then, for one lane in nine, the library itself is called.
"""

from __future__ import annotations

import math
from fractions import Fraction

from palaestra.language.jit.c_library import NEAR
from palaestra.language.jit.exact.mathematics import OF_FLOATS
from palaestra.language.jit.lanes.llvm import Traced, bits_of, corrected, float_of, fma, of_lanes, select

_SIN, _COS = OF_FLOATS[math.sin], OF_FLOATS[math.cos]
_TWO_OVER_PI = 2.0 / math.pi
_QUARTER, _QUARTER_REST = math.pi / 2.0, 6.123233995736766e-17  # of a turn, and the remainder beyond a float
_FURTHEST = 1e5  # rad, up to which the remainder of a multiple of a quarter turn is exact
_NEAREST = 2.0**-20  # rad from a multiple of it: closer, too few bits of the remainder are known
_ROUNDING = 1.5 * 2.0**52  # added to a float to round off its fraction
_EXPONENT, _MANTISSA, _SIGN_SHIFT = 0x7FF << 52, (1 << 52) - 1, 62


def _coefficient(k: int) -> Fraction:
    return Fraction((-1) ** (k // 2), math.factorial(k))


_S1, _C2 = _coefficient(3), _coefficient(4)
_S1_HIGH, _S1_LOW = float(_S1), float(_S1 - Fraction(float(_S1)))
_C2_HIGH, _C2_LOW = float(_C2), float(_C2 - Fraction(float(_C2)))
_S2, _S3, _S4, _S5, _S6, _S7, _S8 = (float(_coefficient(k)) for k in range(5, 18, 2))
_C3, _C4, _C5, _C6, _C7, _C8, _C9 = (float(_coefficient(k)) for k in range(6, 19, 2))


def _reduced(x: Traced) -> tuple[Traced, Traced, Traced, Traced]:
    """The angle from the nearest multiple of a quarter turn, as a sum; that multiple; whether it is not exact."""
    shifted = fma(x, _TWO_OVER_PI, _ROUNDING)
    n = shifted - _ROUNDING
    product = n * _QUARTER
    rest = x - product
    missing = fma(n, _QUARTER_REST, fma(n, _QUARTER, -product))
    high = rest - missing
    low = (rest - high) - missing
    doubtful = (abs(x) > _FURTHEST) | x.differs(x) | ((abs(high) < _NEAREST) & n.differs(0.0))
    return high, low, bits_of(shifted), doubtful


def _sine(high: Traced, low: Traced, z: Traced, z_low: Traced) -> tuple[Traced, Traced]:
    """Sine and cosine of an angle up to an eighth of a turn, as sums; z is its square."""
    term = z * _S1_HIGH
    term_low = fma(z, _S1_HIGH, -term) + (z * _S1_LOW + z_low * _S1_HIGH)
    tail = fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, _S8, _S7), _S6), _S5), _S4), _S3), _S2)
    more = fma(z * z, tail, term_low)
    factor = term + more
    factor_low = (term - factor) + more
    product = high * factor
    product_low = fma(high, factor, -product) + high * factor_low
    total = high + product
    return total, ((high - total) + product) + (product_low + low * (1.0 + factor))


def _cosine(z: Traced, z_low: Traced) -> tuple[Traced, Traced]:
    half = 0.5 * z
    one = 1.0 - half
    one_low = (1.0 - one) - half
    square = z * z
    square_low = fma(z, z, -square) + 2.0 * z * z_low
    term = square * _C2_HIGH
    term_low = fma(square, _C2_HIGH, -term) + (square * _C2_LOW + square_low * _C2_HIGH)
    tail = fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, _C9, _C8), _C7), _C6), _C5), _C4), _C3)
    more = fma(square * z, tail, term_low)
    total = one + term
    return total, ((one - total) + term) + ((one_low - 0.5 * z_low) + more)


def _rounded(total: Traced, rest: Traced) -> tuple[Traced, Traced]:
    """The float of a sum, and whether the library may round it differently."""
    result = total + rest
    beyond = (total - result) + rest
    bits = bits_of(result)
    half_unit = float_of(bits & _EXPONENT) * 2.0**-53
    # Next to a power of two, the floats below are closer together.
    near = (abs(beyond) >= NEAR * half_unit) | (bits & _MANTISSA).is_equal(0)
    return result, near


def _circle(x: Traced) -> tuple[Traced, Traced, Traced, Traced, Traced]:
    """Sine and cosine of the reduced angle, whether each is doubtful, and the number of quarter turns."""
    high, low, turns, doubtful = _reduced(x)
    z = high * high
    z_low = fma(high, high, -z) + 2.0 * high * low
    s, s_rest = _sine(high, low, z, z_low)
    c, c_rest = _cosine(z, z_low)
    sine, sine_near = _rounded(s, s_rest)
    cosine, cosine_near = _rounded(c, c_rest)
    return sine, cosine, sine_near | doubtful, cosine_near | doubtful, turns


def _turned(value: Traced, turns: Traced) -> Traced:
    """Its negative after an odd number of half turns."""
    return float_of(bits_of(value) ^ ((turns & 2) << _SIGN_SHIFT))


@of_lanes
def sine_of(x: Traced) -> Traced:
    """Returns the sines of angles (rad)."""
    sine, cosine, sine_near, cosine_near, turns = _circle(x)
    odd = (turns & 1).differs(0)
    return corrected(_SIN, x, _turned(select(odd, cosine, sine), turns), select(odd, cosine_near, sine_near))


@of_lanes
def cosine_of(x: Traced) -> Traced:
    """Returns the cosines of angles (rad)."""
    sine, cosine, sine_near, cosine_near, turns = _circle(x)
    odd = (turns & 1).differs(0)
    return corrected(_COS, x, _turned(select(odd, sine, cosine), turns + 1), select(odd, sine_near, cosine_near))
