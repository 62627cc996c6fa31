"""Sequence: any number of values of one space."""

from __future__ import annotations

import collections.abc
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.batching import batch_space, create_empty_array, create_zero_array, iterate
from gymnasium.spaces.composite import Composite, checked_seeds, is_integer, member_seeds
from gymnasium.spaces.masks import check_exclusive, check_members
from gymnasium.spaces.space import ArrayMaker, Space
from gymnasium.spaces.stacking import batches_from_jsonable, batches_to_jsonable, members, stacked
from gymnasium.spaces.tuple import tuple_of_copies
from gymnasium.spaces.utils import flatten, flatten_space, is_space_dtype_shape_equiv, unflatten


class Sequence(Composite[Any]):
    """Tuples of any length, or stacked batches of any length, of one space's values.

    Sampled lengths are geometric: each further value comes with a probability of 3/4.

    Args:
        space: The space of each value.
        seed: An integer, or two seeds (the Sequence's own and the member's), or a generator for the Sequence itself.
        stack: Whether the values are stacked like a batch instead of held in a tuple.

    Attributes:
        feature_space: The space of each value.
        stack: Whether values are stacked.
        stacked_feature_space: If they are, the space of a batch of one.

    Raises:
        TypeError: If `space` is not a space.
    """

    def __init__(
        self,
        space: Space,
        seed: int | collections.abc.Sequence[int] | np.random.Generator | None = None,
        stack: bool = False,
    ) -> None:
        if not isinstance(space, Space):
            raise TypeError(f"A Sequence is made of a space, but {space!r} (of type {type(space).__name__}) came")
        self.feature_space = space
        self.stack = stack
        if stack:
            self.stacked_feature_space: Space = batch_space(space, 1)
        super().__init__(None, None, cast("int | np.random.Generator | None", seed))

    _sources = frozenset({"dtype", "feature_space", "stack"})

    def _follow(self, name: str) -> None:
        if self.stack:
            self.stacked_feature_space = batch_space(self.feature_space, 1)

    @property
    def is_np_flattenable(self) -> bool:
        """False, since values have any length."""
        return False

    def seed(self, seed: Any = None) -> tuple[Any, Any]:
        """Seeds the generator of lengths and the member.

        Args:
            seed: An integer, from which the member gets its own; or a tuple or list of two seeds; or None.

        Returns:
            The Sequence's own seed and the member's.
        """
        if is_integer(seed):
            super().seed(seed)
            seed = (seed, *member_seeds(self.np_random, 1))
        own, member = checked_seeds(self, seed, 2)
        return super().seed(own), self.feature_space.seed(member)

    def sample(self, mask: tuple[Any, Any] | None = None, probability: tuple[Any, Any] | None = None) -> Any:
        """Returns a tuple or a batch of samples.

        Args:
            mask: The allowed lengths (None, an integer, or an array of integers to choose from), and the member's
                mask.
            probability: The allowed lengths, and the member's probabilities.

        Raises:
            ValueError: If both are given.
            AssertionError: If one has another form.
            TypeError: If the length is not made of integers.
        """
        check_exclusive(mask, probability)
        name, given = ("mask", mask) if probability is None else ("probability", probability)
        lengths, argument = None, None
        if given is not None:
            check_members(name, given, 2)
            lengths, argument = given
        length = self.generate_sample_length(lengths, name)
        arguments = {} if given is None else {name: argument}
        values = tuple(self.feature_space.sample(**arguments) for _ in range(length))
        return stacked(self.feature_space, values) if self.stack else values

    def generate_sample_length(
        self, length_mask: int | np.integer | NDArray[np.integer] | None, mask_type: str | None = None
    ) -> int:
        """Returns a random length: geometric for None, the integer itself, or one of an array.

        Args:
            length_mask: The allowed lengths.
            mask_type: The name of the argument, for messages.
        """
        name = mask_type or "length_mask"
        if length_mask is None:
            return int(self.np_random.geometric(0.25))
        if np.issubdtype(type(length_mask), np.integer):
            if length_mask < 0:
                raise AssertionError(f"The length in `{name}` must not be negative, but {length_mask} came")
            return int(cast("int", length_mask))
        if not isinstance(length_mask, np.ndarray):
            raise TypeError(
                f"The length in `{name}` must be None, an integer or an array of integers, "
                f"but {length_mask!r} (of type {type(length_mask).__name__}) came"
            )
        if length_mask.ndim != 1 or not length_mask.size or length_mask.dtype.kind not in "iu" or length_mask.min() < 0:
            raise AssertionError(
                f"The lengths in `{name}` must be a vector of integers from 0, but this came: {length_mask!r}"
            )
        return int(self.np_random.choice(length_mask))

    def contains(self, x: Any) -> bool:
        """Whether `x` is a tuple or, if stacked, a batch of the member's values."""
        values: collections.abc.Sequence[Any] | None = x if isinstance(x, tuple) else None
        if self.stack:
            values = members(self.stacked_feature_space, x)
        return values is not None and all(self.feature_space.contains(value) for value in values)

    @property
    def _json_columns(self) -> bool:  # type: ignore[override]  # elsewhere a constant; here it depends on the member
        return self.stack and self.feature_space._stacks and self.feature_space._json_columns

    def to_jsonable(self, sample_n: collections.abc.Sequence[Any]) -> Any:
        """Returns the samples as the member's lists, or the batch's."""
        if self.stack:
            return batches_to_jsonable(self.feature_space, self.stacked_feature_space, sample_n)
        return [self.feature_space.to_jsonable(list(sample)) for sample in sample_n]

    def from_jsonable(self, sample_n: Any) -> list[Any]:
        """Returns the samples as tuples or batches."""
        if self.stack:
            return batches_from_jsonable(self.feature_space, self.stacked_feature_space, sample_n)
        return [tuple(self.feature_space.from_jsonable(sample)) for sample in sample_n]

    def __repr__(self) -> str:
        return f"Sequence({self.feature_space}, stack={self.stack})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a Sequence of an equal member, stacked alike."""
        return isinstance(other, Sequence) and self.feature_space == other.feature_space and self.stack == other.stack

    def _flattened(self, x: object) -> Any:
        return self._mapped(
            flatten, flatten_space(self.feature_space), iterate(self.stacked_feature_space, x) if self.stack else x
        )

    def _unflattened(self, x: object) -> Any:
        if self.stack:
            x = iterate(batch_space(flatten_space(self.feature_space), 1), x)
        return self._mapped(unflatten, self.feature_space, x)

    def _mapped(self, function: Any, target: Space, values: Any) -> Any:
        """Applies `function` to each value and returns them in `target`, in this Sequence's form."""
        mapped = tuple(function(self.feature_space, value) for value in values)
        return stacked(target, mapped) if self.stack else mapped

    def _flat_space(self) -> Sequence:
        return Sequence(flatten_space(self.feature_space), stack=self.stack)

    def _same_layout(self, other: Space) -> bool:
        return (
            isinstance(other, Sequence)
            and self.stack is other.stack
            and is_space_dtype_shape_equiv(self.feature_space, other.feature_space)
        )

    def _batched_with(self, spaces: collections.abc.Sequence[Space]) -> Space:
        return tuple_of_copies(spaces)

    def _empty(self, n: int, fn: ArrayMaker) -> tuple[Any, ...]:
        return tuple(create_empty_array(self.feature_space, 1, fn) if self.stack else () for _ in range(n))

    def _zero(self) -> Any:
        return create_zero_array(self.stacked_feature_space) if self.stack else ()

    def _unshareable(self, function: str) -> TypeError:
        return TypeError(
            f"{self} has a dynamic shape, which shared memory cannot hold; "
            "make the AsyncVectorEnv with `shared_memory=False`"
        )
