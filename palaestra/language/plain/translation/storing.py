"""The translation of assignments to elements of arrays, lists and dicts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.dicts import named_again, store_dict
from palaestra.language.plain.translation.indexing import array_index, index_nodes, with_indices
from palaestra.language.plain.translation.kinds import (
    Array,
    Constant,
    Growing,
    Kind,
    Mapping,
    Number,
    Opaque,
    Partial,
    Place,
    Tuple,
    Unknown,
    kind_of_value,
)
from palaestra.language.plain.translation.scope import Item
from palaestra.language.plain.translation.unit import Code, called, name

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def held_target(scope: Expressions, target: ast.Subscript) -> ast.Subscript:
    """Returns the target of `a[i] += b` with indices that are computed once."""
    parts = []
    for part in index_nodes(target.slice):
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
        if origin == "the action":
            raise Refused("the action is changed in place", "write into a copy, .copy()")
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
    parts = index_nodes(target.slice)
    mark = len(scope.out)
    owner, *indices = with_indices(scope, target.value, parts)
    if len(scope.out) > mark:
        values = [value]
        scope._hold_before(values[:1], values, mark)
        (value,) = values
    kind = owner.kind
    if isinstance(kind, Unknown):
        return
    empty = isinstance(kind, Constant) and isinstance(kind.value, dict) and not kind.value
    if empty and isinstance(target.value, ast.Name):
        kind, owner = Mapping((), ()), Code(ast.Tuple([], ast.Load()), Mapping((), ()))
    if isinstance(kind, (Mapping, Partial)):
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
        raise Refused(f"an element of a {described(kind)} is assigned", "keep an array")
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
    if not (isinstance(key.kind, Constant) and isinstance(key.kind.value, str)):
        raise Refused("a key that changes is assigned", "use an array")
    held = scope.held(owner)
    parts = scope.pairs(held)
    parts[key.kind.value] = Item(None, named_again(scope, scope.plain(value)))
    store_dict(scope, target.value, owner, scope.dict_of(parts))


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
    index, part, _ = array_index(scope, kind, indices)
    if isinstance(value.kind, Number) and kind.listed and not kind.mixed:
        _widen_list(scope, owner, kind, value.kind)
    node = _fitting(scope, kind, part, value)
    scope.emit(ast.Assign([_stored(scope.node_of(owner), index)], node))


def _widen_list(scope: Expressions, owner: Code, kind: Array, value: Number) -> None:
    """Let a list of ints hold floats too, or the other way round, if it is an attribute."""
    wide = {value.dtype, kind.dtype} == {np.dtype(np.int64), np.dtype(np.float64)} or value.mixed
    for slot in scope.unit.slots.values() if wide else ():
        if isinstance(owner.node, ast.Name) and owner.node.id == slot.variable:
            scope.unit.widen(slot.path, Array(np.dtype(np.float64), kind.ndim, kind.shape, True, True))


def _fitting(scope: Expressions, kind: Array, part: Kind, value: Code) -> ast.expr:
    """Returns a value in the dtype of an array that gets it, as NumPy casts it."""
    if isinstance(value.kind, Number):
        if kind.mixed and value.kind.dtype in (np.int64, np.float64):
            return scope.number_in(value, kind.dtype)
        if kind.listed and value.kind != Number(kind.dtype, True):
            strong = Number(kind.dtype, False)
            if value.kind not in (strong, Number(kind.dtype, None)):
                raise Refused(f"a {described(value.kind)} goes into a list of {kind.dtype}", "let all be of one type")
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
    raise Refused(f"a {described(value.kind)} is put into an array")


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
