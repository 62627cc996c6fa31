"""`round`, of Python's numbers and NumPy's.

A float is rounded to decimals without its digits: the product with a power of ten is known exactly as two floats, so
the nearest integer is, and that by the power of ten is the nearest float, as both are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arithmetic import floating, is_python
from palaestra.language.operations.drawing import any_number, any_numbers, one_of
from palaestra.language.operations.integers import floor_division, integer, whole
from palaestra.language.operations.scalars import MOST_PLACES, number_type
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, BOOL, FLOAT64, INT64, Value
from palaestra.language.types import Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NOTHING = constant(None)


@built(
    round,
    tries=(
        any_numbers("fiu"),
        lambda rng: (float(rng.integers(-9, 9)) + 0.5,),
        lambda rng: (float(any_number(rng, "f")), one_of(rng, 0, 1, 2, 5, 22)),
        lambda rng: (float(rng.integers(-999, 999)) / 8.0, one_of(rng, 0, 1, 2)),
        lambda rng: (any_number(rng, "i"), one_of(rng, 2, -1, -2)),
    ),
    note="64 bits",
)
def _round(front: FrontEnd, x: Term, ndigits: Term = NOTHING) -> Term:
    term = front.materialized(x)
    if not isinstance(term.type, Number):
        raise Refused(f"round() of {x.type} is not in the language")
    if not is_python(term) and term.type.dtype.kind == "b":
        front.raise_("TypeError")
    if ndigits == NOTHING:
        return _to_int(front, term)
    if not is_python(term):
        return front.operate(np.round, term, ndigits)
    places = front.integer(ndigits, "the number of digits")
    if term.type.dtype.kind != "f":
        return integer(whole(front, term)) if places >= 0 else _to_tens(front, whole(front, term), -places)
    if not 0 <= places <= MOST_PLACES:
        raise Refused("a float is rounded to 0 to 22 digits", "round its quotient by a power of ten")
    return floating(_to_places(front, term.part, 10.0**places))


def _to_int(front: FrontEnd, term: Term) -> Term:
    kind = number_type(term).dtype.kind
    value = front.compute("rint", term.part) if kind == "f" else term.part
    return front.operate(int, Term(Number(value.dtype), (value,)))


def _to_tens(front: FrontEnd, value: Value, places: int) -> Term:
    if places > 18:
        raise Refused("an int is rounded to at most 18 zeros")
    size = front.number(10**places)
    quotient, rest = floor_division(front, value, size)
    half = front.number(10**places // 2)
    is_odd = front.compare("ne", front.compute("and", quotient, front.number(1)), front.number(0))
    up = front.compute("and", front.compare("eq", rest, half), is_odd)
    up = front.compute("or", up, front.compare("gt", rest, half))
    down = front.compute("sub", value, rest)
    added = front.emit("select", INT64, up, size, front.number(0))
    front.raise_if(front.emit("sub_overflows", BOOL, value, rest), BEYOND)
    front.raise_if(front.emit("add_overflows", BOOL, down, added), BEYOND)
    return integer(front.compute("add", down, added))


def _to_places(front: FrontEnd, x: Value, power: float) -> Value:
    """The float nearest to the decimal; a number so large that its own digits end before is itself."""
    scale = front.number(power, FLOAT64)
    product = front.compute("mul", x, scale)
    size = front.compute("fabs", product)
    small = front.compare("lt", size, front.number(2.0**52, FLOAT64))
    large = front.compare("ge", size, front.number(2.0**54, FLOAT64))
    unclear = front.compute("not", front.compute("or", small, large))
    front.raise_if(front.compute("and", unclear, front.compare("eq", x, x)), BEYOND)
    rest = front.emit("fma", FLOAT64, x, scale, front.compute("neg", product))
    nearest = _nearest(front, product, rest)
    return front.emit("select", FLOAT64, small, front.compute("div", nearest, scale), x)


def _nearest(front: FrontEnd, product: Value, rest: Value) -> Value:
    """The integer nearest to a sum of a float and a part of its last digit: the rest decides between two halves."""
    nearest = front.compute("rint", product)
    apart = front.compute("sub", product, nearest)
    for sign, wrong in ((0.5, "gt"), (-0.5, "lt")):
        is_half = front.compare("eq", apart, front.number(sign, FLOAT64))
        beyond = front.compare(wrong, rest, front.number(0.0, FLOAT64))
        further = front.compute("add", nearest, front.number(2.0 * sign, FLOAT64))
        nearest = front.emit("select", FLOAT64, front.compute("and", is_half, beyond), further, nearest)
    return nearest
