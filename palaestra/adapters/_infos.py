"""The infos of a batch as one dict for each environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gymnasium.vector._batch.trees import host


def split(infos: Mapping[str, object], n: int, ids: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Returns a new dict for each of `ids` (None for all n environments), with the infos of the environment.

    Numbers come as Python's. A value that is not one for each environment, of another library's batch, goes to all.
    """
    places: Sequence[int] = range(n) if ids is None else ids
    rows: list[dict[str, Any]] = [{} for _ in places]
    for key, values in infos.items():
        if key[:1] == "_" and key[1:] in infos:  # the mask of another key
            continue
        chosen = _reporting(infos.get(f"_{key}"), places)
        at = places if chosen is None else [places[k] for k in chosen]
        for k, item in zip(range(len(rows)) if chosen is None else chosen, _items(values, n, at), strict=True):
            rows[k][key] = item
    return rows


def _reporting(mask: object, places: Sequence[int]) -> list[int] | None:
    """Returns which of the places report a key; None for all of them."""
    if mask is None:
        return None
    flags = host(mask)
    flags = flags if isinstance(places, range) else flags[list(places)]
    return None if flags.all() else flags.nonzero()[0].tolist()


def _items(values: Any, n: int, ids: Sequence[int]) -> Sequence[Any]:
    """Returns the values of some environments."""
    if isinstance(values, Mapping):
        return split(values, n, None if len(ids) == n else ids)
    array = host(values) if hasattr(values, "shape") else values
    if not isinstance(array, np.ndarray):
        one_each = isinstance(array, list | tuple) and len(array) == n
        return [array[i] if one_each else array for i in ids]
    if array.shape[:1] != (n,):
        return [values] * len(ids)
    if array.ndim > 1 or array.dtype.hasobject:
        return [array[i] for i in ids]
    return (array if len(ids) == n else array[list(ids)]).tolist()  # type: ignore[no-any-return]
