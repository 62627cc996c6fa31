"""Records: NamedTuples, and frozen dataclasses, which are tuples with names for their parts."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any


def is_record(kind: object) -> bool:
    """Returns whether a class is that of a NamedTuple, or a frozen dataclass without an initialization of its own."""
    if not isinstance(kind, type):
        return False
    if issubclass(kind, tuple):
        return hasattr(kind, "_fields")
    if not is_dataclass(kind) or hasattr(kind, "__post_init__"):
        return False
    return bool(kind.__dataclass_params__.frozen) and all(one.init for one in fields(kind))  # type: ignore[attr-defined]


def fields_of(record: type | None) -> tuple[str, ...]:
    """Returns the names of the parts of a record; none for None."""
    if record is None:
        return ()
    return getattr(record, "_fields", None) or tuple(one.name for one in fields(record))


def parts_of_record(value: object) -> tuple[Any, ...] | None:
    """Returns a tuple, or the parts of a record; None for other values."""
    if isinstance(value, tuple):
        return value
    return tuple(getattr(value, key) for key in fields_of(type(value))) if is_record(type(value)) else None
