"""Iterators that have a name from one line to the next: they are written where they are read.

    pairs = zip(row, row[1:])
    total = 0
    for a, b in pairs: ...

The language has no object for an iterator that is half read. One whose name is read once, first of all that the next
statement evaluates, needs none: that statement is translated with the iterator in place of the name. Statements that
set other names to constants may stand between them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache
from typing import Any

from palaestra.language.source import Definition, nodes_in, read_in

_MAKERS = frozenset(
    ("zip", "map", "filter", "enumerate", "reversed", "iter", "chain", "islice", "pairwise", "zip_longest", "product")
)


def joined(nodes: Sequence[ast.stmt], definition: Definition) -> Iterator[ast.stmt]:
    """Yields statements; one that only names an iterator for the next is yielded as a part of that."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop(0)
        named = _named_iterator(node)
        if named and _reads_of(definition)[named[0]] == 1:
            k = next((k for k, one in enumerate(waiting) if not _sets_constant(one, named[1])), None)
            merged = None if k is None else _with(waiting[k], *named)
            if merged is not None:
                waiting[k] = merged  # type: ignore[index]
                continue
        yield node


def _sets_constant(node: ast.stmt, iterator: ast.expr) -> bool:
    """Whether a statement gives a constant to a name that an iterator does not read."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() | ast.List(elts=[]) | ast.Dict(keys=[])):
            return name not in read_in([ast.Expr(iterator)])
    return False


def _named_iterator(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name that a statement gives to an iterator, and the iterator."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.GeneratorExp() as value):
            return name, value
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=made)) as value):
            return (name, value) if made in _MAKERS else None
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr=made)) as value):
            return (name, value) if made in _MAKERS else None
    return None


@cache
def _reads_of(definition: Definition) -> Counter[str]:
    """How often each name is read in a function."""
    names = (one for one in nodes_in(definition) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
    return Counter(one.id for one in names)


def _with(node: Any, name: str, value: ast.expr) -> Any:
    """Returns a node with the value in place of the name; None if something else may be evaluated before the name."""
    match node:
        case ast.Name(id=read):
            return value if read == name else None
        case ast.For() | ast.comprehension():
            return _with_part(node, "iter", name, value)
        case (
            ast.Assign()
            | ast.AnnAssign()
            | ast.AugAssign(target=ast.Name())
            | ast.Return()
            | ast.Expr()
            | ast.Starred()
        ):
            return _with_part(node, "value", name, value)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return _with_part(node, "generators", name, value)
        case ast.Call(func=ast.Name() | ast.Attribute(value=ast.Constant())):
            return _with_part(node, "args", name, value)
        case ast.Tuple():
            return _with_part(node, "elts", name, value)
    return None


def _with_part(node: Any, part: str, name: str, value: ast.expr) -> Any:
    """The same for a part of a node, or for the first of several that is no other name."""
    inner = getattr(node, part)
    several = inner if isinstance(inner, list) else [inner]
    others = (k for k, one in enumerate(several) if not isinstance(one, (ast.Name, ast.Constant)) or _is(one, name))
    k = next(others, 0)
    found = _with(several[k], name, value) if several else None
    if found is None:
        return None
    changed = copy(node)
    setattr(changed, part, [*several[:k], found, *several[k + 1 :]] if isinstance(inner, list) else found)
    return changed


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
