"""Choices, permutations and shuffles in compiled code, with the numbers of NumPy's `Generator`.

Sources: Bentley and Floyd (1987), "A sample of brilliance", for choices without repetition; Durstenfeld (1964),
"Algorithm 235: random permutation".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palaestra.language.jit.backend import Meaning, Type, compiled, method_of, types
from palaestra.language.jit.random.draws import Kind, integers, is_flag, is_int, is_none, is_size, up_to
from palaestra.language.jit.random.pcg64 import StreamType, below

_MANY = 10_000  # values, from which on a large part of them is drawn by a shuffle
_PART = 50  # the part that is large: one of so many
_TOLERANCE = 1.4901161193847656e-08  # of a sum of probabilities: the root of a float's precision


@compiled
def _itself(n: int) -> int:
    return n


@compiled
def _place(n: int, k: int) -> int:
    return k


@compiled
def _length(values: Sequence[float]) -> int:
    return len(values)


@compiled
def _part(values: Sequence[float], k: int) -> float:
    return values[k]


@compiled
def _checked_count(n: int) -> int:
    if n <= 0:
        raise ValueError("a cannot be empty unless no samples are taken")
    return n


def _is_row(kind: Kind) -> bool:
    """Returns whether a type is that of several numbers of one type: an array of one axis, a tuple or a list."""
    numbers = (types.Number, types.Boolean)
    if isinstance(kind, types.Array):
        return kind.ndim == 1
    return isinstance(kind, (types.UniTuple, types.List)) and isinstance(kind.dtype, numbers)


@method_of(StreamType, "choice")
def _generator_choice(
    rng: Type, a: Any, size: Type | None = None, replace: Type | bool = True, p: Type | None = None
) -> Meaning:
    if not (is_int(a) or _is_row(a)) or not is_flag(replace) or not (is_none(p) or _is_row(p)):
        return None
    count, element = (_itself, _place) if is_int(a) else (_length, _part)
    kind = types.int64 if is_int(a) else a.dtype
    if not is_none(p):
        return _weighed(count, element, kind, size, replace)
    if is_none(size):

        def of_one(rng: np.random.Generator, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> float:
            return element(a, integers(rng, 0, _checked_count(count(a)), False))

        return of_one
    if not is_size(size):
        return None

    def of_many(rng: np.random.Generator, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> np.ndarray:
        result = np.empty(size, kind)
        n = count(a)
        if n <= 0 and result.size:
            raise ValueError("a cannot be empty unless no samples are taken")
        if replace:
            for k in range(result.size):
                result.flat[k] = element(a, integers(rng, 0, n, False))
            return result
        places = _different(rng, n, result.size)
        for k in range(result.size):
            result.flat[k] = element(a, places[k])
        return result

    return of_many


def _weighed(
    count: Callable[..., int], element: Callable[..., float], kind: Any, size: Type | None, replace: Type | bool
) -> Meaning:
    """Choices of values with probabilities, each of which may come again."""
    if isinstance(replace, types.Boolean):  # given, and so perhaps False
        return None
    if is_none(size):

        def of_one(rng: np.random.Generator, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> float:
            return element(a, _weighed_place(rng, _shares(p, count(a))))

        return of_one
    if not is_size(size):
        return None

    def of_many(rng: np.random.Generator, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> np.ndarray:
        result = np.empty(size, kind)
        shares = _shares(p, count(a))
        for k in range(result.size):
            result.flat[k] = element(a, _weighed_place(rng, shares))
        return result

    return of_many


@compiled
def _shares(p: Sequence[float], n: int) -> NDArray[np.float64]:
    """The sums of the first probabilities, the last of which is 1.0."""
    _checked_count(n)
    if len(p) != n:
        raise ValueError("a and p must have same size")
    shares = np.empty(n)
    exact, lost, total = p[0] * 1.0, 0.0, 0.0  # Kahan's sum, which is compared with one
    for k in range(n):
        one = p[k] * 1.0
        if not one >= 0.0:
            raise ValueError("probabilities are not non-negative")
        if k > 0:
            more = one - lost
            sum_ = exact + more
            lost = (sum_ - exact) - more
            exact = sum_
        total = total + one if k > 0 else one
        shares[k] = total
    if not abs(exact - 1.0) <= _TOLERANCE:  # NaN, of infinite ones
        raise ValueError("probabilities do not sum to 1")
    for k in range(n):
        shares[k] /= total
    return shares


@compiled
def _weighed_place(rng: np.random.Generator, shares: NDArray[np.float64]) -> int:
    drawn = rng.random()
    low, high = 0, len(shares)
    while low < high:
        middle = (low + high) // 2
        if drawn < shares[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def _different(rng: np.random.Generator, n: int, size: int) -> NDArray[np.int64]:
    """Different numbers in 0..n-1, in random order."""
    if size > n:
        raise ValueError("cannot take a larger sample than population when replace is False")
    if n > _MANY and size > n // _PART:
        places = np.arange(n)
        _shuffle(rng, places, max(n - size, 1))
        return places[n - size :].copy()
    places = np.empty(size, np.int64)
    mask = 1
    while mask < 1.2 * size:
        mask = 2 * mask + 1
    table = np.full(mask + 1, -1)  # of the numbers taken, by their lowest bits
    for k in range(size):
        highest = n - size + k
        one = types.int64(below(rng, types.uint64(highest) + types.uint64(1)))
        if not _put(table, mask, one):
            one = highest
            _put(table, mask, one)
        places[k] = one
    _shuffle(rng, places, 1)
    return places


@compiled
def _put(table: np.ndarray, mask: int, number: int) -> bool:
    """Returns whether a number was not yet in a table, where it is now."""
    at = number & mask
    while table[at] != -1:
        if table[at] == number:
            return False
        at = (at + 1) & mask
    table[at] = number
    return True


@compiled
def _shuffle(rng: np.random.Generator, values: np.ndarray, first: int) -> None:
    """Shuffle the values; those before `first` are only drawn from."""
    for i in range(len(values) - 1, first - 1, -1):
        j = types.int64(below(rng, types.uint64(i) + types.uint64(1)))
        values[i], values[j] = values[j], values[i]


@compiled
def _shuffle_values(rng: np.random.Generator, values: np.ndarray) -> None:
    """Shuffle the values like `Generator.shuffle`, which draws its places in another way than `choice`."""
    for i in range(len(values) - 1, 0, -1):
        j = up_to(rng, types.uint64(i))
        values[i], values[j] = values[j], values[i]


@method_of(StreamType, "permutation")
def _generator_permutation(rng: Type, x: Any) -> Meaning:
    if is_int(x):

        def of_numbers(rng: np.random.Generator, x: int) -> np.ndarray:
            result = np.arange(x)
            _shuffle_values(rng, result)
            return result

        return of_numbers
    if not _is_row(x):
        return None
    kind = x.dtype

    def of_row(rng: np.random.Generator, x: Sequence[float]) -> np.ndarray:
        result = np.empty(len(x), kind)
        for k in range(len(x)):
            result[k] = x[k]
        _shuffle_values(rng, result)
        return result

    return of_row


@method_of(StreamType, "shuffle")
def _generator_shuffle(rng: Type, x: Type) -> Meaning:
    if not (isinstance(x, types.Array) and x.ndim == 1 and x.mutable):
        return None

    def implementation(rng: np.random.Generator, x: np.ndarray) -> None:
        _shuffle_values(rng, x)

    return implementation
