"""The functions of `math` of floats, with the C library's bits and the exceptions of `math`; and those of `ops`."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.functional import ops
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arithmetic import c_fmod, c_pow, floating, is_python
from palaestra.language.operations.comparisons import truth
from palaestra.language.operations.drawing import any_number, any_numbers, one_of
from palaestra.language.operations.integers import integer
from palaestra.language.operations.table import Tries, built, written
from palaestra.language.program import BEYOND, FLOAT64, Value
from palaestra.language.types import Number, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


_REALS: tuple[Tries, ...] = (
    any_numbers("f"),
    any_numbers("biu"),
    lambda rng: (one_of(rng, 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 710.0, 1e3, -1e3, 1e308, 5e-324, math.inf),),
    lambda rng: (float(rng.normal()),),
)
_PAIRS: tuple[Tries, ...] = (
    any_numbers("f", 2),
    lambda rng: (any_number(rng, "f"), any_number(rng, "i")),
    lambda rng: (one_of(rng, 0.0, -0.0, 1.0, -1.0, -2.0, math.inf), one_of(rng, 0.0, 1.0, -3.0, 0.5, -math.inf, 1e4)),
    lambda rng: (float(rng.normal()), float(rng.normal())),
)


def _real(front: FrontEnd, term: Term) -> Value:
    """A number as the float64 that `math` makes of it."""
    x = front.materialized(term)
    if not isinstance(x.type, Number):
        raise Refused(f"{term.type} is not a number")
    return front.convert(x.part, FLOAT64)


def _is_finite(front: FrontEnd, x: Value) -> Value:
    return front.compare("lt", front.compute("fabs", x), front.number(math.inf, FLOAT64))


def _of_one(called: Any, error: str, symbol: str = "", tries: tuple[Tries, ...] = _REALS) -> None:
    """A function of a float: NaN for a number is a ValueError, an infinite result for a finite one `error`."""
    symbol = symbol or called.__name__

    @built(called, tries=tries)
    def build(front: FrontEnd, x: Term) -> Term:
        value = _real(front, x)
        if symbol in _WAVES:
            infinite = front.compare("eq", front.compute("fabs", value), front.number(math.inf, FLOAT64))
            front.raise_if(infinite, "ValueError")
        result = front.emit("call", FLOAT64, value, attribute=symbol)
        if symbol in _TOTAL or symbol in _WAVES:
            return floating(result)
        odd = front.compute("not", _is_finite(front, result))
        is_nan = front.compute("and", front.compare("ne", result, result), front.compare("eq", value, value))
        front.raise_if(is_nan, "ValueError")
        front.raise_if(front.compute("and", odd, _is_finite(front, value)), error)
        return floating(result)


_TOTAL = {"atan", "tanh", "asinh", "erf", "erfc"}  # which have no errors
_WAVES = {"sin", "cos"}  # whose results are finite for finite numbers
for _name in ("sin", "cos", "tan", "asin", "acos", "atan", "tanh", "asinh", "acosh", "atanh"):
    _of_one(getattr(math, _name), "ValueError")
for _name in ("log1p", "log2", "log10", "erf", "erfc"):
    _of_one(getattr(math, _name), "ValueError")
for _name in ("exp", "expm1", "sinh", "cosh"):
    _of_one(getattr(math, _name), "OverflowError")
for _name, _error in (("cbrt", "ValueError"), ("exp2", "OverflowError")):
    if hasattr(math, _name):  # in Python 3.11
        _of_one(getattr(math, _name), _error)


@built(math.sqrt, tries=_REALS)
def _sqrt(front: FrontEnd, x: Term) -> Term:
    value = _real(front, x)
    front.raise_if(front.compare("lt", value, front.number(0.0, FLOAT64)), "ValueError")
    return floating(front.compute("sqrt", value))


@built(math.atan2, tries=_PAIRS)
def _atan2(front: FrontEnd, y: Term, x: Term) -> Term:
    return floating(front.emit("call", FLOAT64, _real(front, y), _real(front, x), attribute="atan2"))


@built(math.isnan, tries=_REALS)
def _isnan(front: FrontEnd, x: Term) -> Term:
    value = _real(front, x)
    return truth(front.compare("ne", value, value))


@built(math.isfinite, tries=_REALS)
def _isfinite(front: FrontEnd, x: Term) -> Term:
    return truth(_is_finite(front, _real(front, x)))


@built(math.isinf, tries=_REALS)
def _isinf(front: FrontEnd, x: Term) -> Term:
    size = front.compute("fabs", _real(front, x))
    return truth(front.compare("eq", size, front.number(math.inf, FLOAT64)))


@built(math.fabs, tries=_REALS)
def _fabs(front: FrontEnd, x: Term) -> Term:
    return floating(front.compute("fabs", _real(front, x)))


@written(math.degrees, tries=_REALS)
def _degrees(x: Any) -> Any:
    return float(x) * 57.29577951308232


@written(math.radians, tries=_REALS)
def _radians(x: Any) -> Any:
    return float(x) * 0.017453292519943295


@built(math.floor, tries=_REALS)
def _floor(front: FrontEnd, x: Term) -> Term:
    return _to_int(front, x, "floor")


@built(math.ceil, tries=_REALS)
def _ceil(front: FrontEnd, x: Term) -> Term:
    return _to_int(front, x, "ceil")


@built(math.trunc, tries=_REALS)
def _trunc(front: FrontEnd, x: Term) -> Term:
    return _to_int(front, x, "trunc")


def _to_int(front: FrontEnd, x: Term, rounding: str) -> Term:
    term = front.materialized(x)
    if not isinstance(term.type, Number):
        raise Refused(f"{x.type} is not a number")
    if rounding == "trunc" and not term.type.python and term.type.dtype != FLOAT64:
        front.raise_("TypeError")
    if term.type.python and term.type.dtype.kind != "f":
        return front.operate(int, x)
    return front.operate(int, floating(front.compute(rounding, _real(front, x))))


# Functions of two numbers.


def _log(x: Any) -> Any:
    return math.log(x)


_of_one(_log, "ValueError", "log", ())


@written(math.log, tries=(*_REALS, *_PAIRS))
def _log_of(x: Any, *base: Any) -> Any:
    return _log(x) / _log(base[0]) if base else _log(x)


def _c(symbol: str) -> Any:
    """A function of C of two floats, which raises nothing."""

    def called(x: float, y: float) -> float:
        raise NotImplementedError

    @built(called, folds=False)
    def build(front: FrontEnd, x: Term, y: Term) -> Term:
        return floating(front.emit("call", FLOAT64, _real(front, x), _real(front, y), attribute=symbol))

    return called


c_remainder, c_nextafter = _c("remainder"), _c("nextafter")


@written(math.fmod, tries=_PAIRS)
def _fmod(x: Any, y: Any) -> Any:
    a, b = float(x), float(y)
    result = c_fmod(a, b)
    if result != result and a == a and b == b:
        raise ValueError
    return result


@written(math.remainder, tries=_PAIRS)
def _remainder(x: Any, y: Any) -> Any:
    a, b = float(x), float(y)
    result = c_remainder(a, b)
    if result != result and a == a and b == b:
        raise ValueError
    return result


@written(math.pow, tries=_PAIRS)
def _pow(x: Any, y: Any) -> Any:
    a, b = float(x), float(y)
    result = c_pow(a, b)
    if result - result != 0.0 and a - a == 0.0 and b - b == 0.0:
        if result != result or a == 0.0:
            raise ValueError
        raise OverflowError
    return result


@built(math.copysign, tries=_PAIRS, note="no sign of NaN")
def _copysign(front: FrontEnd, x: Term, y: Term) -> Term:
    sign = _real(front, y)
    front.raise_if(front.compare("ne", sign, sign), BEYOND)
    return floating(front.compute("copysign", _real(front, x), sign))


@written(math.nextafter, tries=_PAIRS)
def _nextafter(x: Any, y: Any) -> Any:
    return c_nextafter(x, y)


@written(math.ulp, tries=_REALS)
def _ulp(x: Any) -> Any:
    size = abs(float(x))
    if size != size or size == math.inf:
        return size
    above = c_nextafter(size, math.inf)
    return size - c_nextafter(size, -math.inf) if above == math.inf else above - size


@built(
    math.ldexp,
    tries=(
        lambda rng: (any_number(rng, "f"), int(rng.integers(-2200, 2200))),
        lambda rng: (1.5, any_number(rng, "bi")),
    ),
)
def _ldexp(front: FrontEnd, x: Term, exponent: Term) -> Term:
    count = front.materialized(exponent)
    if not is_python(count) or count.part.kind == FLOAT64:
        front.raise_("TypeError")
    value = _real(front, x)
    wide = Term(Number(np.dtype(np.int64)), (front.convert(count.part, np.dtype(np.int64)),))
    result = front.operate(np.ldexp, floating(value), wide).part
    infinite = front.compute("not", _is_finite(front, result))
    front.raise_if(front.compute("and", infinite, _is_finite(front, value)), "OverflowError")
    return floating(result)


@built(math.frexp, tries=_REALS)
def _frexp(front: FrontEnd, x: Term) -> Term:
    value = _real(front, x)
    part, exponent = front.operate(np.frexp, floating(value)).items()
    zero = front.number(0)
    known = front.convert(exponent.part, zero.dtype)
    count = front.emit("select", zero.kind, _is_finite(front, value), known, zero)
    return tuple_of([floating(part.part), integer(count)])


@built(math.modf, tries=_REALS)
def _modf(front: FrontEnd, x: Term) -> Term:
    parts = front.operate(np.modf, floating(_real(front, x))).items()
    return tuple_of([floating(one.part) for one in parts])


def _near(rng: np.random.Generator) -> tuple[Any, ...]:
    x = float(any_number(rng, "f"))
    return x, x * (1.0 + float(rng.normal()) * 1e-9)


@written(math.isclose, tries=(*_PAIRS, _near))
def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    x, y, relative, absolute = float(a), float(b), float(rel_tol), float(abs_tol)
    if relative < 0.0 or absolute < 0.0:
        raise ValueError
    if x == y:
        return True
    apart = abs(y - x)
    if abs(x) == math.inf or abs(y) == math.inf:
        return False
    return apart <= abs(relative * y) or apart <= abs(relative * x) or apart <= absolute


# The functions of `gymnasium.functional.ops` that are not those of `math`.


@built(ops.where, tries=(lambda rng: (bool(rng.random() < 0.5), *any_numbers("f", 2)(rng)),))
def _where(front: FrontEnd, condition: Term, a: Term, b: Term) -> Term:
    chosen = front.truth(condition)
    if isinstance(chosen, bool):
        return a if chosen else b
    return front.branch(chosen, lambda: a, lambda: b)


@written(ops.clip, tries=(any_numbers("f", 3),))
def _clip(x: Any, low: Any, high: Any) -> Any:
    return low if x < low else high if x > high else x


@written(ops.minimum, tries=(any_numbers("f", 2),))
def _minimum(a: Any, b: Any) -> Any:
    return b if b < a else a


@written(ops.maximum, tries=(any_numbers("f", 2),))
def _maximum(a: Any, b: Any) -> Any:
    return b if b > a else a


@built(ops.float32, tries=(any_numbers("f"),))
def _float32(front: FrontEnd, x: Term) -> Term:
    narrow = front.convert(_real(front, x), np.dtype(np.float32))
    return floating(front.convert(narrow, FLOAT64))


@built(ops.pow2, tries=(any_numbers("f"),))
def _pow2(front: FrontEnd, x: Term) -> Term:
    return front.operate(operator.pow, x, constant(2))


@built(ops.pow2f, tries=(any_numbers("f"),))
def _pow2f(front: FrontEnd, x: Term) -> Term:
    single = np.dtype(np.float32)
    narrow = front.convert(_real(front, x), single)
    square = front.emit("call", single, narrow, front.number(2, single), attribute="powf")
    return floating(front.convert(square, FLOAT64))
