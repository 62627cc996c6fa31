"""Some parts of a structured value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from gymnasium.spaces import Dict, Space, Tuple
from gymnasium.transforms.transform import Transform


def select(space: Space, keys: Sequence[str | int]) -> Transform:
    """Returns the transformation of a Dict's or Tuple's values to those with only the parts `keys`.

    A batch of a Dict is a dict of batches, so one function serves single values and batches.

    Raises:
        TypeError: If `keys` is not a sequence, or holds anything but str for a Dict and int for a Tuple.
        ValueError: If the space is neither, or a key is missing, given twice, or there is none.
    """
    if not isinstance(keys, Sequence):
        raise TypeError(f"`filter_keys` must be a sequence of keys, but {keys!r} (of type {type(keys).__name__}) came")
    if isinstance(space, Dict):
        return _select_by_name(space, keys)
    if isinstance(space, Tuple):
        return _select_by_index(space, keys)
    raise ValueError(f"Only Dict and Tuple spaces have parts to choose from, but the space is {space}")


def _select_by_name(space: Dict, keys: Sequence[Any]) -> Transform:
    _check_keys(keys, str, space, list(space.spaces))
    part = Dict({key: space.spaces[key] for key in keys}, sort_keys=space.sort_keys)
    change = partial(_picked_by_name, keys=tuple(part.spaces))
    return Transform(part, change, change)


def _select_by_index(space: Tuple, keys: Sequence[Any]) -> Transform:
    _check_keys(keys, int, space, list(range(len(space))))
    change = partial(_picked_by_index, keys=tuple(keys))
    return Transform(Tuple(space.spaces[key] for key in keys), change, change)


def _check_keys(keys: Sequence[object], kind: type, space: Space, there: list[Any]) -> None:
    name = type(space).__name__
    strange = [key for key in keys if not isinstance(key, kind)]
    if strange:
        raise TypeError(f"`filter_keys` of a {name} must be {kind.__name__}, but these came: {strange}")
    missing = [key for key in keys if key not in there]
    if missing:
        raise ValueError(f"`filter_keys` must be among {there}, but these are not: {missing}; the space is {space}")
    if len(set(keys)) < len(keys):
        raise ValueError(f"`filter_keys` must name each part once, but this came: {keys!r}")
    if not keys:
        raise ValueError(f"`filter_keys` must name one part at least, of {there}, but is empty: {keys!r}")


def _picked_by_name(value: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value[key] for key in keys}


def _picked_by_index(value: tuple[object, ...], keys: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(value[key] for key in keys)
