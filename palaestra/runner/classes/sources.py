"""The source of functions: their syntax trees, with the lines of their files."""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from gymnasium._extensions import is_own_module


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
    """A function whose source cannot be read.

    Args:
        reason: Why.
        instead: The remedy.
    """

    def __init__(self, reason: str, instead: str = "define the class in a file") -> None:
        super().__init__(reason)
        self.instead = instead


def source_of(function: FunctionType, owner: type | None = None) -> Source:
    """Returns a function's source.

    Raises:
        NoSource: If there is none: a lambda, a function of the interpreter, one made by `exec`.
    """
    return Source(function, _tree(function), function.__code__.co_filename, owner)


@lru_cache(maxsize=4096)
def _tree(function: FunctionType) -> ast.FunctionDef:
    code = function.__code__
    try:
        lines, _ = inspect.findsource(code)  # of the code itself: of a function, it would be that of `__wrapped__`
        file = _read("".join(lines), code.co_filename)
    except (OSError, TypeError, SyntaxError, ValueError) as error:
        raise NoSource(f"the source of {function.__qualname__} cannot be read") from error
    at = code.co_firstlineno, code.co_name
    definition, compiled = file.definitions.get(at), file.codes.get(at)
    if definition is None:
        raise NoSource(f"{function.__qualname__} is no function with a `def` of its own")
    asserts = any(isinstance(one, ast.Assert) for one in ast.walk(definition))  # which pytest writes anew
    if not asserts and (compiled is None or _shown(code) != _shown(compiled)):
        raise NoSource(f"the file of {function.__qualname__} has changed since it was imported", "import it again")
    return deepcopy(definition)


class _File(NamedTuple):
    """A file of source: its functions and their code, by first line and name."""

    definitions: dict[tuple[int, str], ast.FunctionDef]
    codes: dict[tuple[int, str], CodeType]


@lru_cache(maxsize=64)
def _read(text: str, name: str) -> _File:
    tree = ast.parse(text)
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    definitions = {(min([one.lineno, *(at.lineno for at in one.decorator_list)]), one.name): one for one in functions}
    codes = {(one.co_firstlineno, one.co_name): one for one in _codes(compile(tree, name, "exec", dont_inherit=True))}
    return _File(definitions, codes)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


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


def functions_of(kind: type) -> list[FunctionType]:
    """Returns the functions that a class and its bases outside of this package define."""
    own = [base for base in kind.__mro__ if base is not object and not is_own_module(base.__module__)]
    found = []
    for member in (one for base in own for one in vars(base).values()):
        for name in ("fget", "fset", "__func__", "func"):
            member = getattr(member, name, member)
        if isinstance(member, FunctionType):
            found.append(member)
    return found


def digest_of(functions: Iterable[FunctionType], values: object) -> str:
    """Returns a digest of what functions do, wherever they stand, and of values."""
    found = sorted({repr((one.__qualname__, _shown(one.__code__))) for one in functions})
    found.append(repr(values))
    return hashlib.sha256("\0".join(found).encode()).hexdigest()[:32]


def _shown(code: CodeType) -> str:
    constants = [_shown(one) if isinstance(one, CodeType) else _ordered(one) for one in code.co_consts]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))


def _ordered(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def names_of(function: FunctionType) -> dict[str, Any]:
    """Returns the globals and closed-over variables that a function sees."""
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # it is empty yet
            continue
    return names
