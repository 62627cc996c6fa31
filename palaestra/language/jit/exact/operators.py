"""Replacements of operators in compiled code, by the types of their operands.

A rule returns a replacement function, or None if Numba's own operation gives Python's result; it raises `Unsupported`
in all other cases. `kinds` distinguishes the types.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Type, types
from palaestra.language.jit.exact import arrays, mathematics, numbers
from palaestra.language.jit.exact.kinds import in_words, is_array, is_long_tuple, kind_of, number_kind, parts_of

Function = Callable[..., Any] | None


class Unsupported(Exception):
    """An operation outside the language, with the reason and a remedy."""


_SHORT = "NumPy computes with {} in its own width, machine code in 64 bits: write {} around the element"
_FLAGS = "of two bools, `+` is 2 in Python and True in NumPy: write int(...) around each"
LONGEST_POWER = 64


def unary(function: object, kind: Any) -> Function:
    """Returns the replacement of an operator of one value."""
    k = kind_of(kind)
    if function is operator.not_:
        if k or isinstance(kind, types.NoneType):
            return None
        raise Unsupported("only numbers and bools have a truth value here: write a comparison")
    if is_array(kind) and not is_long_tuple(kind):
        e = kind_of(kind.dtype)
        if e in ("i", "f", "s") and function in (operator.neg, operator.pos) and e != "b":
            return None
        if e in ("b", "i") and function is operator.invert:
            return None
        raise Unsupported(f"this is not supported for arrays of {kind.dtype}: use astype first")
    if k == "l":
        return None
    if k == "i":
        return numbers.int_neg if function is operator.neg else None
    if k == "f" and function is not operator.invert:
        return None
    if k == "s" and function is not operator.invert:
        return None
    if k == "b":
        raise Unsupported("a bool is 1 for Python, and no number for NumPy: write int(...), or `not`")
    if k == "n":
        raise Unsupported(_SHORT.format("short integers", "int(...)"))
    raise Unsupported(f"this operator has no meaning for {in_words(kind)}")


_ARITHMETIC = {
    operator.add: (numbers.int_add, None),
    operator.sub: (numbers.int_sub, None),
    operator.mul: (numbers.int_mul, None),
    operator.truediv: (numbers.int_truediv, numbers.float_truediv),
    operator.floordiv: (numbers.int_floordiv, numbers.float_floordiv),
    operator.mod: (numbers.int_mod, numbers.float_mod),
}
_BITS = {operator.and_: None, operator.or_: None, operator.xor: None}
_SHIFTS = {operator.lshift: numbers.int_lshift, operator.rshift: numbers.int_rshift}
COMPARED = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)

PLAIN = (operator.add, operator.sub, operator.mul, operator.truediv)
OF_INTS = frozenset(value for name, value in vars(numbers).items() if name.startswith("int_")) | {numbers.whole_float}
"""The functions of `numbers` that take integers."""
OF_FLOATS: frozenset[Any] = frozenset(value for name, value in vars(numbers).items() if name.startswith("float_"))
OF_FLOATS |= {*mathematics.OF_FLOATS.values()}

IN_PLACE = {
    operator.iadd: operator.add,
    operator.isub: operator.sub,
    operator.imul: operator.mul,
    operator.itruediv: operator.truediv,
    operator.ifloordiv: operator.floordiv,
    operator.imod: operator.mod,
    operator.ipow: operator.pow,
    operator.iand: operator.and_,
    operator.ior: operator.or_,
    operator.ixor: operator.xor,
    operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift,
}


def binary(function: object, a: Type, b: Type, literal: object = None) -> Function:
    """Returns the replacement of an operator of two values, the second of which may be a literal number."""
    x, y = kind_of(a), kind_of(b)
    if "l" in (x, y) and function in COMPARED and {number_kind(a), number_kind(b)} == {"i", "f"} and literal is None:
        raise Unsupported("lanes of floats are compared with literals and floats only")
    if x and y:
        return _of_numbers(function, x, y, literal)
    if is_long_tuple(a) or is_long_tuple(b):
        raise Unsupported(
            "a long tuple of the params can be indexed and gone through, and nothing else: make it an array"
        )
    if (is_array(a) or x) and (is_array(b) or y):
        return _of_arrays(function, a, b, literal)
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        if function is operator.add:
            return None
        # In tuples, Python compares the same NaN as equal.
        if function in (operator.eq, operator.ne) and _are_places(a, b):
            return None
    if function in (operator.is_, operator.is_not) and isinstance(b, types.NoneType):
        return None
    is_tuple = function is operator.contains and isinstance(a, types.BaseTuple)
    if is_tuple and all(_alike(kind_of(part), y) or _are_places(part, b) for part in parts_of(a)):
        return None
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        pair = "two tuples" if in_words(a) == in_words(b) == "a tuple" else f"{in_words(a)} and {in_words(b)}"
        raise Unsupported(f"{pair} are compared only if all their parts are ints: compare their parts")
    if is_tuple:
        raise Unsupported("`in` looks for an int among ints here: write x == 0.5 or x == 1.0")
    raise Unsupported(f"this operator has no meaning for {in_words(a)} and {in_words(b)}")


def _alike(x: str | None, y: str | None) -> bool:
    return x == y and x in ("b", "i")


def _are_places(a: Type, b: Type) -> bool:
    """Returns whether both are tuples of integers or bools, of the same kinds."""
    if not (isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple)):
        return False
    return _plain(a) == _plain(b) and {*_plain(a)} <= {"b", "i"}


def _plain(kind: Type) -> list[str | None]:
    return [kind_of(part) for part in parts_of(kind)]


def _of_numbers(function: object, x: str, y: str, literal: object) -> Function:
    both = {x, y}
    if "l" in both:
        if x == y or not both & {"n", "s"}:
            return None
        raise Unsupported(_SHORT.format("short numbers", "int(...) or float(...)"))
    if function in COMPARED:
        return _compared(both, literal)
    if both == {"b"}:
        if function in _BITS:
            return None
        raise Unsupported(_FLAGS)
    if both == {"s"} and function in (operator.add, operator.sub, operator.mul, operator.truediv):
        return None
    if both & {"n", "s"}:
        raise Unsupported(
            _SHORT.format("short integers", "int(...)")
            if "n" in both
            else "NumPy computes with float32 and a number of Python in 32 bits, machine code in 64: write float(...) "
            "around the element, or np.float32(...) around the number"
        )
    is_float = "f" in both
    if function in _ARITHMETIC:
        return _ARITHMETIC[function][is_float]
    if function is operator.pow:
        return _power(x, y, literal)
    if not is_float and function in _BITS:
        return None
    if not is_float and function in _SHIFTS:
        return _SHIFTS[function]
    raise Unsupported("this operator has no meaning for these numbers")


def _compared(both: set[str], literal: object) -> Function:
    if both == {"i", "f"} and not _is_near(literal):
        return compare_whole
    if both & {"s"} and both != {"s"}:
        raise Unsupported(
            "NumPy compares float32 and a number of Python in 32 bits: write float(...) around the element"
        )
    return None


def _is_near(literal: object) -> bool:
    """Whether an integer and a float, one of which is this number, compare like floats."""
    if isinstance(literal, float):
        return not numbers.WHOLE <= abs(literal) < math.inf
    return isinstance(literal, int) and abs(literal) <= numbers.WHOLE


def compare_whole(*_: object) -> Any:
    """A mark: an integer and a float are compared as floats, if the integer is exact as a float."""


def _power(x: str, y: str, literal: object) -> Function:
    if x == "f" or y == "f":
        return numbers.float_pow
    if isinstance(literal, int) and not isinstance(literal, bool):
        if 0 <= literal <= LONGEST_POWER:
            return numbers.int_pow
        if literal < 0:
            raise Unsupported(
                "an integer to a negative power is a float for Python, and an error for NumPy: write float(...)"
            )
        raise Unsupported(f"a power above {LONGEST_POWER} of an integer is beyond 64 bits: write float(...)")
    raise Unsupported("the sign of the exponent decides on the type in Python: write float(...), or a literal exponent")


def _of_arrays(function: object, a: Any, b: Any, literal: object) -> Function:
    x = kind_of(a.dtype) if is_array(a) else kind_of(a)
    y = kind_of(b.dtype) if is_array(b) else kind_of(b)
    both, names = {x, y}, [in_words(a), in_words(b)]
    wide = both <= {"i", "f"} or (both == {"b", "f"} and not (is_array(a) and is_array(b)) and False)
    same_short = is_array(a) and is_array(b) and a.dtype == b.dtype and (both == {"s"} or both == {"n"})
    short_number = both == {"s"}
    if function in (operator.add, operator.sub, operator.mul):
        if wide or same_short or short_number:
            return None
    elif function is operator.truediv:
        if wide or short_number:
            return None
    elif function in COMPARED:
        if wide or same_short or short_number or both == {"b"} or both == {"n", "i"}:
            return None
    elif function in _BITS:
        if both in ({"b"}, {"i"}) or same_short:
            return None
    elif function in (operator.mod, operator.floordiv):
        exact = _divided(function, a, b, both)
        if exact is not None:
            return exact
    elif function is operator.pow and is_array(a) and not is_array(b):
        exact = _array_power(x, literal)
        if exact is not None:
            return exact
    elif function in _SHIFTS and x == "i" and is_array(a) and type(literal) is int and 0 <= literal < 63:
        return arrays.shifted_left if function is operator.lshift else arrays.shifted_right
    if both == {"s", "f"} or both == {"s", "i"}:
        raise Unsupported(
            "NumPy computes with float32 and a number of Python in 32 bits, machine code in 64: write np.float32(...) "
            "around the number, or astype(np.float64)"
        )
    raise Unsupported(
        f"NumPy's result type or order for {names[0]} and {names[1]} is not machine code's: bring both to float64 or "
        "int64 by astype, or write a loop over the elements"
    )


def _divided(function: object, a: Any, b: Any, both: set[str | None]) -> Function:
    """`//` and `%` of arrays."""
    remainder = function is operator.mod
    if both == {"i"}:
        if is_array(b):
            return arrays.mod_by_array if remainder else arrays.floor_by_array
        return arrays.mod_by_number if remainder else arrays.floor_by_number
    whole = any(is_array(kind) and kind_of(kind.dtype) == "i" for kind in (a, b))
    loops = arrays.BINARY.get(np.remainder if remainder else np.floor_divide)
    if not both <= {"i", "f"} or whole or loops is None:
        return None
    if is_array(a) and is_array(b) and a.ndim != b.ndim:
        return None
    return loops["".join("a" if is_array(kind) else "n" for kind in (a, b))]


def _array_power(x: str | None, literal: object) -> Function:
    """`a ** n` of an array and a literal number."""
    if x == "i" and type(literal) is int and literal == 2:
        return arrays.integers_squared
    if x != "f" or type(literal) not in (int, float) or np.power not in arrays.BINARY:
        return None
    if literal == 2:
        return arrays.SQUARE  # type: ignore[no-any-return]
    if literal in (-1, 0, 0.5, 1):  # NumPy has functions of their own for these
        return None
    return arrays.BINARY[np.power]["an"]


def in_place(function: Any, a: Any, b: Any, is_fresh: bool) -> Function:
    """Returns the replacement of an operator such as `+=`; the right side may be known to share no memory."""
    if not is_array(a):
        return binary(IN_PLACE[function], a, b)
    if IN_PLACE[function] not in (operator.add, operator.sub, operator.mul, operator.truediv):
        raise Unsupported("this operator does not work in place on arrays here: write a = a ... b")
    if isinstance(b, types.BaseTuple):
        raise Unsupported("a tuple beside an array is no array here: make one of it, np.array(action)")
    binary(IN_PLACE[function], a, b)
    y = kind_of(b.dtype) if is_array(b) else kind_of(b)
    x = kind_of(a.dtype)
    if (x, y) not in (("f", "f"), ("f", "i"), ("i", "i"), ("s", "s")) or (
        IN_PLACE[function] is operator.truediv and x == "i"
    ):
        raise Unsupported(
            f"the result of {in_words(a)} and {in_words(b)} does not fit into the left one: write a = a ... b"
        )
    if is_array(b) and not is_fresh:
        raise Unsupported(
            "the right side may be a part of the left one, of which NumPy makes a copy: write a = a ... b"
        )
    if is_array(b) and b.ndim > a.ndim:
        raise Unsupported("the right side has more axes than the left one, which NumPy refuses")
    return None
