"""Dicts with known keys, which machine code has as tuples: a change of one makes another tuple.

Python's dict may have several names, all of which show a change. So a dict is changed only while it has one name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.kinds import holds_dicts
from palaestra.language.plain.translation.scope import is_temporary
from palaestra.language.plain.translation.unit import Code

if TYPE_CHECKING:
    from palaestra.language.plain.translation.scope import Scope

AGAIN = "dict with two names"
"""An origin of dicts that have another name, as `dict self_d` is one of those in the attribute `self.d`."""

CALLERS = "dict of the caller"
"""An origin of dicts that a function was given."""


def named_again(scope: Scope, code: Code, attribute: str = AGAIN) -> Code:
    """Returns a value that gets another name, or a place in another value.

    `attribute` is the origin of the dicts of the attribute that holds it from now on, if it is one.
    """
    root = code.node
    while isinstance(root, ast.Subscript):
        root = root.value
    if not isinstance(root, ast.Name) or is_temporary(root) or not holds_dicts(code.kind):
        return code
    for key, one in scope.locals.items():
        if isinstance(one.node, ast.Name) and one.node.id == root.id:
            scope.locals[key] = one._replace(origins=one.origins | {AGAIN, attribute})
            if CALLERS in one.origins and attribute != AGAIN:
                scope.written.kept[key] = attribute
    return code._replace(origins=code.origins | {AGAIN})


def store_dict(scope: Scope, node: ast.expr, owner: Code, made: Code) -> None:
    """Assign to a dict what it is after a change.

    Raises:
        Refused: If it may have another name.
    """
    names = frozenset(one for one in owner.origins if one.startswith("dict "))
    if names & {AGAIN, CALLERS} or (names and isinstance(node, ast.Name)):
        raise Refused("a dict with two names is changed", "change it under one name, or make a copy, {**d}")
    changed(scope, names)
    scope.unit.wrote_into(names, scope.source.file, node)
    scope.assign(as_target(node), made)  # type: ignore[attr-defined]


def changed(scope: Scope, names: Iterable[str]) -> None:
    """Note that the dicts of attributes are changed.

    Raises:
        Refused: If a variable holds one of them.
    """
    scope.written.changed |= {*names}
    for key, code in scope.locals.items():
        held = {*names} & code.origins if holds_dicts(code.kind) else set()
        for one in held:
            attribute = one.removeprefix("dict self_")
            raise Refused(f"self.{attribute} is changed while `{key}` holds it", "make a copy, {**d}")


def as_target(node: ast.expr) -> ast.expr:
    """Returns a name, an attribute or an item as the target of an assignment."""
    if isinstance(node, ast.Name):
        return ast.copy_location(ast.Name(node.id, ast.Store()), node)
    if isinstance(node, ast.Attribute):
        return ast.copy_location(ast.Attribute(node.value, node.attr, ast.Store()), node)
    if isinstance(node, ast.Subscript):
        return ast.copy_location(ast.Subscript(node.value, node.slice, ast.Store()), node)
    raise Refused("this dict has no name of its own", "assign it to a variable first")
