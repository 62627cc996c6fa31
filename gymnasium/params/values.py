"""The values and bounds of distributions: conversions and checks."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_RARE: Final = 40.0  # standard deviations: no draw is further away
_LARGEST: Final = math.log(sys.float_info.max)


def plain(value: object) -> Any:
    """Returns a number of NumPy's as Python's, and an array of one value without axes as that."""
    return value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value


def kept(values: object) -> Any:
    """Returns an array as one that nobody changes later, and other values as they are."""
    if not (isinstance(values, np.ndarray) and values.ndim):
        return values
    own = values.copy()
    own.flags.writeable = False
    return own


def together(values: tuple[object, ...]) -> Any:
    """Returns numbers as an array of the kind that holds them all, other values as they are."""
    kinds = set(map(type, values))
    if kinds == {bool} or kinds == {int} or kinds == {float} or kinds == {int, float}:
        return np.array(values)
    return values


def converted(owner: Any, value: Any, kind: type[bool | int | float]) -> Any:
    """Returns a number in another kind, if it has the same value there."""
    if type(value) is kind:
        return value
    refusal = TypeError(f"{owner} has the value {value!r:.100}, which is not of the type {kind.__name__}")
    if type(value) not in (bool, int, float) or bool in (kind, type(value)):
        raise refusal
    try:
        same = kind(value)
    except (OverflowError, ValueError):
        raise refusal from None
    if same != value:
        raise refusal
    return same


def floats(name: str, value: object) -> float | NDArray[np.float64]:
    """Returns a number as a float, and an array as one of float64 that nobody else can change."""
    array = np.array(value)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a number, but {value!r} came")
    floats = array.astype(np.float64)
    floats.flags.writeable = False
    return floats if floats.ndim else float(floats)


def check_ordered(owner: Any, low: Any, high: Any) -> None:
    """Raises ValueError for a range that is infinite or empty."""
    with np.errstate(over="ignore"):
        finite = np.isfinite(np.subtract(high, low)).all()
    if not finite or not np.all(np.asarray(low) <= np.asarray(high)):
        raise ValueError(f"{owner} needs finite bounds, `low` up to `high`")


def check_bell(owner: Any, mean: Any, std: Any) -> None:
    """Raises ValueError unless both are finite and the second is not negative."""
    if not (np.isfinite(mean).all() and np.isfinite(std).all() and np.all(np.asarray(std) >= 0)):
        raise ValueError(f"{owner} needs a finite mean and a standard deviation from 0 on")


def check_log_bell(owner: Any, mean: Any, sigma: Any) -> None:
    """Raises ValueError unless all exponentials of the draws are finite and above 0."""
    check_bell(owner, mean, sigma)
    if not np.all(np.abs(mean) + _RARE * np.asarray(sigma) < _LARGEST):
        raise ValueError(f"{owner} would draw values that are infinite, or 0")


def extremes_of(value: Any) -> Iterator[Any]:
    """Yields values that an environment has to accept: the ends of numbers of one kind, and all other values."""
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        if kinds != {bool} and not kinds <= {int, float}:
            yield from value
            return
    given = np.asarray(value)
    if given.dtype.kind in "biuf" and given.ndim < 2:
        flat = given.ravel()
        yield from (flat[k].item() for k in {int(flat.argmin()), int(flat.argmax())})
    else:
        yield from value if given.ndim else [value]
