"""The source of functions: their syntax trees, with the lines of their files."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import Any


@dataclass(frozen=True)
class Source:
    """A function and its syntax tree."""

    function: FunctionType
    tree: ast.FunctionDef
    file: str
    owner: type | None  # the class that defines it

    @property
    def name(self) -> str:
        """Its name, with that of its class."""
        return f"{self.owner.__name__}_{self.tree.name}" if self.owner else self.tree.name


class NoSource(Exception):
    """A function whose source cannot be read."""


def source_of(function: FunctionType, owner: type | None = None) -> Source:
    """Returns a function's source.

    Raises:
        NoSource: If there is none: a lambda, a function of the interpreter, one made by `exec`.
    """
    return Source(function, _tree(function), function.__code__.co_filename, owner)


@lru_cache(maxsize=4096)
def _tree(function: FunctionType) -> ast.FunctionDef:
    try:
        lines, first = inspect.getsourcelines(function)
        (definition,) = ast.parse(textwrap.dedent("".join(lines))).body
    except (OSError, TypeError, SyntaxError, ValueError, IndentationError) as error:
        raise NoSource(f"the source of {function.__qualname__} cannot be read") from error
    if not isinstance(definition, ast.FunctionDef):
        raise NoSource(f"{function.__qualname__} is no function with a `def` of its own")
    return ast.increment_lineno(definition, max(first, 1) - 1)


def defined_in(kind: type, name: str, after: type | None = None) -> tuple[type, Any] | None:
    """Returns the class of the method resolution order that defines a name, and what it defines there.

    Args:
        kind: The class.
        name: The name.
        after: Look only behind this class, as `super()` does.
    """
    order = kind.__mro__
    for one in order[order.index(after) + 1 if after in order else 0 :]:
        if name in vars(one):
            return one, vars(one)[name]
    return None


def names_of(function: FunctionType) -> dict[str, Any]:
    """Returns the globals and closed-over variables that a function sees."""
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # it is empty yet
            continue
    return names
