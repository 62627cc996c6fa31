"""Batches of several actors as one: observations, infos, and rows of them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.array_space import ArraySpace
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from gymnasium.vector._batch.infos import add_info


def own(value: object) -> Any:
    """Returns a copy that can be changed: arrays that come from another process are in Ray's memory, read-only."""
    return value.copy() if type(value) is np.ndarray and not value.dtype.hasobject else deepcopy(value)


def joined(space: Space, parts: Sequence[Any]) -> Any:
    """Returns batches of a space as one, in new memory: each array is copied once."""
    if isinstance(space, Tuple):
        return tuple(joined(one, [part[k] for part in parts]) for k, one in enumerate(space.spaces))
    if isinstance(space, Dict):
        return {key: joined(one, [part[key] for part in parts]) for key, one in space.spaces.items()}
    if isinstance(space, ArraySpace):
        return np.concatenate(parts)
    return tuple(row for part in parts for row in part)


def with_rows(space: Space, batch: Any, places: Sequence[int], rows: Any) -> Any:
    """Returns a batch with other rows at these places; in the same memory if that can be written."""
    if isinstance(space, Tuple):
        triples = zip(space.spaces, batch, rows, strict=True)
        return tuple(with_rows(one, old, places, new) for one, old, new in triples)
    if isinstance(space, Dict):
        return {key: with_rows(one, batch[key], places, rows[key]) for key, one in space.spaces.items()}
    if isinstance(space, ArraySpace):
        array: np.ndarray = batch if batch.flags.writeable else batch.copy()  # Ray's memory is read-only
        array[list(places)] = rows
        return array
    new = list(batch)
    for place, row in zip(places, rows, strict=True):
        new[place] = row
    return tuple(new)


def merged_infos(parts: Sequence[tuple[dict[str, Any], int]]) -> dict[str, Any]:
    """Returns the infos of batches of these sizes as those of one batch, as `SyncVectorEnv` returns them."""
    names = dict.fromkeys(name for infos, _ in parts for name in infos if f"_{name}" in infos)
    merged: dict[str, Any] = {}
    for name in names:
        columns = [(infos.get(name), size) for infos, size in parts]
        mask = np.concatenate([infos.get(f"_{name}", np.zeros(size, np.bool_)) for infos, size in parts])
        merged[name], merged[f"_{name}"] = _column(name, columns, mask), mask
    return merged


def _column(name: str, parts: list[tuple[Any, int]], mask: NDArray[np.bool_]) -> Any:
    """Returns the column of an info from its parts, None where no environment reported it."""
    found = [column for column, _ in parts if column is not None]
    if all(isinstance(column, dict) for column in found):
        return merged_infos([(column or {}, size) for column, size in parts])
    if all(isinstance(column, np.ndarray) for column in found):
        dtype, shape = found[0].dtype, found[0].shape[1:]
        alike = all((column.dtype, column.shape[1:]) == (dtype, shape) for column in found)
        if alike and not (dtype.hasobject and shape):
            return _filled(parts, np.full(len(mask), None) if dtype.hasobject else np.zeros((len(mask), *shape), dtype))
    infos: dict[str, Any] = {}
    first = 0
    for column, size in parts:
        for k in range(size):
            if mask[first + k]:
                add_info(infos, {name: _value(column, k)}, first + k, len(mask))
        first += size
    return infos[name]


def _filled(parts: list[tuple[Any, int]], out: np.ndarray) -> np.ndarray:
    first = 0
    for column, size in parts:
        if column is not None:
            out[first : first + size] = own(column) if out.dtype.hasobject else column
        first += size
    return out


def _value(column: Any, k: int) -> Any:
    """Returns the info of environment k."""
    if isinstance(column, dict):
        return {name: _value(column[name], k) for name in column if f"_{name}" in column and column[f"_{name}"][k]}
    return bool(column[k]) if column.dtype.kind == "b" and column.ndim == 1 else column[k]
