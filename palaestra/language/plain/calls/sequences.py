"""The translation of tuple, list, dict and len, and of methods of lists."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.building import list_of
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.kinds import (
    INT,
    NONE,
    Array,
    Constant,
    Growing,
    Incompatible,
    Kind,
    Mapping,
    Opaque,
    Tuple,
    joined,
)
from palaestra.language.plain.translation.known import in_order
from palaestra.language.plain.translation.unit import Code, called

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def length(scope: Expressions, code: Code) -> Code:
    """`len`."""
    if isinstance(code.kind, Constant):
        if not isinstance(code.kind.value, (str, bytes, tuple, list, dict, range, set, frozenset, np.ndarray)):
            raise Refused(f"len of a {described(code.kind)} is not supported")
        return scope.of_known(len(code.kind.value))
    code = scope.present(code)
    kind = code.kind
    if isinstance(kind, (Tuple, Mapping)):
        return Code(ast.Constant(len(kind.items)), INT)
    if isinstance(kind, Array):
        if kind.shape is not None:
            return Code(ast.Constant(kind.shape[0]), INT)
        return Code(called("len", scope.node_of(code)), INT)
    if isinstance(kind, (Growing, Opaque)):
        return Code(called("len", scope.node_of(code)), INT)
    raise Refused(f"len of a {described(kind)} is not supported")


def to_tuple(scope: Expressions, code: Code | None = None) -> Code:
    """`tuple`."""
    if code is None:
        return scope.of_value(())
    if isinstance(code.kind, Constant):
        return scope.of_value(tuple(in_order(code.kind.value)))
    code = scope.present(code)
    if isinstance(code.kind, Tuple):
        return code
    if isinstance(code.kind, Array) and code.kind.shape is not None:
        return scope.tuple_of(scope.parts(scope.held(code)))
    raise Refused(f"a tuple of a {described(code.kind)}, whose length is not known", "keep an array")


def to_list(scope: Expressions, code: Code | None = None) -> Code:
    """`list`."""
    if code is None:
        return Code(ast.List([], ast.Load()), Growing(None))
    if isinstance(code.kind, Constant):
        return scope.plain(scope.of_value(list(in_order(code.kind.value))))
    code = scope.present(code)
    kind = code.kind
    if isinstance(kind, Tuple):
        return list_of(scope, scope.parts(scope.held(code)))
    if isinstance(kind, Array) and (kind.listed or kind.ndim == 1):
        return Code(_copied(scope, code), Array(kind.dtype, kind.ndim, kind.shape, True, kind.mixed))
    if isinstance(kind, Mapping):
        return scope.of_value(list(kind.keys))
    raise Refused(f"a list of a {described(kind)} is not supported", "use an array")


def _copied(scope: Expressions, code: Code) -> ast.expr:
    return ast.Call(ast.Attribute(scope.node_of(code), "copy", ast.Load()), [], [])


def ordered(scope: Expressions, code: Code, *, reverse: Code | None = None) -> Code:
    """`sorted`."""
    backwards = reverse is not None and scope.truth(reverse)
    if not isinstance(backwards, bool):
        raise Refused("sorted in an order that changes", "write reverse=True or leave it out")
    if isinstance(code.kind, Constant):
        try:
            return scope.of_value(sorted(code.kind.value, reverse=backwards))
        except TypeError:
            raise Refused(f"a {described(code.kind)} is sorted") from None
    items = to_list(scope, code)
    kind = items.kind
    if not (isinstance(kind, Array) and kind.ndim == 1 and kind.dtype.itemsize == 8):
        raise Refused(f"a {described(kind)} is sorted", "sort an array or a list of numbers of one kind")
    return Code(called(scope.helper("ordered"), scope.node_of(items), ast.Constant(backwards)), kind)


def to_dict(scope: Expressions, code: Code | None = None, **named: Code) -> Code:
    """`dict`."""
    if code is None:
        return scope.mapping(list(named), [scope.plain(one) for one in named.values()])
    if isinstance(code.kind, Mapping):
        return scope.merged(code, scope.mapping(list(named), list(named.values()))) if named else code
    if isinstance(code.kind, Constant) and isinstance(code.kind.value, dict):
        return scope.of_value({**code.kind.value})
    raise Refused(f"a dict of a {described(code.kind)}")


def _takes(kind: Kind, other: Kind) -> bool:
    """Whether a variable of a kind can hold another without a change of its own."""
    try:
        return joined(kind, other) == kind
    except Incompatible:
        return False


def of_list(scope: Any, owner: Code, function: ast.Attribute, arguments: list[Code]) -> Code:
    """A method of a list that grows."""
    key, kind = function.attr, owner.kind
    assert isinstance(kind, Growing)
    if key == "append" and len(arguments) == 1 and isinstance(function.value, ast.Name):
        item = scope.plain(scope.present(arguments[0]))
        if isinstance(item.kind, Array):
            raise Refused("a list of arrays", "use one array")
        if kind.item is not None and not _takes(kind.item, item.kind):
            raise Refused("a list gets values of several kinds", "let all be of one kind")
        scope.emit(ast.Expr(called(ast.Attribute(scope.node_of(owner), key, ast.Load()), scope.node_of(item))))
        scope.locals[function.value.id] = owner._replace(kind=Growing(kind.item or item.kind))
        return Code(None, NONE)
    raise Refused(f"`.{key}` of a list that grows is not supported", "keep a fixed-size array and a counter")


def of_fixed_list(scope: Expressions, owner: Code, key: str, arguments: list[Code], node: ast.Call) -> Code:
    """A method of a list of fixed length."""
    kind = owner.kind
    assert isinstance(kind, Array)
    if key == "copy":
        return Code(_copied(scope, owner), kind)
    if key in ("index", "count") and kind.ndim == 1:
        helper = "place_in" if key == "index" else "count_of"
        number = scope.number(arguments[0])
        return Code(called(scope.helper(helper), scope.node_of(owner), scope.node_of(number)), INT)
    raise Refused(f"`.{key}` changes the length of a list, or its order", "keep a fixed-size array and a counter")
