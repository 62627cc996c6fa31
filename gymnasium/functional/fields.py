"""Fields of a state: those that change, which every runner but Python refuses, and those of a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

KINDS = {"b": "bool", "i": "int", "u": "unsigned int", "f": "float"}
"""Maps NumPy's letters for kinds of numbers to words."""


def described(dtype: object, shape: tuple[int, ...]) -> str:
    """Returns a field's type in words."""
    return f"{dtype} of shape {shape}" if shape else str(dtype)


def advice(began: tuple[str, tuple[int, ...]], came: tuple[str, tuple[int, ...]]) -> str:
    """Returns what to write where a field changes from one kind and shape, those at first, to others."""
    if began[1] != came[1]:
        return "keep one shape, an array of the largest size beside a counter, say"
    if came[0] == "f":
        return "begin with a float (0.0 rather than 0)"
    if began[0] == "f":
        return "keep it a float (1.0 rather than 1, float(...), astype(np.float64))"
    return "keep it a bool or an int, with bool(...) or int(...)"


def beyond(field: str, value: object) -> OverflowError:
    """Returns the error for an integer of a state that has more than 64 bits."""
    return OverflowError(
        f"An integer of a state must fit into 64 bits, as it has to in a batch, but {field} became {value}"
    )


_ACCEPTED: Final = {"b": "b", "i": "iu", "u": "iu", "f": "fiu"}
_INT64: Final = (-(1 << 63), (1 << 63) - 1)
_UINT64: Final = (0, (1 << 64) - 1)


def fitted(state: Any, like: Any, ranges: Mapping[str, tuple[int, int]]) -> Any:
    """Returns a state with the kinds and shapes of the present one; integers in the place of floats become floats.

    Args:
        state: The state, which may be of a stranger's file.
        like: The present state; None if there is none, which fits each.
        ranges: The least and the greatest value of some integers.

    Raises:
        ValueError: If it has not, or an integer is out of its range, or has more than 64 bits.
    """
    if like is None:
        return state
    if type(state) is not type(like):
        raise ValueError(f"set_state expects a {type(like).__name__} of the dynamics, but {state!r:.200} came")
    for name, value, known in zip(like._fields, state, like, strict=True):
        found, expected = np.asarray(value), np.asarray(known)
        if found.shape != expected.shape or found.dtype.kind not in _ACCEPTED.get(expected.dtype.kind, ""):
            raise ValueError(f"{name} of a state is like {known!r:.200}, but {value!r:.200} came")
        low, high = ranges.get(name, _UINT64 if expected.dtype == np.uint64 else _INT64)
        if found.dtype.kind in "iu" and found.size and not (low <= found.min() and found.max() <= high):
            raise ValueError(f"{name} of a state is a number from {low} to {high}, but {value!r:.200} came")
    kept = (float(value) if type(known) is float else value for value, known in zip(state, like, strict=True))
    return type(like)(*kept)
