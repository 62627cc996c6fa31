"""The translation of methods of arrays and of NumPy numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.calls.arrays import dtype_of, number_type
from palaestra.language.plain.calls.builtin import item_of
from palaestra.language.plain.calls.drawing import shape_of
from palaestra.language.plain.calls.elementwise import clip, rounded
from palaestra.language.plain.calls.reductions import dot, reduction
from palaestra.language.plain.calls.shaping import nonzero, squeezed
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.building import fitted
from palaestra.language.plain.translation.kinds import (
    BOOL,
    FLOAT64,
    INT,
    NONE,
    Array,
    Constant,
    DTypes,
    Number,
    Opaque,
)
from palaestra.language.plain.translation.storing import write_into
from palaestra.language.plain.translation.unit import Code, called, literal, type_node

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def method(
    scope: Expressions, owner: Code, key: str, arguments: list[Code], named: dict[str, Code], node: ast.Call | None
) -> Code:
    """Returns the result of a method of an array or a NumPy number."""
    kind = owner.kind
    if isinstance(kind, Number):
        return _of_number(scope, owner, kind, key, arguments, named)
    if isinstance(kind, Opaque):
        if key in ("item", "tolist"):
            return owner
        if key == "astype":
            wanted = _dtype_given(scope, arguments, named)
            return Code(called(ast.Attribute(scope.node_of(owner), key, ast.Load()), type_node(wanted)), kind)
        if named:
            raise Refused(f"`.{key}` with {', '.join(named)} of this is not supported", "write a loop")
        made = called(ast.Attribute(scope.node_of(owner), key, ast.Load()), *[scope.node_of(one) for one in arguments])
        return Code(made, Opaque())
    assert isinstance(kind, Array)
    if key in ("sum", "mean", "prod", "max", "min", "any", "all", "argmax", "argmin", "std", "var"):
        return reduction(key)(scope, owner, *arguments, **named)
    if key == "copy":
        return Code(ast.Call(ast.Attribute(scope.node_of(owner), "copy", ast.Load()), [], []), kind)
    if key == "astype":
        wanted = _dtype_given(scope, arguments, named)
        return Code(scope.array_in(owner, wanted), Array(wanted, kind.ndim, kind.shape))
    if key in ("flatten", "ravel"):
        return _flat(scope, owner, kind, key == "flatten")
    if key == "reshape":
        return _reshaped(scope, owner, kind, arguments)
    if key == "fill":
        return _filled(scope, owner, kind, arguments[0], node)
    if key == "tolist":
        return Code(
            ast.Call(ast.Attribute(scope.node_of(owner), "copy", ast.Load()), [], []),
            Array(kind.dtype, kind.ndim, kind.shape, True),
        )
    if key == "item" and not arguments:
        return Code(item_of(scope, owner), Number(kind.dtype, True))
    if key == "dot":
        return dot(scope, owner, *arguments)
    if key == "clip":
        return clip(scope, owner, *arguments)
    if key == "nonzero":
        return nonzero(scope, owner)
    if key == "squeeze" and not arguments and not named:
        return squeezed(scope, owner)
    if key == "round":
        return rounded(scope, owner, *arguments, **named)
    raise Refused(f"`.{key}` of an array is not supported", "write a loop")


def _dtype_given(scope: Expressions, arguments: list[Code], named: dict[str, Code]) -> DTypes:
    """Returns the dtype that `astype` gets."""
    if "copy" in named and scope.truth(named["copy"]) is not True:
        raise Refused("astype without a copy may be the same array", "leave copy=False out")
    wanted = dtype_of(scope, arguments[0] if arguments else named.get("dtype"), None)
    if wanted is None or len(arguments) > 1 or {*named} - {"dtype", "copy"}:
        raise Refused("astype of more than a dtype is not supported", "write astype(np.float64)")
    return wanted


def _flat(scope: Expressions, owner: Code, kind: Array, is_copy: bool) -> Code:
    size = int(np.prod(kind.shape)) if kind.shape is not None else None
    node = scope.node_of(owner)
    whole = ast.Call(ast.Attribute(node, "copy", ast.Load()), [], []) if is_copy else node
    flat = ast.Call(ast.Attribute(whole, "ravel", ast.Load()), [], [])
    origins = frozenset[str]() if is_copy else owner.origins
    return Code(flat, Array(kind.dtype, 1, None if size is None else (size,)), origins)


def _of_number(
    scope: Expressions, owner: Code, kind: Number, key: str, arguments: list[Code], named: dict[str, Code]
) -> Code:
    if key in ("item", "tolist", "copy"):
        if kind.dtype == np.float32:
            return Code(called("float", scope.node_of(owner)), Number(FLOAT64))
        wide = {"b": BOOL, "i": INT, "u": INT, "f": Number(FLOAT64)}[kind.dtype.kind]
        node = scope.node_of(owner)
        return Code(
            node
            if kind.dtype.itemsize in (8, 1) and kind.dtype.kind in "bif" and kind.dtype != np.int8
            else called("int", node),
            wide,
        )
    if key == "astype":
        return number_type(scope, _dtype_given(scope, arguments, named), owner)
    if key in ("any", "all", "sum", "max", "min", "mean"):
        return reduction(key)(scope, owner)
    if key == "is_integer" and kind.dtype == np.float64:
        raise Refused("is_integer is not supported", "write x == math.floor(x)")
    raise Refused(f"`.{key}` of a number is not supported")


def _reshaped(scope: Expressions, owner: Code, kind: Array, arguments: list[Code]) -> Code:
    shape = arguments[0] if len(arguments) == 1 else scope.tuple_of(arguments)
    if len(arguments) == 1 and isinstance(shape.kind, Constant):
        shape = scope.plain(shape)
    if isinstance(shape.node, ast.UnaryOp):
        size = int(np.prod(kind.shape)) if kind.shape is not None else None
        return Code(
            ast.Call(ast.Attribute(scope.node_of(owner), "reshape", ast.Load()), [literal(-1)], []),
            Array(kind.dtype, 1, None if size is None else (size,)),
            owner.origins,
        )
    node, axes, known = shape_of(scope, shape)
    made = ast.Call(ast.Attribute(scope.node_of(owner), "reshape", ast.Load()), [node], [])
    return Code(made, Array(kind.dtype, axes, known), owner.origins)


def _filled(scope: Expressions, owner: Code, kind: Array, value: Code, node: Any) -> Code:
    owner = scope.held(owner)
    write_into(scope, owner, node)
    whole = ast.Subscript(scope.node_of(owner), ast.Slice(), ast.Store())
    scope.emit(ast.Assign([whole], fitted(scope, scope.number(value), kind.dtype)))
    return Code(None, NONE)


def _ravel(scope: Expressions, a: Code) -> Code:
    return method(scope, scope.present(a), "ravel", [], {}, None)


def _reshape(scope: Expressions, a: Code, shape: Code) -> Code:
    return method(scope, scope.present(a), "reshape", [shape], {}, None)


CALLS: dict[Any, Callable[..., Code]] = {
    np.ravel: _ravel,
    np.reshape: _reshape,
}
"""By the function of NumPy."""
