"""One item of each of NumPy's ufuncs that LLVM's instructions compute with NumPy's bits.

A function of the front end, of the dtypes of operands and results, and of the operands; None for dtypes for which only
NumPy's own loop has its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from palaestra.language.operations.zeros import keeps_first
from palaestra.language.program import BEYOND, BOOL, FLOAT64, INT64, UINT64, Value
from palaestra.language.types import Number, Term

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Ufunc: TypeAlias = "np.ufunc | Callable[..., Any]"
"""A ufunc, or `np.clip`, which calls a ufunc that has no public name."""
Dtype: TypeAlias = "np.dtype[Any]"
Item: TypeAlias = "Callable[[FrontEnd, tuple[Dtype, ...], Sequence[Value]], Value | None]"

FLOAT32 = np.dtype(np.float32)
ITEMS: dict[Any, Item] = {}
COMPARED: dict[Any, str] = {
    np.equal: "eq",
    np.not_equal: "ne",
    np.less: "lt",
    np.less_equal: "le",
    np.greater: "gt",
    np.greater_equal: "ge",
}


def _items(*ufuncs: Ufunc) -> Callable[[Item], Item]:
    """Register how an item of some ufuncs is computed."""

    def register(build: Item) -> Item:
        for ufunc in ufuncs:
            ITEMS[ufunc] = build
        return build

    return register


def _zero(front: FrontEnd, dtype: Dtype) -> Value:
    return front.number(0, dtype)


def _truth(front: FrontEnd, value: bool) -> Value:
    return front.emit("constant", BOOL, attribute=value)


def _select(front: FrontEnd, condition: Value, a: Value, b: Value) -> Value:
    return front.emit("select", a.kind, condition, a, b)


def _closed(ufunc: Ufunc, operation: str, of_bools: str | None = None) -> None:
    @_items(ufunc)
    def build(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
        if dtypes[0] == BOOL:
            return front.compute(of_bools, *values) if of_bools else None
        return front.compute(operation, *values)


_ufunc: Any
for _ufunc, _operation, _of_bools in (
    (np.add, "add", "or"),
    (np.subtract, "sub", None),
    (np.multiply, "mul", "and"),
    (np.divide, "div", None),
    (np.bitwise_and, "and", "and"),
    (np.bitwise_or, "or", "or"),
    (np.bitwise_xor, "xor", "xor"),
    (np.invert, "not", "not"),
    (np.sqrt, "sqrt", None),
    (np.rint, "rint", None),
    (np.fabs, "fabs", None),
):
    _closed(_ufunc, _operation, _of_bools)


def _rounding(ufunc: Ufunc, operation: str) -> None:
    @_items(ufunc)
    def build(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
        return front.compute(operation, *values) if dtypes[0].kind == "f" else values[0]


for _ufunc, _operation in ((np.floor, "floor"), (np.ceil, "ceil"), (np.trunc, "trunc")):
    _rounding(_ufunc, _operation)


@_items(np.positive, np.conjugate)
def _positive(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    return values[0]


@_items(np.negative)
def _negative(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    if dtypes[0].kind == "f":
        return front.compute("neg", values[0])
    return front.compute("sub", _zero(front, dtypes[0]), values[0])


@_items(np.absolute)
def _absolute(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    (dtype, _), (x,) = dtypes, values
    if dtype.kind == "f":
        return front.compute("fabs", x)
    if dtype.kind != "i":
        return x
    zero = _zero(front, dtype)
    return _select(front, front.compare("lt", x, zero), front.compute("sub", zero, x), x)


@_items(np.square)
def _square(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    return front.compute("mul", values[0], values[0])


@_items(np.sign)
def _sign(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    (dtype, _), (x,) = dtypes, values
    zero, one = _zero(front, dtype), front.number(1, dtype)
    rest = zero
    if dtype.kind == "f":
        rest = _select(front, front.compare("eq", x, zero), zero, x)
    if dtype.kind != "u":
        rest = _select(front, front.compare("lt", x, zero), front.number(-1, dtype), rest)
    return _select(front, front.compare("gt", x, zero), one, rest)


# Truths.


def _comparison(ufunc: Ufunc, operation: str) -> None:
    @_items(ufunc)
    def build(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
        a, b = values
        if a.kind == b.kind:
            return front.compare(operation, a, b)
        if UINT64 not in dtypes:
            return front.compare(operation, front.convert(a, INT64), front.convert(b, INT64))
        if a.kind == UINT64:
            return _unsigned_beside_signed(front, operation, a, b)
        return _unsigned_beside_signed(front, _REVERSED.get(operation, operation), b, a)


def _unsigned_beside_signed(front: FrontEnd, operation: str, a: Value, b: Value) -> Value:
    if b.dtype.kind == "u":
        return front.compare(operation, a, front.convert(b, UINT64))
    below = front.compare("lt", b, _zero(front, b.dtype))
    plain = front.compare(operation, a, front.convert(b, UINT64))
    return _select(front, below, _truth(front, operation in ("ne", "gt", "ge")), plain)


_REVERSED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
for _ufunc, _operation in COMPARED.items():
    _comparison(_ufunc, _operation)


def _logical(ufunc: Ufunc, operation: str) -> None:
    @_items(ufunc)
    def build(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
        return front.compute(operation, *(front.convert(value, BOOL) for value in values))


for _ufunc, _operation in (
    (np.logical_and, "and"),
    (np.logical_or, "or"),
    (np.logical_xor, "xor"),
    (np.logical_not, "not"),
):
    _logical(_ufunc, _operation)


@_items(np.isnan)
def _isnan(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    return front.compare("ne", values[0], values[0]) if dtypes[0].kind == "f" else _truth(front, False)


@_items(np.isinf)
def _isinf(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    if dtypes[0].kind != "f":
        return _truth(front, False)
    return front.compare("eq", front.compute("fabs", values[0]), front.number(np.inf, dtypes[0]))


@_items(np.isfinite)
def _isfinite(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    if dtypes[0].kind != "f":
        return _truth(front, True)
    return front.compare("lt", front.compute("fabs", values[0]), front.number(np.inf, dtypes[0]))


# Signs: that of a NaN is not kept by machine code.


def _refuse_nan(front: FrontEnd, x: Value) -> None:
    front.raise_if(front.compare("ne", x, x), BEYOND)


@_items(np.copysign)
def _copysign(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    _refuse_nan(front, values[1])
    return front.compute("copysign", *values)


@_items(np.signbit)
def _signbit(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    _refuse_nan(front, values[0])
    word = np.dtype(f"i{dtypes[0].itemsize}")
    return front.compare("lt", front.emit("bits", word, values[0]), _zero(front, word))


# Minimum, maximum, and both.


def _extreme(ufunc: Ufunc, better: str) -> None:
    @_items(ufunc)
    def build(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
        a, b = values
        if dtypes[0].kind != "f":
            return _select(front, front.compare(better, a, b), a, b)
        first = keeps_first(ufunc, dtypes[0])
        if first is None:
            return None
        return _better(front, better, a, b, first)


def _better(front: FrontEnd, better: str, a: Value, b: Value, first: bool) -> Value:
    """The better of two floats, NaN if one is; of equal ones, which may be zeros of two signs, the first or second."""
    chosen = front.compare(_OR_EQUAL[better] if first else better, a, b)
    return _select(front, front.compute("or", chosen, front.compare("ne", a, a)), a, b)


_OR_EQUAL = {"lt": "le", "gt": "ge"}
for _ufunc, _operation in ((np.minimum, "lt"), (np.maximum, "gt"), (np.fmin, "lt"), (np.fmax, "gt")):
    _extreme(_ufunc, _operation)


CLIP_EACH = "clip", "each"
"""The item of `np.clip` of arrays whose bounds are arrays, too: NumPy keeps other zeros than beside numbers."""


def _clip(ufunc: Any) -> None:
    @_items(ufunc)
    def build(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
        x, low, high = values
        if dtypes[0].kind != "f":
            above = _select(front, front.compare("gt", x, low), x, low)
            return _select(front, front.compare("lt", above, high), above, high)
        first = keeps_first(np.clip, dtypes[0], each=ufunc is CLIP_EACH)
        if first is None:
            return None
        return _better(front, "lt", _better(front, "gt", x, low, first), high, first)


_clip(np.clip)
_clip(CLIP_EACH)


# Quotients: a division of integers by zero is zero, and the lowest by -1 the lowest.


def _divided(front: FrontEnd, a: Value, b: Value) -> tuple[Value, Value]:
    """The quotient towards zero, and the rest; both are zero for a divisor of zero."""
    dtype = a.dtype
    zero = _zero(front, dtype)
    by_zero = front.compare("eq", b, zero)
    bad = by_zero
    if dtype.kind == "i":
        lowest = front.compare("eq", a, front.number(np.iinfo(dtype).min, dtype))
        bad = front.compute("or", bad, front.compute("and", lowest, front.compare("eq", b, front.number(-1, dtype))))
    divisor = _select(front, bad, front.number(1, dtype), b)
    quotient, rest = front.compute("div", a, divisor), front.compute("rem", a, divisor)
    return _select(front, by_zero, zero, quotient), _select(front, by_zero, zero, rest)


def _is_down(front: FrontEnd, rest: Value, divisor: Value) -> Value:
    """Whether a quotient of integers is not exact and below zero."""
    zero = _zero(front, rest.dtype)
    differ = front.compare("lt", front.compute("xor", rest, divisor), zero)
    return front.compute("and", front.compare("ne", rest, zero), differ)


@_items(np.floor_divide)
def _floor_divide(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    a, b = values
    if dtypes[0].kind == "f":
        return _floor_of_floats(front, a, b)
    quotient, rest = _divided(front, a, b)
    if dtypes[0].kind == "u":
        return quotient
    return front.compute("sub", quotient, front.convert(_is_down(front, rest, b), dtypes[0]))


@_items(np.remainder)
def _remainder(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    a, b = values
    if dtypes[0].kind == "f":
        return _remainder_of_floats(front, a, b)
    _, rest = _divided(front, a, b)
    if dtypes[0].kind == "u":
        return rest
    down = _is_down(front, rest, b)
    return front.compute("add", rest, _select(front, down, b, _zero(front, dtypes[0])))


@_items(np.fmod)
def _fmod(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    return _divided(front, *values)[1] if dtypes[0].kind in "iu" else c_of(front, "fmod", *values)


def c_of(front: FrontEnd, symbol: str, *values: Value) -> Value:
    """Returns a function of the C library of floats; float16 are float32 for it."""
    dtype = values[0].dtype
    if dtype == FLOAT64:
        return front.emit("call", FLOAT64, *values, attribute=symbol)
    wide = [front.convert(value, FLOAT32) for value in values]
    return front.convert(front.emit("call", FLOAT32, *wide, attribute=f"{symbol}f"), dtype)


def _remainder_of_floats(front: FrontEnd, a: Value, b: Value) -> Value:
    zero = _zero(front, a.dtype)
    rest = c_of(front, "fmod", a, b)
    differ = front.compute("xor", front.compare("lt", b, zero), front.compare("lt", rest, zero))
    moved = _select(front, differ, front.compute("add", rest, b), rest)
    signed = _select(front, front.compare("eq", rest, zero), front.compute("copysign", zero, b), moved)
    return _select(front, front.compare("eq", b, zero), rest, signed)


def _floor_of_floats(front: FrontEnd, a: Value, b: Value) -> Value:
    dtype = a.dtype
    zero, one = _zero(front, dtype), front.number(1, dtype)
    rest = c_of(front, "fmod", a, b)
    differ = front.compute("xor", front.compare("lt", b, zero), front.compare("lt", rest, zero))
    down = front.compute("and", front.compare("ne", rest, zero), differ)
    quotient = front.compute("div", front.compute("sub", a, rest), b)
    quotient = _select(front, down, front.compute("sub", quotient, one), quotient)
    below = front.compute("floor", quotient)
    far = front.compare("gt", front.compute("sub", quotient, below), front.number(0.5, dtype))
    whole = _select(front, far, front.compute("add", below, one), below)
    plain = front.compute("div", a, b)
    signed = front.compute("copysign", zero, plain)
    whole = _select(front, front.compare("eq", quotient, zero), signed, whole)
    return _select(front, front.compare("eq", b, zero), plain, whole)


@_items(np.reciprocal)
def _reciprocal(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    return front.compute("div", front.number(1, dtypes[0]), values[0]) if dtypes[0].kind == "f" else None


@_items(np.power)
def _power(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
    dtype = dtypes[0]
    if dtype.kind not in "iu":
        return None
    base, exponent = values
    if dtype.kind == "i":
        front.raise_if(front.compare("lt", exponent, _zero(front, dtype)), "ValueError")
    one = front.number(1, dtype)
    terms = [Term(Number(dtype), (value,)) for value in (base, exponent, one)]
    return front.call_function(_whole_power, terms, {}).part


def _whole_power(base: Any, exponent: Any, one: Any) -> Any:
    result = one
    while exponent:
        if exponent & one:
            result = result * base
        exponent = exponent >> one
        base = base * base
    return result


def _shift(ufunc: Ufunc, operation: str) -> None:
    @_items(ufunc)
    def build(front: FrontEnd, dtypes: tuple[Dtype, ...], values: Sequence[Value]) -> Value | None:
        """Further than there are bits, or by less than zero, is all the way."""
        dtype = dtypes[0]
        a, b = values
        zero, most = _zero(front, dtype), front.number(8 * dtype.itemsize - 1, dtype)
        far = front.compare("gt", b, most)
        if dtype.kind == "i":
            far = front.compute("or", far, front.compare("lt", b, zero))
        shifted = front.compute(operation, a, _select(front, far, most, b))
        if operation == "shr" and dtype.kind == "i":
            return shifted
        return _select(front, far, zero, shifted)


_shift(np.left_shift, "shl")
_shift(np.right_shift, "shr")
