"""Python's integers, within 64 bits: what is beyond them ends the step, which Python then takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palaestra.language.program import BEYOND, BOOL, INT64, Value
from palaestra.language.types import PYTHON, Term

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

LARGEST_SHIFT = 63


def integer(value: Value) -> Term:
    """Returns an int64 as Python's int."""
    return Term(PYTHON[int], (value,))


def whole(front: FrontEnd, term: Term) -> Value:
    """Returns an int or bool as an int64."""
    return front.convert(term.part, INT64)


def checked(front: FrontEnd, operation: str, a: Value, b: Value) -> Value:
    """Returns the sum, difference or product of two int64 if it is one."""
    front.raise_if(front.emit(f"{operation}_overflows", BOOL, a, b), BEYOND)
    return front.compute(operation, a, b)


def negative(front: FrontEnd, a: Value) -> Value:
    """Returns the negative of an int64."""
    return checked(front, "sub", front.number(0), a)


def floor_division(front: FrontEnd, a: Value, b: Value) -> tuple[Value, Value]:
    """Returns the quotient rounded down, and the remainder, which has the divisor's sign."""
    zero = front.number(0)
    front.raise_if(front.compare("eq", b, zero), "ZeroDivisionError")
    lowest = front.compare("eq", a, front.number(-(2**63)))
    front.raise_if(front.compute("and", lowest, front.compare("eq", b, front.number(-1))), BEYOND)
    quotient, rest = front.compute("div", a, b), front.compute("rem", a, b)
    differ = front.compare("lt", front.compute("xor", rest, b), zero)
    down = front.compute("and", front.compare("ne", rest, zero), differ)
    quotient = front.compute("sub", quotient, front.convert(down, INT64))
    added = front.emit("select", INT64, down, b, zero)
    return quotient, front.compute("add", rest, added)


def shifted_left(front: FrontEnd, a: Value, b: Value) -> Value:
    """Returns the bits of an int64 further to the left."""
    zero, most = front.number(0), front.number(LARGEST_SHIFT)
    front.raise_if(front.compare("lt", b, zero), "ValueError")
    far = front.compute("and", front.compare("gt", b, most), front.compare("ne", a, zero))
    front.raise_if(far, BEYOND)
    by = front.emit("select", INT64, front.compare("gt", b, most), zero, b)
    result = front.compute("shl", a, by)
    front.raise_if(front.compare("ne", front.compute("shr", result, by), a), BEYOND)
    return result


def shifted_right(front: FrontEnd, a: Value, b: Value) -> Value:
    """Returns the bits of an int64 further to the right."""
    most = front.number(LARGEST_SHIFT)
    front.raise_if(front.compare("lt", b, front.number(0)), "ValueError")
    return front.compute("shr", a, front.emit("select", INT64, front.compare("gt", b, most), most, b))


def truth_bits(front: FrontEnd, operation: str, a: Term, b: Term) -> Term:
    """Returns `a & b`, `a | b` or `a ^ b`: of two bools a bool."""
    if a.part.kind == b.part.kind == BOOL:
        return Term(PYTHON[bool], (front.compute(operation, a.part, b.part),))
    return integer(front.compute(operation, whole(front, a), whole(front, b)))
