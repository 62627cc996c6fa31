"""Kinds in the user's words."""

from __future__ import annotations

from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np

from palaestra.language.plain.translation.kinds import (
    Array,
    Constant,
    Generator,
    Growing,
    Kind,
    Mapping,
    Number,
    Optional,
    Packed,
    Partial,
    Place,
    Seed,
    SeedTest,
    Text,
    Tuple,
)


def described(kind: Kind) -> str:
    """Returns a kind in the user's words."""
    if isinstance(kind, Number):
        if kind.mixed and kind.dtype.kind == "i":
            return "int of Python or of some bits"
        if kind.mixed:
            return "number that may be an int or a float"
        name = {"b": "bool", "i": "int", "f": "float"}[kind.dtype.kind.replace("u", "i")] if kind.weak else None
        return name or f"number ({kind.dtype})"
    if isinstance(kind, Array):
        shape = f" of shape {kind.shape}" if kind.shape is not None else f" with {kind.ndim} axes"
        return f"{'list' if kind.listed else 'array'} of {'ints and floats' if kind.mixed else kind.dtype}{shape}"
    if isinstance(kind, Tuple):
        return f"{'sequence' if kind.loose else 'tuple'} ({', '.join(map(described, kind.items))})"
    if isinstance(kind, Packed):
        return described(kind.array)
    if isinstance(kind, (Mapping, Partial)):
        parts = (f"{key} ({described(item)})" for key, item in zip(kind.keys, kind.items, strict=True))
        return f"dict of {', '.join(parts)}" if kind.keys else "dict without keys"
    if isinstance(kind, Optional):
        return f"{described(kind.kind)}, or None"
    if isinstance(kind, Constant):
        return "None" if kind.value is None else _shown(kind.value)
    words = {Growing: "list that grows", Generator: "random generator", Place: "object", Seed: "seed"}
    return {**words, SeedTest: "test of the seed", Text: "text that is made here"}.get(type(kind), "value")


def _shown(value: object) -> str:
    """Returns a constant's class, with its value unless that may be a secret of the environment's."""
    named = (type, FunctionType, BuiltinFunctionType, ModuleType, np.dtype, int, float, np.generic, Enum)
    return f"{type(value).__name__} {value!r}"[:80] if isinstance(value, named) else type(value).__name__


def several_forms(*kinds: Kind) -> str:
    """Returns why a value cannot be used whose form depends on the path."""
    forms = sorted(one for kind in kinds if isinstance(kind, Tuple) for one in kind.forms)
    return f"this is {' on one path and '.join(forms)} on another" if forms else "this has several forms"
