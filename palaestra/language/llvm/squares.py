"""Squares with the bits of the C library's `pow(x, 2)`, of one float64 or of eight.

A library with a small error must round an exact square like the processor, unless the square is near the middle between
two floats, or next to a power of two, below which floats are closer together. Then the library itself is called.
"""

from __future__ import annotations

import platform

from palaestra.language.llvm import outward
from palaestra.language.llvm.numbers import Numbers
from palaestra.language.llvm.text import Writer
from palaestra.language.llvm.tracing import Traced, bits_of, bits_of_number, corrected, float_of, fma
from palaestra.language.program import FLOAT64, Value

# The distance from a float, in halves of the gap between two, within which glibc surely rounds to it: its error of
# `pow` is at most 0.511 units in the last place, plus 1.5 * 2^-15 for each unit of the result's logarithm. Other
# libraries are unknown, and therefore always called.
_NEAR = 0.97 if platform.libc_ver()[0] == "glibc" else 0.0
_LOWEST, _HIGHEST = 1e-6, 1e6  # between which squares are exact enough
_EXPONENT, _MANTISSA = 0x7FF << 52, (1 << 52) - 1


def is_square(value: Value) -> bool:
    """Returns whether a call of the C library is a square of a float64."""
    if value.attribute != "pow" or len(value.arguments) != 2:
        return False
    exponent = value.arguments[1]
    return exponent.operation == "constant" and exponent.attribute == 2


def square(x: Traced) -> tuple[Traced, Traced]:
    """Returns the squares of float64, and whether the library may round them differently."""
    product = x * x
    bits = bits_of(product)
    limit = float_of(bits & _EXPONENT) * (2.0**-53 * _NEAR)
    within = (bits - bits_of_number(_HIGHEST)) & (bits_of_number(_LOWEST) - bits)
    clear = bits_of(abs(fma(x, x, -product)) - limit) & -(bits & _MANTISSA) & within
    return product, clear >= 0


def power(writer: Writer, numbers: Numbers, value: Value, arguments: list[str]) -> str | None:
    """Write a square of one number; returns it, or None if the call is not one."""
    if not is_square(value):
        return None
    product, doubtful = square(Traced(writer, numbers, FLOAT64, arguments[0]))

    def answer() -> str:
        return outward.called(writer, "pow", arguments)

    return corrected(product.text, doubtful.text, writer, numbers, answer)
