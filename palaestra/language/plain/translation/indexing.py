"""The translation of indices: to read, and to write."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.elements import element_of
from palaestra.language.plain.translation.kinds import (
    FLOAT,
    INT,
    NONE,
    Array,
    Constant,
    Growing,
    Incompatible,
    Kind,
    Mapping,
    Number,
    Opaque,
    Partial,
    Tuple,
    Unknown,
    joined,
    kind_of_value,
    number_of,
)
from palaestra.language.plain.translation.unit import Code, called, indexed, literal

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def load(scope: Expressions, node: ast.Subscript) -> Code:
    """Returns an element, or several, of a value."""
    parts = index_nodes(node.slice)
    owner, *indices = with_indices(scope, node.value, parts)
    owner = owner if isinstance(owner.kind, Constant) else scope.present(owner)
    kind = owner.kind
    if isinstance(kind, Unknown) or any(isinstance(one.kind, Unknown) for one in indices):
        return Code(None, Unknown())
    if isinstance(kind, Constant):
        return _of_constant(scope, owner, indices, node)
    if isinstance(kind, Partial):
        return of_key(scope, owner, scope.static_value(indices[0]))
    if isinstance(kind, (Tuple, Mapping)):
        return _of_tuple(scope, owner, indices[0], node.slice)
    if isinstance(kind, Array):
        return _of_array(scope, owner, kind, indices, node.slice)
    if isinstance(kind, Growing) and kind.item is not None and len(indices) == 1:
        return Code(indexed(scope.node_of(owner), scope.node_of(scope.number(indices[0]))), kind.item)
    if isinstance(kind, Opaque):
        return Code(indexed(scope.node_of(owner), _joined_index(scope, indices)), Opaque())
    raise Refused(f"a {described(kind)} is indexed")


def index_nodes(index: ast.expr) -> list[ast.expr]:
    """Returns the parts of an index."""
    return index.elts if isinstance(index, ast.Tuple) else [index]


def with_indices(scope: Expressions, owner: ast.expr, parts: list[ast.expr]) -> list[Code]:
    """Returns the codes of an owner and of its indices, of which slices stay as they are."""
    wanted: list[ast.expr] = [owner]
    for part in parts:
        if isinstance(part, ast.Slice):
            wanted += [one for one in (part.lower, part.upper, part.step) if one is not None]
        else:
            wanted.append(part)
    codes = iter(scope.exprs(wanted))
    found = [next(codes)]
    for part in parts:
        if isinstance(part, ast.Slice):
            bounds = [
                None if one is None else scope.node_of(scope.number(next(codes)))
                for one in (part.lower, part.upper, part.step)
            ]
            found.append(Code(ast.Slice(*bounds), Constant(slice)))
        else:
            found.append(next(codes))
    return found


def is_slice(code: Code) -> bool:
    """Returns whether an index is a slice."""
    return isinstance(code.node, ast.Slice)


def _joined_index(scope: Expressions, indices: list[Code]) -> ast.expr:
    nodes = [one.node if is_slice(one) and one.node else scope.node_of(scope.present(one)) for one in indices]
    return nodes[0] if len(nodes) == 1 else ast.Tuple(nodes, ast.Load())


def _of_constant(scope: Expressions, owner: Code, indices: list[Code], node: ast.Subscript) -> Code:
    value: Any = owner.kind.value  # type: ignore[attr-defined]
    try:
        index = [scope.static_value(one) for one in indices if not is_slice(one)]
    except Refused:
        index = []
    if len(index) == len(indices):
        try:
            return scope.of_known(value[index[0] if len(index) == 1 else tuple(index)])
        except (KeyError, IndexError, TypeError):
            raise Refused(f"there is no item {index[0]!r} in a {type(value).__name__}") from None
    if isinstance(value, dict) and len(indices) == 1:
        return of_dict(scope, value, scope.present(indices[0]))
    table = table_of(value)
    if table is not None and not isinstance(value, np.ndarray) and len(indices) == 1:
        return _row(scope, *table, scope.node_of(scope.number(indices[0])))
    plain = scope.plain(owner)
    if isinstance(plain.kind, Array):
        return _of_array(scope, plain, plain.kind, indices, node.slice)
    raise Refused(
        f"a {type(value).__name__} of values of several kinds is indexed by a number that changes",
        "use an array, or a list of numbers, tuples or arrays of one kind",
    )


def table_of(value: Any) -> tuple[Any, Kind] | None:
    """Returns the array of a constant list, tuple or array of alike items, and an item's kind; None if it is none."""
    if isinstance(value, (np.ndarray, list, tuple)) and len(value):
        kinds = [kind_of_value(one) for one in value]
        first = kinds[0]
        if {*kinds} == {INT, FLOAT}:
            return np.array(value, np.float64), Number(FLOAT.dtype, None, mixed=True)
        if first is None or isinstance(first, (Constant, Mapping)) or any(kind != first for kind in kinds):
            return None
        if isinstance(first, Tuple) and len(set(first.items)) != 1:
            return None
        if isinstance(first, Tuple) and not isinstance(first.items[0], Number):
            return None
        array = np.ascontiguousarray(np.array(list(value)))
        return (array, first) if array.dtype.kind in "biuf" else None
    return None


def _row(scope: Expressions, table: Any, kind: Kind, index: ast.expr) -> Code:
    """Returns the item at an index of a constant table."""
    return as_item(scope, indexed(scope.unit.constant(table, "table"), index), kind)


def as_item(scope: Expressions, node: ast.expr, kind: Kind) -> Code:
    """Returns a row of a table as an item of its kind."""
    if isinstance(kind, Tuple):
        row = scope.temporary(node)
        return Code(ast.Tuple([indexed(row, k) for k in range(len(kind.items))], ast.Load()), kind)
    return Code(node, kind, frozenset(["a constant"]) if isinstance(kind, Array) else frozenset())


def of_dict(scope: Expressions, found: dict[Any, Any], key: Code) -> Code:
    """Returns the value of a constant dict for a number that changes."""
    keys, values = list(found), list(found.values())
    table = table_of(values)
    if not all(number_of(one) is not None and not isinstance(one, float) for one in keys):
        if table is not None and all(isinstance(one, tuple) for one in keys):
            return _of_pairs(scope, keys, table, key)
        raise Refused("a dict is indexed by something that changes, but not all of its keys are ints")
    if table is None:
        raise Refused("a dict's values are of several kinds", "let them be numbers, tuples or arrays of one kind")
    array, kind = table
    node = scope.node_of(scope.number(key))
    if keys == list(range(len(keys))):
        row: ast.expr = called(scope.helper("keyed"), scope.unit.constant(array, "table"), node)
    else:
        place = called(scope.helper("place_in"), scope.unit.constant(np.array(keys, np.int64), "keys"), node)
        row = indexed(scope.unit.constant(array, "table"), place)
    return as_item(scope, row, kind)


def _of_pairs(scope: Expressions, keys: list[Any], table: tuple[Any, Kind], key: Code) -> Code:
    raise Refused("a dict with tuples as keys is indexed by something that changes", "use an array")


def of_key(scope: Expressions, owner: Code, key: Any) -> Code:
    """Returns an item of a dict."""
    entry = scope.pairs(scope.held(owner)).get(key)
    if entry is None:
        raise Refused(f"a {described(owner.kind)} is indexed by {key!r}")
    if entry.missing is not None:
        raise Refused(f"the key {key!r} is there on some paths only", "assign it on each path")
    return entry.value


def _of_tuple(scope: Expressions, owner: Code, index: Code, node: ast.expr) -> Code:
    kind = owner.kind
    assert isinstance(kind, (Tuple, Mapping))
    if isinstance(kind, Mapping):
        return of_key(scope, owner, index.kind.value if isinstance(index.kind, Constant) else None)
    if is_slice(index):
        try:
            k = eval(compile(ast.Expression(ast.parse(f"slice{_slice_text(node)}", mode="eval").body), "", "eval"))
        except Exception:
            raise Refused("a tuple takes a slice of literal numbers") from None
        held = scope.held(owner)
        parts = [scope.item(held, at) for at in range(len(kind.items))[k]]
        return scope.tuple_of(parts)
    try:
        at = scope.static_value(index)
    except Refused:
        at = None
    if isinstance(at, int):
        return scope.item(owner, at)
    known = _literal_of(owner.node)
    table = table_of(known) if known and isinstance(known[0], tuple) else None
    if table is not None:
        return _row(scope, *table, scope.node_of(scope.number(index)))
    item = kind.items[0] if kind.items else INT
    for one in kind.items[1:]:
        try:
            item = joined(item, one)
        except Incompatible:
            raise Refused("a tuple of values of several kinds takes literal indices") from None
    if len(set(kind.items)) > 1 or not isinstance(item, Number):
        raise Refused("a tuple of values of several kinds takes literal indices", "use an array")
    return Code(indexed(scope.node_of(owner), scope.node_of(scope.number(index))), item)


def _literal_of(node: ast.expr | None) -> tuple[Any, ...]:
    """Returns a tuple that is written with literal numbers only; an empty one if it is not."""
    try:
        return tuple(ast.literal_eval(node)) if isinstance(node, ast.Tuple) else ()
    except ValueError:
        return ()


def _slice_text(node: ast.expr) -> str:
    assert isinstance(node, ast.Slice)
    parts = [ast.unparse(one) if one is not None else "None" for one in (node.lower, node.upper, node.step)]
    return f"({', '.join(parts)})"


def _of_array(scope: Expressions, owner: Code, kind: Array, indices: list[Code], node: ast.expr) -> Code:
    if _is_new_axis(indices) and kind.shape is not None and not kind.listed:
        shape = [1 if one.kind == NONE else None for one in indices]
        sizes = iter(kind.shape)
        whole = [one if one is not None else next(sizes) for one in shape] + list(sizes)
        reshaped = ast.Call(ast.Attribute(scope.node_of(owner), "reshape", ast.Load()), [literal(tuple(whole))], [])
        return Code(reshaped, Array(kind.dtype, len(whole), tuple(whole)), owner.origins)
    index, result, is_view = array_index(scope, kind, indices)
    made = indexed(scope.node_of(owner), index)
    if kind.listed and any(is_slice(one) for one in indices):
        if len(indices) > 1:
            raise Refused("a list takes one index")
        return Code(ast.Call(ast.Attribute(made, "copy", ast.Load()), [], []), result)
    if kind.listed and len(indices) > 1:
        raise Refused("a list takes one index")
    is_array = isinstance(result, Array)
    return Code(made, result, owner.origins if is_array and is_view else frozenset())


def _is_new_axis(indices: list[Code]) -> bool:
    """Returns whether indices are `None` and `:` only."""
    plain = [one for one in indices if is_slice(one) and _bounds(one.node) == [None, None, None]]
    return any(one.kind == NONE for one in indices) and len(plain) + sum(one.kind == NONE for one in indices) == len(
        indices
    )


def array_index(scope: Expressions, kind: Array, indices: list[Code]) -> tuple[ast.expr, Kind, bool]:
    """Returns the expression of an index, the kind of the element or part, and whether that is a part of the array."""
    expanded: list[Code] = []
    if any(one.kind == NONE for one in indices):
        raise Refused("None as an index beside others is not supported", "write reshape")
    for one in indices:
        if isinstance(one.kind, Constant) and one.kind.value is Ellipsis:
            count = kind.ndim - len(indices) + 1
            expanded += [Code(ast.Slice(), Constant(slice))] * count
        else:
            expanded += _expanded(scope, one)
    if len(expanded) == 1 and isinstance(expanded[0].kind, Array):
        mask = expanded[0].kind
        if mask.dtype.kind == "b":
            if mask.ndim != 1 or kind.ndim != 1:
                raise Refused("a mask of several axes", "write a loop")
            return scope.node_of(expanded[0]), Array(kind.dtype, 1), False
        return scope.node_of(expanded[0]), Array(kind.dtype, kind.ndim + mask.ndim - 1), False
    if any(isinstance(one.kind, Array) for one in expanded):
        raise Refused("arrays beside other indices are not supported", "write a loop")
    if len(expanded) > kind.ndim:
        raise Refused(f"an array with {kind.ndim} axes gets {len(expanded)} indices")
    axes = sum(not is_slice(one) for one in expanded)
    if not any(is_slice(one) for one in expanded):
        result: Kind = element_of(kind, axes)
    elif kind.ndim == axes:
        result = Number(kind.dtype, False)
    else:
        result = Array(kind.dtype, kind.ndim - axes, _sliced_shape(kind, expanded), kind.listed, kind.mixed)
    nodes = [one.node if is_slice(one) and one.node else scope.node_of(scope.number(one)) for one in expanded]
    return (nodes[0] if len(nodes) == 1 else ast.Tuple(nodes, ast.Load())), result, True


def _sliced_shape(kind: Array, indices: list[Code]) -> tuple[int, ...] | None:
    """Returns the shape of a part, if its slices are literal."""
    if kind.shape is None:
        return None
    shape = []
    for k, size in enumerate(kind.shape):
        if k >= len(indices):
            shape.append(size)
        elif is_slice(indices[k]):
            assert isinstance(indices[k].node, ast.Slice)
            try:
                bounds = [None if one is None else ast.literal_eval(one) for one in _bounds(indices[k].node)]
            except ValueError:
                return None
            shape.append(len(range(size)[slice(*bounds)]))
    return tuple(shape)


def _bounds(node: Any) -> list[ast.expr | None]:
    return [node.lower, node.upper, node.step]


def _expanded(scope: Expressions, index: Code) -> list[Code]:
    """Returns an index as several, if it is a tuple."""
    if is_slice(index):
        return [index]
    index = scope.present(index)
    if isinstance(index.kind, Tuple):
        held = scope.held(index)
        return [scope.item(held, k) for k in range(len(index.kind.items))]
    if isinstance(index.kind, Array) and index.kind.listed:
        return [scope.as_array(index)]
    return [index]
