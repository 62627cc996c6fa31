"""Tuple: several values in a fixed order."""

from __future__ import annotations

import collections.abc
import itertools
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any, cast

import numpy as np

from gymnasium.error import CustomSpaceError
from gymnasium.spaces.batching import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    create_zero_array,
    iterate,
    knows_iteration,
)
from gymnasium.spaces.box import Box, concatenated_boxes
from gymnasium.spaces.composite import Composite, checked_members, checked_seeds, common_dtype, is_integer, member_seeds
from gymnasium.spaces.joining import joined_vectors
from gymnasium.spaces.masks import member_arguments
from gymnasium.spaces.sharing import create_shared_memory, read_from_shared_memory, write_to_shared_memory
from gymnasium.spaces.space import ArrayMaker, Space
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, is_space_dtype_shape_equiv, unflatten

__all__ = ["Tuple"]


class Tuple(Composite[tuple[Any, ...]], collections.abc.Sequence[Any]):
    """Tuples with one value from each of the `spaces`.

    Args:
        spaces: The members.
        seed: An integer, or one seed for each member, or a generator for the Tuple itself.

    Raises:
        TypeError: If a member is not a space.
    """

    def __init__(self, spaces: Iterable[Space], seed: int | Sequence[int] | np.random.Generator | None = None) -> None:
        self.spaces = checked_members("Tuple", spaces)
        super().__init__(None, None, cast("int | np.random.Generator | None", seed))

    _sources = frozenset({"dtype", "spaces"})

    def _follow(self, name: str) -> None:
        self.__dict__["spaces"] = checked_members("Tuple", self.spaces)

    @property
    def is_np_flattenable(self) -> bool:
        """Whether all members flatten to vectors of a fixed length."""
        return all(space.is_np_flattenable for space in self.spaces)

    def seed(self, seed: Any = None) -> tuple[Any, ...]:
        """Seeds the members.

        Args:
            seed: An integer, from which each member gets its own; or a tuple or list with one seed for each; or None.

        Returns:
            The members' seeds.
        """
        if is_integer(seed):
            super().seed(seed)
            seed = member_seeds(self.np_random, len(self.spaces))
        seeds = checked_seeds(self, seed, len(self.spaces))
        return tuple(space.seed(each) for space, each in zip(self.spaces, seeds, strict=True))

    def sample(
        self, mask: tuple[Any, ...] | None = None, probability: tuple[Any, ...] | None = None
    ) -> tuple[Any, ...]:
        """Returns a tuple of the members' samples.

        Args:
            mask: A tuple of the members' masks.
            probability: A tuple of the members' probabilities.

        Raises:
            ValueError: If both are given.
            AssertionError: If one is not a tuple with an entry for each member.
        """
        name, arguments = member_arguments(mask, probability, len(self.spaces))
        return tuple(
            space.sample() if argument is None else space.sample(**{name: argument})
            for space, argument in zip(self.spaces, arguments, strict=True)
        )

    def contains(self, x: Any) -> bool:
        """Whether `x` is a tuple (or a list, or an array) with a value of each member."""
        if isinstance(x, np.ndarray) and x.ndim == 0:
            return False
        return (
            isinstance(x, (tuple, list, np.ndarray))
            and len(x) == len(self.spaces)
            and all(space.contains(part) for space, part in self._paired(x))
        )

    _json_columns = True

    def to_jsonable(self, sample_n: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Returns for each member the list of its samples; without members, an empty list for each sample."""
        if not self.spaces:
            return [[] for _ in sample_n]
        return [space.to_jsonable([sample[i] for sample in sample_n]) for i, space in enumerate(self.spaces)]

    def from_jsonable(self, sample_n: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Returns the samples as tuples."""
        if not self.spaces:
            return [() for _ in sample_n]
        columns = [space.from_jsonable(column) for space, column in zip(self.spaces, sample_n, strict=True)]
        return list(zip(*columns, strict=True))

    def __getitem__(self, index: Any) -> Any:
        """Returns a member, or for a slice a tuple of them."""
        return self.spaces[index]

    def __len__(self) -> int:
        """The number of members."""
        return len(self.spaces)

    def __repr__(self) -> str:
        return f"Tuple({', '.join(map(repr, self.spaces))})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a Tuple of equal members."""
        return isinstance(other, Tuple) and self.spaces == other.spaces

    def _paired(self, values: Any) -> Iterator[tuple[Space, Any]]:
        return zip(self.spaces, values, strict=True)

    def _flatdim(self) -> int:
        if not self.is_np_flattenable:
            raise ValueError(f"{self} has no flat dimension: a member's values have no fixed length")
        return sum(flatdim(space) for space in self.spaces)

    def _flattened(self, x: object) -> Any:
        parts = [flatten(space, part) for space, part in self._paired(x)]
        if not self.is_np_flattenable:
            return tuple(parts)
        return joined_vectors(self.spaces, parts)

    def _unflattened(self, x: object) -> tuple[Any, ...]:
        parts = split_vector(self, self.spaces, x) if self.is_np_flattenable else checked_structure(self, x, tuple)
        return tuple(unflatten(space, part) for space, part in self._paired(parts))

    def _flat_space(self) -> Space:
        flat = [flatten_space(space) for space in self.spaces]
        return concatenated_boxes(cast("list[Box]", flat)) if self.is_np_flattenable else Tuple(flat)

    def _flat_dtype(self) -> np.dtype:
        return common_dtype(self.spaces)

    def _same_layout(self, other: Space) -> bool:
        return (
            isinstance(other, Tuple)
            and len(self) == len(other)
            and all(is_space_dtype_shape_equiv(a, b) for a, b in self._paired(other.spaces))
        )

    @property
    def _stacks(self) -> bool:  # type: ignore[override]  # a constant elsewhere, but here it depends on the members
        return all(space._stacks for space in self.spaces)

    def _batched(self, n: int) -> Tuple:
        return Tuple((batch_space(space, n) for space in self.spaces), deepcopy(self.np_random))

    def _batched_with(self, spaces: Sequence[Any]) -> Tuple:
        sizes = {len(space) for space in spaces}
        if len(sizes) > 1:
            raise ValueError(f"Tuples batched together have one length, but these have {sorted(sizes)}")
        columns = zip(*(space.spaces for space in spaces), strict=True)
        return Tuple((batch_differing_spaces(list(column)) for column in columns), deepcopy(self.np_random))

    def _iterated(self, items: Any) -> Iterator[Any]:
        if all(map(knows_iteration, self.spaces)):
            return zip(*[iterate(space, part) for space, part in self._paired(items)], strict=True)
        # A tuple of copies: the batch of something without a fixed shape.
        try:
            return iter(items)
        except TypeError as error:
            raise CustomSpaceError(
                f"A batch of {self} is a tuple, but got an object without items: {items!r}"
            ) from error

    def _concatenated(self, items: Iterable[Any], out: object) -> tuple[Any, ...]:
        rows = tuple(items)
        return tuple(
            concatenate(space, [row[i] for row in rows], part) for i, (space, part) in enumerate(self._paired(out))
        )

    def _empty(self, n: int, fn: ArrayMaker) -> tuple[Any, ...]:
        return tuple(create_empty_array(space, n, fn) for space in self.spaces)

    def _zero(self) -> tuple[Any, ...]:
        return tuple(create_zero_array(space) for space in self.spaces)

    def _shared(self, n: int, ctx: object) -> tuple[Any, ...]:
        return tuple(create_shared_memory(space, n, ctx) for space in self.spaces)

    def _read_shared(self, memory: object, n: int) -> tuple[Any, ...]:
        return tuple(read_from_shared_memory(space, part, n) for space, part in self._paired(memory))

    def _write_shared(self, index: int, value: Any, memory: Any) -> None:
        for (space, part), slot in zip(self._paired(value), memory, strict=True):
            write_to_shared_memory(space, index, part, slot)


def tuple_of_copies(spaces: Sequence[Space]) -> Tuple:
    """Returns the batch of spaces without a fixed shape: a Tuple of copies, with a copy of the first generator."""
    return Tuple(map(deepcopy, spaces), deepcopy(spaces[0].np_random))


def split_vector(space: Space, members: Iterable[Space], x: Any) -> list[np.ndarray]:
    """Returns the parts of the vector `x` that belong to each member."""
    checked_structure(space, x, np.ndarray)
    ends = list(itertools.accumulate(flatdim(member) for member in members))
    return np.split(x, ends)[:-1]


def checked_structure(space: Space, x: object, kind: type) -> Any:
    """Returns `x`; raises `AssertionError` if it is not of the `kind` of the space's flat values."""
    if not isinstance(x, kind):
        raise AssertionError(
            f"Flat values of {space} have type {kind.__name__}, but {x!r} (of type {type(x).__name__}) came"
        )
    return x
