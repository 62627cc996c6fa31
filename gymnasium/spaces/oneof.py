"""OneOf: a value from one of several spaces, with the index of that space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from gymnasium.spaces.array_space import shared_array
from gymnasium.spaces.batching import batch_space, create_zero_array, iterate
from gymnasium.spaces.box import Box
from gymnasium.spaces.composite import Composite, checked_members, checked_seeds, common_dtype, is_integer, member_seeds
from gymnasium.spaces.joining import check_exact
from gymnasium.spaces.masks import member_arguments
from gymnasium.spaces.sharing import create_shared_memory, read_from_shared_memory, write_to_shared_memory
from gymnasium.spaces.space import ArrayMaker, Space
from gymnasium.spaces.tuple import checked_structure, tuple_of_copies
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, is_space_dtype_shape_equiv, unflatten


class OneOf(Composite[tuple[np.int64, Any]]):
    """Pairs of an index and a value of the member with that index.

    Args:
        spaces: The members, at least one.
        seed: An integer, or seeds for the OneOf itself and each member, or a generator for the OneOf itself.

    Raises:
        TypeError: If `spaces` is not iterable, or a member is not a space.
        ValueError: If there are no members.
    """

    def __init__(self, spaces: Iterable[Space], seed: int | Sequence[int] | np.random.Generator | None = None) -> None:
        self.spaces = checked_members("OneOf", spaces)
        if not self.spaces:
            raise ValueError("A OneOf needs at least one member space, but got none")
        super().__init__(None, None, cast("int | np.random.Generator | None", seed))

    _sources = frozenset({"dtype", "spaces"})

    def _follow(self, name: str) -> None:
        self.__dict__["spaces"] = checked_members("OneOf", self.spaces)
        self.__dict__.pop("_batch_spaces", None)

    @property
    def is_np_flattenable(self) -> bool:
        """Whether all members flatten to vectors of a fixed length."""
        return all(space.is_np_flattenable for space in self.spaces)

    def seed(self, seed: Any = None) -> tuple[Any, ...]:
        """Seeds the generator of the choice and the members.

        Args:
            seed: An integer, from which each member gets its own; or a tuple or list with one seed for the OneOf and
                one for each member; or None.

        Returns:
            The OneOf's own seed and the members'.
        """
        if is_integer(seed):
            super().seed(seed)
            seed = (seed, *member_seeds(self.np_random, len(self.spaces)))
        own, *others = checked_seeds(self, seed, 1 + len(self.spaces))
        return super().seed(own), *(space.seed(other) for space, other in zip(self.spaces, others, strict=True))

    def sample(
        self, mask: tuple[Any, ...] | None = None, probability: tuple[Any, ...] | None = None
    ) -> tuple[np.int64, Any]:
        """Returns the index of a member, all equally likely, and a sample of it.

        Args:
            mask: A tuple of the members' masks.
            probability: A tuple of the members' probabilities.

        Raises:
            ValueError: If both are given.
            AssertionError: If one is not a tuple with an entry for each member.
        """
        index = self.np_random.integers(0, len(self.spaces), dtype=np.int64)
        name, arguments = member_arguments(mask, probability, len(self.spaces))
        argument = arguments[index]
        space = self.spaces[index]
        return index, space.sample() if argument is None else space.sample(**{name: argument})

    def contains(self, x: Any) -> bool:
        """Whether `x` is a pair of a member's index and a value of that member."""
        return (
            isinstance(x, tuple)
            and len(x) == 2
            and isinstance(x[0], (int, np.int64))
            and bool(0 <= x[0] < len(self.spaces))
            and self.spaces[x[0]].contains(x[1])
        )

    def to_jsonable(self, sample_n: Sequence[tuple[np.int64, Any]]) -> list[Any]:
        """Returns the samples as lists of the index and the member's sample."""
        return [[int(index), self._member_to_jsonable(index, value)] for index, value in sample_n]

    def _member_to_jsonable(self, index: np.int64, value: object) -> Any:
        encoded = self.spaces[index].to_jsonable([value])
        return encoded if self.spaces[index]._json_columns else encoded[0]

    def from_jsonable(self, sample_n: Sequence[Any]) -> list[tuple[np.int64, Any]]:
        """Returns the samples as pairs."""
        return [(np.int64(index), self._member_from_jsonable(index, value)) for index, value in sample_n]

    def _member_from_jsonable(self, index: int, encoded: object) -> Any:
        space = self.spaces[index]
        return space.from_jsonable(encoded if space._json_columns else [encoded])[0]

    def __getitem__(self, index: int) -> Space:
        """Returns a member."""
        return self.spaces[index]

    def __len__(self) -> int:
        """The number of members."""
        return len(self.spaces)

    def __repr__(self) -> str:
        return f"OneOf({', '.join(map(repr, self.spaces))})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a OneOf of equal members."""
        return isinstance(other, OneOf) and self.spaces == other.spaces

    def _flatdim(self) -> int:
        return 1 + max(flatdim(space) for space in self.spaces)

    def _flattened(self, x: Any) -> np.ndarray:
        index, value = x
        dim, dtype = self._flatdim(), self._flat_dtype()
        flat = np.asarray(flatten(self.spaces[index], value))
        check_exact(flat, dtype)
        # The padding is a value within the member's bounds.
        vector = np.full(dim, flat[0] if flat.size else 0, dtype)
        vector[0] = index
        vector[1 : 1 + flat.size] = flat
        return vector

    def _unflattened(self, x: Any) -> tuple[np.int64, Any]:
        checked_structure(self, x, np.ndarray)
        index = np.int64(x[0])
        space = self.spaces[index]
        return index, unflatten(space, x[1 : 1 + flatdim(space)].astype(space._flat_dtype()))

    def _flat_space(self) -> Box:
        dim, dtype = self._flatdim(), self._flat_dtype()
        flat = cast("list[Box]", [flatten_space(space) for space in self.spaces])
        padding = [0] if any(not box.low.size for box in flat) else []
        low, high = np.zeros(dim, dtype=dtype), np.zeros(dim, dtype=dtype)
        low[1:] = min([box.low.min().item() for box in flat if box.low.size] + padding)
        high[1:] = max([box.high.max().item() for box in flat if box.high.size] + padding)
        high[0] = len(self.spaces) - 1
        return Box(low, high, dtype=dtype)

    def _flat_dtype(self) -> np.dtype:
        """The members' dtype, made wide enough for the index."""
        dtype, last = common_dtype(self.spaces), len(self.spaces) - 1
        if (dtype.kind == "b" and last > 1) or (dtype.kind in "iu" and last > np.iinfo(dtype).max):
            return np.result_type(dtype, np.min_scalar_type(last))
        return dtype

    def _same_layout(self, other: Space) -> bool:
        return (
            isinstance(other, OneOf)
            and len(self) == len(other)
            and all(is_space_dtype_shape_equiv(*pair) for pair in zip(self.spaces, other.spaces, strict=True))
        )

    def _batched_with(self, spaces: Sequence[Space]) -> Space:
        return tuple_of_copies(spaces)

    def _empty(self, n: int, fn: ArrayMaker) -> tuple[Any, ...]:
        return ((),) * n

    def _zero(self) -> tuple[np.int64, Any]:
        return np.int64(0), create_zero_array(self.spaces[0])

    def _shared(self, n: int, ctx: Any) -> tuple[Any, ...]:
        return ctx.Array(np.dtype(np.int64).char, int(n)), *(
            create_shared_memory(space, n, ctx) for space in self.spaces
        )

    def _read_shared(self, memory: Any, n: int) -> tuple[tuple[np.int64, Any], ...]:
        indices = shared_array(memory[0], np.int64, (n,)).copy()
        values = {index: self._read_member(index, memory, n) for index in set(indices.tolist())}
        return tuple((index, values[index][i]) for i, index in enumerate(indices))

    def _read_member(self, index: int, memory: Any, n: int) -> list[Any]:
        """Returns the `n` values in the memory of one member."""
        batch = read_from_shared_memory(self.spaces[index], memory[1 + index], n)
        return list(iterate(self._batch_spaces[index], batch))

    @cached_property
    def _batch_spaces(self) -> list[Space]:
        """The members' batches of one, which define the iteration over a batch of any length."""
        return [batch_space(space, 1) for space in self.spaces]

    def _write_shared(self, index: int, value: Any, memory: Any) -> None:
        member, sample = value
        shared_array(memory[0], np.int64, (-1,))[index] = member
        write_to_shared_memory(self.spaces[member], index, sample, memory[1 + member])
