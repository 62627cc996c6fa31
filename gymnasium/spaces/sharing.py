"""Batches in memory shared between processes.

Each function dispatches on the type of its first argument and is open to other types:
`create_shared_memory.register(MySpace, my_function)`. For unregistered types it calls a method of the argument.
They are public as `gymnasium.vector.utils`.
"""

from __future__ import annotations

import multiprocessing
from functools import singledispatch
from typing import Any

from gymnasium.spaces.space import Space, checked_space


@singledispatch
def create_shared_memory(space: Space, n: int = 1, ctx: object = multiprocessing) -> Any:
    """Returns shared memory for a batch of `n` values.

    Args:
        space: The space of a single value.
        n: The number of values.
        ctx: The multiprocessing context that allocates it.

    Returns:
        A `multiprocessing.Array`, or a tuple or dict of them.

    Raises:
        TypeError: If the values have no fixed size (Graph, Sequence).
        CustomSpaceError: If the type of space is not known.
    """
    return checked_space(space)._shared(n, ctx)


@singledispatch
def read_from_shared_memory(space: Space, shared_memory: object, n: int = 1) -> Any:
    """Returns the batch of `n` values in the memory. Its arrays are views: they change with the memory."""
    return checked_space(space)._read_shared(shared_memory, n)


@singledispatch
def write_to_shared_memory(space: Space, index: int, value: object, shared_memory: object) -> None:
    """Writes the single `value` to position `index` of the batch in the memory."""
    checked_space(space)._write_shared(index, value, shared_memory)
