"""Drawn arguments that try operations: numbers and arrays of all dtypes, special values among them."""

from __future__ import annotations

from typing import Any

import numpy as np

KINDS = {
    "b": ("bool",),
    "i": ("int8", "int16", "int32", "int64"),
    "u": ("uint8", "uint16", "uint32", "uint64"),
    "f": ("float32", "float64"),
}
SHAPES = ((), (0,), (1,), (3,), (7,), (2, 3), (3, 2), (1, 4), (5, 4), (2, 0), (2, 2, 3))
_SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1e300, -1e-300, 0.5, 1.5, -2.5)


def some_dtype(rng: np.random.Generator, kinds: str = "biuf") -> Any:
    """Returns a dtype of one of some kinds."""
    return np.dtype(str(rng.choice([name for kind in kinds for name in KINDS[kind]])))


def some_shape(rng: np.random.Generator) -> tuple[int, ...]:
    """Returns a small shape."""
    return SHAPES[int(rng.integers(len(SHAPES)))]


def one_of(rng: np.random.Generator, *options: Any) -> Any:
    """Returns one of some objects."""
    return options[int(rng.integers(len(options)))]


def array_like(rng: np.random.Generator, dtype: Any, shape: tuple[int, ...]) -> Any:
    """Returns an array of a dtype and shape, with special values."""
    if dtype.kind == "b":
        return np.asarray(rng.random(shape) < 0.5)
    if dtype.kind == "f":
        with np.errstate(all="ignore"):
            numbers = np.asarray(rng.normal(size=shape)) * 10.0 ** rng.integers(-3, 4, shape)
            special = rng.choice(_SPECIAL, shape)
            return np.where(rng.random(shape) < 0.25, special, numbers).astype(dtype)
    bounds = np.iinfo(dtype)
    small = np.asarray(rng.integers(max(-9, int(bounds.min)), 10, shape)).astype(dtype)
    edge = rng.choice(np.array([bounds.min, bounds.max], dtype), shape)
    return np.where(rng.random(shape) < 0.15, edge, small).astype(dtype)


def any_array(rng: np.random.Generator, kinds: str = "biuf", shape: tuple[int, ...] | None = None) -> Any:
    """Returns an array of one of some kinds."""
    return array_like(rng, some_dtype(rng, kinds), some_shape(rng) if shape is None else shape)


def any_number(rng: np.random.Generator, kinds: str = "biuf") -> Any:
    """Returns a number of Python or NumPy."""
    number = array_like(rng, some_dtype(rng, kinds), (1,))[0]
    return number.item() if rng.random() < 0.5 else number


def arrays(kinds: str = "biuf", count: int = 1) -> Any:
    """Returns what draws some arrays of one dtype and shape."""

    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        dtype, shape = some_dtype(rng, kinds), some_shape(rng)
        return tuple(array_like(rng, dtype, shape) for _ in range(count))

    return draw


def python_numbers(kinds: str = "bif", count: int = 1) -> Any:
    """Returns what draws some numbers of Python: small ones, special ones, and ints of up to 64 bits."""

    def one(rng: np.random.Generator) -> Any:
        kind = one_of(rng, *kinds)
        if kind == "i" and rng.random() < 0.3:
            return int(rng.integers(-(2**63), 2**63 - 1)) >> int(rng.integers(64))
        number = array_like(rng, np.dtype({"b": "bool", "i": "int64", "f": "float64"}[kind]), (1,))[0]
        return number.item()

    return lambda rng: tuple(one(rng) for _ in range(count))


def any_numbers(kinds: str = "biuf", count: int = 1) -> Any:
    """Returns what draws some numbers, each of Python or NumPy."""
    return lambda rng: tuple(any_number(rng, kinds) for _ in range(count))


def strong_number(rng: np.random.Generator, kinds: str = "biuf") -> Any:
    """Returns a number of NumPy."""
    return np.asarray(any_number(rng, kinds))[()]
