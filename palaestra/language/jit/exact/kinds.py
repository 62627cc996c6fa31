"""Kinds of numeric types, and types in the user's words.

"b" is a bool, "i" an integer and "f" a float of 64 bits, which are Python's or NumPy's; "n" a shorter integer and "s"
a shorter float, which are NumPy's, of an array; "l" lanes.
"""

from __future__ import annotations

from typing import Any

from palaestra.language.jit.backend import Type, types
from palaestra.language.jit.lanes.types import LanesType

MIXED = "mixed"
"""A key of a function's metadata: the function returns, as a float, a number that may be an integer in Python."""


def kind_of(kind: Type) -> str | None:
    """Returns the kind of a numeric type; None for all other types."""
    return "l" if isinstance(kind, LanesType) else number_kind(kind)


def number_kind(kind: Any) -> str | None:
    """Returns the kind of a numeric type, or of the numbers in lanes."""
    if isinstance(kind, LanesType):
        kind = kind.number
    if isinstance(kind, types.Boolean):
        return "b"
    if is_integer(kind):
        return "i" if kind.signed and kind.bitwidth == 64 else "n"
    if isinstance(kind, types.Float):
        return "f" if kind.bitwidth == 64 else "s"
    return None


def is_integer(kind: Type) -> bool:
    """Returns whether a type is an integer type; bools do not count."""
    return isinstance(kind, types.Integer) and not isinstance(kind, types.Boolean)


def is_array(kind: Type) -> bool:
    """Returns whether a type is an array type."""
    return isinstance(kind, types.Array)


def is_long_tuple(kind: Any) -> bool:
    """Returns whether a type is the array that represents a long tuple of the params."""
    return is_array(kind) and not kind.aligned


def in_words(kind: Any) -> str:
    """Returns a type in the user's words."""
    k = kind_of(kind)
    if k and k != "l":
        return {"b": "a bool", "i": "an int", "f": "a float"}.get(k, f"a NumPy {kind}")
    if is_long_tuple(kind):
        return "a long tuple"
    if is_array(kind):
        return f"an array of {kind.dtype}"
    if hasattr(kind, "instance_class"):
        return f"a {kind.instance_class.__name__}"
    if isinstance(kind, types.BaseTuple):
        return "a tuple"
    if isinstance(kind, types.NoneType):
        return "None"
    if isinstance(kind, types.UnicodeType):
        return "a str"
    if isinstance(kind, (types.List, types.ListType)):
        return "a list"
    if isinstance(kind, types.Set):
        return "a set"
    if isinstance(kind, types.DictType):
        return "a dict"
    return f"a value of Numba's type {kind}"


def instance_of(kind: Any) -> type[Any]:
    """Returns the NamedTuple of a NamedTuple's type."""
    return kind.instance_class  # type: ignore[no-any-return]


def parts_of(kind: Any) -> tuple[Any, ...]:
    """Returns the types of a tuple's parts."""
    return tuple(kind.types)
