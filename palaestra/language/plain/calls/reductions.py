"""The translation of NumPy's functions that make one number of many."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.calls.arrays import new_array
from palaestra.language.plain.calls.elementwise import as_float, astyped, numeric
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.elements import few_of
from palaestra.language.plain.translation.kinds import (
    BOOL,
    FLAG,
    FLOAT64,
    INT64,
    NONE,
    Array,
    Growing,
    Number,
    Opaque,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, called

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


PAIRED_FROM = 8  # numbers: NumPy adds fewer one after the other


def reduction(name: str) -> Callable[..., Code]:
    """Returns the translation of a reduction, `np.sum` say."""

    def reduced(scope: Expressions, a: Code, axis: Code | None = None) -> Code:
        code = scope.present(a)
        if isinstance(code.kind, Growing) and isinstance(code.kind.item, Number):
            code = new_array(scope, code)
        code = numeric(scope, code)
        kind = code.kind
        if isinstance(kind, Unknown):
            return code
        if isinstance(kind, Number):
            return (
                code._replace(kind=Number(kind.dtype, False))
                if name not in ("any", "all", "mean")
                else _scalar(scope, name, code)
            )
        if not isinstance(kind, Array):
            return Code(called(f"np.{name}", scope.node_of(code)), Opaque())
        if axis is not None and axis.kind != NONE:
            return _along(scope, name, code, kind, axis)
        return _reduced(scope, name, code, kind)

    return reduced


def _scalar(scope: Expressions, name: str, code: Code) -> Code:
    if name == "mean":
        return Code(called("float", scope.node_of(code)), Number(FLOAT64, False))
    return Code(called("bool", scope.node_of(code)), Number(FLAG, False))


def _reduced(scope: Expressions, name: str, code: Code, kind: Array) -> Code:
    node, dtype = scope.node_of(code), kind.dtype
    if name in ("any", "all"):
        if dtype.kind == "f" and dtype.itemsize < 8:
            raise Refused(f"np.{name} of float32", "write a comparison")
        return Code(called(f"np.{name}", node), Number(FLAG, False))
    if name in ("argmax", "argmin", "count_nonzero"):
        return Code(called(f"np.{name}", node), Number(INT64, name != "count_nonzero" and False))
    if name == "sum" and dtype.kind in "iub" and dtype != INT64:
        if dtype == np.uint64 or (dtype.kind == "u"):
            raise Refused("the sum of unsigned numbers", "write astype(np.int64)")
        return Code(called(scope.helper("sum_of_shorts"), node), Number(INT64, False))
    if name == "mean" and dtype.kind in "ib" and dtype.itemsize in (1, 8):
        return Code(called("np.mean", astyped(node)), Number(FLOAT64, False))
    if dtype.kind == "f" and dtype.itemsize < 8:
        if name in ("max", "min"):
            return Code(called("np.float32", called(f"np.{name}", astyped(node))), Number(dtype, False))
        if name in ("sum", "mean") and kind.shape is not None and kind.ndim == 1 and 0 < kind.shape[0] < PAIRED_FROM:
            return Code(called(scope.helper(f"{name}_of_few"), node), Number(dtype, False))
        raise Refused(f"np.{name} of float32", "write astype(np.float64)")
    if dtype.kind == "b" and name in ("max", "min"):
        return Code(called("np.any" if name == "max" else "np.all", node), Number(FLAG, False))
    if name in ("std", "var"):
        return _spread(scope, name, code)
    return Code(called(f"np.{name}", node), Number(dtype, False))


def _spread(scope: Expressions, name: str, code: Code) -> Code:
    """`np.var`, in NumPy's steps, or its root."""
    whole = scope.held(as_float(scope, code))
    apart = scope.held(scope.arithmetic(ast.Sub(), whole, _held_mean(scope, whole)))
    squares = scope.present(scope.arithmetic(ast.Mult(), apart, apart))
    assert isinstance(squares.kind, Array)
    summed = Code(called("np.sum", scope.node_of(squares)), Number(FLOAT64, False))
    size = Code(ast.Attribute(scope.node_of(whole), "size", ast.Load()), Number(INT64, True))
    found = scope.arithmetic(ast.Div(), summed, size)
    if name == "var":
        return found
    return Code(called("np.sqrt", scope.node_of(found)), Number(FLOAT64, False))


def _held_mean(scope: Expressions, code: Code) -> Code:
    return scope.held(Code(called("np.mean", scope.node_of(code)), Number(FLOAT64, False)))


def _along(scope: Expressions, name: str, code: Code, kind: Array, axis: Code) -> Code:
    at = scope.static_value(axis)
    if kind.ndim == 1 and at in (0, -1):
        return _reduced(scope, name, code, kind)
    if kind.ndim == 2 and at in (0, 1, -1, -2) and kind.dtype.itemsize == 8 and name in _ALONG:
        return _along_of_two(scope, name, code, kind, at % 2)
    helper = {"any": "any_along", "all": "all_along", "sum": "sum_along"}.get(name)
    if kind.ndim != 2 or helper is None or at not in (0, 1, -1, -2) or (name == "sum" and kind.dtype.kind not in "ib"):
        raise Refused(f"np.{name} along an axis of {described(kind)}", "write a loop")
    at %= 2
    shape = (kind.shape[1 - at],) if kind.shape is not None else None
    result = INT64 if name == "sum" else FLAG
    return Code(called(scope.helper(helper), scope.node_of(code), ast.Constant(at)), Array(result, 1, shape))


_ALONG = ("sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin")


def _along_of_two(scope: Expressions, name: str, code: Code, kind: Array, at: int) -> Code:
    """A reduction along one of two axes, which machine code has with NumPy's order."""
    if name == "mean":
        code = as_float(scope, code)
    made = called(f"np.{name}", scope.node_of(code))
    made.keywords.append(ast.keyword("axis", ast.Constant(at)))
    dtype = {"any": FLAG, "all": FLAG, "argmax": INT64, "argmin": INT64, "mean": FLOAT64}.get(name, kind.dtype)
    return Code(made, Array(dtype, 1, (kind.shape[1 - at],) if kind.shape is not None else None))


def _array_equal(scope: Expressions, a: Code, b: Code) -> Code:
    count = few_of(a.kind)
    if count is not None and count == few_of(b.kind):
        one, other = scope.held(a), scope.held(b)
        pairs = [(scope.node_of(scope.item(one, k)), scope.node_of(scope.item(other, k))) for k in range(count)]
        tests: list[ast.expr] = [ast.Compare(first, [ast.Eq()], [second]) for first, second in pairs]
        return Code(tests[0] if count == 1 else ast.BoolOp(ast.And(), tests), BOOL)
    x, y = numeric(scope, a), numeric(scope, b)
    if any(isinstance(one.kind, Unknown) for one in (x, y)):
        return Code(None, Unknown())
    if isinstance(x.kind, Array) and isinstance(y.kind, Array):
        if x.kind.ndim != y.kind.ndim:
            return Code(ast.Constant(False), BOOL)
        if x.kind.dtype != y.kind.dtype:
            x, y = (one if one.kind.dtype == FLOAT64 else as_float(scope, one) for one in (x, y))  # type: ignore[attr-defined]
    return Code(called("np.array_equal", scope.node_of(x), scope.node_of(y)), BOOL)


def _norm(scope: Expressions, x: Code, ord: Code | None = None, axis: Code | None = None) -> Code:
    code = numeric(scope, x)
    order = None if ord is None or ord.kind == NONE else scope.static_value(ord)
    if axis is not None and axis.kind != NONE:
        return _norms(scope, code, order, axis)
    if order not in (None, 1, 2, np.inf) or (order is not None and not _is_row(code)):
        raise Refused(f"np.linalg.norm of order {order}", "write a loop")
    if order in (1, np.inf):
        distances = called("np.abs", scope.node_of(as_float(scope, code)))
        return Code(called("np.sum" if order == 1 else "np.max", distances), Number(FLOAT64, False))
    if isinstance(code.kind, Array) and code.kind.dtype == np.float32:
        raise Refused("np.linalg.norm of float32", "write astype(np.float64)")
    node = scope.node_of(as_float(scope, code) if isinstance(code.kind, Array) else code)
    return Code(called("np.linalg.norm", node), Number(FLOAT64, False))


def _norms(scope: Expressions, code: Code, order: Any, axis: Code) -> Code:
    """The norms along one of two axes, in NumPy's steps."""
    kind = code.kind
    if isinstance(kind, Unknown):
        return Code(None, Unknown())
    if order not in (None, 2) or not isinstance(kind, Array) or kind.ndim != 2 or kind.dtype.itemsize != 8:
        raise Refused("np.linalg.norm of this along an axis", "write np.sqrt(np.sum(a ** 2, axis=...)), or a loop")
    held = scope.held(as_float(scope, code))
    squares = scope.held(scope.arithmetic(ast.Mult(), held, held))
    assert isinstance(squares.kind, Array)
    summed = _along(scope, "sum", squares, squares.kind, axis)
    return Code(called("np.sqrt", scope.node_of(summed)), summed.kind)


def _is_row(code: Code) -> bool:
    return isinstance(code.kind, Array) and code.kind.ndim == 1


def dot(scope: Expressions, a: Code, b: Code) -> Code:
    """`np.dot`."""
    x, y = numeric(scope, a), numeric(scope, b)
    if isinstance(x.kind, Number) or isinstance(y.kind, Number):
        return scope.arithmetic(ast.Mult(), x, y)
    floats = [isinstance(one.kind, Array) and one.kind.dtype == np.float64 for one in (x, y)]
    if _is_row(x) and _is_row(y) and all(floats):
        return Code(called("np.dot", scope.node_of(x), scope.node_of(y)), Number(FLOAT64, False))
    return scope.arithmetic(ast.MatMult(), x, y)


CALLS: dict[Any, Callable[..., Code]] = {
    **{getattr(np, name): reduction(name) for name in ("sum", "mean", "prod", "max", "min", "any", "all")},
    **{getattr(np, name): reduction(name) for name in ("argmax", "argmin", "count_nonzero", "std", "var")},
    np.array_equal: _array_equal,
    np.linalg.norm: _norm,
    np.dot: dot,
}
"""By the function of NumPy."""
