"""The syntax trees of functions, with the lines of their files, and what their names stand for."""

from __future__ import annotations

import ast
import builtins
import hashlib
import linecache
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from gymnasium._extensions import is_own_file, is_own_module

Definition: TypeAlias = "ast.FunctionDef | ast.Lambda"


class NoSource(Exception):
    """The source text of a function is missing, or differs from the compiled code."""


@dataclass(frozen=True, eq=False)
class Source:
    """A function as its author wrote it.

    Attributes:
        definition: Its syntax tree; line numbers are those of the file.
        file: The file.
        name: The qualified name.
        lookup: Returns the object of a name that is not local; raises NameError for a name without an object.
        function: The function, if it exists.
    """

    definition: Definition
    file: str
    name: str
    lookup: Callable[[str], Any]
    function: FunctionType | None = None

    @property
    def key(self) -> object:
        """What two sources of one function have in common; several functions may have one definition."""
        return self.function or self

    @property
    def locals(self) -> frozenset[str]:
        """The names that the function assigns: they are its own, whether they have an object yet or not."""
        return _locals_of(self.definition)

    def mangled(self, name: str) -> str:
        """Returns the name of an attribute as Python writes it in a method: `__x` is one of the class's own."""
        path = self.name.split(".")
        while path[-2:-1] == ["<locals>"]:
            path = path[:-2]
        within = path[-2:-1]
        if not name.startswith("__") or name.endswith("__") or not within:
            return name
        return f"_{within[0].lstrip('_')}{name}"


@cache
def _locals_of(definition: Definition) -> frozenset[str]:
    body = definition.body
    nodes: list[ast.stmt] = body if isinstance(body, list) else [ast.Expr(body)]
    inner = statements_in(nodes)
    shared = {name for node in inner if isinstance(node, ast.Global) for name in node.names}
    return frozenset(assigned_in(nodes)) - shared


def source_of(function: FunctionType) -> Source:
    """Returns the source of a function.

    Raises:
        NoSource: If it cannot be read, or is no longer what Python compiled.
    """
    code = function.__code__
    definition = _definition(code, code.co_filename)
    return Source(definition, code.co_filename, function.__qualname__, lambda name: _object(function, name), function)


def _object(function: FunctionType, name: str) -> Any:
    code = function.__code__
    if name in code.co_freevars:
        cells = function.__closure__ or ()
        try:
            return cells[code.co_freevars.index(name)].cell_contents
        except ValueError:
            raise NameError(f"free variable '{name}' referenced before assignment") from None
    if name in function.__globals__:
        return function.__globals__[name]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise NameError(f"name '{name}' is not defined")


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


def digest_of(functions: Iterable[FunctionType]) -> str:
    """Returns a digest of what functions do, wherever they stand."""
    found = sorted({repr((one.__qualname__, _shown(one.__code__))) for one in functions})
    return hashlib.sha256("\0".join(found).encode()).hexdigest()[:32]


@cache
def _definition(code: CodeType, file: str) -> Definition:
    """The definition of code; equal code of two files is one key of a cache without the file."""
    text = "".join(linecache.getlines(file))
    nodes: list[Any] = _lambdas(text) if code.co_name == "<lambda>" else _functions(text)
    found: list[Definition] = [node for node in nodes if _fits(node, code)]
    if len(found) > 1:
        found = [node for node in found if _compiles_to(node, code)]
    if not found:
        raise NoSource(f"the source of {code.co_name} (line {code.co_firstlineno} of {code.co_filename}) is not there")
    if not is_own_file(Path(code.co_filename)) and not _is_current(found[0], code, text):
        raise NoSource(f"the file of {code.co_name} has changed since it was imported: import it again")
    return found[0]


def _is_current(node: Definition, code: CodeType, text: str) -> bool:
    """Whether the file still holds what Python compiled; pytest compiles functions with `assert` otherwise."""
    if any(isinstance(one, ast.Assert) for one in ast.walk(node)):
        return True
    return _shown(code) in map(_shown, _codes(text, code.co_filename).get(code.co_firstlineno, []))


@cache
def _codes(text: str, file: str) -> dict[int, list[CodeType]]:
    """The code of a file's functions, by their first lines."""
    found: dict[int, list[CodeType]] = {}
    waiting = [compile(text, file, "exec", dont_inherit=True)]
    while waiting:
        for one in waiting.pop().co_consts:
            if isinstance(one, CodeType):
                found.setdefault(one.co_firstlineno, []).append(one)
                waiting.append(one)
    return found


def _shown(code: CodeType) -> tuple[Any, ...]:
    """What code does; sets among its constants have no order."""
    constants = [_shown(one) if isinstance(one, CodeType) else _ordered(one) for one in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, tuple(constants)


def _ordered(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


@cache
def _functions(text: str) -> list[ast.FunctionDef]:
    return [node for node in statements_in(_parsed(text)) if isinstance(node, ast.FunctionDef)]


@cache
def _lambdas(text: str) -> list[ast.Lambda]:
    return [node for one in _parsed(text) for node in nodes_in(one) if isinstance(node, ast.Lambda)]


@cache
def _parsed(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except SyntaxError:  # a cell of a notebook, say, with commands that are not Python's
        return []


def statements_in(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yields statements and those within them; the cases and handlers of statements, too."""
    for node in nodes:
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, None)
            if inner:
                yield from statements_in(inner)


def nodes_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yields a node and those within it: some times as fast as `ast.walk`."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        left += _inside(node)


def _inside(node: ast.AST) -> list[ast.AST]:
    """The nodes that a node consists of; not whether a name is read or written."""
    found: list[ast.AST] = []
    for value in vars(node).values():
        if isinstance(value, list):
            found += [one for one in value if isinstance(one, ast.AST)]
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            found.append(value)
    return found


def _fits(node: Definition, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno and _arguments(node) == _taken(code)
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return node.name == code.co_name and first == code.co_firstlineno and _arguments(node) == _taken(code)


def _arguments(node: Definition) -> list[str]:
    given = node.args
    star = [one.arg for one in (given.vararg, given.kwarg) if one]
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)] + star


def _taken(code: CodeType) -> list[str]:
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return list(code.co_varnames[:count])


def _compiles_to(node: Definition, code: CodeType) -> bool:
    """Whether Python compiles a definition to such code; one line may hold several lambdas."""
    body: ast.stmt = ast.Expr(node) if isinstance(node, ast.Lambda) else node
    module = ast.fix_missing_locations(ast.Module([body], []))
    compiled = compile(module, code.co_filename, "exec")
    inner = next(one for one in compiled.co_consts if isinstance(one, CodeType))
    return (inner.co_code, inner.co_consts, inner.co_names) == (code.co_code, code.co_consts, code.co_names)


def assigned_in(nodes: list[ast.stmt]) -> Iterator[str]:
    """Yields the names that statements assign, without those of functions in them."""
    for node in nodes:
        yield from _assigned(node)


def _assigned(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            yield from _walrus(node)
            return
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((one.asname or one.name).split(".")[0] for one in names)
    for child in _inside(node):
        yield from _assigned(child)


def _walrus(node: ast.AST) -> Iterator[str]:
    for inner in nodes_in(node):
        if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name):
            yield inner.target.id


def read_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Returns the names that statements read, functions in them included."""
    return read_by(inner for node in nodes for inner in nodes_in(node))


def read_by(nodes: Iterable[ast.AST]) -> set[str]:
    """Returns the names that nodes read, without what is in them."""
    found = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load() | ast.Del()) | ast.AugAssign(target=ast.Name(id=name)):
                found.add(name)
    return found
