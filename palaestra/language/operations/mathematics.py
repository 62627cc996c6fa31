"""The functions of `math`, with the C library's bits and the exceptions of `math`; and those of `ops`."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.functional import ops
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arithmetic import floating
from palaestra.language.operations.comparisons import truth
from palaestra.language.operations.table import built, written
from palaestra.language.program import FLOAT64, Value
from palaestra.language.types import Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def _real(front: FrontEnd, term: Term) -> Value:
    """A number as the float64 that `math` makes of it."""
    x = front.materialized(term)
    if not isinstance(x.type, Number):
        raise Refused(f"{term.type} is no number")
    return front.convert(x.part, FLOAT64)


def _is_finite(front: FrontEnd, x: Value) -> Value:
    return front.compare("lt", front.compute("fabs", x), front.number(math.inf, FLOAT64))


def _of_one(called: Any, error: str) -> None:
    """A function of a float: NaN for a number is a ValueError, an infinite result for a finite one `error`."""
    symbol = called.__name__

    @built(called)
    def build(front: FrontEnd, x: Term) -> Term:
        value = _real(front, x)
        result = front.emit("call", FLOAT64, value, attribute=symbol)
        if symbol in _TOTAL:
            return floating(result)
        odd = front.compute("not", _is_finite(front, result))
        if symbol in _WAVES:
            front.raise_if(front.compute("and", odd, front.compare("eq", value, value)), "ValueError")
            return floating(result)
        is_nan = front.compute("and", front.compare("ne", result, result), front.compare("eq", value, value))
        front.raise_if(is_nan, "ValueError")
        front.raise_if(front.compute("and", odd, _is_finite(front, value)), error)
        return floating(result)


_TOTAL = {"atan", "tanh", "asinh", "erf", "erfc"}  # which have no errors
_WAVES = {"sin", "cos"}  # whose results are never infinite
for _name in ("sin", "cos", "tan", "asin", "acos", "atan", "tanh", "asinh", "acosh", "atanh"):
    _of_one(getattr(math, _name), "ValueError")
for _name in ("log1p", "log2", "log10", "erf", "erfc"):
    _of_one(getattr(math, _name), "ValueError")
for _name in ("exp", "expm1", "sinh", "cosh"):
    _of_one(getattr(math, _name), "OverflowError")


@built(math.sqrt)
def _sqrt(front: FrontEnd, x: Term) -> Term:
    value = _real(front, x)
    front.raise_if(front.compare("lt", value, front.number(0.0, FLOAT64)), "ValueError")
    return floating(front.compute("sqrt", value))


@built(math.atan2)
def _atan2(front: FrontEnd, y: Term, x: Term) -> Term:
    return floating(front.emit("call", FLOAT64, _real(front, y), _real(front, x), attribute="atan2"))


@built(math.isnan)
def _isnan(front: FrontEnd, x: Term) -> Term:
    value = _real(front, x)
    return truth(front.compare("ne", value, value))


@built(math.isfinite)
def _isfinite(front: FrontEnd, x: Term) -> Term:
    return truth(_is_finite(front, _real(front, x)))


@built(math.isinf)
def _isinf(front: FrontEnd, x: Term) -> Term:
    size = front.compute("fabs", _real(front, x))
    return truth(front.compare("eq", size, front.number(math.inf, FLOAT64)))


@built(math.fabs)
def _fabs(front: FrontEnd, x: Term) -> Term:
    return floating(front.compute("fabs", _real(front, x)))


@written(math.degrees)
def _degrees(x: Any) -> Any:
    return x * 57.29577951308232


@written(math.radians)
def _radians(x: Any) -> Any:
    return x * 0.017453292519943295


@built(math.floor)
def _floor(front: FrontEnd, x: Term) -> Term:
    return _to_int(front, x, "floor")


@built(math.ceil)
def _ceil(front: FrontEnd, x: Term) -> Term:
    return _to_int(front, x, "ceil")


@built(math.trunc)
def _trunc(front: FrontEnd, x: Term) -> Term:
    return _to_int(front, x, "trunc")


def _to_int(front: FrontEnd, x: Term, rounding: str) -> Term:
    term = front.materialized(x)
    if not isinstance(term.type, Number):
        raise Refused(f"{x.type} is no number")
    if term.type.dtype.kind != "f":
        return front.operate(int, x)
    return front.operate(int, floating(front.compute(rounding, _real(front, x))))


# The functions of `gymnasium.functional.ops` that are not those of `math`.


@built(ops.where)
def _where(front: FrontEnd, condition: Term, a: Term, b: Term) -> Term:
    chosen = front.truth(condition)
    if isinstance(chosen, bool):
        return a if chosen else b
    return front.branch(chosen, lambda: a, lambda: b)


@written(ops.clip)
def _clip(x: Any, low: Any, high: Any) -> Any:
    return low if x < low else high if x > high else x


@written(ops.minimum)
def _minimum(a: Any, b: Any) -> Any:
    return b if b < a else a


@written(ops.maximum)
def _maximum(a: Any, b: Any) -> Any:
    return b if b > a else a


@built(ops.float32)
def _float32(front: FrontEnd, x: Term) -> Term:
    narrow = front.convert(_real(front, x), np.dtype(np.float32))
    return floating(front.convert(narrow, FLOAT64))


@built(ops.pow2)
def _pow2(front: FrontEnd, x: Term) -> Term:
    return front.operate(operator.pow, x, constant(2))


@built(ops.pow2f)
def _pow2f(front: FrontEnd, x: Term) -> Term:
    single = np.dtype(np.float32)
    narrow = front.convert(_real(front, x), single)
    square = front.emit("call", single, narrow, front.number(2, single), attribute="powf")
    return floating(front.convert(square, FLOAT64))
