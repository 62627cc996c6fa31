"""The translation of `in`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.plain.indexing import table_of
from gymnasium.plain.kinds import BOOL, INT, Array, Constant, Growing, Mapping, Number, Optional, Tuple, told
from gymnasium.plain.late import late
from gymnasium.plain.refusals import Refused
from gymnasium.plain.unit import Code, called
from gymnasium.spaces.space import Space

if TYPE_CHECKING:
    from gymnasium.plain.expressions import Expressions


def contained(scope: Expressions, item: Code, owner: Code) -> Code:
    """Returns whether a collection holds a value."""
    if isinstance(owner.kind, Constant):
        return _in_constant(scope, item, owner.kind.value)
    owner = scope.present(owner)
    kind = owner.kind
    if isinstance(kind, Mapping):
        key = item.kind.value if isinstance(item.kind, Constant) else None
        return Code(ast.Constant(key in kind.keys), BOOL)
    item = scope.present(item)
    if isinstance(kind, Array) and kind.ndim == 1 and isinstance(item.kind, Number):
        return Code(called(scope.helper("has_key"), scope.node_of(owner), scope.node_of(item)), BOOL)
    if isinstance(kind, Growing):
        if isinstance(kind.item, Number) and isinstance(item.kind, Number):
            return Code(called(scope.helper("has_key"), scope.node_of(owner), scope.node_of(item)), BOOL)
        if isinstance(kind.item, Tuple) and isinstance(item.kind, Tuple):
            return Code(called(scope.helper("has_key"), scope.node_of(owner), scope.node_of(item)), BOOL)
        if kind.item is None:
            return Code(ast.Constant(False), BOOL)
    if isinstance(kind, Tuple):
        held = scope.held(item)
        results = [scope.comparison(ast.Eq(), held, one) for one in scope.parts(scope.held(owner))]
        return scope._together(results, ast.Or()) if len(results) > 1 else results[0]
    raise Refused(f"`in` of a {told(kind)} is not supported")


def _in_constant(scope: Expressions, item: Code, value: Any) -> Code:
    if isinstance(value, Space):
        contains = late("calls", "contains")

        handed: Code = contains(scope, value, item)
        return handed
    if isinstance(item.kind, Constant):
        return Code(ast.Constant(bool(item.kind.value in value)), BOOL)
    if isinstance(value, range):
        node = scope.node_of(scope.number(item))
        if value.step == 1 and isinstance(item.kind, Number) and item.kind.dtype.kind in "iu":
            held = scope.node_of(scope.held(Code(node, INT)))
            test = ast.Compare(ast.Constant(value.start), [ast.LtE(), ast.Lt()], [held, ast.Constant(value.stop)])
            return Code(test, BOOL)
    if isinstance(value, (set, frozenset, dict)):
        value = sorted(value) if not isinstance(value, dict) else list(value)
    if isinstance(value, range):
        value = list(value)
    if isinstance(value, (list, tuple)) and not value:
        return Code(ast.Constant(False), BOOL)
    if isinstance(item.kind, Optional):
        raise Refused("what may be None is looked for", "test `is None` first")
    item = scope.present(item)
    if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        return Code(ast.Constant(False), BOOL)
    found = table_of(value)
    if found is None:
        raise Refused("`in` of a collection with values of several kinds", "compare with each")
    array, kind = found
    if isinstance(kind, Number) and isinstance(item.kind, Number):
        if len(value) <= 8 and {kind.dtype.kind, item.kind.dtype.kind} == {"i"}:
            held = scope.node_of(scope.held(item))
            tests: list[ast.expr] = [ast.Compare(held, [ast.Eq()], [ast.Constant(int(one))]) for one in value]
            return Code(tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests), BOOL)
        table = scope.unit.constant(np.ascontiguousarray(array), "table")
        return Code(called(scope.helper("has_key"), table, scope.node_of(item)), BOOL)
    if isinstance(kind, Tuple) and isinstance(item.kind, Tuple) and len(kind.items) == len(item.kind.items):
        table = scope.unit.constant(np.ascontiguousarray(array), "table")
        return Code(called(scope.helper("has_row"), table, scope.node_of(scope.held(item))), BOOL)
    raise Refused(f"a {told(item.kind)} is looked for among other values")
