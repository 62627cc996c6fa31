"""Batches: the space of `n` values, its memory, and the way between one batch and `n` values.

Each function dispatches on the type of its first argument and is open to other types:
`batch_space.register(MySpace, my_function)`. For unregistered types it calls a method of the argument.
They are public as `gymnasium.vector.utils`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from gymnasium.spaces.space import ArrayMaker, Space, checked_space


@singledispatch
def batch_space(space: Space, n: int = 1) -> Space:
    """Returns the space of batches of `n` values, with a copy of the space's generator.

    Arrays get a leading axis, containers hold batches, and values without a fixed shape become a Tuple of copies.
    """
    return checked_space(space)._batched(n)


@singledispatch
def batch_differing_spaces(spaces: Any) -> Space:
    """Returns the space of batches whose `i`-th value is in `spaces[i]`, with a copy of the first generator.

    The spaces have one type, and may differ in bounds, counts or starts.

    Args:
        spaces: A sequence of at least one. A function registered for a type gets this whole sequence.

    Raises:
        ValueError: If there are none, or their shapes, dtypes or keys differ.
        TypeError: If their types differ, or their type cannot be batched.
    """
    if not len(spaces):
        raise ValueError("A batch needs at least one space, but the list is empty")
    kind = type(checked_space(spaces[0]))
    for i, space in enumerate(spaces):
        if not isinstance(space, kind):
            raise TypeError(
                f"Spaces of one type can be batched, but number 0 is a {kind.__name__} "
                f"and number {i} a {type(space).__name__}"
            )
    return batch_differing_spaces.dispatch(kind)(spaces)


@batch_differing_spaces.register(Space)
def _batch_by_method(spaces: Sequence[Space]) -> Space:
    return spaces[0]._batched_with(spaces)


@singledispatch
def iterate(space: Space, items: object) -> Iterator[Any]:
    """Returns an iterator over the single values in `items`, a batch from the batched `space`.

    Raises:
        TypeError: If the space or the batch is not iterable.
        CustomSpaceError: If the type of space is not known.
    """
    return checked_space(space)._iterated(items)


def knows_iteration(space: Space) -> bool:
    """Whether `iterate` has a rule for this type of space."""
    kind = type(space)
    return kind._iterated is not Space._iterated or iterate.dispatch(kind) is not iterate.dispatch(object)


@singledispatch
def concatenate(space: Space, items: Iterable[object], out: object) -> Any:
    """Returns the batch of `items`, written into the arrays of `out`.

    Args:
        space: The space of a single value.
        items: The single values.
        out: The result of `create_empty_array(space, n)`, for `n` items.

    Returns:
        `out`, or for containers a new container of its arrays, or for values without a fixed shape their tuple.
    """
    return checked_space(space)._concatenated(items, out)


@singledispatch
def create_empty_array(space: Space, n: int = 1, fn: ArrayMaker = np.zeros) -> Any:
    """Returns the memory for a batch of `n` values.

    Args:
        space: The space of a single value.
        n: The number of values.
        fn: A function that makes an array of a shape and a `dtype`, such as `np.empty`.
    """
    return checked_space(space)._empty(n, fn)


@singledispatch
def create_zero_array(space: Space) -> Any:
    """Returns the value of the space that is zero, or nearest to it."""
    return checked_space(space)._zero()
