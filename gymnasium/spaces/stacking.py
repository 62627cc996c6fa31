"""Batches of any length as single values, for stacked Sequences and Graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium.spaces.batching import concatenate, create_empty_array, iterate
from gymnasium.spaces.space import Space


def stacked(space: Space, items: Sequence[object]) -> Any:
    """Returns the `items` of `space` as one batch."""
    return concatenate(space, items, create_empty_array(space, len(items)))


def members(batch_space: Space, batch: object) -> list[Any] | None:
    """Returns the single values in `batch`, or None if it is not a batch."""
    try:
        return list(iterate(batch_space, batch))
    except Exception:  # the iteration over a foreign value may raise anything
        return None


def batches_to_jsonable(space: Space, batch_space: Space, batches: Sequence[object]) -> Any:
    """Returns several batches in a form for `json.dumps`.

    Args:
        space: The space of a single value.
        batch_space: `batch_space(space, 1)`; its arrays' methods ignore the length, so one serves for all.
        batches: The batches, each of its own length.
    """
    if space._stacks:
        return batch_space.to_jsonable(batches)
    return [space.to_jsonable(list(iterate(batch_space, batch))) for batch in batches]


def batches_from_jsonable(space: Space, batch_space: Space, batches: Any) -> list[Any]:
    """Returns the batches from the result of `batches_to_jsonable`."""
    if not space._stacks:
        return [stacked(space, space.from_jsonable(batch)) for batch in batches]
    # An empty list does not show the shape of its items.
    return [
        batch if members(batch_space, batch) else stacked(space, []) for batch in batch_space.from_jsonable(batches)
    ]
