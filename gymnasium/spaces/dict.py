"""Dict: several values with names."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from copy import deepcopy
from typing import Any, cast

import numpy as np

from gymnasium.spaces.batching import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    create_zero_array,
    iterate,
)
from gymnasium.spaces.box import Box, concatenated_boxes
from gymnasium.spaces.composite import Composite, common_dtype, is_integer, member_seeds
from gymnasium.spaces.joining import joined_vectors
from gymnasium.spaces.masks import check_exclusive
from gymnasium.spaces.sharing import create_shared_memory, read_from_shared_memory, write_to_shared_memory
from gymnasium.spaces.space import ArrayMaker, Space
from gymnasium.spaces.tuple import checked_structure, split_vector
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, is_space_dtype_shape_equiv, unflatten


class Dict(Composite[dict[str, Any]], Mapping[str, Space]):
    """Dictionaries with one value from each of the named spaces.

    As for every space, `key in space` tests whether `key` is a value of the space; a name is not.

    Args:
        spaces: The members: a mapping, or a sequence of pairs.
        seed: An integer, or a dict with one seed for each member, or a generator for the Dict itself.
        sort_keys: Whether a mapping that is no OrderedDict gets its keys sorted, where they can be.
        **spaces_kwargs: More members, after those of `spaces` and in the order given.

    Raises:
        TypeError: If `spaces` is neither, or a member is not a space.
        ValueError: If a name is given twice.
    """

    def __init__(
        self,
        spaces: Mapping[str, Space] | Sequence[tuple[str, Space]] | None = None,
        seed: int | Mapping[str, object] | np.random.Generator | None = None,
        *,
        sort_keys: bool = True,
        **spaces_kwargs: Space,
    ) -> None:
        self.sort_keys = sort_keys
        self.spaces: dict[str, Space] = {}
        for key, space in [*_ordered(spaces, sort_keys), *spaces_kwargs.items()]:
            if key in self.spaces:
                raise ValueError(f"The key {key!r} is given twice; every member of a Dict needs its own")
            self[key] = space
        super().__init__(None, None, cast("int | np.random.Generator | None", seed))

    @property
    def is_np_flattenable(self) -> bool:
        """Whether all members flatten to vectors of a fixed length."""
        return all(space.is_np_flattenable for space in self.spaces.values())

    def seed(self, seed: Any = None) -> dict[str, Any]:
        """Seeds the members.

        Args:
            seed: An integer, from which each member gets its own; or a dict with one seed for each; or None.

        Returns:
            The members' seeds.

        Raises:
            ValueError: If a dict of seeds has other keys.
            TypeError: If `seed` is something else.
        """
        if seed is None:
            seeds: dict[str, Any] = dict.fromkeys(self.spaces)
        elif is_integer(seed):
            super().seed(seed)
            seeds = dict(zip(self.spaces, member_seeds(self.np_random, len(self.spaces)), strict=True))
        elif not isinstance(seed, dict):
            raise TypeError(
                f"The seed of a Dict is an integer, None or a dict, but {seed!r} (of type {type(seed).__name__}) came"
            )
        elif seed.keys() != self.spaces.keys():
            raise ValueError(f"The seeds must have the keys {list(self.spaces)}, but have {list(seed)}")
        else:
            seeds = seed
        return {key: space.seed(seeds[key]) for key, space in self.spaces.items()}

    def sample(self, mask: dict[str, Any] | None = None, probability: dict[str, Any] | None = None) -> dict[str, Any]:
        """Returns a dict of the members' samples.

        Args:
            mask: A dict of the members' masks.
            probability: A dict of the members' probabilities.

        Raises:
            ValueError: If both are given.
            AssertionError: If one is not a dict with exactly the members' keys.
        """
        check_exclusive(mask, probability)
        if mask is None and probability is None:
            return {key: space.sample() for key, space in self.spaces.items()}
        name, given = ("mask", mask) if mask is not None else ("probability", probability)
        if not isinstance(given, dict) or given.keys() != self.spaces.keys():
            raise AssertionError(f"`{name}` must be a dict with the keys {list(self.spaces)}, but this came: {given!r}")
        return {key: space.sample(**{name: given[key]}) for key, space in self.spaces.items()}

    def contains(self, x: Any) -> bool:
        """Whether `x` is a dict with these keys and a value of each member."""
        return (
            isinstance(x, dict)
            and x.keys() == self.spaces.keys()
            and all(space.contains(x[key]) for key, space in self.spaces.items())
        )

    _json_columns = True

    def to_jsonable(self, sample_n: Sequence[dict[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
        """Returns for each key the list of its samples; without keys, an empty dict for each sample."""
        if not self.spaces:
            return [{} for _ in sample_n]
        return {key: space.to_jsonable([sample[key] for sample in sample_n]) for key, space in self.spaces.items()}

    def from_jsonable(self, sample_n: Any) -> list[dict[str, Any]]:
        """Returns the samples as dicts."""
        if not self.spaces:
            return [{} for _ in sample_n]  # other implementations write one empty dict for all samples
        columns = [space.from_jsonable(sample_n[key]) for key, space in self.spaces.items()]
        return [dict(zip(self.spaces, row, strict=True)) for row in zip(*columns, strict=True)]

    def __getitem__(self, key: str) -> Space:
        """Returns a member."""
        return self.spaces[key]

    def __setitem__(self, key: str, value: Space) -> None:
        """Sets a member; a new one comes last."""
        if not isinstance(value, Space):
            raise TypeError(
                f"The members of a Dict are spaces, but {key!r} is {value!r} (of type {type(value).__name__})"
            )
        self.spaces[key] = value

    def __iter__(self) -> Iterator[str]:
        """Iterates over the keys."""
        return iter(self.spaces)

    def __len__(self) -> int:
        """The number of members."""
        return len(self.spaces)

    def keys(self) -> KeysView[str]:
        """The members' names; `in` works here as for any dict."""
        return KeysView(self.spaces)

    def __repr__(self) -> str:
        return f"Dict({', '.join(f'{key!r}: {space}' for key, space in self.spaces.items())})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a Dict of equal members, in any order."""
        return isinstance(other, Dict) and self.spaces == other.spaces

    def _flatdim(self) -> int:
        if not self.is_np_flattenable:
            raise ValueError(f"{self} has no flat dimension: a member's values have no fixed length")
        return sum(flatdim(space) for space in self.spaces.values())

    def _flattened(self, x: Any) -> Any:
        parts = {key: flatten(space, x[key]) for key, space in self.spaces.items()}
        return joined_vectors(self.spaces.values(), list(parts.values())) if self.is_np_flattenable else parts

    def _unflattened(self, x: object) -> dict[str, Any]:
        if self.is_np_flattenable:
            parts = dict(zip(self.spaces, split_vector(self, self.spaces.values(), x), strict=True))
        else:
            parts = checked_structure(self, x, dict)
        return {key: unflatten(space, parts[key]) for key, space in self.spaces.items()}

    def _flat_space(self) -> Space:
        flat = {key: flatten_space(space) for key, space in self.spaces.items()}
        if self.is_np_flattenable:
            return concatenated_boxes(cast("list[Box]", list(flat.values())))
        return self._of(flat)

    def _of(self, spaces: Mapping[str, Space], seed: np.random.Generator | None = None) -> Dict:
        """Returns a Dict of other members, sorted as this one's would be."""
        return Dict(spaces, seed, sort_keys=self.sort_keys)

    def _flat_dtype(self) -> np.dtype:
        return common_dtype(list(self.spaces.values()))

    def _same_layout(self, other: Space) -> bool:
        return (
            isinstance(other, Dict)
            and self.spaces.keys() == other.spaces.keys()
            and all(is_space_dtype_shape_equiv(space, other.spaces[key]) for key, space in self.spaces.items())
        )

    @property
    def _stacks(self) -> bool:  # type: ignore[override]  # a constant elsewhere, but here it depends on the members
        return all(space._stacks for space in self.spaces.values())

    def _batched(self, n: int) -> Dict:
        batched = {key: batch_space(space, n) for key, space in self.spaces.items()}
        return self._of(batched, deepcopy(self.np_random))

    def _batched_with(self, spaces: Sequence[Any]) -> Dict:
        for i, other in enumerate(spaces):
            if other.spaces.keys() != self.spaces.keys():
                raise ValueError(
                    f"Dicts batched together have the same keys, but number 0 has {list(self.spaces)} "
                    f"and number {i} {list(other.spaces)}"
                )
        batched = {key: batch_differing_spaces([other[key] for other in spaces]) for key in self.spaces}
        return self._of(batched, deepcopy(self.np_random))

    def _iterated(self, items: Any) -> Iterator[dict[str, Any]]:
        columns = [iterate(space, items[key]) for key, space in self.spaces.items()]
        return (dict(zip(self.spaces, row, strict=True)) for row in zip(*columns, strict=True))

    def _concatenated(self, items: Iterable[Any], out: Any) -> dict[str, Any]:
        rows = tuple(items)
        return {key: concatenate(space, [row[key] for row in rows], out[key]) for key, space in self.spaces.items()}

    def _empty(self, n: int, fn: ArrayMaker) -> dict[str, Any]:
        return {key: create_empty_array(space, n, fn) for key, space in self.spaces.items()}

    def _zero(self) -> dict[str, Any]:
        return {key: create_zero_array(space) for key, space in self.spaces.items()}

    def _shared(self, n: int, ctx: object) -> dict[str, Any]:
        return {key: create_shared_memory(space, n, ctx) for key, space in self.spaces.items()}

    def _read_shared(self, memory: Any, n: int) -> dict[str, Any]:
        return {key: read_from_shared_memory(space, memory[key], n) for key, space in self.spaces.items()}

    def _write_shared(self, index: int, value: Any, memory: Any) -> None:
        for key, space in self.spaces.items():
            write_to_shared_memory(space, index, value[key], memory[key])


def _ordered(spaces: object, sort_keys: bool) -> list[tuple[str, Any]]:
    """Returns the members in the order of the Dict."""
    if spaces is None:
        return []
    if isinstance(spaces, Mapping):
        pairs = list(spaces.items())
        if isinstance(spaces, OrderedDict) or not sort_keys:
            return pairs
        try:
            return sorted(pairs, key=lambda pair: pair[0])
        except TypeError:  # keys of several types have no order
            return pairs
    if isinstance(spaces, Sequence) and all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in spaces):
        return [(key, space) for key, space in spaces]
    raise TypeError(
        "The members of a Dict come as a mapping or as a sequence of pairs, "
        f"but {spaces!r} (of type {type(spaces).__name__}) came"
    )
