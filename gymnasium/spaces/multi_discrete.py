"""MultiDiscrete: arrays of integers, each out of its own range."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from gymnasium.logger import warn
from gymnasium.spaces.array_space import ArraySpace, all_true, as_array, holds
from gymnasium.spaces.batching import batch_differing_spaces, batch_space
from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.masks import check_exclusive, check_mask, check_members, checked_distribution


class MultiDiscrete(ArraySpace[NDArray[np.integer]]):
    """Arrays whose entry `i` is one of the integers `start[i], ..., start[i] + nvec[i] - 1`.

    Args:
        nvec: The number of values of each entry: an array of any shape.
        dtype: The integer type of samples.
        seed: See `Space`.
        start: The smallest value of each entry, in the shape of `nvec`; zeros if None.

    Raises:
        ValueError: If the dtype is not an integer type, the shapes differ, a count is not positive or a number is not
            whole.
        OverflowError: If one of the values does not fit the dtype.
    """

    def __init__(
        self,
        nvec: ArrayLike,
        dtype: DTypeLike = np.int64,
        seed: int | np.random.Generator | None = None,
        start: ArrayLike | None = None,
    ) -> None:
        if dtype is None or not np.issubdtype(dtype, np.integer):
            raise ValueError(f"The `dtype` of a MultiDiscrete must be an integer type, but this came: {dtype!r}")
        self.nvec = _whole("nvec", nvec, dtype)
        self.start = np.zeros_like(self.nvec) if start is None else _whole("start", start, dtype)
        if self.start.shape != self.nvec.shape:
            raise ValueError(
                f"`start` and `nvec` must have one shape, but have {self.start.shape} and {self.nvec.shape}"
            )
        if (self.nvec <= 0).any():
            raise ValueError(f"All counts in `nvec` must be positive, but this came: {nvec!r}")
        if (self._last < self.start).any():
            raise OverflowError(
                f"`start` {start!r} and `nvec` {nvec!r} make values out of the range of {self.nvec.dtype}"
            )
        super().__init__(self.nvec.shape, dtype, seed)

    _kinds = "iu"
    _sources = frozenset({"dtype", "nvec", "start"})

    def _can_have(self, dtype: np.dtype | None) -> bool:
        values = (self.nvec, self.start, self._last)
        return (
            dtype is not None
            and super()._can_have(dtype)
            and (not self.nvec.size or all(holds(dtype, int(each.min()), int(each.max())) for each in values))
        )

    def _follow(self, name: str) -> None:
        nvec, start = np.asarray(self.nvec, self.dtype), np.asarray(self.start, self.dtype)
        if name == "nvec" and start.shape != nvec.shape:
            start = np.zeros_like(nvec)
        self.__dict__.update(nvec=nvec, start=start, _shape=nvec.shape)

    @property
    def _last(self) -> NDArray[np.integer]:
        return self.start + (self.nvec - 1)

    def sample(
        self, mask: tuple[Any, ...] | None = None, probability: tuple[Any, ...] | None = None
    ) -> NDArray[np.integer]:
        """Returns a random array.

        Args:
            mask: Tuples nested like the axes of `nvec`, of int8 arrays: entry `i` has one of length `nvec[i]`, with
                1 for the values that may be drawn. If none may, the entry is its `start`.
            probability: Likewise, of float64 arrays that sum to 1.

        Raises:
            ValueError: If both are given.
            AssertionError: If one has another form.
        """
        check_exclusive(mask, probability)
        if mask is not None:
            return np.array(self._drawn("mask", mask, self.nvec, self.start), dtype=self.dtype)
        if probability is not None:
            return np.array(self._drawn("probability", probability, self.nvec, self.start), dtype=self.dtype)
        # Keep it an array: arithmetic on shape () gives scalars.
        fractions = np.asarray(self.np_random.random(self.nvec.shape) * self.nvec)
        return np.asarray(fractions.astype(self.dtype) + self.start)

    def _drawn(self, name: str, given: Any, nvec: Any, start: Any) -> Any:
        """Draws depth first in the order of indices, from the argument called `name`."""
        if np.ndim(nvec) == 0:
            leaf = self._masked if name == "mask" else self._weighted
            return leaf(given, int(nvec), int(start))
        check_members(name, given, len(nvec))
        return [self._drawn(name, *part) for part in zip(given, nvec, start, strict=True)]

    def _masked(self, mask: Any, n: int, start: int) -> int:
        check_mask(mask, (n,))
        allowed = mask.nonzero()[0]
        return int(self.np_random.choice(allowed)) + start if len(allowed) else start

    def _weighted(self, probability: Any, n: int, start: int) -> int:
        checked_distribution(probability, n)
        possible = probability.nonzero()[0]
        weights = (probability / probability.sum())[possible]
        return int(self.np_random.choice(possible, p=weights)) + start

    def contains(self, x: Any) -> bool:
        """Whether `x` is an array or a sequence of this shape, of a dtype that casts safely, within the ranges."""
        x = as_array(x)
        return (
            x is not None
            and x.shape == self.shape
            and (x.dtype == self.dtype or np.can_cast(x.dtype, self.dtype))
            and all_true(x >= self.start)
            and all_true(x <= self._last)
        )

    def __getitem__(self, index: Any) -> Discrete | MultiDiscrete:
        """Returns the space of an entry or of a part, with a generator in the same state."""
        nvec, start = self.nvec[index], self.start[index]
        part: Discrete | MultiDiscrete
        if np.ndim(nvec) == 0:
            part = Discrete(int(nvec), start=int(start), dtype=self.dtype)
        else:
            part = MultiDiscrete(nvec, self.dtype, start=start)
        part.np_random.bit_generator.state = self.np_random.bit_generator.state
        return part

    def __len__(self) -> int:
        """The length of the first axis."""
        if self.nvec.ndim >= 2:
            warn(f"The length of a MultiDiscrete is that of its first axis only, but `nvec` has more: {self.nvec!r}")
        return len(self.nvec)

    def to_jsonable(self, sample_n: Sequence[NDArray[np.integer]]) -> list[Any]:
        """Returns the samples as nested lists."""
        return [np.asarray(sample).tolist() for sample in sample_n]

    def from_jsonable(self, sample_n: Sequence[Any]) -> list[NDArray[np.integer]]:
        """Returns the samples as arrays."""
        return [np.array(sample, dtype=self.dtype) for sample in sample_n]

    def __repr__(self) -> str:
        start = f", start={self.start}" if self.start.any() else ""
        return f"MultiDiscrete({self.nvec}{start})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a MultiDiscrete of the same ranges and dtype."""
        return (
            isinstance(other, MultiDiscrete)
            and self.dtype == other.dtype
            and np.array_equal(self.nvec, other.nvec)
            and np.array_equal(self.start, other.start)
        )

    def __setstate__(self, state: Iterable[tuple[str, Any]] | Mapping[str, object]) -> None:
        """Restores a pickled MultiDiscrete, also one from before `start` existed."""
        super().__setstate__(state)
        if "start" not in self.__dict__:
            self.start = np.zeros(self.shape, dtype=self.dtype)

    _one_hot = True

    def _flatdim(self) -> int:
        return _flat_layout(self.nvec.tobytes(), self.nvec.dtype)[0]

    def _flattened(self, x: object) -> NDArray[np.integer]:
        x = np.asarray(x)
        if x.shape == self.shape:
            # A difference beyond the dtype wraps to an invalid index, since `start + nvec - 1` fits the dtype.
            index = x.ravel() - self.start.ravel()
            if all_true((index >= 0) & (index < self.nvec.ravel())):
                length, offsets = _flat_layout(self.nvec.tobytes(), self.nvec.dtype)
                one_hot = np.zeros(length, self.dtype)
                one_hot[index.astype(np.int64) + offsets] = 1
                return one_hot
        raise ValueError(f"Only values of {self} have one-hot vectors, but this came: {x!r}")

    def _unflattened(self, x: object) -> NDArray[np.integer]:
        (hot,) = np.asarray(x).nonzero()
        if len(hot) != self.nvec.size:
            raise ValueError(
                f"The one-hot vectors of {self} have {self.nvec.size} entries that are not zero, but this came: {x!r}"
            )
        _, offsets = _flat_layout(self.nvec.tobytes(), self.nvec.dtype)
        return np.asarray((hot - offsets).reshape(self.shape).astype(self.dtype) + self.start)

    def _flat_space(self) -> Box:
        return Box(0, 1, shape=(self._flatdim(),), dtype=self.dtype)

    def _batched(self, n: int) -> Box:
        repeats = (n, *(1,) * len(self.shape))
        low, high = np.tile(self.start, repeats), np.tile(self._last, repeats)
        return Box(low, high, dtype=self.dtype, seed=deepcopy(self.np_random))

    def _batched_with(self, spaces: Sequence[Any]) -> Box:
        for i, space in enumerate(spaces):
            if (space.shape, space.dtype) != (self.shape, self.dtype):
                raise ValueError(
                    "MultiDiscretes batched together have one shape and dtype, but number 0 has "
                    f"{self.shape}, {self.dtype} and number {i} {space.shape}, {space.dtype}"
                )
        low, high = np.stack([space.start for space in spaces]), np.stack([space._last for space in spaces])
        return Box(low, high, dtype=self.dtype, seed=deepcopy(self.np_random))

    def _zero(self) -> NDArray[np.integer]:
        return self.start.copy()


@lru_cache(maxsize=256)
def _flat_layout(nvec: bytes, dtype: np.dtype) -> tuple[int, NDArray[np.int64]]:
    """Returns the length of a flat vector, and the offset of each entry's one-hot vector in it."""
    counts = np.frombuffer(nvec, dtype).astype(np.int64)
    return int(counts.sum()), counts.cumsum() - counts


def _whole(name: str, given: ArrayLike, dtype: DTypeLike) -> NDArray[np.integer]:
    """Returns a copy of the numbers as integers, if they are."""
    integers: NDArray[np.integer] = np.array(given, dtype=dtype)
    if not np.array_equal(integers, np.asarray(given)):
        raise ValueError(f"`{name}` must hold integers that fit {integers.dtype}, but this came: {given!r}")
    return integers


@batch_space.register
def _batched_discrete(space: Discrete, n: int = 1) -> MultiDiscrete:
    counts, starts = np.full(n, space.n), np.full(n, space.start)
    return MultiDiscrete(counts, space.dtype, deepcopy(space.np_random), starts)


@batch_differing_spaces.register(Discrete)
def _batched_discretes(spaces: Sequence[Discrete]) -> MultiDiscrete:
    dtype = max((space.dtype for space in spaces), key=lambda dtype: dtype.itemsize)
    counts, starts = [int(space.n) for space in spaces], [int(space.start) for space in spaces]
    return MultiDiscrete(counts, dtype, start=starts, seed=deepcopy(spaces[0].np_random))
