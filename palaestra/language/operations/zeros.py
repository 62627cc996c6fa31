"""Which of two zeros NumPy's minimum, maximum and clip keep: found by trying, since it depends on the processor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

_LENGTHS = (*range(1, 20), 31, 32, 33, 64, 67)
_STEPS = 1, 3


@cache
def keeps_first(ufunc: Callable[..., Any], dtype: np.dtype[Any], each: bool = True) -> bool | None:
    """Returns whether minimum, maximum or clip keep the first of equal numbers, as opposed to the last.

    It is None if that depends on where a number stands, and for `fmin` and `fmax`, for which NaN counts as missing.

    Args:
        ufunc: The function.
        dtype: The dtype of floats.
        each: Whether all arguments are arrays; else all but the first are numbers.
    """
    if ufunc in (np.fmin, np.fmax):
        return None
    rules = {True, False}
    for arguments in _tried(3 if ufunc is np.clip else 2, dtype, each):
        found = np.signbit(ufunc(*arguments))
        rules = {first for first in rules if np.all(found == np.signbit(arguments[0 if first else -1]))}
    return rules.pop() if len(rules) == 1 else None


def _tried(count: int, dtype: np.dtype[Any], each: bool) -> Iterator[list[Any]]:
    """Zeros of all signs, in arrays of several lengths and strides."""
    for signs in np.ndindex(*[2] * count):
        zeros = [dtype.type(-0.0 if sign else 0.0) for sign in signs]
        if not each or count == 2:
            yield zeros
        for length in _LENGTHS:
            for step in _STEPS:
                arrays = [np.full(length * step, zero, dtype)[::step] for zero in zeros]
                yield arrays if each else [arrays[0], *zeros[1:]]
