"""The same numbers in another shape or dtype."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space
from gymnasium.transforms.transform import Transform, required_box


def reshape(space: Space, shape: Sequence[int]) -> Transform:
    """Returns the transformation of arrays to the given shape; one size may be -1, for the remaining entries.

    Raises:
        TypeError: If the space is not a Box, or `shape` not a tuple or list of integers.
        ValueError: If a size is neither positive nor -1, or the sizes give another number of entries.
    """
    box = required_box("Reshape", space)
    if not isinstance(shape, (tuple, list)):  # JSON turns a tuple into a list
        raise TypeError(f"`shape` must be a tuple of integers, but {shape!r} (of type {type(shape).__name__}) came")
    if not all(isinstance(size, (int, np.integer)) for size in shape):
        raise TypeError(f"`shape` must hold integers, but this came: {shape!r}")
    if not all(size > 0 or size == -1 for size in shape):
        raise ValueError(f"`shape` must hold positive sizes, or -1 for the remaining one, but this came: {shape!r}")
    full = _completed(tuple(shape), prod(box.shape))
    if full is None:
        raise ValueError(
            f"`shape` must have as many entries as the space, {prod(box.shape)} in the shape {box.shape}, but "
            f"this came: {shape!r}"
        )
    out = Box(box.low.reshape(full), box.high.reshape(full), dtype=box.dtype.type)
    return Transform(out, partial(_reshaped, shape=full), partial(_reshaped_rows, shape=full))


def convert(space: Space, dtype: DTypeLike) -> Transform:
    """Returns the transformation of numbers to another dtype; a Discrete becomes a Box of shape ().

    Raises:
        TypeError: If the space holds no arrays or integers.
        ValueError: If the space's bounds do not fit the dtype.
    """
    number = np.dtype(dtype)
    if isinstance(space, Box):
        out: Space = Box(*_bounds(space, number), dtype=number.type)
    elif isinstance(space, Discrete):
        out = Box(int(space.start), int(space.start) + int(space.n) - 1, (), number.type)
    elif isinstance(space, MultiDiscrete):
        out = MultiDiscrete(space.nvec, dtype=number.type, start=space.start)
    elif isinstance(space, MultiBinary):
        out = Box(0, 1, space.shape, number.type)
    else:
        raise TypeError(
            f"Only Box, Discrete, MultiDiscrete and MultiBinary have a dtype to change, but the space is {space}; "
            "FlattenObservation converts most others to a Box"
        )
    return Transform(out, partial(_cast, dtype=number), partial(_cast, dtype=number))


def _completed(shape: tuple[int, ...], size: int) -> tuple[int, ...] | None:
    """Returns the shape without -1; None where it cannot hold `size` entries."""
    known = prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and size % known == 0:
        shape = tuple(size // known if n == -1 else int(n) for n in shape)
    return shape if shape.count(-1) == 0 and prod(shape) == size else None


def _bounds(box: Box, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    low, high = box.low, box.high
    if box.dtype.kind != "f":  # an integer bound cannot be infinite
        if not box.bounded_below.all():
            low = np.where(box.bounded_below, low, -np.inf)
        if not box.bounded_above.all():
            high = np.where(box.bounded_above, high, np.inf)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):  # bounds too large for the dtype become infinite, like the values
            low, high = low.astype(dtype), high.astype(dtype)
    return low, high


def _reshaped(value: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return np.reshape(value, shape)


def _reshaped_rows(batch: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return np.reshape(batch, (len(batch), *shape))


def _cast(values: object, dtype: np.dtype) -> Any:
    """Returns arrays as arrays and numbers as numbers of the dtype."""
    return dtype.type(values)
