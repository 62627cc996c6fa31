"""Pickles between a vector environment and its workers.

Cloudpickle writes classes and functions of `__main__` by value, so that others of the same name arrive, which `except`
and `isinstance` do not take for the caller's. What a module of this process has under its own name is therefore written
by that name.
"""

from __future__ import annotations

import io
import pickle
import sys
from functools import cache
from types import FunctionType
from typing import Any


def dumps(value: Any) -> bytes:
    """Returns the value pickled, by cloudpickle if pickle cannot do it."""
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception:
        return referring(value)


def by_value(value: Any) -> bytes:
    """Returns the value pickled by cloudpickle."""
    import cloudpickle  # here, because it is rarely needed

    pickled: bytes = cloudpickle.dumps(value)
    return pickled


def referring(value: Any) -> bytes:
    """Returns the value pickled by cloudpickle, except for the classes and functions that a module has."""
    buffer = io.BytesIO()
    _pickler()(buffer).dump(value)
    return buffer.getvalue()


@cache
def _pickler() -> Any:
    import cloudpickle  # here, because it is rarely needed

    class Referring(cloudpickle.CloudPickler):  # type: ignore[misc]  # cloudpickle has no types
        """Pickles by reference what can be found by its name."""

        def reducer_override(self, obj: Any) -> Any:
            """Returns the name of what a module has, or else what cloudpickle makes of it."""
            if isinstance(obj, (type, FunctionType)) and _is_found(obj):
                return obj.__qualname__
            return super().reducer_override(obj)

    return Referring


def _is_found(value: type | FunctionType) -> bool:
    """Whether the module of a class or function has it under its name."""
    found: Any = sys.modules.get(value.__module__)
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value
