"""NumPy's numbers: ufuncs of them, conversions, methods and attributes.

A ufunc of an array, a tuple or a list, or with arguments such as `out`, is the operation `(ufunc, "array")`.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.drawing import any_array, any_number, any_numbers, one_of, strong_number
from palaestra.language.operations.items import Dtype, Ufunc, c_of
from palaestra.language.operations.table import built, written
from palaestra.language.operations.ufuncs import operand, resolved, single_item
from palaestra.language.program import BEYOND, INT64, Value
from palaestra.language.types import PYTHON, Number, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NOTHING, ZERO, FALSE, TRUE, RELATIVE, ABSOLUTE = map(constant, (None, 0, False, True, 1e-05, 1e-08))
POWER = operator.pow, "numpy"
"""The operator `**` of NumPy's numbers, which is the C library's, and no ufunc."""


def number_type(term: Term) -> Number:
    """Returns the type of a number that is not a constant."""
    assert isinstance(term.type, Number), term.type
    return term.type


# Ufuncs.


def of_numbers(front: FrontEnd, ufunc: Ufunc, *terms: Term) -> Term:
    """Returns what a ufunc returns for numbers: a number of NumPy, or a tuple of several.

    Raises:
        Refused: If NumPy has no such loop for them.
    """
    dtypes = resolved(ufunc, *terms)
    values = [operand(front, ufunc, term, dtype) for term, dtype in zip(terms, dtypes, strict=False)]
    results = single_item(front, ufunc, dtypes, values)
    found = [numpy_number(dtype, value) for dtype, value in zip(dtypes[len(terms) :], results, strict=True)]
    return found[0] if len(found) == 1 else tuple_of(found)


def numpy_number(dtype: Dtype, value: Value) -> Term:
    """Returns a number as one of NumPy."""
    return Term(Number(dtype), (value,))


def _called(front: FrontEnd, ufunc: Ufunc, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    if named or len(terms) != _count(ufunc) or not all(map(arrays.is_number, terms)):
        return front.operate((ufunc, "array"), *terms, **named)
    return of_numbers(front, ufunc, *terms)


def _count(ufunc: Ufunc) -> int:
    return 3 if ufunc is np.clip else ufunc.nin  # type: ignore[union-attr]


def _ufunc(ufunc: np.ufunc, kinds: str, note: str) -> None:
    @built(ufunc, tries=(any_numbers(kinds, ufunc.nin),), note=note)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        return _called(front, ufunc, terms, named)


_FLOATS = (
    *(np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos),
    *(np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh, np.cbrt, np.arctan2, np.hypot),
    *(np.deg2rad, np.rad2deg, np.degrees, np.radians, np.logaddexp, np.logaddexp2, np.heaviside, np.nextafter),
    *(np.spacing, np.modf, np.frexp, np.float_power, np.sqrt, np.copysign, np.signbit, np.fabs, np.rint),
)
_NUMBERS = (
    *(np.add, np.multiply, np.divide, np.floor_divide, np.remainder, np.fmod, np.divmod, np.power, np.absolute),
    *(np.minimum, np.maximum, np.fmin, np.fmax, np.equal, np.not_equal, np.less, np.less_equal, np.greater),
    *(np.greater_equal, np.logical_and, np.logical_or, np.logical_xor, np.logical_not, np.square, np.floor, np.ceil),
    *(np.trunc, np.isnan, np.isinf, np.isfinite, np.conjugate),
)
_OF_ARITHMETIC = np.subtract, np.negative, np.positive, np.sign, np.reciprocal
_WHOLE = np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert
_SHIFTING = np.left_shift, np.right_shift, np.gcd, np.lcm, np.bitwise_count
for _group, _kinds in ((_FLOATS, "f"), (_NUMBERS, "biuf"), (_OF_ARITHMETIC, "iuf"), (_WHOLE, "biu"), (_SHIFTING, "iu")):
    for _one in _group:
        _ufunc(_one, _kinds, "no sign of NaN" if _one in (np.copysign, np.signbit) else "")


@built(np.ldexp, tries=(lambda rng: (any_number(rng, "f"), int(rng.integers(-2000, 2000))),))
def _ldexp(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    return _called(front, np.ldexp, terms, named)


@built(POWER, tries=(lambda rng: (strong_number(rng, "iuf"), any_number(rng, "iuf")),))
def _power(front: FrontEnd, base: Term, exponent: Term) -> Term:
    """NumPy's numbers have an operator of their own: its floats are the C library's, not those of the ufunc's loop."""
    if not (arrays.is_number(base) and arrays.is_number(exponent)):
        return front.operate((operator.pow, "array"), base, exponent)
    dtypes = resolved(np.power, base, exponent)
    if dtypes[0].kind != "f":
        return of_numbers(front, np.power, base, exponent)
    values = [operand(front, np.power, term, dtypes[0]) for term in (base, exponent)]
    return numpy_number(dtypes[2], c_of(front, "pow", *values))


# Clip.


@built(
    np.clip,
    tries=(lambda rng: (any_number(rng, "f"), any_number(rng, "f"), any_number(rng, "f")), any_numbers("i", 3)),
)
def _clip(front: FrontEnd, x: Term, a_min: Term = NOTHING, a_max: Term = NOTHING, **named: Term) -> Term:
    low, high = named.pop("min", a_min), named.pop("max", a_max)
    if named or not all(arrays.is_number(one) or one == NOTHING for one in (x, low, high)):
        return front.operate((np.clip, "array"), x, low, high, **named)
    x = strong(front, x)
    limits = _limits(front, x, low, high)
    if limits[0] is None and limits[1] is None:
        return of_numbers(front, np.positive, x)
    if limits[0] is None:
        return of_numbers(front, np.minimum, x, limits[1] or high)
    if limits[1] is None:
        return of_numbers(front, np.maximum, x, limits[0])
    return of_numbers(front, np.clip, x, limits[0], limits[1])


def _limits(front: FrontEnd, x: Term, low: Term, high: Term) -> tuple[Term | None, Term | None]:
    """The bounds of `np.clip`; NumPy leaves out an int of Python that no integer of the dtype is beyond."""
    given: list[Term | None] = [None if one == NOTHING else one for one in (low, high)]
    dtype = resolved(np.positive, x)[0]
    if dtype.kind not in "iu":
        return given[0], given[1]
    whole = resolved(np.clip, x, *(one for one in given if one), *([x] * given.count(None)))[0].kind in "iu"
    for k, bound in enumerate(given):
        if bound is not None and _python_int(bound):
            given[k] = _limit(front, bound, dtype, (np.iinfo(dtype).min, np.iinfo(dtype).max)[k], k == 0, whole)
    return given[0], given[1]


def _python_int(term: Term) -> bool:
    return type(term.value) is int if term.known else term.type == PYTHON[int]


def _limit(front: FrontEnd, bound: Term, dtype: Dtype, last: int, is_low: bool, whole: bool) -> Term | None:
    if bound.known:
        return None if (bound.value <= last if is_low else bound.value >= last) else bound
    if not -(2**63) <= last < 2**63:
        return bound
    far = front.compare("le" if is_low else "ge", bound.part, front.number(last))
    if not whole:
        front.raise_if(far, BEYOND)
        return bound
    return Term(PYTHON[int], (front.emit("select", INT64, far, front.number(last), bound.part),))


# Roundings.


@built(
    np.round,
    np.around,
    tries=(
        lambda rng: (any_number(rng, "fi"),),
        lambda rng: (any_number(rng, "fi"), one_of(rng, 0, 1, 3, -2)),
        lambda rng: (any_array(rng, "f"), one_of(rng, 0, 2)),
    ),
    note="no overflow",
)
def _round(front: FrontEnd, a: Term, decimals: Term = ZERO, out: Term = NOTHING) -> Term:
    if not arrays.is_number(a) or out != NOTHING:
        return front.operate((np.round, "array"), a, decimals, out)
    places = front.integer(decimals, "the number of decimals")
    x = strong(front, a)
    dtype = number_type(x).dtype
    if places == 0 or (places > 0 and dtype.kind in "iu"):
        return of_numbers(front, np.rint if dtype.kind == "f" else np.positive, x)
    if abs(places) > MOST_PLACES:
        raise Refused("more than 22 decimals are not in the language")
    rounded = front.call_function(_rounded if places > 0 else _rounded_tens, (x, constant(10.0 ** abs(places))), {})
    return numpy_number(dtype, arrays.cast(front, rounded.part, dtype))


MOST_PLACES = 22  # the largest power of ten that is a float


def strong(front: FrontEnd, x: Term) -> Term:
    """Returns a number as the number of NumPy that `np.asarray` makes of it."""
    (dtype,) = resolved(np.logical_not, x)[:1]
    return numpy_number(dtype, operand(front, np.logical_not, x, dtype))


def _rounded(x: Any, scale: float) -> Any:
    return np.rint(x * scale) / scale


def _rounded_tens(x: Any, scale: float) -> Any:
    return np.rint(x / scale) * scale


@built(np.isclose, tries=(any_numbers("f", 2), any_numbers("i", 2), lambda rng: _near(rng), lambda rng: _far(rng)))
def _isclose(
    front: FrontEnd,
    a: Term,
    b: Term,
    rtol: Term = RELATIVE,
    atol: Term = ABSOLUTE,
    equal_nan: Term = FALSE,
) -> Term:
    if not (arrays.is_number(a) and arrays.is_number(b)):
        return front.operate((np.isclose, "array"), a, b, rtol, atol, equal_nan)
    x, y = front.materialized(a), front.materialized(b)
    if number_type(y).python:
        y = front.operate(float, y)
    else:
        dtype = np.result_type(number_type(y).dtype, 1.0)
        y = numpy_number(dtype, front.convert(y.part, dtype))
    return front.call_function(_close, (x, y, rtol, atol, equal_nan), {})


def _near(rng: np.random.Generator) -> tuple[Any, ...]:
    x = any_number(rng, "f")
    return x, x * (1.0 + rng.normal() * 1e-5)


def _far(rng: np.random.Generator) -> tuple[Any, ...]:
    """Numbers of which NumPy makes infinite ones of fewer bits, since Python's are weak."""
    narrow, wide = np.float32(rng.integers(-3, 4)), 10.0 ** int(rng.integers(30, 50))
    return (narrow, wide) if rng.integers(2) else (wide, narrow)


def _close(x: Any, y: Any, rtol: Any, atol: Any, equal_nan: Any) -> Any:
    result = np.less_equal(abs(x - y), atol + rtol * abs(y)) & np.isfinite(y) | (x == y)
    return result | (np.isnan(x) & np.isnan(y)) if equal_nan else result


@built(np.allclose, tries=(any_numbers("f", 2), lambda rng: _near(rng)))
def _allclose(front: FrontEnd, a: Term, b: Term, *terms: Term, **named: Term) -> Term:
    close = front.operate(np.isclose, a, b, *terms, **named)
    return front.operate(bool, close if arrays.is_number(close) else front.operate(np.all, close))


# Conversions.


def _class(of: Any) -> None:
    dtype = np.dtype(of)

    @built(of, tries=(any_numbers(),), note="of what fits")
    def build(front: FrontEnd, x: Term = ZERO) -> Term:
        if not arrays.is_number(x):
            raise Refused(f"np.{of.__name__}() of {x.type} is not in the language", "write astype")
        return numpy_number(dtype, arrays.number_as(front, x, dtype))


_of: Any
for _of in (np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64):
    _class(_of)
for _of in (np.float16, np.float32, np.float64):
    _class(_of)


@built(np.generic.item, tries=(lambda rng: (strong_number(rng),),))
def _item(front: FrontEnd, x: Term) -> Term:
    return front.operate({"b": bool, "f": float}.get(number_type(x).dtype.kind, int), x)


@built(np.generic.astype, tries=(lambda rng: (strong_number(rng), one_of(rng, np.float32, "int64", bool, float)),))
def _astype(front: FrontEnd, x: Term, dtype: Term, copy: Term = TRUE) -> Term:
    if not dtype.known:
        raise Refused("the dtype of astype must be known when the program is compiled")
    wanted = np.dtype(dtype.value)
    return numpy_number(wanted, arrays.cast(front, front.materialized(x).part, wanted))


@built(np.generic.copy, np.generic.conjugate, tries=(lambda rng: (strong_number(rng, "iuf"),),))
def _copy(front: FrontEnd, x: Term) -> Term:
    return front.materialized(x)


@built(np.generic.clip, tries=(lambda rng: (strong_number(rng, "f"), *any_numbers("f", 2)(rng)),))
def _clip_method(front: FrontEnd, x: Term, *terms: Term, **named: Term) -> Term:
    return front.operate(np.clip, x, *terms, **named)


@built(np.generic.round, tries=(lambda rng: (strong_number(rng, "fi"),),))
def _round_method(front: FrontEnd, x: Term, decimals: Term = ZERO) -> Term:
    return front.operate(np.round, x, decimals)


def _of_floats(of: Any) -> None:
    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        return (of(any_number(rng, "f")),)

    @written(of.is_integer, tries=(draw, lambda rng: (of(rng.integers(-9, 9)),)))
    def is_integer(x: Any) -> Any:
        return bool(x - x == 0.0) and bool(np.floor(x) == x)


for _of in (np.float16, np.float32, np.float64, float):
    _of_floats(_of)


@written(np.integer.is_integer, tries=(lambda rng: (strong_number(rng, "iu"),),))
def _is_whole(x: Any) -> Any:
    return True


# Attributes: those that a type alone decides, and parts.


def _attribute(name: str) -> None:
    @built(vars(np.generic)[name], folds=False, tries=(lambda rng: (strong_number(rng),),))
    def build(front: FrontEnd, x: Term) -> Term:
        example = number_type(front.materialized(x)).dtype.type(0)
        return constant(getattr(example, name))


for _one_name in ("dtype", "shape", "ndim", "size", "itemsize", "nbytes", "strides"):
    _attribute(_one_name)


def _any_real(rng: np.random.Generator) -> tuple[Any, ...]:
    return (any_number(rng),)


@built(
    vars(np.generic)["real"],
    vars(np.generic)["T"],
    vars(int)["real"],
    vars(float)["real"],
    folds=False,
    tries=(_any_real,),
)
def _real(front: FrontEnd, x: Term) -> Term:
    term = front.materialized(x)
    return front.operate(int, term) if term.type == PYTHON[bool] else term


@built(vars(np.generic)["imag"], vars(int)["imag"], vars(float)["imag"], folds=False, tries=(_any_real,))
def _imaginary(front: FrontEnd, x: Term) -> Term:
    kind = number_type(front.materialized(x))
    return front.materialized(constant(0 if kind == PYTHON[bool] else zero_of(kind)))


def zero_of(kind: Number) -> Any:
    """Returns the zero of a type of numbers."""
    zero = kind.dtype.type(0)
    return zero.item() if kind.python else zero
