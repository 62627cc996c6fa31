"""Observations of a batch from the columns of their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple


def packed(space: Space, leaves: Iterator[np.ndarray]) -> Any:
    """Returns a batch of observations from its parts."""
    if isinstance(space, Tuple):
        return tuple(packed(part, leaves) for part in space.spaces)
    if isinstance(space, Dict):
        return {key: packed(part, leaves) for key, part in space.spaces.items()}
    return next(leaves)


def row_of_batch(space: Space, batch: Any, k: int) -> Any:
    """Returns one observation of a batch, of the type that the single environment gives."""
    if isinstance(space, Tuple):
        return tuple(row_of_batch(part, one, k) for part, one in zip(space.spaces, batch, strict=True))
    if isinstance(space, Dict):
        return {key: row_of_batch(part, batch[key], k) for key, part in space.spaces.items()}
    if isinstance(space, Discrete):
        return int(batch[k]) if space.dtype == np.int64 else batch[k]
    return np.asarray(batch[k])


def parts_of(space: Space, observation: Any) -> Iterator[Any]:
    """Yields the parts of one observation, in the order in which `packed` takes those of a batch."""
    if isinstance(space, Tuple):
        for part, one in zip(space.spaces, observation, strict=True):
            yield from parts_of(part, one)
    elif isinstance(space, Dict):
        for key, part in space.spaces.items():
            yield from parts_of(part, observation[key])
    else:
        yield observation


def joined_parts(space: Space, parts: Iterable[Any]) -> Any:
    """Returns one observation of its parts."""
    return row_of_batch(space, packed(space, (np.asarray(part)[None] for part in parts)), 0)
