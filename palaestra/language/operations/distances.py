"""`math.hypot` and `math.dist`, as CPython computes them: squares are added with their rests, and the root corrected.

Since that has changed from version to version, `is_ours` compares the two before either is compiled.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arithmetic import as_float, floating, leave_to_python_if
from palaestra.language.operations.drawing import any_numbers, python_numbers
from palaestra.language.operations.searching import listed
from palaestra.language.operations.table import built
from palaestra.language.program import FLOAT64, INT64
from palaestra.language.types import Number, Term, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

_TRIES = 200


def c_fma(x: float, y: float, z: float) -> float:
    """`x * y + z`, rounded once."""
    from fractions import Fraction  # late, as it is rarely needed

    return float(Fraction(x) * Fraction(y) + Fraction(z))


@built(c_fma, folds=False)
def _fma(front: FrontEnd, x: Term, y: Term, z: Term) -> Term:
    return floating(front.emit("fma", FLOAT64, *(as_float(front, one) for one in (x, y, z))))


def power_below_one(x: float) -> float:
    """Returns the power of two that brings a number of usual size to between a half and one."""
    return math.ldexp(1.0, -math.frexp(x)[1])


@built(power_below_one, folds=False)
def _power_below_one(front: FrontEnd, x: Term) -> Term:
    bits = front.emit("bits", INT64, as_float(front, x))
    exponent = front.compute("shr", bits, front.number(52))
    opposite = front.compute("sub", front.number(2045), exponent)
    return floating(front.emit("bits", FLOAT64, front.compute("shl", opposite, front.number(52))))


def norm(sizes: tuple[float, ...]) -> float:
    """Returns the root of the sum of squares of numbers that are not negative."""
    largest = 0.0
    infinite = unknown = False
    for x in sizes:
        infinite = infinite or x == math.inf
        unknown = unknown or x != x
        largest = x if x > largest else largest
    if infinite:
        return math.inf
    if unknown:
        return math.nan
    if largest == 0.0 or len(sizes) < 2:
        return largest
    leave_to_python_if(not 1e-290 < largest < 1e290)
    return _norm_of_usual(sizes, power_below_one(largest))


def _norm_of_usual(sizes: tuple[float, ...], scale: float) -> float:
    total, rests, lost = 1.0, 0.0, 0.0
    for x in sizes:
        y = x * scale
        square = y * y
        rests += c_fma(y, y, -square)
        more = total + square
        lost += square - (more - total)
        total = more
    root = math.sqrt(total - 1.0 + (rests + lost))
    square = -root * root
    rests += c_fma(-root, root, -square)
    more = total + square
    lost += square - (more - total)
    root += (more - 1.0 + (rests + lost)) / (2.0 * root)
    return root / scale


@cache
def is_ours() -> bool:
    """Returns whether this Python's `math.hypot` is `norm`, as far as trying shows."""
    rng = np.random.default_rng(0)
    drawn = np.abs(rng.normal(size=(_TRIES, 3)) * 10.0 ** rng.integers(-3, 4, (_TRIES, 3))).tolist()
    return all(math.hypot(*one[:k]) == norm(tuple(one[:k])) for one in drawn for k in (2, 3))


def _norm(front: FrontEnd, terms: list[Term]) -> Term:
    if not is_ours():
        raise Refused("math.hypot of this Python is not known to the bit", "write math.sqrt(x * x + y * y)")
    sizes = [floating(front.compute("fabs", term.part)) for term in terms]
    return front.call_function(norm, [tuple_of(sizes)], {})


def _reals(front: FrontEnd, terms: list[Term]) -> list[Term]:
    if not all(isinstance(front.materialized(term).type, Number) for term in terms):
        raise Refused("the coordinates are not all numbers")
    return [floating(as_float(front, term)) for term in terms]


@built(math.hypot, tries=(python_numbers("fi", 2), python_numbers("f", 3), any_numbers("if", 2)), note="up to 1e290")
def _hypot(front: FrontEnd, *coordinates: Term) -> Term:
    return _norm(front, _reals(front, [*coordinates]))


def _points(rng: np.random.Generator) -> tuple[Any, ...]:
    return python_numbers("f", 2)(rng), python_numbers("fi", 2)(rng)


@built(math.dist, tries=(_points,), note="up to 1e290")
def _dist(front: FrontEnd, p: Term, q: Term) -> Term:
    one, other = (_reals(front, listed(front, each, "math.dist()")) for each in (p, q))
    if len(one) != len(other):
        front.raise_("ValueError")
    pairs = zip(one, other, strict=True)
    return _norm(front, [floating(front.compute("sub", a.part, b.part)) for a, b in pairs])
