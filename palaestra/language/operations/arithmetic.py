"""The operators of arithmetic: of Python's numbers here, of NumPy's by ufuncs, of sequences by `sequences`.

Integers are as in `integers`. Floats follow CPython's `floatobject.c` in what they raise.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import integers
from palaestra.language.operations.drawing import any_number, any_numbers, one_of, python_numbers, strong_number
from palaestra.language.operations.integers import integer, whole
from palaestra.language.operations.table import Tries, built, entry_of
from palaestra.language.program import BEYOND, BOOL, FLOAT64, INT64, Value
from palaestra.language.types import (
    PYTHON,
    SETS,
    Array,
    Bounded,
    Number,
    Placed,
    Reference,
    Term,
    Text,
    Tuple,
    constant,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

UFUNCS: dict[Any, np.ufunc] = {
    operator.add: np.add,
    operator.sub: np.subtract,
    operator.mul: np.multiply,
    operator.truediv: np.true_divide,
    operator.floordiv: np.floor_divide,
    operator.mod: np.remainder,
    operator.pow: np.power,
    operator.matmul: np.matmul,
    operator.and_: np.bitwise_and,
    operator.or_: np.bitwise_or,
    operator.xor: np.bitwise_xor,
    operator.lshift: np.left_shift,
    operator.rshift: np.right_shift,
    operator.neg: np.negative,
    operator.pos: np.positive,
    operator.invert: np.invert,
    operator.abs: np.absolute,
}
"""What an operator means as soon as one operand is NumPy's."""


def floating(value: Value) -> Term:
    """Returns a float64 as Python's float."""
    return Term(PYTHON[float], (value,))


def as_float(front: FrontEnd, term: Term) -> Value:
    """Returns a number of Python as a float64."""
    return front.convert(front.materialized(term).part, FLOAT64)


def is_python(term: Term) -> bool:
    """Returns whether an object is a number of Python."""
    return isinstance(term.type, Number) and term.type.python


def is_numpy(term: Term) -> bool:
    """Returns whether an object is a number or an array of NumPy."""
    return isinstance(term.type, Array | Bounded) or (isinstance(term.type, Number) and not term.type.python)


def are_floats(*terms: Term) -> bool:
    """Returns whether one of some numbers of Python is a float."""
    return any(term.part.kind == FLOAT64 for term in terms)


_PAIRS: tuple[Tries, ...] = (
    *(python_numbers("bif", 2), python_numbers("i", 2), python_numbers("f", 2)),
    any_numbers("biuf", 2),
)
_POWERS: tuple[Tries, ...] = (
    lambda rng: (*python_numbers("bif")(rng), int(rng.integers(-5, 70))),
    lambda rng: (float(rng.normal()), one_of(rng, 0.5, -1.0, 3.0, 0.0, math.inf, -2.5, math.nan)),
    lambda rng: (one_of(rng, 0.0, -0.0, 1.0, -1.0, math.inf, -math.inf), one_of(rng, -1.0, -3.0, -0.5, 2.0, -math.inf)),
    lambda rng: (int(rng.integers(-9, 9)), float(rng.normal())),
    lambda rng: (any_number(rng, "biuf"), strong_number(rng, "iuf")),
)
_SHIFTS: tuple[Tries, ...] = (
    lambda rng: (*python_numbers("bi")(rng), int(rng.integers(-2, 70))),
    lambda rng: (any_number(rng, "iu"), strong_number(rng, "iu")),
)
_TRIES: dict[Any, tuple[Tries, ...]] = {
    operator.pow: _POWERS,
    operator.lshift: _SHIFTS,
    operator.rshift: _SHIFTS,
    operator.matmul: (),
}
_SINGLE: tuple[Tries, ...] = python_numbers(), any_numbers()


def binary(called: Any, in_place: Any) -> Callable[[Callable[[FrontEnd, Term, Term], Term]], Any]:
    """Add an operator of two numbers of Python; others are passed on to the operators of NumPy and of sequences."""

    def add(of_python: Callable[[FrontEnd, Term, Term], Term]) -> Any:
        @built(called, tries=_TRIES.get(called, _PAIRS), note="64 bits")
        def build(front: FrontEnd, a: Term, b: Term) -> Term:
            x, y = front.materialized(a), front.materialized(b)
            if is_python(x) and is_python(y):
                return of_python(front, x, y)
            if is_numpy(x) or is_numpy(y):
                return front.operate((called, "numpy") if called is operator.pow else UFUNCS[called], a, b)
            return _of_sequences(front, called, a, b)

        @built(in_place, folds=False, tries=_TRIES.get(called, _PAIRS), note="64 bits")
        def build_in_place(front: FrontEnd, a: Term, b: Term) -> Term:
            """Python itself must not do this with what is known: it would change an array."""
            x = front.materialized(a)
            if isinstance(x.type, Array | Bounded):
                return front.operate((UFUNCS[called], "in place"), x, b)
            if is_of(a, set) and is_of(b, *SETS):
                front.operate((called, "set", "in place"), a, b)
                return a
            is_changed = isinstance(a.type, Reference) or (isinstance(a.type, Placed) and a.type.is_container)
            if is_changed and not is_of(a, *SETS):
                return front.operate((called, "in place"), a, b)
            if a.known and hasattr(type(a.value), f"__{in_place.__name__}__"):
                front.writes(a)
                raise Refused(f"{a.type} is changed, which is not in the language", "make a copy: list(...)")
            return front.operate(called, a, b)

        return of_python

    return add


def is_of(term: Term, *classes: type) -> bool:
    """Returns whether an object is a container of some classes, of the program or a constant."""
    return (
        type(term.value) in classes
        if term.known
        else isinstance(term.type, Reference | Placed) and term.type.of in classes
    )


_SYMBOLS = {
    **{operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//"},
    **{operator.mod: "%", operator.pow: "**", operator.matmul: "@", operator.and_: "&", operator.or_: "|"},
    **{operator.xor: "^", operator.lshift: "<<", operator.rshift: ">>"},
}


def _of_sequences(front: FrontEnd, called: Any, a: Term, b: Term) -> Term:
    if called is operator.add and any(isinstance(one.type, Text) for one in (a, b)):
        return front.operate((operator.add, "texts"), a, b)
    if called is operator.mod and a.known and isinstance(a.value, str):
        return front.operate((operator.mod, "texts"), a, b)
    key = called, "sequences"
    if is_of(a, *SETS) and is_of(b, *SETS):
        key = called, "set"
    elif is_of(a, Counter) and is_of(b, Counter):
        key = called, "counter"
    if entry_of(key) is None or not any(
        isinstance(one.type, Tuple | Reference | Placed) or one.known for one in (a, b)
    ):
        symbol = _SYMBOLS.get(called, called.__name__.strip("_"))
        raise Refused(f"`{symbol}` of {a.type} and {b.type} is not in the language")
    return front.operate(key, a, b)


def _closed(operation: str) -> Callable[[FrontEnd, Term, Term], Term]:
    """A sum, difference or product."""

    def of_python(front: FrontEnd, a: Term, b: Term) -> Term:
        if are_floats(a, b):
            return floating(front.compute(operation, as_float(front, a), as_float(front, b)))
        return integer(integers.checked(front, operation, whole(front, a), whole(front, b)))

    return of_python


binary(operator.add, operator.iadd)(_closed("add"))
binary(operator.sub, operator.isub)(_closed("sub"))
binary(operator.mul, operator.imul)(_closed("mul"))


@binary(operator.truediv, operator.itruediv)
def _quotient(front: FrontEnd, a: Term, b: Term) -> Term:
    x, y = as_float(front, a), as_float(front, b)
    front.raise_if(front.compare("eq", y, front.number(0.0, FLOAT64)), "ZeroDivisionError")
    if not are_floats(a, b):
        for one in (a, b):
            _check_exact(front, one)
    return floating(front.compute("div", x, y))


def _check_exact(front: FrontEnd, term: Term) -> None:
    """Python divides larger integers without rounding them to floats first."""
    if term.part.kind == BOOL or (term.part.operation == "constant" and abs(term.part.attribute) <= 2**53):
        return
    shifted = front.compute("add", term.part, front.number(2**53))
    is_large = front.compare("gt", front.emit("bits", np.dtype(np.uint64), shifted), _word(front, 2**54))
    front.raise_if(is_large, BEYOND)


def _word(front: FrontEnd, value: int) -> Value:
    return front.number(value, np.dtype(np.uint64))


@binary(operator.floordiv, operator.ifloordiv)
def _floor_quotient(front: FrontEnd, a: Term, b: Term) -> Term:
    if not are_floats(a, b):
        return integer(integers.floor_division(front, whole(front, a), whole(front, b))[0])
    x, y = as_float(front, a), as_float(front, b)
    front.raise_if(front.compare("eq", y, front.number(0.0, FLOAT64)), "ZeroDivisionError")
    return front.call_function(_floor_of_floats, (floating(x), floating(y)), {})


@binary(operator.mod, operator.imod)
def _remainder(front: FrontEnd, a: Term, b: Term) -> Term:
    if not are_floats(a, b):
        return integer(integers.floor_division(front, whole(front, a), whole(front, b))[1])
    x, y = as_float(front, a), as_float(front, b)
    front.raise_if(front.compare("eq", y, front.number(0.0, FLOAT64)), "ZeroDivisionError")
    return front.call_function(_remainder_of_floats, (floating(x), floating(y)), {})


def _remainder_of_floats(x: float, y: float) -> float:
    rest = c_fmod(x, y)
    if rest:
        return rest + y if (y < 0.0) != (rest < 0.0) else rest
    return c_copysign(0.0, y)


def _floor_of_floats(x: float, y: float) -> float:
    rest = c_fmod(x, y)
    quotient = c_div(x - rest, y)
    if rest and (y < 0.0) != (rest < 0.0):
        quotient -= 1.0
    if quotient:
        below = c_floor(quotient)
        return below + 1.0 if quotient - below > 0.5 else below
    return c_copysign(0.0, c_div(x, y))


def c_fmod(x: float, y: float) -> float:
    """`fmod` of C, which raises nothing."""
    return float(np.fmod(x, y))


def c_copysign(x: float, y: float) -> float:
    """`copysign` of C."""
    return float(np.copysign(x, y))


def c_div(x: float, y: float) -> float:
    """A quotient, infinite or NaN for a divisor of zero."""
    return float(np.divide(x, y))


def c_floor(x: float) -> float:
    """`floor` of C: a float."""
    return float(np.floor(x))


def c_pow(x: float, y: float) -> float:
    """`pow` of C, which raises nothing."""
    return float(np.float64(x) ** y)


def _c(called: Any, operation: str, attribute: str | None = None) -> None:
    @built(called, folds=False)
    def build(front: FrontEnd, *terms: Term) -> Term:
        values = [as_float(front, term) for term in terms]
        return floating(front.emit(operation, FLOAT64, *values, attribute=attribute))


_c(c_fmod, "call", "fmod")
_c(c_pow, "call", "pow")
_c(c_copysign, "copysign")
_c(c_div, "div")
_c(c_floor, "floor")


def leave_to_python_if(condition: bool) -> None:
    """End the step, which Python then takes, if its result is none that machine code can hold."""
    if condition:
        raise OverflowError(BEYOND)


@built(leave_to_python_if, folds=False)
def _leave_to_python_if(front: FrontEnd, condition: Term) -> Term:
    front.raise_if(front.materialized(condition).part, BEYOND)
    return constant(None)


@binary(operator.pow, operator.ipow)
def _power(front: FrontEnd, a: Term, b: Term) -> Term:
    if are_floats(a, b):
        x, y = as_float(front, a), as_float(front, b)
        power = _square_of_float if y.operation == "constant" and y.attribute == 2.0 else _power_of_floats
        return front.call_function(power, (floating(x), floating(y)), {})
    base, exponent = integer(whole(front, a)), integer(whole(front, b))
    if exponent.part.operation == "constant":
        function = _power_of_ints if exponent.part.attribute >= 0 else _inverse_power_of_ints
        return front.call_function(function, (base, exponent), {})
    return front.call_function(_any_power_of_ints, (base, exponent), {})


def _power_of_floats(x: float, y: float) -> float:
    result = c_pow(x, y)
    if x == 0.0 and y < 0.0 and y - y == 0.0:
        raise ZeroDivisionError
    leave_to_python_if(result != result and x == x and y == y)  # a complex number
    if result - result != 0.0 and x - x == 0.0 and y - y == 0.0:
        raise OverflowError
    return result


def _square_of_float(x: float, two: float) -> float:
    result = c_pow(x, two)
    if result == math.inf and abs(x) < math.inf:
        raise OverflowError
    return result


def _power_of_ints(x: int, y: int) -> int:
    result = 1
    left = y
    while True:
        if left & 1:
            result *= x
        left >>= 1
        if left == 0:
            return result
        x *= x


def _inverse_power_of_ints(x: int, y: int) -> float:
    return _power_of_floats(float(x), float(y))


def _any_power_of_ints(x: int, y: int) -> float:
    return _inverse_power_of_ints(x, y) if y < 0 else _power_of_ints(x, y)


def _bits(operation: str) -> Callable[[FrontEnd, Term, Term], Term]:
    def of_python(front: FrontEnd, a: Term, b: Term) -> Term:
        if are_floats(a, b):
            front.raise_("TypeError")
        return integers.truth_bits(front, operation, a, b)

    return of_python


binary(operator.and_, operator.iand)(_bits("and"))
binary(operator.or_, operator.ior)(_bits("or"))
binary(operator.xor, operator.ixor)(_bits("xor"))


def _shift(shifted: Callable[[FrontEnd, Value, Value], Value]) -> Callable[[FrontEnd, Term, Term], Term]:
    def of_python(front: FrontEnd, a: Term, b: Term) -> Term:
        if are_floats(a, b):
            front.raise_("TypeError")
        return integer(shifted(front, whole(front, a), whole(front, b)))

    return of_python


binary(operator.lshift, operator.ilshift)(_shift(integers.shifted_left))
binary(operator.rshift, operator.irshift)(_shift(integers.shifted_right))


@binary(operator.matmul, operator.imatmul)
def _matmul(front: FrontEnd, a: Term, b: Term) -> Term:
    front.raise_("TypeError")


def unary(called: Any) -> Callable[[Callable[[FrontEnd, Term], Term]], Any]:
    """Add an operator of one number of Python; NumPy's have a ufunc."""

    def add(of_python: Callable[[FrontEnd, Term], Term]) -> Any:
        @built(called, tries=_SINGLE, note="64 bits")
        def build(front: FrontEnd, a: Term) -> Term:
            x = front.materialized(a)
            if is_numpy(x):
                return front.operate(UFUNCS[called], a)
            if not is_python(x):
                raise Refused(f"`{called.__name__.strip('_')}` of {a.type} is not in the language")
            return of_python(front, x)

        return of_python

    return add


@unary(operator.neg)
def _negative(front: FrontEnd, a: Term) -> Term:
    if are_floats(a):
        return floating(front.compute("neg", a.part))
    return integer(integers.negative(front, whole(front, a)))


@unary(operator.pos)
def _positive(front: FrontEnd, a: Term) -> Term:
    return a if are_floats(a) else integer(whole(front, a))


@unary(operator.invert)
def _inverted(front: FrontEnd, a: Term) -> Term:
    if are_floats(a):
        front.raise_("TypeError")
    return integer(front.compute("not", whole(front, a)))


@unary(operator.abs)
def _size(front: FrontEnd, a: Term) -> Term:
    if are_floats(a):
        return floating(front.compute("fabs", a.part))
    value = whole(front, a)
    is_negative = front.compare("lt", value, front.number(0))
    return integer(front.emit("select", INT64, is_negative, integers.negative(front, value), value))


@built(abs, tries=_SINGLE, note="64 bits")
def _abs(front: FrontEnd, a: Term) -> Term:
    return front.operate(operator.abs, a)


@built(divmod, tries=_PAIRS, note="64 bits")
def _divmod(front: FrontEnd, a: Term, b: Term) -> Term:
    return tuple_of([front.operate(operator.floordiv, a, b), front.operate(operator.mod, a, b)])


@built(pow, tries=_POWERS, note="64 bits")
def _pow(front: FrontEnd, a: Term, b: Term, modulus: Term | None = None) -> Term:
    if modulus is not None and modulus != constant(None):
        raise Refused("pow() with a modulus is not in the language", "write (a ** b) % c")
    return front.operate(operator.pow, a, b)
