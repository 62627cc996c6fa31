"""The mathematics of dynamics, with one name for every runner.

In Python a name here is the `math` function itself, so it adds no cost for floats; the compiled runner replaces it with
the machine's instruction, and the JAX runner with the traced operation. `+ - * / % abs & | ~` and comparisons need no
name.

`sin cos sqrt atan2` give the same bits in Python, NumPy and compiled code. `exp`, `tan` and `tanh` do not, so they
are missing here: dynamics that need one choose an implementation for all runners. `pow2` and `pow2f` are squares whose
last bit differs from a product's.
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
    """Returns `x` clipped to the bounds."""
    return low if x < low else high if x > high else x


def minimum(a: float, b: float) -> float:
    """Returns the smaller of two numbers."""
    return b if b < a else a


def maximum(a: float, b: float) -> float:
    """Returns the larger of two numbers."""
    return b if b > a else a


def float32(x: float) -> float:
    """Returns `x` rounded to single precision, as a float.

    An operation `+ - * / sqrt` on such numbers, rounded again, equals that of single precision to the bit.
    """
    return c_float(x).value


def pow2(x: float) -> float:
    """Returns the square of `x` as given by the C library's `pow(x, 2)`, and by `x ** 2` in Python.

    For one number in 1,200 it is a neighbour of `x * x`. A compiler must not see the exponent, or it multiplies
    instead.
    """
    return x**2


def pow2f(x: float) -> float:
    """Returns the square of a number of single precision as given by the C library's `powf(x, 2)`; see `pow2`."""
    return float(single(x) ** 2)
