"""Box: arrays of numbers between bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gymnasium.error import Error
from gymnasium.logger import warn
from gymnasium.spaces.array_space import ArraySpace, all_true
from gymnasium.spaces.bounds import (
    box_shape,
    cast_bound,
    dtype_range,
    is_float_integer,
    recast_bound,
    warn_of_lost_precision,
)
from gymnasium.spaces.joining import joint_dtype
from gymnasium.spaces.space import Space

__all__ = ["Box", "array_short_repr", "is_float_integer"]

# Up to here float64 holds every integer.
_EXACT = 2**53


def array_short_repr(arr: np.ndarray) -> str:
    """Returns the common value of all entries, or the whole array, as text."""
    if arr.size and arr.min() == arr.max():
        return str(arr.min())
    return str(arr)


class Box(ArraySpace[np.ndarray]):
    """Arrays whose entries lie between `low` and `high`, both included, each of which may be infinite.

    Samples are uniform if both bounds are finite, exponential above or below a single finite bound, and normal
    without bounds.

    Args:
        low: The lower bound: a number for all entries, or an array.
        high: The upper bound: likewise.
        shape: The shape of the arrays; if None that of the bounds, or `(1,)` where both are numbers.
        dtype: Floats, integers or bool. For signed integers an infinite bound is stored as the dtype's extreme.
        seed: See `Space`.

    Attributes:
        low: The lower bounds, an array of the Box's shape and dtype.
        high: The upper bounds, likewise.
        bounded_below: A bool array of the Box's shape, true where the lower bound given was finite.
        bounded_above: Likewise for the upper bound.

    Raises:
        ValueError: If the dtype is of another kind, the shape does not follow or differs, a bound is NaN or does not
            fit the dtype, or `low` is above `high`.
        TypeError: If `shape` is not a tuple of integers.
    """

    def __init__(
        self,
        low: SupportsFloat | np.ndarray,
        high: SupportsFloat | np.ndarray,
        shape: Sequence[int] | None = None,
        dtype: DTypeLike = np.float32,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        number = _checked_dtype(dtype)
        size = box_shape(shape, low, high)
        below = cast_bound("low", low, -1, size, number)
        above = cast_bound("high", high, 1, size, number)
        if (below.values > above.values).any():
            raise ValueError(f"`low` must not be above `high`, but low={low!r} and high={high!r} came")
        warn_of_lost_precision("low", low, number)
        warn_of_lost_precision("high", high, number)
        self.low, self.bounded_below = below
        self.high, self.bounded_above = above
        super().__init__(size, number, seed)
        self._classify()

    _sources = frozenset({"dtype", "low", "high", "bounded_below", "bounded_above"})

    def _follow(self, name: str) -> None:
        attributes = self.__dict__
        for side, finite, sign in (("low", "bounded_below", -1), ("high", "bounded_above", 1)):
            if name == side:
                given = np.asarray(attributes[side])
                if given.ndim < len(self._shape):
                    given = np.broadcast_to(given, self._shape).copy()
                attributes[finite] = given != sign * math.inf
                attributes["_shape"] = given.shape
                attributes[side] = given
            if attributes[side].dtype != self.dtype:
                attributes[side], attributes[finite] = recast_bound(
                    attributes[side], attributes[finite], sign, self.dtype
                )
            attributes.pop(f"{side}_repr", None)
        if self.low.shape == self.high.shape:  # otherwise the program assigns to the other bound next
            self._classify()

    def _classify(self) -> None:
        """Chooses the method of sampling."""
        bounded = self.bounded_below & self.bounded_above
        self._bounded = bool(bounded.all())
        self._coarse = self._wide = False
        if self.dtype.itemsize < 8:
            return
        if self.dtype.kind in "iu":  # whether rounded floats would leave out integers
            ends = (self.low[self.bounded_below], self.high[self.bounded_above])
            self._coarse = any(bool(((end < -_EXACT) | (end >= _EXACT)).any()) for end in ends)
        else:  # whether `high - low` is beyond the greatest float
            with np.errstate(over="ignore"):
                spans = np.subtract(self.high[bounded], self.low[bounded], dtype=np.float64)
            self._wide = not np.isfinite(spans).all()

    @cached_property
    def low_repr(self) -> str:
        """The lower bounds as text."""
        return array_short_repr(self.low)

    @cached_property
    def high_repr(self) -> str:
        """The upper bounds as text."""
        return array_short_repr(self.high)

    def is_bounded(self, manner: str = "both") -> bool:
        """Whether all entries are bounded: `"below"`, `"above"`, or `"both"`."""
        below, above = bool(self.bounded_below.all()), bool(self.bounded_above.all())
        answers = {"both": below and above, "below": below, "above": above}
        if manner not in answers:
            raise ValueError(f'`manner` must be "below", "above" or "both", but this came: {manner!r}')
        return answers[manner]

    def sample(self, mask: None = None, probability: None = None) -> np.ndarray:
        """Returns a random array. A Box takes neither a mask nor probabilities (`Error`)."""
        if mask is not None or probability is not None:
            name, given = ("mask", mask) if mask is not None else ("probability", probability)
            raise Error(f"Box.sample takes no `{name}`, but this came: {given!r}")
        if not self._bounded:
            values = self._sampled_by_cell()
        elif self._coarse:
            return self._integers(self.low, self.high)
        else:
            values = self._uniform(self.low, self.high)
        return values.astype(self.dtype) if self.dtype.kind == "f" else self._rounded(values)

    def _sampled_by_cell(self) -> np.ndarray:
        """Draws in an order that is part of the interface: unbounded, bounded below, above, on both sides."""
        rng, below, above = self.np_random, self.bounded_below, self.bounded_above
        free, floor, ceiling, both = ~below & ~above, below & ~above, ~below & above, below & above
        anywhere = rng.normal(size=np.count_nonzero(free))
        upwards = rng.exponential(size=np.count_nonzero(floor))
        downwards = -rng.exponential(size=np.count_nonzero(ceiling))
        values = np.empty(self.shape, self.dtype if self._coarse else np.float64)
        if self._coarse:
            values[free] = np.floor(anywhere)
            values[floor] = _moved(self.low[floor], np.floor(upwards))
            values[ceiling] = _moved(self.high[ceiling], np.floor(downwards) + 1)
            values[both] = self._integers(self.low[both], self.high[both])
            return values
        values[free] = anywhere
        values[floor] = upwards + self.low[floor]
        values[ceiling] = downwards + self._end(self.high[ceiling])
        values[both] = self._uniform(self.low[both], self.high[both])
        return values

    def _end(self, high: np.ndarray) -> np.ndarray:
        """The end of the range of floats whose floor is at most `high`."""
        return high if self.dtype.kind == "f" else high.astype(np.int64) + 1

    def _uniform(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """`Generator.uniform(low, high)`, in its own arithmetic but a third of its time for arrays."""
        values = self.np_random.random(low.shape)
        if self._wide:
            values *= high / 2 - low / 2
            values += low / 2
            values *= 2
            return values
        values *= np.subtract(self._end(high), low, dtype=np.float64)
        values += low
        return values

    def _integers(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        return np.asarray(self.np_random.integers(low, high, dtype=self.dtype.type, endpoint=True))

    def _rounded(self, values: np.ndarray) -> np.ndarray:
        if not self._coarse:
            np.floor(values, out=values)
        if self.dtype.kind == "b":
            return values.astype(self.dtype)
        np.clip(values, *dtype_range(self.dtype), out=values)
        integers = values.astype(self.dtype)
        if self.dtype.itemsize == 8:  # large floats may have been rounded beyond the bound
            np.clip(integers, self.low, self.high, out=integers)
        return integers

    def contains(self, x: Any) -> bool:
        """Whether `x` is an array of this shape, of a dtype that casts safely, within the bounds.

        Other types are cast to an array, with a warning.
        """
        if not isinstance(x, np.ndarray):
            if not isinstance(x, np.generic) or x.dtype != self.dtype:
                warn(f"Casting input x to numpy array, to test whether a {type(x).__name__} is in a Box")
            try:
                x = np.asarray(x, dtype=self.dtype)
            except (ValueError, TypeError, OverflowError):
                return False
        return (
            (x.dtype == self.dtype or np.can_cast(x.dtype, self.dtype))
            and x.shape == self.shape
            and all_true(x >= self.low)
            and all_true(x <= self.high)
        )

    def to_jsonable(self, sample_n: Sequence[np.ndarray]) -> list[Any]:
        """Returns the samples as nested lists."""
        return [sample.tolist() for sample in sample_n]

    def from_jsonable(self, sample_n: Sequence[Any]) -> list[np.ndarray]:
        """Returns the samples as arrays."""
        if 0 in self.shape:  # empty lists do not contain the sizes of the inner axes
            return [np.empty((len(sample), *self.shape[1:]), dtype=self.dtype) for sample in sample_n]
        return [np.asarray(sample, dtype=self.dtype) for sample in sample_n]

    def __repr__(self) -> str:
        return f"Box({self.low_repr}, {self.high_repr}, {self.shape}, {self.dtype})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a Box of the same shape and dtype, with bounds equal up to rounding."""
        return (
            isinstance(other, Box)
            and self.shape == other.shape
            and self.dtype == other.dtype
            and np.allclose(self.low, other.low)
            and np.allclose(self.high, other.high)
        )

    def __setstate__(self, state: Iterable[tuple[str, Any]] | Mapping[str, object]) -> None:
        """Restores a pickled Box, also one of another implementation, whose texts are None until it is printed."""
        state = dict(state)
        texts = {"low_repr", "high_repr"}
        super().__setstate__({name: value for name, value in state.items() if not (name in texts and value is None)})
        self._follow("dtype")

    @property
    def _parts(self) -> tuple[np.ndarray, np.ndarray, NDArray[np.bool_], NDArray[np.bool_]]:
        return self.low, self.high, self.bounded_below, self.bounded_above

    def _flatdim(self) -> int:
        return math.prod(self.shape)

    def _flattened(self, x: object) -> np.ndarray:
        return np.asarray(x, dtype=self.dtype).flatten()

    def _unflattened(self, x: object) -> np.ndarray:
        return np.asarray(x, dtype=self.dtype).reshape(self.shape)

    def _flat_space(self) -> Box:
        return _from_parts(part.flatten() for part in self._parts)

    def _batched(self, n: int) -> Box:
        repeats = (n, *(1,) * len(self.shape))
        return _from_parts((np.tile(part, repeats) for part in self._parts), deepcopy(self.np_random))

    def _batched_with(self, spaces: Sequence[Any]) -> Box:
        for i, space in enumerate(spaces):
            if (space.shape, space.dtype) != (self.shape, self.dtype):
                raise ValueError(
                    "Boxes batched together have one shape and dtype, but number 0 has "
                    f"{self.shape}, {self.dtype} and number {i} {space.shape}, {space.dtype}"
                )
        parts = zip(*(box._parts for box in spaces), strict=True)
        return _from_parts(map(np.stack, parts), deepcopy(self.np_random))

    def _zero(self) -> np.ndarray:
        zero = np.zeros(self.shape, dtype=self.dtype)
        return np.where(self.low > 0, self.low, np.where(self.high < 0, self.high, zero))


def concatenated_boxes(boxes: Sequence[Box]) -> Box:
    """Returns the Box whose vectors are vectors of the `boxes`, one after the other.

    Raises:
        ValueError: If no dtype holds the values of all exactly.
    """
    if not boxes:
        return Box(0, 1, (0,))
    dtype = joint_dtype([box.dtype for box in boxes], lambda: boxes)
    low, high, *finite = zip(*(box._parts for box in boxes), strict=True)
    bounds = [np.concatenate(bound, dtype=dtype, casting="unsafe") for bound in (low, high)]
    return _from_parts([*bounds, *map(np.concatenate, finite)])


def _from_parts(parts: Iterable[np.ndarray], seed: np.random.Generator | None = None) -> Box:
    """Returns a Box from its bounds and masks of the finite ones, which the bounds of an integer Box cannot show."""
    box = Box.__new__(Box)
    box.low, box.high, box.bounded_below, box.bounded_above = parts
    Space.__init__(box, box.low.shape, box.low.dtype, seed)
    box._classify()
    return box


def _moved(bounds: np.ndarray, steps: NDArray[np.float64]) -> list[int]:
    """Returns `bounds + steps` without overflow."""
    least, most = dtype_range(bounds.dtype)
    return [min(max(bound + int(step), least), most) for bound, step in zip(bounds.tolist(), steps, strict=True)]


def _checked_dtype(dtype: DTypeLike | None) -> np.dtype:
    if dtype is None:
        raise ValueError("A Box needs a `dtype`, but None came; the default is numpy.float32")
    number = np.dtype(dtype)
    if number.kind not in "iufb":
        raise ValueError(f"The dtype of a Box is a float, an integer or bool, but {number} came")
    return number
