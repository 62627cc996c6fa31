"""Flat values side by side, in one numeric type that holds them all exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from gymnasium.spaces.space import Space
from gymnasium.spaces.utils import flatten_space

_INTEGERS = "iub"
_WIDEST = (np.dtype(np.int64), np.dtype(np.uint64))


def joint_dtype(dtypes: Sequence[np.dtype], flat_spaces: Callable[[], Iterable[Any]]) -> np.dtype:
    """Returns the dtype of flat values of these dtypes side by side.

    It is NumPy's choice, unless this converts integers to floats that cannot hold them.

    Args:
        dtypes: One for each value.
        flat_spaces: Returns the Boxes of the values; called only if their bounds matter.

    Raises:
        ValueError: If no dtype holds all integers within the bounds.
    """
    dtype = np.result_type(*dtypes)
    if dtype.kind != "f" or any(each.kind not in _INTEGERS for each in dtypes):
        return dtype
    boxes = [box for box in flat_spaces() if box.low.size]
    least = min((int(box.low.min()) for box in boxes), default=0)
    most = max((int(box.high.max()) for box in boxes), default=0)
    for choice in (dtype, *_WIDEST):
        low, high = _exact_range(choice)
        if low <= least and most <= high:
            return choice
    raise ValueError(
        f"Flat values side by side have one dtype, and none holds every integer from {least} to {most} exactly: give "
        "these spaces narrower bounds, or flatten them apart"
    )


def joined_vectors(members: Iterable[Space], parts: Sequence[Any], axis: int = 0) -> np.ndarray:
    """Returns the members' flat values as one vector; with `axis` 1, those of a batch as rows.

    Raises:
        ValueError: If an integer must become a float that cannot hold it, or the members have no joint dtype.
    """
    if not parts:
        return np.zeros(0, dtype=np.float32)
    joined: np.ndarray = np.concatenate(parts, axis=axis)
    if joined.dtype.kind != "f":
        return joined
    arrays = [np.asarray(part) for part in parts]
    if any(array.dtype.kind == "f" for array in arrays):
        for member, array in zip(members, arrays, strict=True):
            if not member._one_hot:
                check_exact(array, joined.dtype)
        return joined
    dtype = joint_dtype([array.dtype for array in arrays], lambda: map(flatten_space, members))
    return np.concatenate(arrays, axis=axis, dtype=dtype, casting="unsafe")


def check_exact(flat: np.ndarray, dtype: np.dtype) -> None:
    """Check that flat values stay exact in a wider dtype.

    Raises:
        ValueError: If the dtype is a float type that cannot hold an integer exactly.
    """
    # Shorter integers are exact in the float dtype that NumPy chooses for them.
    if dtype.kind != "f" or flat.dtype.kind not in "iu" or flat.dtype.itemsize < 8 or not flat.size:
        return
    low, high = _exact_range(dtype)
    least, most = int(np.minimum.reduce(flat, None)), int(np.maximum.reduce(flat, None))
    if least < low or most > high:
        raise ValueError(
            f"Beside floats, integers are flattened to {dtype}, which does not hold {least if least < low else most} "
            "exactly: flatten these integers apart, or observe them in another unit"
        )


@cache
def _exact_range(dtype: np.dtype) -> tuple[int, int]:
    """Returns the ends of the range in which the dtype holds all integers exactly."""
    if dtype.kind == "f":
        reach = 2 ** (np.finfo(dtype).nmant + 1)
        return -reach, reach
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
