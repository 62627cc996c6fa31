"""The common base of the spaces whose values are arrays: Box, Discrete, MultiBinary, MultiDiscrete."""

from __future__ import annotations

import array
import ctypes
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.space import ArrayMaker, Space, T_cov

# Bytes in a value up to which `np.array` and a copy take a fifth of the time of `np.stack`.
_SMALL = 2048


class ArraySpace(Space[T_cov]):
    """A space of arrays (or scalars) of one shape and dtype."""

    dtype: np.dtype
    _shape: tuple[int, ...]

    _kinds = "iufb"
    _stacks = True

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the values."""
        return self._shape

    @property
    def is_np_flattenable(self) -> bool:
        """True, since arrays of one shape have one length."""
        return True

    def _same_layout(self, other: Space) -> bool:
        related = isinstance(other, type(self)) or isinstance(self, type(other))
        return related and self.shape == other.shape and self.dtype == other.dtype

    def _iterated(self, items: Any) -> Iterator[Any]:
        try:
            return iter(items)
        except TypeError as error:
            raise TypeError(
                f"A batch of {self} is an array or a list, but got an object without items: {items!r}"
            ) from error

    def _concatenated(self, items: Iterable[Any], out: np.ndarray) -> np.ndarray:
        items = tuple(items)
        if not items and not len(out):
            return out
        if math.prod(self._shape) * self.dtype.itemsize > _SMALL:
            return np.stack(items, out=out)
        rows = np.array(items)
        if rows.shape != out.shape:
            raise ValueError(f"A batch of {self} has the shape {out.shape}, but values of shape {rows.shape} came")
        np.copyto(out, rows, casting="same_kind")
        return out

    def _empty(self, n: int, fn: ArrayMaker) -> np.ndarray:
        return fn((n, *self.shape), dtype=self.dtype)

    def _shared(self, n: int, ctx: Any) -> Any:
        size, char = int(n) * math.prod(self.shape), self.dtype.char
        if self.dtype == np.bool_:
            return ctx.Array(ctypes.c_bool, size)
        if char in array.typecodes:
            return ctx.Array(char, size)
        return ctx.Array(ctypes.c_uint8, size * self.dtype.itemsize)

    def _read_shared(self, memory: object, n: int) -> np.ndarray:
        return shared_array(memory, self.dtype, (n, *self.shape))

    def _write_shared(self, index: int, value: object, memory: object) -> None:
        size = math.prod(self.shape)
        slots = shared_array(memory, self.dtype, (-1, size)) if size else np.empty((index + 1, 0), self.dtype)
        slots[index] = np.asarray(value, dtype=self.dtype).reshape(size)


def shared_array(memory: Any, dtype: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the memory as an array, or a new array if there is no memory to view."""
    if 0 in shape:
        return np.empty(shape, dtype=dtype)
    return np.frombuffer(memory.get_obj(), dtype=dtype).reshape(shape)


def all_true(flags: NDArray[np.bool_]) -> bool:
    """Whether all are true: `flags.all()`, but ten times as fast for the small arrays that most spaces hold."""
    return 0 not in flags.tobytes()


def as_array(x: object) -> np.ndarray | None:
    """Returns an array, a sequence or a NumPy scalar as an array; None for anything else."""
    if isinstance(x, (Sequence, np.generic)):
        try:
            x = np.array(x)
        except (ValueError, TypeError, OverflowError):
            return None
    return x if isinstance(x, np.ndarray) else None


def holds(dtype: np.dtype, low: int, high: int) -> bool:
    """Whether an integer dtype holds both numbers."""
    return bool(np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max)
