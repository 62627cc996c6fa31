"""Numbers whose type changes: each keeps its value, or the program is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Type, types
from palaestra.language.jit.exact import numbers
from palaestra.language.jit.exact.kinds import in_words, is_array, kind_of
from palaestra.language.jit.exact.operators import Function, Unsupported


def number_made(target: Type, kinds: Sequence[Type]) -> Function:
    """Returns the replacement of a call of a numeric class, for example np.int64."""
    source: Any = kinds[0] if len(kinds) == 1 else None
    x, y = kind_of(source), kind_of(target)
    if (y == "f" and x) or (y == "i" and x in ("b", "i", "n")) or (y == "b" and x in ("b", "i", "f")):
        return None
    if (y == "s" and x in ("f", "s")) or (y == "n" and source == target):
        return None
    if (x, y) == ("f", "i"):
        return numbers.float_int
    if x == "i" and target in numbers.NARROWED:
        return numbers.NARROWED[target]
    raise Unsupported(f"np.{target} of {in_words(source)} is not supported: write int(...) or float(...) inside")


def check_created(key: object, kinds: Sequence[Any], result: Any) -> None:
    """Raise if numbers are put into a new array that may change them."""
    if key not in (np.full, np.full_like, np.array, np.asarray) or not is_array(result):
        return
    given = kinds[1] if key in (np.full, np.full_like) else kinds[0]
    while isinstance(given, (types.List, types.BaseTuple)) or is_array(given):
        given = given.types[0] if isinstance(given, types.Tuple) else given.dtype
    x, y = kind_of(given), kind_of(result.dtype)
    if x == y and (x in ("b", "i", "f") or given == result.dtype):
        return
    if (x, y) in (("i", "f"), ("b", "f"), ("b", "i"), ("f", "s"), ("s", "f")):
        return
    raise Unsupported(
        f"{in_words(given)} does not go into {in_words(result)} without a change: write the array's own kind of number"
    )


def check_astype(source: Type, target: Type) -> None:
    """Raise if `astype` does not keep every number of an array."""
    x, y = kind_of(source), kind_of(target)
    if y == "f" or (y == "s" and x != "i") or y == "b":
        return
    if (y == "i" and x in ("b", "i", "n") and source != types.uint64) or (y == "n" and (x == "b" or source == target)):
        return
    raise Unsupported("this astype cuts numbers off, each library in its own way: write a loop with int(...)")


def check_constant(value: object, kind: Type) -> None:
    """Raise if a constant, which becomes a variable of a type, is not of the language."""
    if isinstance(value, bool) and kind_of(kind) not in ("b", None):
        raise Unsupported("a variable is a bool on one path and a number on another: write int(...) or float(...)")
    if isinstance(value, int) and not isinstance(value, bool) and kind_of(kind) == "n":
        raise Unsupported("an integer beyond 64 bits is not supported")
    if isinstance(value, np.ndarray) and not value.flags.c_contiguous:
        raise Unsupported("a global array must lie in one piece: write np.ascontiguousarray")
    if isinstance(value, (list, dict, set, complex)):
        raise Unsupported(f"a global {type(value).__name__} is not supported: use a tuple, or an array")
