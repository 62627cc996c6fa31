"""Functions with replaced globals, so that a runner can compile or trace the same source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from types import CellType, CodeType, FunctionType
from typing import Any

import numpy as np


def names_in(code: CodeType) -> list[str]:
    """Returns the names that a code object, and those within it, look up."""
    inner = (names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return sorted(set(code.co_names).union(code.co_freevars, *inner))


def rebound(
    function: FunctionType,
    begin: Callable[[FunctionType], None],
    value: Callable[[str, Any, list[str]], Any],
) -> None:
    """Copy a function with other globals and closed-over variables.

    Args:
        function: The function.
        begin: Gets the copy before its globals are filled, because they may name the function again.
        value: Returns the replacement of a global or a closed-over variable; its arguments are the name, the value, and
            all names in the function.
    """
    code = function.__code__
    namespace: dict[str, Any] = {"__name__": function.__module__, "__builtins__": __builtins__}
    cells = tuple(CellType() for _ in code.co_freevars)
    copy = FunctionType(code, namespace, function.__name__, function.__defaults__, cells)
    copy.__kwdefaults__, copy.__qualname__ = function.__kwdefaults__, function.__qualname__
    begin(copy)
    names = names_in(code)
    for name in names:
        if name in function.__globals__:
            namespace[name] = value(name, function.__globals__[name], names)
    for cell, name, old in zip(cells, code.co_freevars, function.__closure__ or (), strict=True):
        cell.cell_contents = value(name, old.cell_contents, names)


def used_of(owner: object, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yields the names that a module or class has, with their values; instances have properties."""
    for name in names:
        if hasattr(owner, name) and not isinstance(getattr(owner, name), property):
            yield name, getattr(owner, name)


def is_of_values(kind: type) -> bool:
    """Returns whether a class is one of values (a NamedTuple, an enum, a number), not a namespace of functions."""
    return issubclass(kind, (tuple, Enum, np.generic, BaseException)) or kind.__module__ == "builtins"
