"""Loops over sets whose turns may come in any order: what they leave is the same.

Each turn computes from its own item alone, and then either writes what does not depend on the item, or writes at a
place of its own, or adds to a sum of ints.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from palaestra.language.source import assigned_in

_PURE = (
    *(ast.Name, ast.Constant, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)
_FUNCTIONS = "abs", "int", "min", "max"


class Effects(NamedTuple):
    """What the turns of a loop change.

    Attributes:
        owns: Whether each turn writes at places that are its item, whose numbers must not be counted from the end.
        sums: The names to which numbers are added that depend on the item: these must be ints.
        searched: What items are searched in.
    """

    owns: bool
    sums: list[str]
    searched: list[ast.expr]


def effects_of(node: ast.For) -> Effects | None:
    """Returns what a loop changes if its turns may come in any order; None if they may not."""
    items = {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}
    written = [*_written(node.body)]
    tests = [one.test for one in ast.walk(node) if isinstance(one, ast.If)]
    if node.orelse or None in written or not items:
        return None
    places = {ast.unparse(_base(one)) for one in written if one}
    read = [part for one in written if one for part in _parts(one)]
    if any(ast.unparse(part) in places for one in (*tests, *read) for part in ast.walk(one)):
        return None
    if not all(_is_pure(part, items) for one in (*tests, *read) for part in ast.walk(one)):
        return None
    kinds = [_kind(one, items) for one in written if one]
    if None in kinds or (len(places) < len(kinds) and {*kinds} != {"own"}) or items & {*assigned_in(node.body)}:
        return None
    names = [ast.unparse(_base(one)) for one, kind in zip(written, kinds, strict=True) if one and kind == "sum"]
    searched = [
        two
        for one in (*tests, *read)
        for part in ast.walk(one)
        if isinstance(part, ast.Compare)
        for op, two in zip(part.ops, part.comparators, strict=True)
        if isinstance(op, (ast.In, ast.NotIn))
    ]
    return Effects("own" in kinds, names, searched)


Written = ast.Assign | ast.AugAssign


def _written(nodes: list[ast.stmt]) -> Iterator[Written | None]:
    """Yields the assignments of a turn; None for other statements."""
    for node in nodes:
        if isinstance(node, ast.If):
            yield from _written([*node.body, *node.orelse])
        elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Assign) and len(node.targets) == 1):
            is_place = isinstance(_target(node), ast.Subscript if isinstance(node, ast.Assign) else ast.expr)
            yield node if is_place else None
        else:
            yield None


def _target(node: Written) -> ast.expr:
    return node.target if isinstance(node, ast.AugAssign) else node.targets[0]


def _base(node: Written) -> ast.expr:
    """The variable or attribute that is changed, or in which a place is."""
    target = _target(node)
    return target.value if isinstance(target, ast.Subscript) else target


def _parts(node: Written) -> list[ast.expr]:
    """What a turn reads for an assignment."""
    target = _target(node)
    return [node.value, *([target.slice] if isinstance(target, ast.Subscript) else [])]


def _is_pure(part: ast.AST, items: set[str]) -> bool:
    if isinstance(part, ast.Subscript):
        return isinstance(part.value, ast.Name) and part.value.id in items and isinstance(part.slice, ast.Constant)
    if isinstance(part, ast.Call):
        return isinstance(part.func, ast.Name) and part.func.id in _FUNCTIONS and not part.keywords
    return isinstance(part, _PURE)


def _kind(node: Written, items: set[str]) -> str | None:
    """Why the order does not matter: `same` is written, each has its `own` place, or there is a `sum`."""
    target = _target(node)
    if not _reads(node.value, items):
        return "same"
    if isinstance(target, ast.Subscript):
        parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        whole = {one.id for one in parts if isinstance(one, ast.Name)} & items
        return "own" if whole == items else None
    is_sum = isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub))
    return "sum" if is_sum and isinstance(target, ast.Name) else None


def _reads(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))
