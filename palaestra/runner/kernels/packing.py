"""Observations of a batch from the columns of their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.box import Box
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.multi_binary import MultiBinary
from gymnasium.spaces.multi_discrete import MultiDiscrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple


def packed(space: Space, leaves: Iterator[np.ndarray]) -> Any:
    """Returns a batch of observations from its parts."""
    if isinstance(space, Tuple):
        return tuple(packed(part, leaves) for part in space.spaces)
    if isinstance(space, Dict):
        return {key: packed(part, leaves) for key, part in space.spaces.items()}
    return next(leaves)


def has_texts(space: Space) -> bool:
    """Returns whether observations of a space have texts among their parts."""
    if isinstance(space, Tuple | Dict):
        return any(map(has_texts, space.spaces.values() if isinstance(space, Dict) else space.spaces))
    return not isinstance(space, (Box, Discrete, MultiDiscrete, MultiBinary))


def with_texts(space: Space, batch: Any, texts: NDArray[np.object_]) -> Any:
    """Returns a batch of observations with texts in the place of the numbers that stand for them."""
    if isinstance(space, Tuple):
        return tuple(with_texts(part, one, texts) for part, one in zip(space.spaces, batch, strict=True))
    if isinstance(space, Dict):
        return {key: with_texts(part, batch[key], texts) for key, part in space.spaces.items()}
    return tuple(texts[batch].tolist()) if has_texts(space) else batch


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
