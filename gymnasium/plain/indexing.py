"""The translation of indices: to read, and to write."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.plain.expressions import element_of
from gymnasium.plain.kinds import (
    FLOAT,
    INT,
    Array,
    Constant,
    Growing,
    Kind,
    Mapping,
    Number,
    Opaque,
    Place,
    Tuple,
    Unjoined,
    Unknown,
    joined,
    kind_of_value,
    number_of,
    told,
)
from gymnasium.plain.refusals import Refused
from gymnasium.plain.unit import Code, called, indexed, name

if TYPE_CHECKING:
    from gymnasium.plain.expressions import Expressions


def load(scope: Expressions, node: ast.Subscript) -> Code:
    """Returns an element, or several, of a value."""
    parts = _index_nodes(node.slice)
    owner, *indices = _with_indices(scope, node.value, parts)
    owner = owner if isinstance(owner.kind, Constant) else scope.present(owner)
    kind = owner.kind
    if isinstance(kind, Unknown) or any(isinstance(one.kind, Unknown) for one in indices):
        return Code(None, Unknown())
    if isinstance(kind, Constant):
        return _of_constant(scope, owner, indices, node)
    if isinstance(kind, (Tuple, Mapping)):
        return _of_tuple(scope, owner, indices[0], node.slice)
    if isinstance(kind, Array):
        return _of_array(scope, owner, kind, indices, node.slice)
    if isinstance(kind, Growing) and kind.item is not None and len(indices) == 1:
        return Code(indexed(scope.node_of(owner), scope.node_of(scope.number(indices[0]))), kind.item)
    if isinstance(kind, Opaque):
        return Code(indexed(scope.node_of(owner), _joined_index(scope, indices)), Opaque())
    raise Refused(f"a {told(kind)} is indexed")


def _index_nodes(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _with_indices(scope: Expressions, owner: ast.expr, parts: list[ast.expr]) -> list[Code]:
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
        place = called(scope.helper("place_of_key"), scope.unit.constant(np.array(keys, np.int64), "keys"), node)
        row = indexed(scope.unit.constant(array, "table"), place)
    return as_item(scope, row, kind)


def _of_pairs(scope: Expressions, keys: list[Any], table: tuple[Any, Kind], key: Code) -> Code:
    raise Refused("a dict with tuples as keys is indexed by something that changes", "use an array")


def _of_tuple(scope: Expressions, owner: Code, index: Code, node: ast.expr) -> Code:
    kind = owner.kind
    assert isinstance(kind, (Tuple, Mapping))
    if isinstance(kind, Mapping):
        key = index.kind.value if isinstance(index.kind, Constant) else None
        if key not in kind.keys:
            raise Refused(f"a dict of {', '.join(kind.keys)} is indexed by {ast.unparse(node)}")
        return scope.item(owner, kind.keys.index(key))
    if is_slice(index):
        try:
            k = eval(compile(ast.Expression(ast.parse(f"slice{_slice_text(node)}", mode="eval").body), "", "eval"))
        except Exception:
            raise Refused("a tuple takes a slice of literal numbers") from None
        held = scope.held(owner)
        parts = [scope.item(held, at) for at in range(len(kind.items))[k]]
        return scope._tuple_of(parts)
    try:
        at = scope.static_value(index)
    except Refused:
        at = None
    if isinstance(at, int):
        return scope.item(owner, at)
    item = kind.items[0] if kind.items else INT
    for one in kind.items[1:]:
        try:
            item = joined(item, one)
        except Unjoined:
            raise Refused("a tuple of values of several kinds takes literal indices") from None
    if len(set(kind.items)) > 1 or not isinstance(item, Number):
        raise Refused("a tuple of values of several kinds takes literal indices", "use an array")
    return Code(indexed(scope.node_of(owner), scope.node_of(scope.number(index))), item)


def _slice_text(node: ast.expr) -> str:
    assert isinstance(node, ast.Slice)
    parts = [ast.unparse(one) if one is not None else "None" for one in (node.lower, node.upper, node.step)]
    return f"({', '.join(parts)})"


def _of_array(scope: Expressions, owner: Code, kind: Array, indices: list[Code], node: ast.expr) -> Code:
    index, result, is_view = _array_index(scope, kind, indices)
    made = indexed(scope.node_of(owner), index)
    if kind.listed and any(is_slice(one) for one in indices):
        if len(indices) > 1:
            raise Refused("a list takes one index")
        return Code(ast.Call(ast.Attribute(made, "copy", ast.Load()), [], []), result)
    if kind.listed and len(indices) > 1:
        raise Refused("a list takes one index")
    is_array = isinstance(result, Array)
    return Code(made, result, owner.origins if is_array and is_view else frozenset())


def _array_index(scope: Expressions, kind: Array, indices: list[Code]) -> tuple[ast.expr, Kind, bool]:
    """Returns the expression of an index, the kind of what it leads to, and whether that is a part of the array."""
    expanded: list[Code] = []
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
        result = Array(kind.dtype, kind.ndim - axes, _sliced_shape(kind, expanded), kind.listed)
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
    if index.kind == Constant(None):
        raise Refused("None as an index is not supported", "write reshape")
    index = scope.present(index)
    if isinstance(index.kind, Tuple):
        held = scope.held(index)
        return [scope.item(held, k) for k in range(len(index.kind.items))]
    if isinstance(index.kind, Array) and index.kind.listed:
        return [scope.as_array(index)]
    return [index]


# Writing.


def held_target(scope: Expressions, target: ast.Subscript) -> ast.Subscript:
    """Returns the target of `a[i] += b` with indices that are computed once."""
    parts = []
    for part in _index_nodes(target.slice):
        if isinstance(part, (ast.Constant, ast.Name, ast.Slice)) or _is_literal_tuple(part):
            parts.append(part)
            continue
        code = scope.expr(part)
        if isinstance(code.kind, (Constant, Place)):
            parts.append(part)
            continue
        held = scope.temporary(scope.node_of(code))
        scope.locals[held.id] = code._replace(node=held)
        parts.append(ast.copy_location(name(held.id), part))
    index = parts[0] if len(parts) == 1 else ast.copy_location(ast.Tuple(parts, ast.Load()), target)
    return ast.copy_location(ast.Subscript(target.value, index, ast.Store()), target)


def _is_literal_tuple(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and all(isinstance(one, ast.Constant) for one in node.elts)


def write_into(scope: Expressions, owner: Code, node: ast.AST) -> None:
    """Note that an array is written into; a constant of the environment changes from now on."""
    for origin in owner.origins:
        if origin == "a constant":
            raise Refused("a constant is changed in place", "write into a copy, .copy()")
        if origin.startswith("the constant self."):
            path = tuple(origin.removeprefix("the constant self.").split("."))
            if not scope.unit.model.has(path):
                raise Refused(
                    f"self.{'.'.join(path)} belongs to the class, so that all copies would share what is written",
                    "make it in __init__ or reset: self.x = np.zeros(...)",
                )
            kind = kind_of_value(scope.unit.model.value(path))
            scope.unit.widen(path, kind if kind is not None else Unknown())
    scope.written.effects = True
    scope.unit.wrote_into(owner.origins, scope.source.file, node)


def store_item(scope: Expressions, target: ast.Subscript, code: Code) -> None:
    """Assign an element, or several, of an array, a list or a dict."""
    value = code if isinstance(code.kind, (Constant, Unknown)) else scope.held(code)
    parts = _index_nodes(target.slice)
    owner, *indices = _with_indices(scope, target.value, parts)
    kind = owner.kind
    if isinstance(kind, Unknown):
        return
    empty = isinstance(kind, Constant) and isinstance(kind.value, dict) and not kind.value
    if empty and isinstance(target.value, ast.Name):
        kind, owner = Mapping((), ()), Code(ast.Tuple([], ast.Load()), Mapping((), ()))
    if isinstance(kind, Mapping):
        _store_key(scope, target, owner, indices[0], value)
        return
    owner = scope.present(owner)
    kind = owner.kind
    if isinstance(kind, Growing) and kind.item is not None:
        node = scope.as_kind(value, kind.item)
        scope.emit(ast.Assign([_stored(scope.node_of(owner), scope.node_of(scope.number(indices[0])))], node))
        return
    if isinstance(kind, Constant):
        _store_constant(scope, target)
    if not isinstance(kind, Array):
        raise Refused(f"an element of a {told(kind)} is assigned", "keep an array")
    _store_element(scope, target, owner, kind, indices, value)


def _store_constant(scope: Expressions, target: ast.Subscript) -> None:
    owner = target.value
    if isinstance(owner, ast.Attribute):
        place = scope.expr(owner.value).kind
        if isinstance(place, Place):
            path = (*place.path, owner.attr)
            kind = kind_of_value(scope.unit.model.value(path))
            if not scope.unit.model.has(path):
                raise Refused(
                    f"self.{path[-1]} belongs to the class, so that all copies share it", "make it in __init__"
                )
            if kind is not None and path not in scope.unit.model.changing:
                scope.unit.widen(path, kind)
    raise Refused("a constant is changed in place", "keep it in an attribute of self that reset assigns")


def _store_key(scope: Expressions, target: ast.Subscript, owner: Code, key: Code, value: Code) -> None:
    kind = owner.kind
    assert isinstance(kind, Mapping)
    if not (isinstance(key.kind, Constant) and isinstance(key.kind.value, str)):
        raise Refused("a key that changes is assigned", "use an array")
    held = scope.held(owner)
    parts = dict(zip(kind.keys, scope.parts(held), strict=True))
    parts[key.kind.value] = scope.plain(value)
    names = frozenset(one for one in owner.origins if one.startswith("dict "))
    if names and isinstance(target.value, ast.Name):
        raise Refused("a dict with two names is changed", "change it under one name, or make a copy, {**d}")
    scope.unit.wrote_into(names, scope.source.file, target)
    made = scope.mapping(list(parts), list(parts.values()))
    scope.assign(as_target(target.value), made)  # type: ignore[attr-defined]


def as_target(node: ast.expr) -> ast.expr:
    """Returns a name, an attribute or an item as what is assigned to."""
    if isinstance(node, ast.Name):
        return ast.copy_location(ast.Name(node.id, ast.Store()), node)
    if isinstance(node, ast.Attribute):
        return ast.copy_location(ast.Attribute(node.value, node.attr, ast.Store()), node)
    if isinstance(node, ast.Subscript):
        return ast.copy_location(ast.Subscript(node.value, node.slice, ast.Store()), node)
    raise Refused("this dict has no name of its own", "assign it to a variable first")


def _stored(owner: ast.expr, index: ast.expr) -> ast.Subscript:
    return ast.Subscript(owner, index, ast.Store())


def _store_element(
    scope: Expressions, target: ast.Subscript, owner: Code, kind: Array, indices: list[Code], value: Code
) -> None:
    write_into(scope, owner, target)
    value = scope.present(value)
    if isinstance(value.kind, Unknown) or any(isinstance(one.kind, Unknown) for one in indices):
        return
    masks = [one for one in indices if isinstance(one.kind, Array) and one.kind.dtype.kind == "b"]
    if masks:
        _store_masked(scope, owner, kind, masks[0], value, len(indices))
        return
    index, part, _ = _array_index(scope, kind, indices)
    node = _fitting(scope, kind, part, value)
    scope.emit(ast.Assign([_stored(scope.node_of(owner), index)], node))


def _fitting(scope: Expressions, kind: Array, part: Kind, value: Code) -> ast.expr:
    """Returns a value in the dtype of an array that gets it, as NumPy casts it."""
    if isinstance(value.kind, Number):
        if kind.listed and value.kind != Number(kind.dtype, True):
            strong = Number(kind.dtype, False)
            if value.kind not in (strong, Number(kind.dtype, None)):
                raise Refused(f"a {told(value.kind)} goes into a list of {kind.dtype}", "let all be of one type")
        if value.kind.dtype.kind in "iu" and kind.dtype == np.float32:
            return called("float", scope.node_of(value))
        if value.kind.dtype.kind == "f" and kind.dtype.kind == "f":
            return scope.node_of(value)
        if value.kind.dtype.kind in "iub" and kind.dtype == np.float64:
            return scope.node_of(value)
        return scope.number_in(value, kind.dtype)
    if isinstance(value.kind, (Tuple, Array)):
        value = scope.as_array(value)
        assert isinstance(value.kind, Array)
        if not isinstance(part, Array):
            raise Refused("an array is put into the place of one number")
        if value.kind.dtype == kind.dtype:
            return scope.node_of(value)
        return scope.array_in(value, kind.dtype)
    if isinstance(value.kind, Opaque):
        return scope.node_of(value)
    raise Refused(f"a {told(value.kind)} is put into an array")


def _store_masked(scope: Expressions, owner: Code, kind: Array, mask: Code, value: Code, count: int) -> None:
    if (
        isinstance(value.kind, Array)
        and count == 1
        and isinstance(mask.kind, Array)
        and mask.kind.ndim == kind.ndim == 1
    ):
        node = _fitting(scope, kind, Array(kind.dtype, 1), value)
        scope.emit(ast.Expr(called(scope.helper("put_each_where"), scope.node_of(owner), scope.node_of(mask), node)))
        return
    if count > 1 or not isinstance(value.kind, Number) or not isinstance(mask.kind, Array):
        raise Refused("a mask beside other indices, or values for a mask, are not supported", "write a loop")
    if mask.kind.ndim != kind.ndim or kind.ndim > 2:
        raise Refused("a mask of other axes than the array", "write a loop")
    helper = scope.helper("put_where" if kind.ndim == 1 else "put_where2")
    node = _fitting(scope, kind, Number(kind.dtype, False), value)
    scope.emit(ast.Expr(called(helper, scope.node_of(owner), scope.node_of(mask), node)))
