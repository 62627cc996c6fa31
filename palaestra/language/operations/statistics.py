"""Numbers that describe others: those without NaN, covariances, differences, sums over a grid, convolutions."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.calling import call
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arithmetic import leave_to_python_if
from palaestra.language.operations.arrays import array_type
from palaestra.language.operations.drawing import any_array, one_of
from palaestra.language.operations.reductions import along_axes, one_axis
from palaestra.language.operations.table import built, written
from palaestra.language.program import FLOAT64
from palaestra.language.types import Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, ONE, FALSE, LAST, FULL, VALID = map(constant, (None, 1, False, -1, "full", "valid"))
_HOLED = (
    lambda rng: (_with_nan(rng),),
    lambda rng: (_with_nan(rng), int(rng.integers(2))),
)


def _with_nan(rng: np.random.Generator) -> Any:
    return np.where(rng.random((3, 4)) < 0.3, np.nan, rng.normal(size=(3, 4)))


# Without NaN.


def _without_nan(a: Any, value: Any) -> Any:
    x = np.asarray(a)
    if x.dtype.kind != "f":
        return x
    result = np.array(x)
    result[np.isnan(x)] = value
    return result


@built(np.nanmax, tries=_HOLED)
def _nanmax(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
    return _extreme(front, a, axis, np.fmax, np.maximum)


@built(np.nanmin, tries=_HOLED)
def _nanmin(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
    return _extreme(front, a, axis, np.fmin, np.minimum)


def _extreme(front: FrontEnd, a: Term, axis: Term, of_floats: np.ufunc, of_others: np.ufunc) -> Term:
    array = arrays.as_array(front, a)
    ufunc = of_floats if array_type(array).dtype.kind == "f" else of_others
    return along_axes(front, ufunc, array, axis, keepdims=FALSE)


@written(np.nansum, tries=_HOLED)
def _nansum(a: Any, axis: Any = None) -> Any:
    return np.sum(_without_nan(a, 0), axis)


@written(np.nanprod, tries=_HOLED)
def _nanprod(a: Any, axis: Any = None) -> Any:
    return np.prod(_without_nan(a, 1), axis)


@written(np.nancumsum, tries=_HOLED)
def _nancumsum(a: Any, axis: Any = None) -> Any:
    return np.cumsum(_without_nan(a, 0), axis)


@written(np.nancumprod, tries=_HOLED)
def _nancumprod(a: Any, axis: Any = None) -> Any:
    return np.cumprod(_without_nan(a, 1), axis)


@written(np.nanargmax, tries=_HOLED)
def _nanargmax(a: Any, axis: Any = None) -> Any:
    x = np.asarray(a)
    if np.any(np.all(np.isnan(x), axis)):
        raise ValueError
    return np.argmax(_without_nan(x, -np.inf), axis)


@written(np.nanargmin, tries=_HOLED)
def _nanargmin(a: Any, axis: Any = None) -> Any:
    x = np.asarray(a)
    if np.any(np.all(np.isnan(x), axis)):
        raise ValueError
    return np.argmin(_without_nan(x, np.inf), axis)


@written(np.nanmean, tries=_HOLED)
def _nanmean(a: Any, axis: Any = None) -> Any:
    x = np.asarray(a)
    if x.dtype.kind != "f":
        return np.mean(x, axis)
    return _by_count(np.sum(_without_nan(x, 0), axis), np.sum(~np.isnan(x), axis))


def _by_count(total: Any, count: Any) -> Any:
    """A sum divided by a number of items, in the sum's own dtype."""
    return (total / count).astype(total.dtype)


@written(np.nanvar, tries=_HOLED, note="some numbers")
def _nanvar(a: Any, axis: Any = None, *, ddof: Any = 0) -> Any:
    x = np.asarray(a)
    if x.dtype.kind != "f":
        return np.var(x, axis, ddof=ddof)
    mask = np.isnan(x)
    mean = _by_count(np.sum(_without_nan(x, 0), axis, keepdims=True), np.sum(~mask, axis, keepdims=True))
    apart = _without_nan(x, 0) - mean
    apart[mask] = 0
    left = np.sum(~mask, axis) - ddof
    leave_to_python_if(bool(np.any(left <= 0)))
    return _by_count(np.sum(apart * apart, axis), left)


@written(np.nanstd, tries=_HOLED, note="some numbers")
def _nanstd(a: Any, axis: Any = None, *, ddof: Any = 0) -> Any:
    return np.sqrt(np.nanvar(a, axis, ddof=ddof))


@written(np.nanmedian, tries=(lambda rng: (_with_nan(rng)[0],),), note="some numbers")
def _nanmedian(a: Any) -> Any:
    x = np.ravel(a)
    if x.dtype.kind != "f":
        return np.median(x)
    ordered = np.sort(x)
    count = np.sum(~np.isnan(x))
    leave_to_python_if(count == 0)
    return np.mean(ordered[(count - 1) // 2 : count // 2 + 1])


# Covariances.


_PAIRS = (lambda rng: (rng.normal(size=(2, 5)),), lambda rng: (rng.normal(size=6), rng.normal(size=6)))


@written(np.cov, tries=_PAIRS)
def _cov(m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None) -> Any:
    x = _as_rows(m, rowvar)
    if y is not None:
        x = np.concatenate((x, _as_rows(y, rowvar)))
    x = x - np.mean(x, axis=1)[:, None]
    fewer = ddof if ddof is not None else 0 if bias else 1
    count = x.shape[1] - fewer
    leave_to_python_if(count <= 0)
    return np.dot(x, x.T) * np.true_divide(1, count)


def _as_rows(m: Any, rowvar: Any) -> Any:
    x = np.atleast_2d(np.asarray(m, np.float64))
    return x if rowvar or x.shape[0] == 1 else x.T


@written(np.corrcoef, tries=_PAIRS)
def _corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    c = np.cov(x, y, rowvar)
    deviation = np.sqrt(np.diag(c))
    return np.clip(c / deviation[:, None] / deviation[None, :], -1, 1)


# Differences, and sums over a grid.


@written(np.ediff1d, tries=(lambda rng: (any_array(rng, "if", (5,)),), lambda rng: (any_array(rng, "f", (2, 3)), 7.5)))
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    x = np.ravel(ary)
    apart = x[1:] - x[:-1]
    if to_begin is not None:
        apart = np.concatenate((_fitting(to_begin, apart), apart))
    if to_end is not None:
        apart = np.concatenate((apart, _fitting(to_end, apart)))
    return apart


def _fitting(more: Any, row: Any) -> Any:
    """A row that can be joined to another one."""
    added = np.ravel(more)
    if not np.can_cast(added.dtype, row.dtype, "same_kind"):
        raise TypeError
    return np.asarray(added, row.dtype)


@written(
    np.trapezoid,
    tries=(
        lambda rng: (any_array(rng, "f", (5,)),),
        lambda rng: (any_array(rng, "if", (5,)), any_array(rng, "f", (5,))),
        lambda rng: (any_array(rng, "f", (3, 4)), None, 0.5, 0),
    ),
)
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    rows = np.moveaxis(np.asarray(y), axis, -1)
    apart = dx if x is None else np.diff(np.asarray(x))
    return np.sum(np.moveaxis(apart * (rows[..., 1:] + rows[..., :-1]) / 2.0, -1, axis), axis)


@built(
    np.gradient,
    folds=False,
    tries=(
        lambda rng: (any_array(rng, "if", (5,)),),
        lambda rng: (any_array(rng, "f", (3, 4)),),
        lambda rng: (any_array(rng, "f", (4,)), 0.5),
    ),
)
def _gradient(front: FrontEnd, f: Term, *spacing: Term, axis: Term = NONE, edge_order: Term = ONE) -> Term:
    array = arrays.as_array(front, f)
    if array_type(array).dtype.kind == "b":
        front.raise_("TypeError")
    if array_type(array).dtype.kind != "f":
        array = arrays.copied(front, array, "K", FLOAT64)
    ndim = len(array_type(array).shape)
    axes = range(ndim) if axis == NONE else arrays.lengths(front, axis, "an axis")
    if edge_order != ONE or any(not arrays.is_number(one) for one in spacing):
        raise Refused("np.gradient takes numbers as spacing, and edges of the first order", "write it with slices")
    if len(spacing) not in (0, 1, len(axes)):
        front.raise_("TypeError")
    steps = spacing if len(spacing) == len(axes) else [spacing[0] if spacing else constant(1.0)] * len(axes)
    found = [
        front.call_function(_slope, (array, constant(at % ndim), step), {})
        for at, step in zip(axes, steps, strict=True)
    ]
    return found[0] if len(found) == 1 else tuple_of(found)


def _slope(f: Any, axis: Any, step: Any) -> Any:
    if f.shape[axis] < 2:
        raise ValueError
    rows = np.moveaxis(f, axis, 0)
    result = np.empty_like(f)
    out = np.moveaxis(result, axis, 0)
    out[1:-1] = (rows[2:] - rows[:-2]) / (2.0 * step)
    out[0] = (rows[1] - rows[0]) / step
    out[-1] = (rows[-1] - rows[-2]) / step
    return result


@written(np.sinc, tries=(lambda rng: (any_array(rng, "f", (4,)),), lambda rng: (float(rng.normal()),)))
def _sinc(x: Any) -> Any:
    y = np.pi * np.where(np.asarray(x) == 0, 1.0e-20, x)
    return np.sin(y) / y


@built(
    np.apply_along_axis,
    folds=False,
    tries=(
        lambda rng: (np.sum, 0, any_array(rng, "f", (2, 3))),
        lambda rng: (np.cumsum, 1, any_array(rng, "i", (2, 3))),
    ),
)
def _apply_along_axis(front: FrontEnd, func1d: Term, axis: Term, arr: Term, *args: Term) -> Term:
    array, at = one_axis(front, arr, axis)
    shape = array_type(array).shape
    rest = (*shape[:at], *shape[at + 1 :])
    if not 0 < math.prod(rest) <= MOST_SUMS:
        raise Refused(f"np.apply_along_axis calls a function for up to {MOST_SUMS} rows here", "write a loop")
    keys = [(*index[:at], slice(None), *index[at:]) for index in np.ndindex(rest)]
    rows = [arrays.view(front, array, lambda one, key=key: one[key]) for key in keys]  # type: ignore[misc]
    found = [arrays.as_array(front, call(front, func1d, [row, *args], {})) for row in rows]
    kind = array_type(found[0])
    each = tuple_of([arrays.as_array(front, one, kind.dtype) for one in found])
    stacked = front.operate(np.reshape, front.operate(np.stack, each), constant((*rest, *kind.shape)))
    order = [*range(at), *range(len(rest), len(rest) + len(kind.shape)), *range(at, len(rest))]
    return front.operate(np.transpose, stacked, constant(tuple(order))) if kind.shape else stacked


# Convolutions.


_SIGNALS = (
    lambda rng: (rng.normal(size=6), rng.normal(size=3), one_of(rng, "full", "same", "valid")),
    lambda rng: (any_array(rng, "i", (3,)), any_array(rng, "i", (5,))),
)


@built(np.convolve, tries=_SIGNALS)
def _convolve(front: FrontEnd, a: Term, v: Term, mode: Term = FULL) -> Term:
    one, other = (arrays.as_array(front, each) for each in (a, v))
    if array_type(one).shape < array_type(other).shape:
        one, other = other, one
    return _correlate(front, one, front.operate(np.flip, other), mode)


@built(np.correlate, tries=_SIGNALS)
def _correlate(front: FrontEnd, a: Term, v: Term, mode: Term = VALID) -> Term:
    pair = [arrays.as_array(front, one) for one in (a, v)]
    examples = [arrays.example_of(array_type(one)) for one in pair]
    how = arrays.known(mode, "mode=")
    made = arrays.answer(front, lambda: np.correlate(examples[0], examples[1], how))
    result = arrays.new(front, arrays.type_like(made))
    if made.dtype.kind == "b" or made.size > MOST_SUMS:
        raise Refused(f"np.correlate and np.convolve give up to {MOST_SUMS} numbers here", "write loops")
    copies = [arrays.copied(front, arrays.as_array(front, each, made.dtype), "C") for each in pair]
    is_swapped = array_type(copies[0]).shape < array_type(copies[1]).shape
    long, short = copies[::-1] if is_swapped else copies
    for k in range(made.size):
        at = made.size - 1 - k if is_swapped else k
        total = _product(front, long, short, k - _BEGINS[how](array_type(short).shape[0]))
        front.operate(operator.setitem, result, constant(at), total)
    return result


MOST_SUMS = 64
MOST_IN_TURN = 11  # of the items of a kernel: more, and those that only a part of it covers, are for `np.dot`
_BEGINS: dict[str, Any] = {"full": lambda n: n - 1, "same": lambda n: n // 2, "valid": lambda n: 0}


def _product(front: FrontEnd, long: Term, short: Term, at: int) -> Term:
    """The sum of products of a kernel and what is below it, where it begins at a place, which may be negative."""
    m, n = (array_type(one).shape[0] for one in (long, short))
    low, high = max(0, -at), min(n, m - at)
    parts = [
        front.operate(operator.getitem, one, constant(slice(low + shift, high + shift)))
        for one, shift in ((long, at), (short, 0))
    ]
    if high - low == 1 or (high - low == n <= MOST_IN_TURN):
        return front.call_function(_sum_of_products, tuple(parts), {})
    return front.operate(np.dot, *parts)


def _sum_of_products(a: Any, b: Any) -> Any:
    total = a.dtype.type(0)
    for k in range(len(a)):
        total += a[k] * b[k]
    return total
