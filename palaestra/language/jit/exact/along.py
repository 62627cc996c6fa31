"""Functions along an axis of an array with two axes, in NumPy's order: `np.sum(a, axis=0)`, `a.max(axis=1)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Meaning, Type, compiled, meaning_of, types
from palaestra.language.jit.exact import arrays, numbers
from palaestra.language.jit.exact.elementwise import check_laid_out, of_ufunc
from palaestra.language.jit.exact.kinds import is_array, is_long_tuple, kind_of
from palaestra.language.jit.exact.loops import loop_of
from palaestra.language.jit.exact.mathematics import LOOPS
from palaestra.language.jit.exact.operators import Function, Unsupported
from palaestra.language.jit.symbols import is_readable


@compiled
def _axis_of(axis: int) -> Any:
    """0 or 1."""
    if not -2 <= axis <= 1:
        raise ValueError("an axis out of bounds")
    return axis % 2


@compiled
def _only_axis(axis: int) -> None:
    if not -1 <= axis <= 0:
        raise ValueError("an axis out of bounds")


def _by_loop(whole: Any, loop: Any, first: float | None) -> Any:
    """Returns a reduction of floats by NumPy's inner loop: of each row, or of all rows, one added after the other."""
    has_first, begin = first is not None, 0.0 if first is None else first

    @compiled
    def function(a: np.ndarray, axis: int) -> Any:
        m, n = a.shape
        if _axis_of(axis) == 1:
            result = np.empty(m)
            for i in range(m):
                result[i] = whole(a[i])
            return result
        result = np.empty(n)
        if n == 1:  # NumPy leaves the other axis out
            result[0] = whole(a[:, 0])
            return result
        if has_first:
            result[:] = begin
        elif m == 0:
            raise ValueError("zero-size array to a reduction that has no identity")
        else:
            result[:] = a[0]
        for i in range(0 if has_first else 1, m):
            at = result.ctypes.data
            loop(at, a[i].ctypes.data, at, 8, 8, 8, n)
        return result

    return function


def _by_rows(whole: Any, dtype: Any) -> Any:
    """Returns a function of each row or column by itself, whose result does not depend on an order."""

    @compiled
    def function(a: np.ndarray, axis: int) -> Any:
        m, n = a.shape
        if _axis_of(axis) == 1:
            result = np.empty(m, dtype)
            for i in range(m):
                result[i] = whole(a[i])
            return result
        result = np.empty(n, dtype)
        for j in range(n):
            result[j] = whole(a[:, j])
        return result

    return function


@compiled
def _mean_of_floats(a: np.ndarray, axis: int) -> Any:
    m, n = a.shape
    return _sum_of_floats(a, axis) / (n if _axis_of(axis) == 1 else m)


@compiled
def _sum_of_ints(row: np.ndarray) -> Any:
    total = 0
    for one in row:
        total += types.int64(one)
    return total


@compiled
def _product_of_ints(row: np.ndarray) -> Any:
    total = 1
    for one in row:
        total *= one
    return total


@compiled
def _any(row: np.ndarray) -> Any:
    found = False
    for one in row:
        found |= one != 0
    return found


@compiled
def _all(row: np.ndarray) -> Any:
    found = True
    for one in row:
        found &= one != 0
    return found


@compiled
def _best_place(row: np.ndarray) -> Any:
    if len(row) == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    found = 0
    for k in range(len(row)):
        if row[found] != row[found]:
            return found
        if row[k] > row[found] or row[k] != row[k]:
            found = k
    return found


@compiled
def _least_place(row: np.ndarray) -> Any:
    if len(row) == 0:
        raise ValueError("attempt to get argmin of an empty sequence")
    found = 0
    for k in range(len(row)):
        if row[found] != row[found]:
            return found
        if row[k] < row[found] or row[k] != row[k]:
            found = k
    return found


@compiled
def _largest(row: np.ndarray) -> Any:
    return row[_best_place(row)]


@compiled
def _least(row: np.ndarray) -> Any:
    return row[_least_place(row)]


_OF_FLOATS: dict[Any, Any] = {}
_ANY_KIND = ("b", "i", "f")
_EXACT: dict[Any, tuple[tuple[str, ...], Any]] = {
    np.sum: (("b", "i"), _by_rows(_sum_of_ints, np.int64)),
    np.prod: (("i",), _by_rows(_product_of_ints, np.int64)),
    np.max: (("i",), _by_rows(_largest, np.int64)),
    np.min: (("i",), _by_rows(_least, np.int64)),
    np.any: (_ANY_KIND, _by_rows(_any, np.bool_)),
    np.all: (_ANY_KIND, _by_rows(_all, np.bool_)),
    np.argmax: (("i", "f"), _by_rows(_best_place, np.int64)),
    np.argmin: (("i", "f"), _by_rows(_least_place, np.int64)),
}
"""Maps NumPy's functions to the kinds of numbers of which machine code has them, and to these."""

if is_readable():
    for _function, _ufunc, _first in (
        (np.sum, np.add, 0.0),
        (np.prod, np.multiply, 1.0),
        (np.max, np.maximum, None),
        (np.min, np.minimum, None),
    ):
        _OF_FLOATS[_function] = _by_loop(arrays.REDUCED[_function], loop_of(_ufunc, 2)[1], _first)
    _sum_of_floats = _OF_FLOATS[np.sum]
    _OF_FLOATS[np.mean] = _mean_of_floats


def _stand_in(function: Any) -> Callable[..., Any]:
    """Returns the function that takes the place of `function(a, axis)`."""

    def along(a: Any, axis: Any) -> Any:
        return function(a, axis=axis)

    @meaning_of(along)
    def _along(a: Any, axis: Any) -> Meaning:
        if not is_array(a) or is_long_tuple(a) or kind_of(axis) != "i" or a.layout != "C" or a.ndim not in (1, 2):
            return None
        kinds, exact = _EXACT.get(function, ((), None))
        made = _OF_FLOATS.get(function) if kind_of(a.dtype) == "f" and function in _OF_FLOATS else exact
        if made is None or (made is exact and kind_of(a.dtype) not in kinds):
            return None
        if a.ndim == 2:
            return lambda a, axis: made(a, axis)

        def of_row(a: np.ndarray, axis: int) -> Any:
            _only_axis(axis)
            return made(a.reshape(1, -1), 1)[0]

        return of_row

    along.__name__ = along.__qualname__ = f"{function.__name__}_along"
    return along


ALONG: dict[Any, Callable[..., Any]] = {function: _stand_in(function) for function in (*_EXACT, np.mean)}
"""Maps NumPy's functions to those that take an array and an axis."""
ALONG |= {np.amax: ALONG[np.max], np.amin: ALONG[np.min]}
ALONG_METHODS: dict[str, Callable[..., Any]] = {
    function.__name__: ALONG[function] for function in (np.sum, np.prod, np.mean, np.any, np.all, np.argmax, np.argmin)
}
ALONG_METHODS |= {"max": ALONG[np.max], "min": ALONG[np.min]}
"""The same by the names of the methods of arrays."""


@compiled
def spaced(start: Any, stop: Any, count: Any) -> Any:
    """`np.linspace` of two numbers."""
    if count < 0:
        raise ValueError("the number of samples must be non-negative")
    first, last = start * 1.0, stop * 1.0
    span = last - first
    result = np.empty(count)
    steps = count - 1
    for k in range(count):
        at = float(k)
        if steps <= 0:
            result[k] = at * span + first
        elif span / steps == 0.0:
            result[k] = at / steps * span + first
        else:
            result[k] = at * (span / steps) + first
    if count > 1:
        result[steps] = last
    return result


@compiled
def rounded(x: Any, digits: Any) -> Any:
    """`np.round` of a float to some digits after the point."""
    if digits == 0:
        return numbers.float_even(x)
    scale = 1.0
    for _ in range(digits):
        scale *= 10.0
    return numbers.float_even(x * scale) / scale


@compiled
def rounded_array(a: np.ndarray, digits: Any) -> Any:
    """`np.round` of an array of floats."""
    result = np.empty(a.shape)
    for k in range(a.size):
        result.flat[k] = rounded(a.flat[k], digits)
    return result


def rounding(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    """Returns the replacement of `np.round`."""
    if len(kinds) == 1 and np.rint in LOOPS:
        return of_ufunc(np.rint)(kinds, literals)
    digits = literals[1] if len(kinds) == 2 else None
    if type(digits) is int and 0 <= digits <= 8 and not is_long_tuple(kinds[0]):
        if kind_of(kinds[0]) == "f":
            return rounded
        if is_array(kinds[0]) and kind_of(kinds[0].dtype) == "f":
            check_laid_out(kinds[0])
            return rounded_array
    raise Unsupported("np.round takes floats here, and literal digits from 0 to 8: write np.round(float(...), 2)")


def spacing(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    """Returns the replacement of `np.linspace`."""
    if len(kinds) == 3 and {kind_of(kind) for kind in kinds[:2]} <= {"i", "f"} and kind_of(kinds[2]) == "i":
        return spaced
    raise Unsupported("np.linspace takes two numbers and a count here")
