"""The range of a loop: numbers, elements, or known values, for which its body is repeated."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.elements import element_of
from palaestra.language.plain.translation.indexing import as_item, table_of
from palaestra.language.plain.translation.kinds import (
    INT,
    Array,
    Constant,
    Growing,
    Kind,
    Mapping,
    Number,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.known import in_order
from palaestra.language.plain.translation.unit import Code, called, indexed, literal

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


@dataclass
class Iterated:
    """Values that a loop goes through.

    Attributes:
        over: The range that machine code goes through.
        item: Returns the value for the loop's own variable.
        item_at: Returns the value at an index from 0 on.
        count: The number of values.
        length: The number, if it is known.
        variable: The loop's own variable, if the user's will do.
    """

    over: ast.expr
    item: Callable[[ast.expr], Code]
    item_at: Callable[[ast.expr], Code]
    count: ast.expr
    length: int | None = None
    variable: str | None = None


@dataclass
class Unrolled:
    """Values that are known one by one."""

    items: list[Code]


def iteration(scope: Expressions, node: ast.expr) -> Iterated | Unrolled:
    """Returns the range of a loop over an expression."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in scope.locals:
        special = _SPECIAL.get(node.func.id)
        if special is not None and not node.keywords:
            return special(scope, node)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and not node.args
        and node.func.attr in _VIEWS
    ):
        return _of_dict(scope, node.func)
    code = scope.expr(node)
    if isinstance(code.kind, Constant):
        return _of_constant(scope, code)
    code = scope.present(code)
    return of_code(scope, code)


def of_code(scope: Expressions, code: Code) -> Iterated | Unrolled:
    """Returns the range of a loop over a value."""
    kind = code.kind
    if isinstance(kind, Unknown):
        return Unrolled([Code(None, Unknown())])
    if isinstance(kind, (Tuple, Mapping)):
        if isinstance(kind, Mapping):
            return Unrolled([scope.of_value(key) for key in kind.keys])
        first = kind.items[0] if kind.items else None
        if isinstance(first, Number) and len({*kind.items}) == 1:
            try:
                return _of_constant(scope, scope.of_value(scope.static_value(code)))
            except Refused:
                held = scope.fixed(code)
                return _indexed(scope, scope.node_of(held), first, frozenset(), len(kind.items))
        held = scope.fixed(code)
        return Unrolled([scope.item(held, k) for k in range(len(kind.items))])
    if isinstance(kind, Array):
        held = scope.fixed(code)
        origins = code.origins if kind.ndim > 1 else frozenset[str]()
        size = kind.shape[0] if kind.shape is not None else None
        return _indexed(scope, scope.node_of(held), element_of(kind), origins, size)
    if isinstance(kind, Growing):
        if kind.item is None:
            return Unrolled([])
        held = scope.fixed(code)
        return _indexed(scope, scope.node_of(held), kind.item, frozenset(), None)
    raise Refused(f"a loop goes through a {described(kind)}")


def _indexed(scope: Expressions, node: ast.expr, item: Kind, origins: frozenset[str], size: int | None) -> Iterated:
    def at(index: ast.expr) -> Code:
        return Code(indexed(node, index), item, origins)

    count = ast.Constant(size) if size is not None else called("len", node)
    return Iterated(called("range", count), at, at, count, size)


def _of_constant(scope: Expressions, code: Code) -> Iterated | Unrolled:
    value = code.kind.value  # type: ignore[attr-defined]
    if isinstance(value, range):
        table: np.ndarray | None = np.array(value, np.int64)
        if len(value):
            return _indexed(scope, scope.unit.constant(table, "table"), INT, frozenset(), len(value))
        return Unrolled([])
    if isinstance(value, np.ndarray):
        return of_code(scope, scope.plain(code))
    value = in_order(list(value) if isinstance(value, dict) else value)
    if not isinstance(value, (list, tuple)):
        try:
            value = list(value)
        except TypeError:
            raise Refused(f"a loop goes through a {described(code.kind)}") from None
    found = table_of(value)
    if found is not None:
        array, kind = found

        def at(index: ast.expr) -> Code:
            return as_item(scope, indexed(scope.unit.constant(array, "table"), index), kind)

        count = ast.Constant(len(value))
        return Iterated(called("range", count), at, at, count, len(value))
    return Unrolled([scope.of_known(one) for one in value])


def _range(scope: Expressions, node: ast.Call) -> Iterated:
    codes = [scope.number(code) for code in scope.exprs(node.args)]
    bounds = [scope.fixed(Code(scope.node_of(code), code.kind)) for code in codes]
    nodes = [scope.node_of(code) for code in bounds]
    over = called("range", *nodes)
    literals: list[Any] = [node.value for node in nodes if isinstance(node, ast.Constant)]
    length = len(range(*literals)) if len(literals) == len(nodes) else None
    start = nodes[0] if len(nodes) > 1 else ast.Constant(0)
    step = nodes[2] if len(nodes) > 2 else ast.Constant(1)

    def at(index: ast.expr) -> Code:
        scaled = ast.BinOp(index, ast.Mult(), step) if len(nodes) > 2 else index
        return Code(ast.BinOp(start, ast.Add(), scaled) if len(nodes) > 1 else scaled, INT)

    count: ast.expr = called(scope.helper("range_length"), start, nodes[1] if len(nodes) > 1 else nodes[0], step)
    if length is not None:
        count = ast.Constant(length)
    return Iterated(over, lambda variable: Code(variable, INT), at, count, length)


def _enumerate(scope: Expressions, node: ast.Call) -> Iterated | Unrolled:
    inner = iteration(scope, node.args[0])
    start = scope.static_value(scope.expr(node.args[1])) if len(node.args) > 1 else 0
    if not isinstance(start, int):
        raise Refused("enumerate begins with a number that is no int")
    if isinstance(inner, Unrolled):
        items = enumerate(inner.items, start)
        return Unrolled([scope.tuple_of([Code(ast.Constant(k), INT), one]) for k, one in items])

    def at(index: ast.expr) -> Code:
        item = inner.item_at(index)
        place = ast.BinOp(index, ast.Add(), literal(start)) if start else index
        return Code(ast.Tuple([place, scope.node_of(item)], ast.Load()), Tuple((INT, item.kind)), item.origins)

    return Iterated(called("range", inner.count), at, at, inner.count, inner.length)


def _zip(scope: Expressions, node: ast.Call) -> Iterated | Unrolled:
    inners = [iteration(scope, one) for one in node.args]
    if all(isinstance(one, Unrolled) for one in inners):
        columns = [one.items for one in inners if isinstance(one, Unrolled)]
        return Unrolled([scope.tuple_of(list(row)) for row in zip(*columns, strict=False)])
    known = [one for one in inners if isinstance(one, Iterated)]
    if len(known) < len(inners):
        lengths = [len(one.items) if isinstance(one, Unrolled) else one.length for one in inners]
        if None in lengths:
            raise Refused("zip of values of several kinds")
        shortest = min(one for one in lengths if one is not None)
        rows = []
        for k in range(shortest):
            parts = [one.items[k] if isinstance(one, Unrolled) else one.item_at(ast.Constant(k)) for one in inners]
            rows.append(scope.tuple_of(parts))
        return Unrolled(rows)

    def at(index: ast.expr) -> Code:
        items = [one.item_at(index) for one in known]
        nodes = [scope.node_of(one) for one in items]
        origins = frozenset[str]().union(*(one.origins for one in items))
        return Code(ast.Tuple(nodes, ast.Load()), Tuple(tuple(one.kind for one in items)), origins)

    count = called("min", *[one.count for one in known]) if len(known) > 1 else known[0].count
    lengths = [one.length for one in known]
    length = None if None in lengths else min(one for one in lengths if one is not None)
    if length is not None:
        count = ast.Constant(length)
    return Iterated(called("range", count), at, at, count, length)


def _reversed(scope: Expressions, node: ast.Call) -> Iterated | Unrolled:
    inner = iteration(scope, node.args[0])
    if isinstance(inner, Unrolled):
        return Unrolled(inner.items[::-1])
    last = scope.temporary(ast.BinOp(inner.count, ast.Sub(), ast.Constant(1)))

    def at(index: ast.expr) -> Code:
        return inner.item_at(ast.BinOp(last, ast.Sub(), index))

    count = ast.BinOp(last, ast.Add(), ast.Constant(1))
    return Iterated(called("range", count), at, at, count, inner.length)


def _of_dict(scope: Expressions, node: ast.Attribute) -> Iterated | Unrolled:
    owner = scope.expr(node.value)
    if isinstance(owner.kind, Constant) and isinstance(owner.kind.value, dict):
        found = list(getattr(owner.kind.value, node.attr)())
        return _of_constant(scope, scope.of_value(found))
    owner = scope.fixed(scope.present(owner))
    if isinstance(owner.kind, Unknown):
        return Unrolled([])
    if not isinstance(owner.kind, Mapping):
        raise Refused(f"`.{node.attr}()` of a {described(owner.kind)} is not supported")
    keys = [scope.of_value(key) for key in owner.kind.keys]
    values = scope.parts(owner)
    if node.attr == "keys":
        return Unrolled(keys)
    if node.attr == "values":
        return Unrolled(values)
    return Unrolled([scope.tuple_of([key, value]) for key, value in zip(keys, values, strict=True)])


_VIEWS = ("items", "keys", "values")
_SPECIAL: dict[str, Callable[[Expressions, ast.Call], Iterated | Unrolled]] = {
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
}
