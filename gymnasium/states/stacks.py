"""Lists of plain data of one form, such as the actions of an episode, stacked into few arrays."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_OF_ARRAYS: Final = ("int", "float", "array", "number")
"""The kinds of values that are in one array."""


def stacked(values: list[Any]) -> dict[str, Any]:
    """Returns the values of a list in one array if they have one type, dtype and shape; else in a new list.

    Dicts and tuples are stacked part by part.
    """
    first: Any = values[0] if values else None
    kind = type(first)
    if any(type(value) is not kind for value in values):
        return {"kind": "list", "values": list(values)}
    if kind is int and all(-(2**63) <= value < 2**63 for value in values):
        return {"kind": "int", "values": np.array(values, np.int64)}
    if kind is float:
        return {"kind": "float", "values": np.array(values, np.float64)}
    if isinstance(first, (np.ndarray, np.generic)):
        if all((value.dtype, value.shape) == (first.dtype, first.shape) for value in values):
            return {"kind": "array" if kind is np.ndarray else "number", "values": np.stack(values)}
    elif kind is dict and first and all(list(value) == list(first) for value in values):
        parts = {key: stacked([value[key] for value in values]) for key in first}
        return {"kind": "dict", "count": len(values), "values": parts}
    elif kind is tuple and first and all(len(value) == len(first) for value in values):
        columns = [stacked(list(part)) for part in zip(*values, strict=True)]
        return {"kind": "tuple", "count": len(values), "values": columns}
    return {"kind": "list", "values": list(values)}


def unstacked(data: Any) -> list[Any]:
    """Returns the list from which `stacked` made its result.

    Raises:
        ValueError: If it is something else.
    """
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str) or "values" not in data:
        raise ValueError(f"A list of values is a dict with their kind, but {data!r:.80} came")
    kind, values = data["kind"], data["values"]
    if kind in _OF_ARRAYS and isinstance(values, np.ndarray) and values.ndim:
        # Also of arrays without axes, which indexing would undo.
        return [values[t, ...] for t in range(len(values))] if kind == "array" else _entries(values, kind)
    if kind == "dict" and isinstance(values, dict):
        columns = {key: unstacked(part) for key, part in values.items()}
        return [{key: column[t] for key, column in columns.items()} for t in range(_count(data, columns.values()))]
    if kind == "tuple" and isinstance(values, list):
        parts = [unstacked(part) for part in values]
        return [tuple(part[t] for part in parts) for t in range(_count(data, parts))]
    if kind == "list" and isinstance(values, list):
        return list(values)
    raise ValueError(f"{kind!r:.40} is no kind of these values")


def _entries(values: NDArray[Any], kind: str) -> list[Any]:
    if values.ndim != 1:
        raise ValueError(f"Values of the kind {kind!r} have the shape {values.shape}")
    return list(values) if kind == "number" else values.tolist()


def _count(data: dict[str, Any], columns: Collection[list[Any]]) -> int:
    """Returns the number of dicts or tuples, each of which has entries."""
    lengths = {len(column) for column in columns}
    if lengths != {data["count"]}:
        raise ValueError(f"{data['count']!r:.40} values with parts of {sorted(lengths)} do not belong together")
    return int(data["count"])
