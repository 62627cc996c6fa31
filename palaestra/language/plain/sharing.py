"""Attributes that share memory, within an environment or with others of its class, when they are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

import numpy as np

Path = tuple[str, ...]


def shared_within(attributes: Iterable[tuple[Path, Any]]) -> list[tuple[Path, Path]]:
    """Returns the pairs of attributes that share an array, a list or a dict."""
    found = [(path, list(_parts(value))) for path, value in attributes]
    pairs = combinations([(path, parts) for path, parts in found if parts], 2)
    return [(a, b) for (a, first), (b, second) in pairs if _meet(first, second)]


def shared_between(attributes: Iterable[tuple[Path, Any]], others: Mapping[Path, Any]) -> set[Path]:
    """Returns the attributes that share an array, a list or a dict with the same one of another environment."""
    return {path for path, value in attributes if path in others and _meet(_parts(value), _parts(others[path]))}


def _parts(value: object) -> Iterator[Any]:
    """Yields what can be written into."""
    if isinstance(value, (np.ndarray, list, dict)):
        yield value
    if isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _parts(one)


def _meet(first: Iterable[object], second: Iterable[object]) -> bool:
    return any(
        a is b or (_is_array(a) and _is_array(b) and np.may_share_memory(a, b)) for a, b in product(first, second)
    )


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray)
