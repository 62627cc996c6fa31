"""MultiBinary: arrays of zeros and ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.array_space import ArraySpace, all_true, as_array
from gymnasium.spaces.box import Box
from gymnasium.spaces.masks import check_exclusive, check_mask, check_probabilities
from gymnasium.spaces.space import MaskNDArray


class MultiBinary(ArraySpace[NDArray[np.int8]]):
    """Arrays of zeros and ones, of dtype int8.

    Args:
        n: The length of the vectors, or the shape of the arrays.
        seed: See `Space`.

    Attributes:
        n: The length as an int, or the shape as a tuple.

    Raises:
        ValueError: If `n` is neither, or not positive.
    """

    def __init__(
        self,
        n: int | np.integer | Sequence[int] | NDArray[np.integer],
        seed: int | np.random.Generator | None = None,
    ) -> None:
        self.n: int | tuple[int, ...] = _checked_n(n)
        super().__init__(_shape(self.n), np.int8, seed)

    _sources = frozenset({"n"})

    def _follow(self, name: str) -> None:
        n = _checked_n(self.n)
        self.__dict__.update(n=n, _shape=_shape(n))

    def sample(
        self, mask: MaskNDArray | None = None, probability: NDArray[np.float64] | None = None
    ) -> NDArray[np.int8]:
        """Returns a random array.

        Args:
            mask: int8 of the space's shape: 0 and 1 fix an entry, 2 leaves it random.
            probability: float64 of the space's shape: the probability of a 1 for each entry.

        Raises:
            ValueError: If both are given.
            AssertionError: If one has another form.
        """
        check_exclusive(mask, probability)
        if probability is not None:
            check_probabilities(probability, self.shape)
            return (self.np_random.random(size=self.shape) <= probability).astype(self.dtype)
        if mask is not None:
            check_mask(mask, self.shape, highest=2)
        drawn = self.np_random.integers(2, size=self.n, dtype=np.int8)
        return (drawn if mask is None else np.where(mask == 2, drawn, mask)).astype(self.dtype, copy=False)

    def contains(self, x: Any) -> bool:
        """Whether `x` is an array or a sequence of this shape that holds zeros and ones, of any numeric type."""
        x = as_array(x)
        return x is not None and x.shape == self.shape and x.dtype.kind in "biufc" and all_true((x == 0) | (x == 1))

    def to_jsonable(self, sample_n: Sequence[np.ndarray]) -> list[Any]:
        """Returns the samples as nested lists."""
        return [np.asarray(sample).tolist() for sample in sample_n]

    def from_jsonable(self, sample_n: Sequence[Any]) -> list[np.ndarray]:
        """Returns the samples as arrays."""
        return [np.asarray(sample, dtype=self.dtype) for sample in sample_n]

    def __repr__(self) -> str:
        return f"MultiBinary({self.n})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a MultiBinary with the same `n`."""
        return isinstance(other, MultiBinary) and self.n == other.n

    def _flatdim(self) -> int:
        return math.prod(self.shape)

    def _flattened(self, x: object) -> np.ndarray:
        return np.asarray(x, dtype=self.dtype).flatten()

    def _unflattened(self, x: object) -> np.ndarray:
        return np.asarray(x, dtype=self.dtype).reshape(self.shape)

    def _flat_space(self) -> Box:
        return Box(0, 1, shape=(self._flatdim(),), dtype=self.dtype)

    def _batched(self, n: int) -> Box:
        return Box(0, 1, shape=(n, *self.shape), dtype=self.dtype, seed=deepcopy(self.np_random))

    def _batched_with(self, spaces: Sequence[Any]) -> Box:
        for i, space in enumerate(spaces):
            if space.shape != self.shape:
                raise ValueError(
                    "MultiBinaries batched together have one shape, but number 0 has "
                    f"{self.shape} and number {i} {space.shape}"
                )
        return self._batched(len(spaces))

    def _zero(self) -> np.ndarray:
        return np.zeros(self.shape, dtype=self.dtype)


def _checked_n(n: object) -> int | tuple[int, ...]:
    """Returns a length as an int, and a shape as a tuple."""
    if isinstance(n, (int, np.integer)):
        checked: int | tuple[int, ...] = int(n)
    elif isinstance(n, (Sequence, np.ndarray)):
        checked = tuple(int(size) for size in n)
    else:
        raise ValueError(f"`n` must be an integer or a shape, but {n!r} (of type {type(n).__name__}) came")
    if any(size <= 0 for size in _shape(checked)):
        raise ValueError(f"`n` must be positive, but this came: {n!r}")
    return checked


def _shape(n: int | tuple[int, ...]) -> tuple[int, ...]:
    return (n,) if isinstance(n, int) else n
