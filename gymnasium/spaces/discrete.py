"""Discrete: one integer out of a range."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gymnasium.spaces.array_space import ArraySpace, holds
from gymnasium.spaces.box import Box
from gymnasium.spaces.masks import check_exclusive, check_mask, checked_distribution
from gymnasium.spaces.space import MaskNDArray


class Discrete(ArraySpace[np.int64]):
    """The integers `start, ..., start + n - 1`.

    Args:
        n: The number of integers.
        seed: See `Space`.
        start: The smallest integer.
        dtype: The integer type of samples.

    Raises:
        TypeError: If `n` or `start` is not an integer, or `dtype` no integer type.
        ValueError: If `n` is not positive.
        OverflowError: If one of the integers does not fit the dtype.
    """

    def __init__(
        self,
        n: int | np.integer,
        seed: int | np.random.Generator | None = None,
        start: int | np.integer = 0,
        dtype: DTypeLike = np.int64,
    ) -> None:
        for name, value in (("n", n), ("start", start)):
            if not np.issubdtype(type(value), np.integer):
                raise TypeError(f"`{name}` must be an integer, but {value!r} (of type {type(value).__name__}) came")
        if n <= 0:
            raise ValueError(f"`n` must be positive, since it counts the values, but {n} came")
        if dtype is None or not np.issubdtype(dtype, np.integer):
            raise TypeError(f"The `dtype` of a Discrete must be an integer type, but this came: {dtype!r}")
        scalar: type[np.int64] = np.dtype(dtype).type  # type: ignore[assignment]  # or another integer type
        last = int(start) + int(n) - 1
        if last > np.iinfo(scalar).max:
            raise OverflowError(
                f"`start` {start} and `n` {n} make {last} the last value, which {np.dtype(dtype)} cannot hold"
            )
        self.n: np.int64 = scalar(int(n))
        self.start: np.int64 = scalar(int(start))
        super().__init__((), dtype, seed)

    _kinds = "iu"
    _sources = frozenset({"dtype", "n", "start"})

    def _can_have(self, dtype: np.dtype | None) -> bool:
        values = (int(self.n), int(self.start), int(self.start) + int(self.n) - 1)
        return dtype is not None and super()._can_have(dtype) and all(holds(dtype, value, value) for value in values)

    def _follow(self, name: str) -> None:
        self.__dict__.update(n=self.dtype.type(self.n), start=self.dtype.type(self.start))

    def sample(self, mask: MaskNDArray | None = None, probability: NDArray[np.float64] | None = None) -> np.int64:
        """Returns a random integer of the dtype.

        Args:
            mask: int8 of shape `(n,)`, 1 for the values that may be drawn. If no value may, `start` is returned.
            probability: float64 of shape `(n,)`, summing to 1.

        Raises:
            ValueError: If both are given.
            AssertionError: If one has another form.
        """
        if mask is None and probability is None:
            return self.start + self.np_random.integers(self.n, dtype=self.dtype.type)  # type: ignore[return-value]
        check_exclusive(mask, probability)
        if mask is None:
            weights = checked_distribution(probability, int(self.n))
            return self.start + self.np_random.choice(np.arange(self.n, dtype=self.dtype), p=weights)  # type: ignore[no-any-return]
        check_mask(mask, (int(self.n),))
        allowed = mask.nonzero()[0]
        if not len(allowed):
            return self.start
        # The draw of `Generator.choice`, in a quarter of its time.
        return self.start + self.dtype.type(allowed[self.np_random.integers(len(allowed))])  # type: ignore[no-any-return]

    def contains(self, x: Any) -> bool:
        """Whether `x` is an integer in the range: Python's, or NumPy's of a type that casts safely."""
        if not isinstance(x, int) and type(x) is not type(self.start):
            if not isinstance(x, (np.generic, np.ndarray)) or x.shape != () or x.dtype.kind not in "iu":
                return False
            if x.dtype != self.dtype and not np.can_cast(x.dtype, self.dtype):
                return False
        start = int(self.start)
        return start <= int(x) < start + int(self.n)

    def to_jsonable(self, sample_n: Sequence[np.int64]) -> list[int]:
        """Returns the samples as Python integers."""
        return [int(sample) for sample in sample_n]

    def from_jsonable(self, sample_n: Sequence[int]) -> list[np.int64]:
        """Returns the samples as integers of the dtype."""
        return [self.dtype.type(sample) for sample in sample_n]

    def __repr__(self) -> str:
        start = f", start={self.start}" if self.start != 0 else ""
        dtype = f", dtype={self.dtype}" if self.dtype != np.int64 else ""
        return f"Discrete({self.n}{start}{dtype})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a Discrete of the same values and dtype."""
        return (
            isinstance(other, Discrete)
            and bool(self.n == other.n and self.start == other.start)
            and self.dtype == other.dtype
        )

    def __setstate__(self, state: Iterable[tuple[str, Any]] | Mapping[str, object]) -> None:
        """Restores a pickled Discrete, also one from before `start` existed."""
        super().__setstate__({"start": np.int64(0), **dict(state)})

    # Its batches are MultiDiscretes, which are defined above this class: see `spaces.multi_discrete`.

    _one_hot = True

    def _flatdim(self) -> int:
        return int(self.n)

    def _flattened(self, x: Any) -> np.ndarray:
        n, index = int(self.n), int(x) - int(self.start)
        if not 0 <= index < n:
            raise ValueError(f"Only values of {self} have one-hot vectors, but this came: {x!r}")
        one_hot = np.zeros(n, self.dtype)
        one_hot[index] = 1
        return one_hot

    def _unflattened(self, x: object) -> np.int64:
        hot = np.asarray(x).nonzero()[0]
        if not len(hot):
            raise ValueError(f"A one-hot vector of {self} has one entry that is not zero, but this came: {x!r}")
        return self.start + self.dtype.type(hot[0])  # type: ignore[no-any-return]

    def _flat_space(self) -> Box:
        return Box(0, 1, shape=(int(self.n),), dtype=self.dtype)

    def _iterated(self, items: object) -> Any:
        raise TypeError(
            f"{self} holds single integers, which cannot be iterated: iterate over its `batch_space` instead"
        )

    def _zero(self) -> np.int64:
        return self.start
