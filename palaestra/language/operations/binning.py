"""Where numbers lie among others: binary search, bins, interpolation, counts, quantiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arithmetic import leave_to_python_if
from palaestra.language.operations.arrays import array_type
from palaestra.language.operations.drawing import any_array, any_number, one_of
from palaestra.language.operations.reductions import by_rows
from palaestra.language.operations.table import built
from palaestra.language.program import FLOAT64, INT64
from palaestra.language.types import Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, FALSE, ZERO, LEFT, TEN, LINEAR = map(constant, (None, False, 0, "left", 10, "linear"))


def _ordered(rng: np.random.Generator, kinds: str = "f") -> Any:
    with np.errstate(all="ignore"):
        return np.sort(any_array(rng, kinds, (6,)))


# Binary search.


@built(
    np.searchsorted,
    np.ndarray.searchsorted,
    tries=(
        lambda rng: (_ordered(rng, "if"), any_array(rng, "if", (4,)), one_of(rng, "left", "right")),
        lambda rng: (any_array(rng, "f", (5,)), any_array(rng, "f", (2, 3))),
        lambda rng: (_ordered(rng), any_number(rng, "f")),
    ),
)
def _searchsorted(front: FrontEnd, a: Term, v: Term, side: Term = LEFT, sorter: Term = NONE) -> Term:
    arrays.refuse_given(sorter=sorter)
    row, where = arrays.as_array(front, a), arrays.known(side, "side=")
    if len(array_type(row).shape) != 1 or where not in ("left", "right"):
        front.raise_("ValueError")
    keys = arrays.as_array(front, v)
    dtype = np.promote_types(array_type(row).dtype, array_type(keys).dtype)
    row, keys = (arrays.as_array(front, one, dtype) for one in (row, keys))
    found = arrays.new_plain(front, INT64, array_type(keys).shape)
    flat = [front.operate(np.ravel, one) for one in (keys, found)]
    front.call_function(_search, (row, *flat, constant(where == "right")), {})
    return found if array_type(found).shape else arrays.item_of(front, found, ())


def _search(row: Any, keys: Any, found: Any, right: Any) -> None:
    """Write the places of numbers in a row; as in NumPy, one search begins where that before has ended."""
    n = len(row)
    low = 0
    high = n
    for k in range(len(keys)):
        key = keys[k]
        if _is_before(keys[max(k - 1, 0)], key, right):
            high = n
        else:
            low = 0
            high = high + 1 if high < n else n
        while low < high:
            middle = low + (high - low) // 2
            if _is_before(row[middle], key, right):
                low = middle + 1
            else:
                high = middle
        found[k] = low


def _is_before(a: Any, b: Any, or_equal: Any) -> Any:
    """Whether a number comes before another one; NaN is the last."""
    if or_equal:
        return a <= b or b != b
    return a < b or (b != b and a == a)


@built(
    np.digitize,
    tries=(
        lambda rng: (any_array(rng, "if", (4,)), _ordered(rng)[:: one_of(rng, 1, -1)].copy(), bool(rng.random() < 0.5)),
        lambda rng: (any_number(rng, "f"), one_of(rng, [0.0, 1.0, 2.5], [1.0, 0.5], [1.0, 0.0, 2.0])),
        lambda rng: (any_number(rng, "f"), _ordered(rng)[: int(rng.integers(1, 4))][:: one_of(rng, 1, -1)].copy()),
    ),
)
def _digitize(front: FrontEnd, x: Term, bins: Term, right: Term = FALSE) -> Term:
    row = arrays.as_array(front, bins, FLOAT64)
    side = constant("left" if arrays.known(right, "right=") else "right")
    if not bins.known:
        return front.call_function(_digitized, (x, bins, row, side), {})
    way = _way(np.asarray(bins.value, np.float64))
    if not way:
        front.raise_("ValueError")
    return front.call_function(_upwards if way > 0 else _downwards, (x, arrays.as_array(front, bins), side), {})


def _digitized(x: Any, bins: Any, row: Any, side: Any) -> Any:
    way = _way(row)
    if way == 0:
        raise ValueError
    return _upwards(x, bins, side) if way > 0 else _downwards(x, np.asarray(bins), side)


def _upwards(x: Any, bins: Any, side: Any) -> Any:
    return np.searchsorted(bins, x, side)


def _downwards(x: Any, bins: Any, side: Any) -> Any:
    return len(bins) - np.searchsorted(bins[::-1], x, side)


def _way(row: Any) -> int:
    """Returns 1 for numbers that never decrease, -1 for those that never increase, 0 for others."""
    up = True
    down = True
    for k in range(1, len(row)):
        up = up and not row[k - 1] > row[k]
        down = down and not row[k - 1] < row[k]
    return 1 if up else -1 if down else 0


# Interpolation.


@built(
    np.interp,
    tries=(
        lambda rng: (rng.normal(size=5) * 3.0, np.sort(rng.normal(size=6)), any_array(rng, "f", (6,))),
        lambda rng: (any_number(rng, "f"), np.array([-1.0, 0.0, 0.0, 2.0]), any_array(rng, "if", (4,)), -7.5, 9),
        lambda rng: (any_number(rng, "if"), [0, 1, 2], [1.0, 0.1, -0.3]),
        lambda rng: (float(rng.normal()), [0.5], [1.0]),
    ),
    note="increasing points",
)
def _interp(
    front: FrontEnd, x: Term, xp: Term, fp: Term, left: Term = NONE, right: Term = NONE, period: Term = NONE
) -> Term:
    arrays.refuse_given(period=period)
    points, values = arrays.as_array(front, xp, FLOAT64), arrays.as_array(front, fp, FLOAT64)
    shapes = [array_type(one).shape for one in (points, values)]
    if any(len(shape) != 1 for shape in shapes) or shapes[0] != shapes[1] or not shapes[0][0]:
        front.raise_("ValueError")
    at = arrays.as_array(front, x, FLOAT64)
    found = arrays.new_plain(front, FLOAT64, array_type(at).shape)
    flat = [front.operate(np.ravel, one) for one in (at, found)]
    front.call_function(_interpolate, (*flat, points, values, left, right), {})
    return found if array_type(found).shape else arrays.item_of(front, found, ())


def _interpolate(at: Any, found: Any, points: Any, values: Any, left: Any, right: Any) -> None:
    n = len(points)
    for k in range(1, n):
        leave_to_python_if(not points[k - 1] <= points[k])
    leave_to_python_if(points[0] != points[0])
    below = values[0] if left is None else float(left)
    above = values[n - 1] if right is None else float(right)
    for k in range(len(at)):
        found[k] = _between(at[k], points, values, below, above)


def _between(x: Any, points: Any, values: Any, below: Any, above: Any) -> Any:
    n = len(points)
    if x != x:
        return x
    if x < points[0]:
        return below
    if x > points[n - 1]:
        return above
    j = np.searchsorted(points, x, "right") - 1
    if j >= n - 1 or points[j] == x:
        return values[j]
    slope = np.divide(values[j + 1] - values[j], points[j + 1] - points[j])
    y = slope * (x - points[j]) + values[j]
    if y != y:
        y = slope * (x - points[j + 1]) + values[j + 1]
        if y != y and values[j] == values[j + 1]:
            y = values[j]
    return y


# Counts.


@built(
    np.bincount,
    tries=(
        lambda rng: (rng.integers(-1 if rng.random() < 0.1 else 0, 6, 7), None, 6),
        lambda rng: (rng.integers(0, 4, 5), rng.normal(size=5), 4),
    ),
    note="fewer than minlength=",
)
def _bincount(front: FrontEnd, x: Term, weights: Term = NONE, minlength: Term = ZERO) -> Term:
    numbers, count = arrays.as_array(front, x), front.integer(minlength, "minlength=")
    kind = array_type(numbers)
    if len(kind.shape) != 1 or count < 0:
        front.raise_("ValueError")
    if kind.size and not np.can_cast(kind.dtype, INT64):
        front.raise_("TypeError")
    if not count:
        raise Refused("the largest number, and so the length of np.bincount(x), is not known", "pass minlength=")
    result = arrays.new_plain(front, INT64 if weights == NONE else FLOAT64, (count,))
    arrays.assign(front, result, ZERO)
    if weights != NONE:
        weights = arrays.as_array(front, weights, FLOAT64)
        if array_type(weights).shape != kind.shape:
            front.raise_("ValueError")
    front.call_function(_count, (numbers, weights, result), {})
    return result


def _count(numbers: Any, weights: Any, result: Any) -> None:
    for k in range(len(numbers)):
        if numbers[k] < 0:
            raise ValueError
    for k in range(len(numbers)):
        leave_to_python_if(numbers[k] >= len(result))
        result[numbers[k]] += 1 if weights is None else weights[k]


@built(
    np.histogram,
    tries=(
        lambda rng: (any_array(rng, "f", (9,)), [-1.0, 0.0, 0.5, 2.0]),
        lambda rng: (any_array(rng, "if", (9,)), _ordered(rng)[: one_of(rng, 3, 6)].copy()),
        lambda rng: (rng.normal(size=9), 4, (-1.0, 2)),
        lambda rng: (rng.integers(5, size=9), 3, (0, 4), True),
        lambda rng: (any_array(rng, "if", (one_of(rng, 1, 9),)).astype(np.float64), one_of(rng, 4, 10)),
    ),
)
def _histogram(
    front: FrontEnd, a: Term, bins: Term = TEN, range: Term = NONE, density: Term = NONE, weights: Term = NONE
) -> Term:
    arrays.refuse_given(weights=weights)
    numbers = front.operate(np.ravel, arrays.as_array(front, a))
    if not arrays.is_number(bins):
        edges = arrays.as_array(front, bins)
        if len(array_type(edges).shape) != 1:
            front.raise_("ValueError")
        return front.call_function(_histogram_of, (numbers, edges, density), {})
    ends = items_of(front, range) if range != NONE else _ends_of(front, numbers)
    dtype = array_type(numbers).dtype
    if ends is None or len(ends) != 2 or dtype == np.float32 or dtype.kind == "b":
        raise Refused("np.histogram takes its edges here, or a number of bins and their range", "pass the edges")
    first, last = (front.operate(float, one) for one in ends)
    count = front.integer(bins, "the number of bins")
    if count < 1:
        front.raise_("ValueError")
    return front.call_function(_equal_bins, (numbers, constant(count), first, last, density), {})


def _ends_of(front: FrontEnd, numbers: Term) -> list[Term]:
    """The least and the largest of some numbers."""
    if not array_type(numbers).size:
        return [constant(0), constant(1)]
    return [front.operate(one, numbers) for one in (np.min, np.max)]


def _histogram_of(numbers: Any, edges: Any, density: Any) -> Any:
    """The numbers in bins: as many as are below one edge and not below the other; the last bin has both its edges."""
    n = len(edges) - 1
    for k in range(n):
        if edges[k] > edges[k + 1]:
            raise ValueError
    counts = np.zeros(n, np.int64)
    for x in numbers:
        for k in range(n):
            counts[k] += _is_under(x, edges[k + 1], k == n - 1)
            counts[k] -= _is_under(x, edges[k], False)
    return _normed(counts, edges, density), np.asarray(edges)


def _is_under(x: Any, edge: Any, or_equal: Any) -> Any:
    return 1 if _is_before(x, edge, or_equal) else 0


def _equal_bins(numbers: Any, n: Any, first: Any, last: Any, density: Any) -> Any:
    if not first <= last or not np.isfinite(first) or not np.isfinite(last):
        raise ValueError
    if first == last:
        first = first - 0.5
        last = last + 0.5
    edges = np.linspace(first, last, n + 1)
    for k in range(n):
        if edges[k] >= edges[k + 1]:
            raise ValueError
    counts = np.zeros(n, np.int64)
    for x in numbers:
        if x >= first and x <= last:
            counts[_bin_of(float(x), edges, n, first, last)] += 1
    return _normed(counts, edges, density), edges


def _bin_of(x: Any, edges: Any, n: Any, first: Any, last: Any) -> Any:
    k = int((x - first) / (last - first) * n)
    if k == n:
        k -= 1
    if x < edges[k]:
        k -= 1
    if x >= edges[k + 1] and k != n - 1:
        k += 1
    return k


def _normed(counts: Any, edges: Any, density: Any) -> Any:
    if density:
        return counts / np.diff(edges).astype(np.float64) / np.sum(counts)
    return counts


# Quantiles.


def _quantile(called: Any, *tries: Any) -> None:
    @built(called, tries=tries)
    def build(
        front: FrontEnd,
        a: Term,
        q: Term,
        axis: Term = NONE,
        out: Term = NONE,
        overwrite_input: Term = FALSE,
        method: Term = LINEAR,
    ) -> Term:
        arrays.refuse_given(out=out)
        array, how = arrays.open_array(front, a), arrays.known(method, "method=")
        dtype = arrays.kind_of(array).dtype
        if how not in _METHODS:
            raise Refused(f"the method {how!r} of {called.__name__} is not in the language", "leave out method=")
        if dtype.kind == "b" or dtype == np.float32:
            raise Refused(f"np.{called.__name__} of {dtype} is not in the language", "write astype(np.float64)")
        shares = np.asarray(_known_numbers(front, q))
        if shares.ndim > 1 or not arrays.kind_of(array).whole.size:
            raise Refused(f"np.{called.__name__} takes a number or a row of them as q, and some numbers")
        shares = shares / 100 if called is np.percentile else shares
        if shares.dtype.kind in "iu" and how == "linear":  # the first or the last number itself
            how = "lower"
        if not np.all((shares >= 0) & (shares <= 1)):
            front.raise_("ValueError")

        def example(one: Any, axis: int) -> Any:
            return np.quantile(one, shares.ravel()[0], axis, method=how)

        found = [by_rows(front, example, array, axis, _METHODS[how], one) for one in shares.ravel().tolist()]
        return found[0] if not shares.ndim else front.operate(np.array, front.allocate(found, list))


def _known_numbers(front: FrontEnd, q: Term) -> Any:
    items = None if arrays.is_number(q) else items_of(front, q)
    if items is None:
        return arrays.known(q, "which quantile")
    return [arrays.known(one, "which quantile") for one in items]


def _linear(row: Any, q: Any) -> Any:
    leave_to_python_if(len(row) == 0)
    ordered = np.sort(row)
    n = len(row)
    if row.dtype.kind == "f" and ordered[n - 1] != ordered[n - 1]:
        return ordered[n - 1]
    at = (n - 1) * q
    if not at < n - 1:
        return _mixed(ordered[n - 1], ordered[n - 1], at + 1.0)
    k = int(at)
    return _mixed(ordered[k], ordered[k + 1], at - k)


def _mixed(a: Any, b: Any, share: Any) -> Any:
    apart = b - a
    return b - apart * (1 - share) if share >= 0.5 else a + apart * share


def _lower(row: Any, q: Any) -> Any:
    return _placed(row, np.floor((len(row) - 1) * q))


def _higher(row: Any, q: Any) -> Any:
    return _placed(row, np.ceil((len(row) - 1) * q))


def _placed(row: Any, at: Any) -> Any:
    leave_to_python_if(len(row) == 0)
    ordered = np.sort(row)
    last = ordered[len(row) - 1]
    return last if last != last else ordered[int(at)]


_METHODS: dict[Any, Any] = {"linear": _linear, "lower": _lower, "higher": _higher}
_quantile(
    np.percentile,
    lambda rng: (any_array(rng, "if", (5,)).astype(np.float64), one_of(rng, 25, 100.0)),
    lambda rng: (rng.integers(9, size=(2, 3)), one_of(rng, [10, 90.0], 50), 1),
)
_quantile(
    np.quantile,
    lambda rng: (rng.normal(size=6), one_of(rng, 0.3, 0.0)),
    lambda rng: (rng.normal(size=4), 0.4, None, None, False, one_of(rng, "lower", "higher")),
)
