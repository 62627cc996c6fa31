"""The translation of `in`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.spaces.box import Box
from gymnasium.spaces.space import Space
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.indexing import table_of
from palaestra.language.plain.translation.kinds import (
    BOOL,
    INT,
    Array,
    Constant,
    Growing,
    Mapping,
    Number,
    Optional,
    Partial,
    Text,
    Tuple,
)
from palaestra.language.plain.translation.known import decided, is_data
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.unit import Code, called

if TYPE_CHECKING:
    from palaestra.language.plain.translation.comparisons import Comparisons


def contained(scope: Comparisons, item: Code, owner: Code) -> Code:
    """Returns whether a collection holds a value."""
    if isinstance(item.kind, Tuple) and any(isinstance(one, STATIC) for one in item.kind.items):
        raise Refused("a tuple that holds a text is looked for", "compare its parts")
    if isinstance(owner.kind, Constant):
        return _in_constant(scope, item, owner.kind.value)
    owner = scope.present(owner)
    kind = owner.kind
    if isinstance(kind, (Mapping, Partial)):
        if isinstance(item.kind, Text):
            raise Refused("a text that is made here is looked for", "compare numbers")
        key: Any = item.kind.value if isinstance(item.kind, Constant) else None
        entry = scope.pairs(owner).get(key)
        there = entry is not None and (entry.missing is None or ast.UnaryOp(ast.Not(), entry.missing))
        return Code(ast.Constant(there) if isinstance(there, bool) else there, BOOL)
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
        if any(_is_one_float(item, one) for one in getattr(owner.node, "elts", ())):
            raise Refused("`in` finds the same number also if it is NaN", "compare with ==")
        held = scope.held(item)
        results = [scope.comparison(ast.Eq(), held, one) for one in scope.parts(scope.held(owner))]
        whole = scope.together(results, ast.Or()) if len(results) > 1 else results[0]
        return whole._replace(kind=BOOL)  # Python's, whatever the comparisons give
    raise Refused(f"`in` of a {described(kind)} is not supported")


def _is_one_float(item: Code, other: ast.expr) -> bool:
    """Returns whether two values may be one object in Python, and NaN."""
    if item.node is None or isinstance(item.node, ast.Constant):
        return False
    is_float = isinstance(item.kind, Number) and item.kind.dtype.kind == "f"
    return is_float and ast.dump(item.node) == ast.dump(other)


def _in_constant(scope: Comparisons, item: Code, value: Any) -> Code:
    if isinstance(value, Space):
        return contains(scope, value, item)
    if isinstance(item.kind, Constant):
        return Code(ast.Constant(decided(lambda a, b: b in a, value, item.kind.value) is True), BOOL)
    if not is_data(value) and not isinstance(value, np.ndarray):
        raise Refused(f"`in` of a {type(value).__name__} is not supported", "compare with each")
    if isinstance(value, range):
        node = scope.node_of(scope.number(item))
        if value.step == 1 and isinstance(item.kind, Number) and item.kind.dtype.kind in "iu":
            held = scope.node_of(scope.held(Code(node, INT)))
            test = ast.Compare(ast.Constant(value.start), [ast.LtE(), ast.Lt()], [held, ast.Constant(value.stop)])
            return Code(test, BOOL)
    if isinstance(value, (set, frozenset, dict)):
        value = list(value)
    if isinstance(value, range):
        value = list(value)
    if isinstance(value, (list, tuple)) and not value:
        return Code(ast.Constant(False), BOOL)
    if isinstance(item.kind, Optional):
        raise Refused("what may be None is looked for", "test `is None` first")
    item = scope.present(item)
    if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        if not isinstance(item.kind, (Number, Tuple)):
            raise Refused(f"a {described(item.kind)} is looked for among texts")
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
    raise Refused(f"a {described(item.kind)} is looked for among other values")


def contains(scope: Comparisons, space: Space[Any], item: Code) -> Code:
    """Returns whether a space contains a value; a batch's actions are of their space's kind."""
    item = scope.present(item)
    node = item.node
    if isinstance(space, Box) and isinstance(item.kind, Array) and item.kind.shape == space.shape:
        low, high = (scope.unit.constant(np.ascontiguousarray(one)) for one in (space.low, space.high))
        if item.kind.dtype == space.dtype and item.kind.dtype.itemsize >= 4:
            return Code(called(scope.helper("inside"), scope.node_of(item), low, high), BOOL)
    number = item.kind
    start, n = getattr(space, "start", None), getattr(space, "n", None)
    if (
        isinstance(number, Number)
        and number.dtype.kind in "iu"
        and start is not None
        and n is not None
        and not getattr(n, "shape", ())
    ):
        held = scope.node_of(scope.held(item))
        first, end = ast.Constant(int(start)), ast.Constant(int(start) + int(n))
        return Code(ast.Compare(first, [ast.LtE(), ast.Lt()], [held, end]), BOOL)
    if isinstance(node, ast.Name) and "the action" in item.origins:
        return Code(ast.Constant(True), BOOL)
    raise Refused("whether a space contains this is not known to machine code", "compare with the bounds")
