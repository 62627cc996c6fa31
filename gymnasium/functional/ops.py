"""The mathematics of dynamics, under one name for every runner.

In Python a name here is the `math` function itself, so it costs a float nothing more; the compiled runner puts the
machine's instruction behind it, and the JAX runner the traced operation. `+ - * / % abs & | ~` and comparisons need
no name.

`sin cos sqrt atan2` give the same bits in Python, NumPy and compiled code. `exp`, `tan` and `tanh` do not, so they
are not here: dynamics that need one choose an implementation for all runners. `pow2` and `pow2f` are squares with a
last bit of their own.
"""

from __future__ import annotations

from ctypes import c_float
from math import atan2, cos, floor, pi, sin, sqrt
from typing import TypeVar

from numpy import float32 as single

T = TypeVar("T")

__all__ = [
    "atan2",
    "clip",
    "cos",
    "float32",
    "floor",
    "maximum",
    "minimum",
    "pi",
    "pow2",
    "pow2f",
    "sin",
    "sqrt",
    "where",
]


def where(condition: bool, a: T, b: T) -> T:
    """Returns `a` if `condition` holds, else `b`. Both are computed."""
    return a if condition else b


def clip(x: float, low: float, high: float) -> float:
    """Returns `x`, or the bound that it lies beyond."""
    return low if x < low else high if x > high else x


def minimum(a: float, b: float) -> float:
    """Returns the smaller of two numbers."""
    return b if b < a else a


def maximum(a: float, b: float) -> float:
    """Returns the larger of two numbers."""
    return b if b > a else a


def float32(x: float) -> float:
    """Returns `x` rounded to single precision, as a float.

    An operation `+ - * / sqrt` on such numbers, rounded again, is the one of single precision to the bit.
    """
    return c_float(x).value


def pow2(x: float) -> float:
    """Returns the square of `x` as the C library's `pow(x, 2)` gives it, which is what `x ** 2` does in Python.

    For one number in 1,200 this is the neighbour of `x * x`. A compiler must not see the exponent, else it multiplies.
    """
    return x**2


def pow2f(x: float) -> float:
    """Returns the square of a number of single precision as the C library's `powf(x, 2)` gives it; see `pow2`."""
    return float(single(x) ** 2)
