"""Side effects of `reset` and `step`, found by reading, before any of it runs."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any, TypeGuard

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from palaestra.language.frontend.forms import form_of
from palaestra.language.frontend.front import STATEMENTS
from palaestra.language.frontend.libraries import library_of
from palaestra.language.operations.table import entry_of
from palaestra.language.source import NoSource, Source, source_of
from palaestra.runner.classes.refusals import Refusals, Refused

_GUARDS = ("render", "verbose", "debug")  # names in the tests of branches that are rarely taken, in any case


def find_outward(kind: type, refusals: Refusals) -> None:
    """Refuse calls in reset and step, and in the methods they name, that print, use files or clocks, or set globals."""
    for source in _reached(kind):
        imported = _imported(source)
        for node in _unguarded(source.definition):
            _check(source, node, imported, refusals)


def find_libraries(env: Any, refusals: Refusals) -> None:
    """Refuse what reset and step, and the methods they name, use of simulators, networks and tables."""
    found: dict[tuple[str, str], dict[str, tuple[str, ast.expr]]] = {}
    for source in _reached(type(env)):
        imported = _imported(source)
        for node in _unguarded(source.definition):
            if not isinstance(node, (ast.Attribute, ast.Call)):
                continue
            used = node.func if isinstance(node, ast.Call) else node
            value = vars(env).get(used.attr) if _is_of_self(used) else _resolved(source, used, imported)
            library = library_of(value)
            if library is not None and entry_of(value) is None and (_is_of_self(used) or node is not used):
                found.setdefault(library, {}).setdefault(ast.unparse(used), (source.file, node))
    for (name, instead), uses in found.items():
        names = " and ".join([", ".join([*uses][:-1])] * (len(uses) > 1) + [[*uses][-1]])
        what = f"{names} {'are' if len(uses) > 1 else 'is'} of {name}, whose code is not compiled"
        refusals.add(*next(iter(uses.values())), what, instead)


def _is_of_self(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and ast.unparse(node.value) == "self"


def find_unkept(kind: type, refusals: Refusals) -> None:
    """Refuse what a reading finds besides, in a class that is not to run: statements, and attributes that grow."""
    sources = list(_reached(kind))
    nodes = [(source, node) for source in sources for node in _unguarded(source.definition)]
    found = [_assigned(node) for _, node in nodes]
    empty = {name for one in found if one is not None for name, value in [one] if _is_empty(value)}
    for source, node in nodes:
        if isinstance(node, ast.stmt) and type(node) not in STATEMENTS and not isinstance(node, ast.Global):
            form = form_of(type(node))
            refusals.add(source.file, node, f"{form.words} is not in the language", form.remedy)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LENGTHS:
            owner = node.func.value
            if isinstance(owner, ast.Attribute) and ast.unparse(owner.value) == "self" and owner.attr in empty:
                reason = f"self.{owner.attr} is a list, a set or a dict that changes its length"
                refusals.add(source.file, node, reason, "keep a fixed-size array and a counter")


def place_of_use(kind: type, name: str) -> tuple[str, int, str] | None:
    """Returns the file, the line and the expression where reset or step first uses an attribute of self."""
    for source in _reached(kind):
        for node in ast.walk(source.definition):
            if isinstance(node, ast.Attribute) and node.attr == name and ast.unparse(node.value) == "self":
                return source.file, node.lineno, ast.unparse(node)
    return None


def _reached(kind: type) -> Iterator[Source]:
    """Yields the functions that reset and step lead to, as far as names tell."""
    waiting, seen = ["reset", "step"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for source in _definitions(kind, name):
            waiting += [one.attr for one in _unguarded(source.definition) if isinstance(one, ast.Attribute)]
            yield source


def _assigned(node: ast.AST) -> tuple[str, ast.expr] | None:
    """Returns the attribute of self that a statement assigns, and its value."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    value = getattr(node, "value", None)
    if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self" and value is not None:
        return target.attr, value
    return None


def _is_empty(value: ast.expr) -> bool:
    """Returns whether an expression makes an empty collection."""
    if isinstance(value, ast.Call):
        names = ("list", "set", "dict", "deque", "defaultdict", "Counter")
        return isinstance(value.func, (ast.Name, ast.Attribute)) and ast.unparse(value.func).split(".")[-1] in names
    return isinstance(value, (ast.List, ast.Dict)) and not ast.unparse(value)[1:-1]


LENGTHS = ("append", "appendleft", "extend", "insert", "pop", "popleft", "remove", "discard", "add", "clear")
"""Methods that change the length of a collection."""


def _definitions(kind: type, name: str) -> Iterator[Source]:
    for base in kind.__mro__:
        member = vars(base).get(name)
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        if base is Env or is_own_module(base.__module__) or not isinstance(function, FunctionType):
            continue
        try:
            source = source_of(function)
        except NoSource:
            return
        yield source
        if not any(isinstance(one, ast.Name) and one.id == "super" for one in ast.walk(source.definition)):
            return


def _unguarded(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes below, without branches for people who watch."""
    for one in ast.iter_child_nodes(node):
        if isinstance(one, ast.If) and any(word in ast.unparse(one.test).lower() for word in _GUARDS):
            continue
        yield one
        yield from _unguarded(one)


def _check(source: Source, node: ast.AST, imported: dict[str, Any], refusals: Refusals) -> None:
    if isinstance(node, ast.Global):
        refusals.add(source.file, node, f"the global `{node.names[0]}` is assigned", "keep it in an attribute of self")
    if not isinstance(node, ast.Call):
        return
    try:
        check_outward(_resolved(source, node.func, imported))
    except Refused as refused:
        refusals.add(source.file, node, refused.reason, refused.instead)


def _resolved(source: Source, node: ast.expr, imported: dict[str, Any]) -> Any:
    """Returns the value of a name, or of an attribute of a module; None if that is not known."""
    if isinstance(node, ast.Name):
        with suppress(NameError):
            return imported[node.id] if node.id in imported else source.lookup(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolved(source, node.value, imported)
        return getattr(owner, node.attr, None) if isinstance(owner, (ModuleType, type)) else None
    return None


def _imported(source: Source) -> dict[str, Any]:
    """The modules, and what is in them, that a function imports itself; without those that nothing has imported yet."""
    found: dict[str, Any] = {}
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Import):
            for one in node.names:
                name = one.name if one.asname else one.name.partition(".")[0]
                found[one.asname or name] = sys.modules.get(name)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = sys.modules.get(node.module or "")
            found |= {one.asname or one.name: getattr(module, one.name, None) for one in node.names}
    return found


_OUTWARD = ("print", "open", "input", "exec", "eval", "breakpoint")

_MODULES = {
    "random": ("this of `random` is not in the language", "draw from self.np_random"),
    "numpy.random": ("this of `np.random` is not in the language", "draw from self.np_random"),
    "time": ("a clock is read", "count the steps"),
    "datetime": ("a clock is read", "count the steps"),
    "os": ("files are used", "read them in __init__"),
    "pathlib": ("files are used", "read them in __init__"),
    "subprocess": ("another program is run", "leave it out"),
    "socket": ("the network is used", "leave it out"),
}


def check_outward(value: object) -> None:
    """Refuse functions that do not depend on their arguments alone."""
    bound = getattr(value, "__self__", None)
    owner = bound if isinstance(bound, type) else type(bound)
    module = getattr(value, "__module__", None) or owner.__module__  # a method of a class in C has none: datetime.now
    if owner.__module__.startswith("numpy.random") or module.startswith("numpy.random"):
        module = "numpy.random"
    if owner.__module__ == "random":
        module = "random"
    if module in ("random", "numpy.random") and entry_of(value) is not None:  # each environment has its own
        return
    for start, (reason, instead) in _MODULES.items():
        if module == start or module.startswith(f"{start}."):
            raise Refused(reason, instead)
    for name in _OUTWARD:
        if value is getattr(builtins, name):  # libraries such as Ray put a function of theirs in the place of `print`
            raise Refused(f"`{name}` reaches outside of the environment", "leave it out of reset and step")
