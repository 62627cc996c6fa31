"""The translation of NumPy's functions that make arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.calls.drawing import shape_of
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.building import array_of_codes, fitted, full
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.kinds import (
    FLOAT64,
    INT64,
    NONE,
    Array,
    Constant,
    DTypes,
    Growing,
    Number,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, called, literal, type_node

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def dtype_of(scope: Expressions, code: Code | None, default: DTypes | None) -> DTypes | None:
    """Returns the dtype that an argument names."""
    if code is None or code.kind == NONE:
        return default
    if not isinstance(code.kind, Constant):
        raise Refused("a dtype that is not known")
    try:
        found: DTypes = np.dtype(code.kind.value)
    except TypeError:
        raise Refused("this is no dtype") from None
    if found.kind not in "biuf" or found == np.float16 or found.itemsize > 8:
        raise Refused(f"arrays of {found} are not supported", "use numbers of up to 64 bits")
    return found


def number_type(scope: Expressions, dtype: DTypes, code: Code | None = None) -> Code:
    """`np.float32(x)` and its like."""
    dtype = dtype_of(scope, Code(None, Constant(dtype)), None) or dtype
    if code is None:
        return Code(called(type_node(dtype), ast.Constant(0)), Number(dtype, False))
    code = scope.present(code)
    if isinstance(code.kind, Array):
        return Code(scope.array_in(code, dtype), Array(dtype, code.kind.ndim, code.kind.shape))
    code = scope.number(code)
    if isinstance(code.kind, Number) and code.kind.dtype.kind == "f" and dtype.kind in "iu" and dtype != INT64:
        raise Refused(f"np.{dtype.name} of a float", "write int(...) inside")
    return Code(scope.number_in(code, dtype), Number(dtype, False))


def new_array(scope: Expressions, items: Code, dtype: Code | None = None, copy: Code | None = None) -> Code:
    """`np.array`."""
    wanted = dtype_of(scope, dtype, None)
    if isinstance(items.kind, Constant) and items.kind.value is not None:
        try:
            array = np.array(items.kind.value, wanted)
        except (TypeError, ValueError):
            raise Refused("this is no array of numbers") from None
        if array.dtype.kind not in "biuf" or array.size == 0:
            if array.size == 0 and array.dtype.kind in "biuf":
                empty = called("np.zeros", literal(array.shape), type_node(array.dtype))
                return Code(empty, Array(array.dtype, array.ndim, array.shape))
            raise Refused(f"an array of {array.dtype}", "use numbers")
        copied = ast.Call(ast.Attribute(scope.unit.constant(array), "copy", ast.Load()), [], [])
        return Code(copied, Array(array.dtype, array.ndim, array.shape))
    items = scope.present(items)
    kind = items.kind
    if isinstance(kind, Unknown):
        return items
    if isinstance(kind, Tuple):
        return array_of_codes(scope, scope.parts(scope.held(items)), wanted)
    if isinstance(kind, Array):
        target = wanted or scope.as_array(items).kind.dtype  # type: ignore[attr-defined]
        return Code(scope.array_in(items, target), Array(target, kind.ndim, kind.shape))
    if isinstance(kind, Growing) and isinstance(kind.item, Number):
        made = Code(called("np.array", scope.node_of(items)), Array(kind.item.dtype, 1))
        return new_array(scope, made, dtype) if wanted not in (None, kind.item.dtype) else made
    if isinstance(kind, Number):
        if kind.mixed and wanted is None:
            raise Refused("an array of what may be an int or a float", "name its dtype")
        made = number_type(scope, wanted or kind.dtype, items)
        return made._replace(kind=Number(made.kind.dtype, None))  # type: ignore[attr-defined]  # it is no scalar
    raise Refused(f"an array of a {described(kind)} is not supported")


def _asarray(scope: Expressions, items: Code, dtype: Code | None = None) -> Code:
    wanted = dtype_of(scope, dtype, None)
    kind = items.kind
    if isinstance(kind, Array) and not kind.listed and wanted in (None, kind.dtype):
        return items
    return new_array(scope, items, dtype)


def _made(value: float) -> Callable[..., Code]:
    name = "np.ones" if value else "np.zeros"

    def made(scope: Expressions, shape: Code, dtype: Code | None = None) -> Code:
        node, axes, known = shape_of(scope, shape)
        wanted = dtype_of(scope, dtype, FLOAT64) or FLOAT64
        return Code(called(name, node, type_node(wanted)), Array(wanted, axes, known))

    return made


def _full(scope: Expressions, shape: Code, fill_value: Code, dtype: Code | None = None) -> Code:
    node, axes, known = shape_of(scope, shape)
    value = scope.number(fill_value)
    wanted = dtype_of(scope, dtype, None)
    if wanted is None:
        if not isinstance(value.kind, Number) or value.kind.mixed:
            raise Refused("np.full without a dtype", "name its dtype")
        wanted = value.kind.dtype
    sizes = tuple(node.elts) if isinstance(node, ast.Tuple) else (node,)
    if axes != len(sizes):
        raise Refused("np.full of this shape is not supported")
    item = Code(fitted(scope, value, wanted), Number(wanted, False))
    return full(scope, sizes, known or (None,) * axes, item, listed=False)


def _made_like(value: float) -> Callable[..., Code]:
    def made(scope: Expressions, like: Code, dtype: Code | None = None) -> Code:
        kind = scope.present(like).kind
        if isinstance(kind, Tuple):
            like = scope.as_array(like)
            kind = like.kind
        if not isinstance(kind, Array):
            raise Refused(f"an array like a {described(kind)}")
        wanted = dtype_of(scope, dtype, kind.dtype) or kind.dtype
        name = "np.ones" if value else "np.zeros"
        shape: ast.expr = ast.Attribute(scope.node_of(like), "shape", ast.Load())
        if kind.shape is not None:
            shape = literal(kind.shape)
        return Code(called(name, shape, type_node(wanted)), Array(wanted, kind.ndim, kind.shape))

    return made


def _full_like(scope: Expressions, like: Code, fill_value: Code, dtype: Code | None = None) -> Code:
    kind = scope.present(like).kind
    if not isinstance(kind, Array) or kind.shape is None:
        raise Refused(f"an array like a {described(kind)}")
    wanted = dtype or Code(None, Constant(kind.dtype))
    return _full(scope, scope.of_shape(kind.shape), fill_value, wanted)


def _eye(scope: Expressions, n: Code, dtype: Code | None = None) -> Code:
    size = scope.static_value(n) if isinstance(n.node, ast.Constant) else None
    if size is None:
        raise Refused("np.eye of a size that is not literal", "make it in __init__")
    return new_array(scope, Code(None, Constant(np.eye(size).tolist())), dtype or Code(None, Constant(np.float64)))


def _of_literals(function: Any) -> Callable[..., Code]:
    """A function of NumPy whose arguments must be known before anything runs."""

    def made(scope: Expressions, *arguments: Code, dtype: Code | None = None, **named: Code) -> Code:
        try:
            values = [scope.static_value(one) for one in arguments]
            known = {key: scope.static_value(one) for key, one in named.items()}
        except Refused:
            raise Refused(f"np.{function.__name__} of numbers that are not literal", "make it in __init__") from None
        return new_array(scope, Code(None, Constant(function(*values, **known))), dtype)

    return made


def _arange(scope: Expressions, *bounds: Code, dtype: Code | None = None) -> Code:
    codes = [scope.number(one) for one in bounds]
    if not all(isinstance(one.kind, Number) and one.kind.dtype.kind == "i" for one in codes):
        return _of_literals(np.arange)(scope, *bounds, dtype=dtype)
    nodes = [scope.node_of(one) for one in codes]
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    shape = (len(range(*values)),) if len(values) == len(nodes) else None  # type: ignore[arg-type]
    wanted = dtype_of(scope, dtype, INT64) or INT64
    found = Code(called("np.arange", *nodes), Array(INT64, 1, shape))
    return found if wanted == INT64 else Code(scope.array_in(found, wanted), Array(wanted, 1, shape))


CALLS: dict[Any, Callable[..., Code]] = {
    np.array: new_array,
    np.asarray: _asarray,
    np.zeros: _made(0.0),
    np.empty: _made(0.0),
    np.ones: _made(1.0),
    np.full: _full,
    np.zeros_like: _made_like(0.0),
    np.empty_like: _made_like(0.0),
    np.ones_like: _made_like(1.0),
    np.full_like: _full_like,
    np.eye: _eye,
    np.identity: _eye,
    np.arange: _arange,
    np.linspace: _of_literals(np.linspace),
    np.geomspace: _of_literals(np.geomspace),
    np.diag: _of_literals(np.diag),
    np.tri: _of_literals(np.tri),
}
"""By the function of NumPy."""
