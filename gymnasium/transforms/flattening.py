"""Values of any space as vectors, a batch at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Tuple
from gymnasium.spaces.batching import batch_space, concatenate, create_empty_array, iterate
from gymnasium.spaces.joining import joined_vectors
from gymnasium.spaces.utils import flatten, flatten_space
from gymnasium.transforms.transform import Transform


def flattening(space: Space) -> Transform:
    """Returns the transformation of values to vectors, discrete ones one-hot.

    Raises:
        NotImplementedError: If the space cannot be flattened.
    """
    flat = flatten_space(space)
    return Transform(flat, partial(flatten, space), partial(flat_batch, space))


def flat_batch(space: Space, batch: object) -> Any:
    """Returns a batch of flattened values, as `flatten(space, value)` gives for each."""
    rule = _RULES.get(type(space)._flattened)
    if rule is not None and flatten.dispatch(type(space)) is flatten.dispatch(object):
        return rule(space, batch)
    flat = flatten_space(space)
    rows = [flatten(space, value) for value in iterate(batch_space(space, 1), batch)]
    return concatenate(flat, rows, create_empty_array(flat, len(rows)))


def _flat_arrays(space: Any, batch: Any) -> np.ndarray:
    arrays = np.array(batch, dtype=space.dtype)
    return arrays.reshape(len(arrays), -1)


def _one_hot(space: Discrete, batch: object) -> np.ndarray:
    return _marked(space, np.asarray(batch)[:, np.newaxis], np.array([space.start]), np.array([space.n]))


def _many_hot(space: MultiDiscrete, batch: object) -> np.ndarray:
    values = np.asarray(batch)
    return _marked(space, values.reshape(len(values), -1), space.start.ravel(), space.nvec.ravel())


def _marked(space: Any, values: np.ndarray, start: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Returns for each row of values their one-hot vectors, side by side.

    Args:
        space: The space of the values.
        values: Shape (n, k).
        start: The smallest value of each column, shape (k,).
        counts: The number of values of each column, shape (k,).
    """
    # Differences in the values' own dtype could overflow.
    index = values.astype(np.int64) - start.astype(np.int64)
    outside = (index < 0) | (index >= counts)
    if outside.any():
        row = int(outside.any(axis=1).argmax())
        raise ValueError(f"Only values of {space} have one-hot vectors, but row {row} of the batch is {values[row]}")
    counts = counts.astype(np.int64)
    index += np.cumsum(counts) - counts
    flat = np.zeros((len(values), int(counts.sum())), space.dtype)
    np.put_along_axis(flat, index, 1, axis=1)
    return flat


def _joined_tuple(space: Tuple, batch: Any) -> Any:
    parts = [flat_batch(part, values) for part, values in zip(space.spaces, batch, strict=True)]
    return joined_vectors(space.spaces, parts, axis=1) if space.is_np_flattenable else tuple(parts)


def _joined_dict(space: Dict, batch: Any) -> Any:
    parts = {key: flat_batch(part, batch[key]) for key, part in space.spaces.items()}
    return joined_vectors(space.spaces.values(), list(parts.values()), axis=1) if space.is_np_flattenable else parts


# Compares the method, so that a subclass with its own flattening is called itself.
_RULES: dict[Any, Callable[[Any, Any], Any]] = {
    Box._flattened: _flat_arrays,
    MultiBinary._flattened: _flat_arrays,
    Discrete._flattened: _one_hot,
    MultiDiscrete._flattened: _many_hot,
    Tuple._flattened: _joined_tuple,
    Dict._flattened: _joined_dict,
}
