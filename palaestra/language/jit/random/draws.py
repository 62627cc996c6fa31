"""The draws of NumPy's `Generator` inside compiled code: the methods of the streams of `pcg64`.

Each gives NumPy's bits for the same row; an array of draws holds consecutive draws of one number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from palaestra.language.jit.backend import Meaning, Type, compiled, method_of, types, unliteral, ziggurat
from palaestra.language.jit.random.pcg64 import StreamType, below, next32, next64

Kind: TypeAlias = Type | float | None  # the type of an argument, or its default

# Of the 256 layers: the fraction of each below the next one, its width, the density above it.
_SHARE, _WIDTH, _DENSITY = ziggurat.ki_double, ziggurat.wi_double, ziggurat.fi_double
_TAIL = 3.6541528853610087963519472518  # the end of the ziggurat's lowest layer
_TAIL_INVERSE = 0.27366123732975827203338247596
# The same of the exponential distribution, and the end of its lowest layer.
_LONG_SHARE, _LONG_WIDTH, _LONG_DENSITY = ziggurat.ke_double, ziggurat.we_double, ziggurat.fe_double
_LONG_TAIL = 7.69711747013104972


@compiled
def up_to(rng: np.random.Generator, highest: Any) -> Any:
    """A number in 0..highest: bits are drawn until they make one."""
    mask = highest
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> types.uint64(shift)
    while True:
        bits = next32(rng) if highest <= types.uint64(0xFFFFFFFF) else next64(rng)
        if bits & mask <= highest:
            return types.int64(bits & mask)


@compiled
def _random(rng: np.random.Generator) -> Any:
    return (next64(rng) >> types.uint64(11)) * (1.0 / 9007199254740992.0)


@method_of(StreamType, "random")
def _generator_random(rng: Type, size: Type | None = None) -> Meaning:
    if is_none(size):
        return lambda rng, size=None: _random(rng)

    def of_many(rng: np.random.Generator, size: Any = None) -> np.ndarray:
        return filled(np.empty(size, np.float64), _random, (rng,))

    return of_many if is_size(size) else None


@method_of(StreamType, "uniform")
def _generator_uniform(
    rng: Type, low: Type | float = 0.0, high: Type | float = 1.0, size: Type | None = None
) -> Meaning:
    if is_none(size):
        return lambda rng, low=0.0, high=1.0, size=None: _uniform(rng, types.float64(low), types.float64(high))

    def of_many(rng: np.random.Generator, low: float = 0.0, high: float = 1.0, size: Any = None) -> np.ndarray:
        _check_bounds(types.float64(low), types.float64(high))  # also where nothing is drawn
        return filled(np.empty(size, np.float64), _uniform, (rng, types.float64(low), types.float64(high)))

    return of_many if is_size(size) else None


@compiled
def _uniform(rng: np.random.Generator, low: Any, high: Any) -> Any:
    _check_bounds(low, high)
    return low + (high - low) * _random(rng)


@compiled
def _check_bounds(low: float, high: float) -> None:
    span = high - low
    if not math.isfinite(span):
        raise OverflowError("high - low range exceeds valid bounds")
    if math.copysign(1.0, span) < 0.0:
        raise ValueError("high - low < 0")


@method_of(StreamType, "integers")
def _generator_integers(
    rng: Type,
    low: Type,
    high: Type | None = None,
    size: Type | None = None,
    dtype: Type | None = None,
    endpoint: Type | bool = False,
) -> Meaning:
    from_zero = is_none(high)
    if not is_int(low) or not (from_zero or is_int(high)) or not is_none(dtype) or not is_flag(endpoint):
        return None
    if is_none(size):
        if from_zero:
            return lambda rng, low, high=None, size=None, dtype=None, endpoint=False: integers(rng, 0, low, endpoint)
        return lambda rng, low, high=None, size=None, dtype=None, endpoint=False: integers(rng, low, high, endpoint)

    def of_many(
        rng: np.random.Generator,
        low: int,
        high: Any = None,
        size: Any = None,
        dtype: None = None,
        endpoint: bool = False,
    ) -> np.ndarray:
        first, end = (0, low) if from_zero else (low, high)
        result = np.empty(size, np.int64)
        if result.size:
            _check_range(first, end, endpoint)
        return filled(result, integers, (rng, first, end, endpoint))

    return of_many if is_size(size) else None


@compiled
def filled(array: np.ndarray, draw: Callable[..., float], arguments: tuple[object, ...]) -> np.ndarray:
    """Returns the array, with a draw in each place, one after the other."""
    for k in range(array.size):
        array.flat[k] = draw(*arguments)
    return array


def is_none(kind: Kind) -> bool:
    """Returns whether a type is that of None, or of a default that is None."""
    return kind is None or isinstance(kind, (types.NoneType, types.Omitted))


def is_size(kind: Kind) -> bool:
    """Returns whether a type is that of a shape: an int, or a tuple of ints."""
    axes = getattr(kind, "types", (kind,))  # of a tuple
    return bool(axes) and all(map(is_int, axes))


def is_int(kind: Kind) -> bool:
    """Returns whether a type is that of Python's integers."""
    return bool(unliteral(kind) == types.int64)


def is_flag(kind: Kind) -> bool:
    """Returns whether a type is that of a bool, or of a default that is one."""
    return isinstance(kind, (bool, types.Boolean)) or isinstance(getattr(kind, "value", None), bool)


@compiled
def _check_range(low: int, high: int, endpoint: bool) -> None:
    if endpoint:
        if low > high:
            raise ValueError("low > high")
    elif low >= high:
        raise ValueError("low >= high")


@compiled
def integers(rng: np.random.Generator, low: int, high: int, endpoint: bool) -> Any:
    """A number from `low` on, below `high`, or with `endpoint` at most `high`."""
    _check_range(low, high, endpoint)
    n = types.uint64(high) - types.uint64(low)
    if endpoint:
        n += types.uint64(1)
        if n == types.uint64(0):  # of all words
            return types.int64(types.uint64(low) + next64(rng))
    return types.int64(types.uint64(low) + below(rng, n))  # a sum of words, which wraps, since `low` may be negative


@method_of(StreamType, "standard_normal")
def _generator_standard_normal(rng: Type, size: Type | None = None) -> Meaning:
    if is_none(size):
        return lambda rng, size=None: _standard_normal(rng)

    def of_many(rng: np.random.Generator, size: Any = None) -> np.ndarray:
        return filled(np.empty(size, np.float64), _standard_normal, (rng,))

    return of_many if is_size(size) else None


@method_of(StreamType, "normal")
def _generator_normal(
    rng: Type, loc: Type | float = 0.0, scale: Type | float = 1.0, size: Type | None = None
) -> Meaning:
    if is_none(size):
        return lambda rng, loc=0.0, scale=1.0, size=None: _normal(rng, types.float64(loc), types.float64(scale))

    def of_many(rng: np.random.Generator, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> np.ndarray:
        _check_scale(types.float64(scale))  # also where nothing is drawn
        return filled(np.empty(size, np.float64), _normal, (rng, types.float64(loc), types.float64(scale)))

    return of_many if is_size(size) else None


@compiled
def _normal(rng: np.random.Generator, loc: Any, scale: Any) -> Any:
    _check_scale(scale)
    return loc + scale * _standard_normal(rng)


@method_of(StreamType, "standard_exponential")
def _generator_standard_exponential(rng: Type, size: Type | None = None) -> Meaning:
    if is_none(size):
        return lambda rng, size=None: _standard_exponential(rng)

    def of_many(rng: np.random.Generator, size: Any = None) -> np.ndarray:
        return filled(np.empty(size, np.float64), _standard_exponential, (rng,))

    return of_many if is_size(size) else None


@method_of(StreamType, "exponential")
def _generator_exponential(rng: Type, scale: Type | float = 1.0, size: Type | None = None) -> Meaning:
    if is_none(size):
        return lambda rng, scale=1.0, size=None: _exponential(rng, types.float64(scale))

    def of_many(rng: np.random.Generator, scale: float = 1.0, size: Any = None) -> np.ndarray:
        _check_scale(types.float64(scale))  # also where nothing is drawn
        return filled(np.empty(size, np.float64), _exponential, (rng, types.float64(scale)))

    return of_many if is_size(size) else None


@compiled
def _exponential(rng: np.random.Generator, scale: Any) -> Any:
    _check_scale(scale)
    return scale * _standard_exponential(rng)


@compiled
def _standard_exponential(rng: np.random.Generator) -> Any:
    """The ziggurat method, see `_standard_normal`."""
    while True:
        bits = next64(rng) >> types.uint64(3)
        layer = bits & types.uint64(0xFF)
        distance = bits >> types.uint64(8)
        x = distance * _LONG_WIDTH[layer]
        if distance < _LONG_SHARE[layer]:
            return x
        if layer == 0:
            return _LONG_TAIL - math.log1p(-_random(rng))
        density = (_LONG_DENSITY[layer - 1] - _LONG_DENSITY[layer]) * _random(rng) + _LONG_DENSITY[layer]
        if density < math.exp(-x):
            return x


@compiled
def _check_scale(scale: float) -> None:
    if math.copysign(1.0, scale) < 0.0 and scale == scale:
        raise ValueError("scale < 0")


@compiled
def _standard_normal(rng: np.random.Generator) -> Any:
    """Marsaglia and Tsang (2000), "The ziggurat method for generating random variables", in 256 layers."""
    while True:
        bits = next64(rng)
        layer = bits & types.uint64(0xFF)
        bits >>= types.uint64(8)
        distance = (bits >> types.uint64(1)) & types.uint64(0x000FFFFFFFFFFFFF)
        x = distance * _WIDTH[layer]
        if bits & types.uint64(1):
            x = -x
        if distance < _SHARE[layer]:
            return x
        if layer == 0:
            beyond = _tail(rng)
            return -beyond if (distance >> types.uint64(8)) & types.uint64(1) else beyond
        if (_DENSITY[layer - 1] - _DENSITY[layer]) * _random(rng) + _DENSITY[layer] < math.exp(-0.5 * x * x):
            return x


@compiled
def _tail(rng: np.random.Generator) -> Any:
    while True:
        x = -_TAIL_INVERSE * math.log1p(-_random(rng))
        y = -math.log1p(-_random(rng))
        if y + y > x * x:
            return _TAIL + x
