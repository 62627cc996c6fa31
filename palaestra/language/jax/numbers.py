"""The operations of numbers on JAX's arrays.

A number that is known when the function is traced is a scalar of NumPy, and so are results of known numbers: indices
and the turns of short loops are known. Others are arrays of shape (). Kinds are exact: the caller enables 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from gymnasium.envs._jax.library import jax, jnp, lax

Number: TypeAlias = Any
"""A scalar of NumPy, or an array of JAX of shape ()."""


class NotUnderJax(Exception):
    """A program uses what has no counterpart under JAX; its argument says what.

    Attributes:
        place: The file and the line, if they are known.
    """

    place: tuple[str, int] | None = None


def is_known(*numbers: Number) -> bool:
    """Returns whether all numbers are known when the function is traced."""
    return all(isinstance(one, np.generic) for one in numbers)


def compute(operation: str, kind: np.dtype[Any], arguments: list[Number]) -> Number:
    """Returns the result of an operation.

    Args:
        operation: Its name.
        kind: The kind of the result.
        arguments: Numbers.
    """
    if operation == "select":
        return choose(*arguments)
    if operation in _BITWISE and kind.kind == "b":
        return _truth(operation, arguments)
    if is_known(*arguments) and operation in _KNOWN:
        with np.errstate(all="ignore"):
            return kind.type(_KNOWN[operation](kind, *arguments))
    return _TRACED[operation](kind, *arguments)


def choose(condition: Number, first: Number, second: Number) -> Number:
    """Returns the first number if the condition is true, and else the second."""
    if is_known(condition):
        return first if condition else second
    if first is second or (is_known(first, second) and first.tobytes() == second.tobytes()):
        return first
    if np.ndim(first) or np.ndim(second):
        return jnp.where(condition, first, second)
    return lax.select(condition, as_array(first), as_array(second))


def as_array(number: Number) -> Any:
    """Returns a number as an array of JAX."""
    return number if isinstance(number, jax.Array) else jnp.asarray(number)


def both(one: Number | None, other: Number | None) -> Number | None:
    """Returns whether two conditions are true; None is a condition that always is."""
    if one is None:
        return other
    return one if other is None else _truth("and", [one, other])


def either(one: Number | None, other: Number | None) -> Number | None:
    """Returns whether one of two conditions is true."""
    return None if one is None or other is None else _truth("or", [one, other])


def negated(condition: Number) -> Number:
    """Returns whether a condition is false."""
    return np.bool_(not condition) if is_known(condition) else lax.bitwise_not(condition)


def _truth(operation: str, arguments: list[Number]) -> Number:
    """`and`, `or` or `xor` of truths, one of which may be known."""
    one, other = arguments
    if is_known(other):
        one, other = other, one
    if not is_known(one):
        return _BITWISE[operation](one, other)
    if operation == "xor":
        return negated(other) if one else other
    return other if bool(one) is (operation == "and") else one


def converted(kind: np.dtype[Any], number: Number) -> Number:
    """Returns a number as another kind: floats are rounded, integers wrap."""
    if is_known(number):
        with np.errstate(all="ignore"):
            return kind.type(number != 0 if kind.kind == "b" else number.astype(kind))
    if kind.kind == "b":
        return lax.ne(number, kind_of(number).type(0))
    return lax.convert_element_type(number, kind)


def bits(kind: np.dtype[Any], number: Number) -> Number:
    """Returns the same bits as another kind of the same size."""
    given = kind_of(number)
    if given == kind:
        return number
    if "b" in (given.kind, kind.kind):
        return converted(kind, number)
    return number.view(kind) if is_known(number) else lax.bitcast_convert_type(number, kind)


def kind_of(number: Number) -> np.dtype[Any]:
    """Returns the kind of a number."""
    kind: np.dtype[Any] = number.dtype
    return kind


def _quotient(kind: np.dtype[Any], a: Number, b: Number) -> Number:
    return np.trunc(a / b) if kind.kind == "f" else int(abs(int(a)) // abs(int(b))) * (1 if (a < 0) == (b < 0) else -1)


def _known_division(kind: np.dtype[Any], a: Number, b: Number) -> Number:
    return a / b if kind.kind == "f" else _quotient(kind, a, b)


def _known_remainder(kind: np.dtype[Any], a: Number, b: Number) -> Number:
    return int(a) - int(b) * int(_quotient(kind, a, b))


def _upper_word(kind: np.dtype[Any], a: Number, b: Number) -> Number:
    """The upper 64 bits of a product, by products of halves."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a1, a0, b1, b0 = a >> half, a & low, b >> half, b & low
    middle = a1 * b0 + (a0 * b0 >> half)
    other = a0 * b1 + (middle & low)
    return a1 * b1 + (middle >> half) + (other >> half)


def _overflows(operation: str) -> Callable[..., Number]:
    """Whether a sum or difference of signed integers is beyond their kind: its sign is none that it can have."""

    def overflows(kind: np.dtype[Any], a: Number, b: Number) -> Number:
        result = lax.add(a, b) if operation == "add" else lax.sub(a, b)
        other = lax.bitwise_xor(b, result) if operation == "add" else lax.bitwise_xor(a, b)
        return lax.lt(lax.bitwise_and(lax.bitwise_xor(a, result), other), kind_of(result).type(0))

    return overflows


def _product_overflows(kind: np.dtype[Any], a: Number, b: Number) -> Number:
    """Whether a product is beyond its kind: what it wrapped to is then far from the product of floats."""
    given = kind_of(a)
    if is_known(a):
        a, b = b, a
    if is_known(b) and int(b) > 0:
        limits = np.iinfo(given)
        low, high = (
            given.type(int(limit / int(b)) if given.itemsize < 8 else _towards_zero(limit, int(b)))
            for limit in (int(limits.min), int(limits.max))
        )
        return lax.bitwise_or(lax.lt(a, low), lax.gt(a, high))
    floats = [converted(np.dtype(np.float64), one) for one in (a, b, lax.mul(a, b))]
    distance = lax.abs(lax.sub(lax.mul(floats[0], floats[1]), floats[2]))
    return lax.gt(distance, np.float64(2.0 ** (8 * given.itemsize - 2)))


def _towards_zero(number: int, divisor: int) -> int:
    return number // divisor if number >= 0 else -(-number // divisor)


def _known_overflow(operation: Callable[[int, int], int]) -> Callable[..., bool]:
    def overflows(kind: np.dtype[Any], a: Number, b: Number) -> bool:
        limits = np.iinfo(a.dtype)
        return not int(limits.min) <= operation(int(a), int(b)) <= int(limits.max)

    return overflows


def _shift_right(kind: np.dtype[Any], a: Number, b: Number) -> Number:
    return (lax.shift_right_arithmetic if kind.kind == "i" else lax.shift_right_logical)(a, b)


def _truncated(kind: np.dtype[Any], a: Number) -> Number:
    return lax.select(lax.lt(a, kind.type(0)), lax.ceil(a), lax.floor(a))


def _with_sign(kind: np.dtype[Any], a: Number, b: Number) -> Number:
    word = np.dtype(f"uint{8 * kind.itemsize}")
    sign = word.type(1 << 8 * kind.itemsize - 1)
    size = lax.bitwise_and(bits(word, as_array(a)), word.type(sign - 1))
    return bits(kind, lax.bitwise_or(size, lax.bitwise_and(bits(word, as_array(b)), sign)))


def _plain(function: Callable[..., Number]) -> Callable[..., Number]:
    return lambda kind, *arguments: function(*arguments)


_BITWISE: dict[str, Callable[..., Number]] = {"and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor}
_COMPARED: dict[str, Callable[..., Number]] = {
    "eq": lax.eq,
    "ne": lax.ne,
    "lt": lax.lt,
    "le": lax.le,
    "gt": lax.gt,
    "ge": lax.ge,
}
_TRACED: dict[str, Callable[..., Number]] = {
    **{name: _plain(one) for name, one in (_BITWISE | _COMPARED).items()},
    "add": _plain(lax.add),
    "sub": _plain(lax.sub),
    "mul": _plain(lax.mul),
    "div": _plain(lax.div),
    "rem": _plain(lax.rem),
    "neg": _plain(lax.neg),
    "not": _plain(lax.bitwise_not),
    "shl": _plain(lax.shift_left),
    "shr": _shift_right,
    "mulhi": _upper_word,
    "add_overflows": _overflows("add"),
    "sub_overflows": _overflows("sub"),
    "mul_overflows": _product_overflows,
    "convert": converted,
    "bits": bits,
    "sqrt": _plain(lax.sqrt),
    "floor": _plain(lax.floor),
    "ceil": _plain(lax.ceil),
    "trunc": _truncated,
    "rint": _plain(lambda a: lax.round(a, lax.RoundingMethod.TO_NEAREST_EVEN)),
    "fabs": _plain(lax.abs),
    "copysign": _with_sign,
    "fma": _plain(lambda a, b, c: lax.add(lax.mul(a, b), c)),
}
_KNOWN: dict[str, Callable[..., Number]] = {
    "add": _plain(np.add),
    "sub": _plain(np.subtract),
    "mul": _plain(np.multiply),
    "div": _known_division,
    "rem": _known_remainder,
    "neg": _plain(np.negative),
    "and": _plain(np.bitwise_and),
    "or": _plain(np.bitwise_or),
    "xor": _plain(np.bitwise_xor),
    "not": _plain(np.invert),
    "shl": _plain(np.left_shift),
    "shr": _plain(np.right_shift),
    "mulhi": _upper_word,
    "add_overflows": _known_overflow(int.__add__),
    "sub_overflows": _known_overflow(int.__sub__),
    "mul_overflows": _known_overflow(int.__mul__),
    "eq": _plain(np.equal),
    "ne": _plain(np.not_equal),
    "lt": _plain(np.less),
    "le": _plain(np.less_equal),
    "gt": _plain(np.greater),
    "ge": _plain(np.greater_equal),
    "convert": converted,
    "bits": bits,
    **{name: _plain(getattr(np, name)) for name in ("sqrt", "floor", "ceil", "trunc", "rint", "fabs", "copysign")},
}
NUMBERS = frozenset((*_TRACED, "select"))
"""The operations of numbers."""
