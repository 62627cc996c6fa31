"""Lists of plain data of one form, such as the actions of an episode, stacked into few arrays."""

from __future__ import annotations

from typing import Any

import numpy as np


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
    elif kind is dict and all(list(value) == list(first) for value in values):
        parts = {key: stacked([value[key] for value in values]) for key in first}
        return {"kind": "dict", "count": len(values), "values": parts}
    elif kind is tuple and all(len(value) == len(first) for value in values):
        columns = [stacked(list(part)) for part in zip(*values, strict=True)]
        return {"kind": "tuple", "count": len(values), "values": columns}
    return {"kind": "list", "values": list(values)}


def unstacked(data: Any) -> list[Any]:
    """Returns the list from which `stacked` made its result.

    Raises:
        ValueError: If it is something else.
    """
    kind, values = data["kind"], data["values"]
    if kind in ("int", "float"):
        found: list[Any] = values.tolist()
        return found
    if kind == "array":
        return [values[t, ...] for t in range(len(values))]  # also of those without axes, which indexing would undo
    if kind == "number":
        return list(values)
    if kind == "dict":
        columns = {key: unstacked(part) for key, part in values.items()}
        return [{key: column[t] for key, column in columns.items()} for t in range(data["count"])]
    if kind == "tuple":
        parts = [unstacked(part) for part in values]
        return [tuple(part[t] for part in parts) for t in range(data["count"])]
    if kind == "list":
        return list(values)
    raise ValueError(f"{kind!r} is no kind of values")
