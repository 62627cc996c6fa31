"""The bounds of a Box: converts the caller's bounds to arrays of its shape and dtype."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.logger import warn


class Bound(NamedTuple):
    """One side of a Box."""

    values: np.ndarray  # of the Box's dtype
    finite: NDArray[np.bool_]  # where the bound given is not infinite towards its own side


def is_float_integer(var: object) -> bool:
    """Whether `var` is a number, Python's or NumPy's, and not a bool."""
    return isinstance(var, (int, float, np.integer, np.floating)) and not isinstance(var, bool)


def box_shape(shape: object, low: object, high: object) -> tuple[int, ...]:
    """Returns the given shape, or that of the bounds."""
    if shape is not None:
        return _checked_shape(shape)
    if isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and low.shape != high.shape:
        raise ValueError(f"`low` and `high` must have one shape, but have {low.shape} and {high.shape}")
    for bound in (low, high):
        if isinstance(bound, np.ndarray):
            return tuple(bound.shape)
    if is_float_integer(low) and is_float_integer(high):
        return (1,)
    raise ValueError(
        "The shape of a Box follows from bounds that are arrays or numbers, but `low` is a "
        f"{type(low).__name__} and `high` a {type(high).__name__}; give `shape`, or arrays"
    )


def _checked_shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, Iterable):
        raise TypeError(f"`shape` must be a tuple of integers, but {shape!r} (of type {type(shape).__name__}) came")
    sizes = tuple(shape)
    if not all(isinstance(size, (int, np.integer)) for size in sizes):
        raise TypeError(f"`shape` must hold integers only, but this came: {shape!r}")
    return tuple(int(size) for size in sizes)


def dtype_range(dtype: np.dtype) -> tuple[Any, Any]:
    """Returns the least and the greatest finite number of the dtype: integers for integers, floats for floats."""
    if dtype.kind == "b":
        return 0, 1
    if dtype.kind == "f":
        floats = np.finfo(dtype)
        return floats.min, floats.max
    integers = np.iinfo(dtype)
    return int(integers.min), int(integers.max)


def cast_bound(name: str, bound: object, sign: int, shape: tuple[int, ...], dtype: np.dtype) -> Bound:
    """Returns one side of a Box.

    Args:
        name: `"low"` or `"high"`, for messages.
        bound: A number or an array.
        sign: -1 for the low side, whose own infinity is `-inf`; 1 for the high one.
        shape: The Box's shape.
        dtype: The Box's dtype.

    Raises:
        ValueError: If the bound has a NaN or the wrong shape, or does not fit the dtype.
    """
    given = _given(name, bound, shape)
    if given.dtype.kind == "f" and np.isnan(given).any():
        raise ValueError(f"`{name}` must be a number everywhere, but holds NaN: {bound!r}")
    finite = np.asarray(given != sign * math.inf, dtype=bool)
    if dtype.kind == "f":
        _check_range(name, given[finite & (given != -sign * math.inf)], dtype)
        values = given.astype(dtype)
    else:
        values = _integers(name, given, finite, sign, dtype)
    if isinstance(bound, np.ndarray):
        return Bound(values, finite)
    return Bound(np.full(shape, values), np.full(shape, finite))


def _given(name: str, bound: object, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the bound as an array: of the Box's shape, or of shape `()` for one number."""
    if is_float_integer(bound):
        return np.asarray(bound)
    if not isinstance(bound, np.ndarray):
        raise ValueError(f"`{name}` must be a number or an array, but {bound!r} (of type {type(bound).__name__}) came")
    if bound.dtype.kind not in "fiub":
        raise ValueError(f"`{name}` must hold floats, integers or bools, but its dtype is {bound.dtype}")
    if bound.shape != shape:
        raise ValueError(f"`{name}` must have the Box's shape {shape}, but has {bound.shape}")
    return bound


def _integers(name: str, given: np.ndarray, finite: NDArray[np.bool_], sign: int, dtype: np.dtype) -> np.ndarray:
    """Returns the bound as integers, with the dtype's extreme where it is infinite."""
    if not finite.all() and dtype.kind != "i":
        raise ValueError(f"`{name}` is {sign * math.inf}, which {dtype} cannot hold; give a finite bound")
    _check_range(name, given[finite], dtype)
    values = np.full(given.shape, dtype_range(dtype)[sign > 0], dtype=dtype)
    values[finite] = given[finite].astype(dtype)
    return values


def _check_range(name: str, given: np.ndarray, dtype: np.dtype) -> None:
    if given.dtype == dtype or not given.size:
        return
    least, most = dtype_range(dtype)
    outside = (given < least) | (given > most)
    if given.dtype.kind == "f" and dtype.kind != "f":
        # 2**63 - 1 rounds to 2**63 as a float, which is outside.
        outside |= given >= float(most + 1)
    if outside.any():
        raise ValueError(
            f"`{name}` is {given[outside][0]}, outside the range of {dtype}: {least} to {most}; "
            "give another bound or dtype"
        )


def recast_bound(bound: np.ndarray, finite: NDArray[np.bool_], sign: int, dtype: np.dtype) -> Bound:
    """Returns one side of a Box in another dtype, cut to its range; only floats and signed integers may be infinite."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            values = np.where(finite, bound, sign * math.inf).astype(dtype)
        return Bound(values, values != sign * math.inf)
    if bound.dtype.kind in "fb":  # comparisons with the integers below need room
        bound = bound.astype(np.float64 if bound.dtype.kind == "f" else np.int64)
    least, most = dtype_range(dtype)
    values = np.full(bound.shape, most, dtype)
    values[bound < 0] = least
    inside = finite & (bound > least - 1) & (bound < most + 1)
    values[inside] = bound[inside].astype(dtype)
    return Bound(values, finite if dtype.kind == "i" else np.ones_like(finite))


def warn_of_lost_precision(name: str, bound: object, dtype: np.dtype) -> None:
    """Warns if `bound` is an array of floats finer than the dtype."""
    if not isinstance(bound, np.ndarray) or bound.dtype.kind != "f" or dtype.kind != "f":
        return
    if np.finfo(bound.dtype).precision > np.finfo(dtype).precision:
        warn(f"A Box has {name}'s precision lowered by casting to {dtype}; give `dtype={bound.dtype}` to keep it")
