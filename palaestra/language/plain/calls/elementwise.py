"""The translation of NumPy's functions of each number by itself."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.building import packed
from palaestra.language.plain.translation.elements import few_of
from palaestra.language.plain.translation.kinds import (
    BOOL,
    FLAG,
    FLOAT,
    FLOAT64,
    Array,
    Kind,
    Number,
    Opaque,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, called, literal, type_node

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def numeric(scope: Expressions, code: Code) -> Code:
    """Returns a number or an array, which a list or tuple becomes."""
    code = scope.present(code)
    if isinstance(code.kind, (Tuple, Array)):
        return scope.as_array(code)
    return scope.number(code)


def _unary(function: Any) -> Callable[..., Code]:
    name = function.__name__

    def unary(scope: Expressions, x: Code, dtype: Code | None = None) -> Code:
        code = numeric(scope, x)
        kind = code.kind
        if isinstance(kind, Unknown):
            return code
        if isinstance(kind, Opaque):
            return Code(called(scope.unit.constant(function, name), scope.node_of(code)), kind)
        assert isinstance(kind, (Number, Array))
        keeps = name in ("absolute", "sign")
        if isinstance(kind, Number) and kind.mixed:
            code = Code(scope.node_of(code), Number(kind.dtype, kind.weak))
        if kind.dtype.kind in "iub" and not keeps:
            if kind.dtype.itemsize < 8:
                raise Refused(f"np.{name} of short integers", "write astype(np.float64)")
            node = scope.node_of(code)
            made = astyped(node) if isinstance(kind, Array) else called("float", node)
            code = Code(made, Array(FLOAT64, kind.ndim, kind.shape) if isinstance(kind, Array) else Number(FLOAT64))
        if name == "sign" and isinstance(kind, Number) and kind.dtype == np.int64:
            return Code(called(scope.helper("sign_of_int"), scope.node_of(code)), Number(kind.dtype, False))
        if kind.dtype == np.float32 and not keeps:
            raise Refused(f"np.{name} of float32", "write float(...), or astype(np.float64)")
        result = code.kind
        if isinstance(result, Number):
            result = Number(result.dtype, False)
        function_node = scope.unit.constant(function, name)
        if name == "absolute" and isinstance(result, Number) and result.dtype.itemsize < 8:
            function_node = ast.Name("abs", ast.Load())
        return Code(called(function_node, scope.node_of(code)), result)

    return unary


def astyped(node: ast.expr) -> ast.expr:
    """Returns an array in float64."""
    return ast.Call(ast.Attribute(node, "astype", ast.Load()), [type_node(FLOAT64)], [])


def rounded(scope: Expressions, x: Code, decimals: Code | None = None) -> Code:
    """`np.round`."""
    count = 0 if decimals is None else scope.static_value(decimals)
    if not isinstance(count, int) or not 0 <= count <= 15:
        raise Refused("np.round to so many decimals", "give a literal number of 0 to 15")
    return rounded_by_numpy(scope, numeric(scope, x), count)


def rounded_by_numpy(scope: Expressions, code: Code, decimals: int) -> Code:
    """Returns numbers scaled, rounded to the even one of two, and scaled back, as NumPy does it."""
    if isinstance(code.kind, (Number, Array)) and code.kind.dtype.kind in "iu" and decimals:
        if isinstance(code.kind, Array):
            return Code(ast.Call(ast.Attribute(scope.node_of(code), "copy", ast.Load()), [], []), code.kind)
        return code._replace(kind=Number(code.kind.dtype, False))
    scale = Code(ast.Constant(10.0**decimals), FLOAT)
    scaled = scope.arithmetic(ast.Mult(), code, scale) if decimals else code
    whole = _unary(np.rint)(scope, scaled)
    return scope.arithmetic(ast.Div(), whole, scale) if decimals else whole


def _binary(function: Any) -> Callable[..., Code]:
    name = function.__name__

    def binary(scope: Expressions, x: Code, y: Code) -> Code:
        a, b = numeric(scope, x), numeric(scope, y)
        if any(isinstance(one.kind, Unknown) for one in (a, b)):
            return Code(None, Unknown())
        if not all(isinstance(one.kind, (Number, Array)) for one in (a, b)):
            return Code(called(scope.unit.constant(function, name), scope.node_of(a), scope.node_of(b)), Opaque())
        example = scope.arithmetic(ast.Add() if name != "arctan2" else ast.Div(), a, b)
        dtype = example.kind.dtype if isinstance(example.kind, (Number, Array)) else None
        if dtype is None:
            raise Refused(f"np.{name} of numbers whose type is not known")
        if dtype == np.float32:
            return _in_float32(scope, name, a, b, example.kind)
        if dtype.itemsize < 8:
            raise Refused(f"np.{name} of short numbers", "write astype(np.float64) or float(...)")
        if dtype.kind == "f":
            a, b = as_float(scope, a), as_float(scope, b)
        kind: Kind = example.kind
        if isinstance(kind, Number):
            kind = Number(dtype, False)
        return Code(called(scope.unit.constant(function, name), scope.node_of(a), scope.node_of(b)), kind)

    return binary


def _in_float32(scope: Expressions, name: str, a: Code, b: Code, kind: Kind) -> Code:
    """One of two numbers of single precision, chosen in double precision."""
    if name not in ("minimum", "maximum", "fmin", "fmax"):
        raise Refused(f"np.{name} of float32", "write float(...), or astype(np.float64)")
    single, wide = np.dtype(np.float32), []
    for one in (a, b):
        is_array = isinstance(one.kind, Array)
        rounded = scope.array_in(one, single) if is_array else scope.number_in(one, single)
        wide.append(astyped(rounded) if is_array else called("float", rounded))
    chosen = called(scope.unit.constant(getattr(np, name), name), *wide)
    if isinstance(kind, Array):
        whole = Code(chosen, Array(FLOAT64, kind.ndim, kind.shape))
        return Code(scope.array_in(whole, single), Array(single, kind.ndim, kind.shape))
    return Code(called("np.float32", chosen), Number(single, False))


def as_float(scope: Expressions, code: Code) -> Code:
    """Returns a number or an array in float64."""
    kind = code.kind
    assert isinstance(kind, (Number, Array))
    if kind.dtype == np.float64:
        return code
    if isinstance(kind, Array):
        return Code(astyped(scope.node_of(code)), Array(FLOAT64, kind.ndim, kind.shape))
    return Code(called("float", scope.node_of(code)), Number(FLOAT64))


def _operator(operator: type[ast.operator]) -> Callable[..., Code]:
    def applied(scope: Expressions, x: Code, y: Code) -> Code:
        a, b = numeric(scope, x), numeric(scope, y)
        result = scope.arithmetic(operator(), a, b)
        if isinstance(result.kind, Number):
            return result._replace(kind=Number(result.kind.dtype, False))
        return result

    return applied


def clip(scope: Expressions, a: Code, a_min: Code, a_max: Code) -> Code:
    """`np.clip`."""
    count, bounds = few_of(a.kind), [scope.plain(one) for one in (a_min, a_max)]
    if count is not None and all(isinstance(one.kind, Number) for one in bounds):
        whole, low, high = (scope.held(one) for one in (a, *bounds))
        return packed(scope, [clip(scope, scope.item(whole, k), low, high) for k in range(count)])
    code, low, high = numeric(scope, a), numeric(scope, a_min), numeric(scope, a_max)
    kinds = [one.kind for one in (code, low, high)]
    if any(isinstance(kind, Unknown) for kind in kinds):
        return Code(None, Unknown())
    if any(isinstance(kind, Opaque) for kind in kinds):
        return Code(called("np.clip", *[scope.node_of(one) for one in (code, low, high)]), Opaque())
    if isinstance(low.kind, Array) or isinstance(high.kind, Array):
        return _binary(np.minimum)(scope, _binary(np.maximum)(scope, code, low), high)
    kind = code.kind
    assert isinstance(kind, (Number, Array))
    if kind.dtype == np.float32:
        return _clip_float32(scope, code, low, high)
    if kind.dtype.itemsize < 8:
        raise Refused("np.clip of short numbers", "write astype(np.int64)")
    dtype = np.result_type(*[one.dtype for one in kinds if isinstance(one, (Number, Array))])
    if dtype == np.float64:
        code, low, high = as_float(scope, code), as_float(scope, low), as_float(scope, high)
    result: Kind = Number(dtype, False) if isinstance(kind, Number) else Array(dtype, kind.ndim, kind.shape)
    return Code(called("np.clip", *[scope.node_of(one) for one in (code, low, high)]), result)


def _clip_float32(scope: Expressions, code: Code, low: Code, high: Code) -> Code:
    """In 64 bits, which gives the same numbers: the bounds are rounded first, as NumPy does."""
    single = np.dtype(np.float32)
    for one in (low, high):
        if isinstance(one.kind, Number) and one.kind.weak is not True and one.kind.dtype != single:
            raise Refused("np.clip of float32 with bounds of NumPy's float64", "write float(...) around the bounds")
    bounds = [called("float", scope.number_in(one, single)) for one in (low, high)]
    kind = code.kind
    if isinstance(kind, Number):
        wide = called("float", scope.node_of(code))
        return Code(called("np.float32", called("np.clip", wide, *bounds)), Number(single, False))
    assert isinstance(kind, Array)
    made = Code(called("np.clip", astyped(scope.node_of(code)), *bounds), Array(FLOAT64, kind.ndim, kind.shape))
    return Code(scope.array_in(made, single), Array(single, kind.ndim, kind.shape))


def _logical(scope: Expressions, operator: ast.operator, a: Code, b: Code) -> Code:
    x, y = numeric(scope, a), numeric(scope, b)
    kinds = [one.kind for one in (x, y)]
    if all(isinstance(kind, (Number, Array)) and kind.dtype.kind == "b" for kind in kinds):
        return scope.arithmetic(operator, x, y)
    raise Refused("np.logical functions take bools here", "write comparisons")


def _not(scope: Expressions, a: Code) -> Code:
    code = numeric(scope, a)
    if isinstance(code.kind, Array) and code.kind.dtype.kind == "b":
        return Code(ast.UnaryOp(ast.Invert(), scope.node_of(code)), code.kind)
    if isinstance(code.kind, Number):
        return Code(ast.UnaryOp(ast.Not(), scope.node_of(code)), Number(FLAG, False))
    raise Refused("np.logical_not takes bools here", "write comparisons")


def _near(scope: Expressions, a: Code, b: Code, rtol: Code | None = None, atol: Code | None = None) -> Code:
    """`np.isclose` of two numbers, `np.allclose` of numbers and arrays."""
    x, y = numeric(scope, a), numeric(scope, b)
    bounds = [scope.node_of(one) if one else literal(default) for one, default in ((rtol, 1e-5), (atol, 1e-8))]
    if not all(isinstance(one.kind, Number) for one in (x, y)):
        raise Refused("np.isclose of arrays", "write np.allclose, or np.abs(a - b) <= atol")
    sides = [scope.node_of(as_float(scope, one)) for one in (x, y)]
    return Code(called(scope.helper("is_near"), *sides, *bounds), Number(FLAG, False))


def _all_near(scope: Expressions, a: Code, b: Code, rtol: Code | None = None, atol: Code | None = None) -> Code:
    x, y = numeric(scope, a), numeric(scope, b)
    if all(isinstance(one.kind, Number) for one in (x, y)):
        return _near(scope, a, b, rtol, atol)._replace(kind=BOOL)
    bounds = [scope.node_of(one) if one else literal(default) for one, default in ((rtol, 1e-5), (atol, 1e-8))]
    shapes = [one.kind.shape for one in (x, y) if isinstance(one.kind, Array)]
    if None in shapes or len({*shapes}) != 1 or shapes[0] is None:
        raise Refused("np.allclose of arrays whose shapes are not known to be equal", "write a loop")
    sides = []
    for one in (x, y):
        wide = as_float(scope, one)
        if isinstance(one.kind, Number):
            wide = Code(called("np.full", literal(shapes[0]), scope.node_of(wide)), Array(FLOAT64, len(shapes[0])))
        sides.append(scope.node_of(wide))
    return Code(called(scope.helper("are_near"), *sides, *bounds), BOOL)


def _test(function: Any) -> Callable[..., Code]:
    def tested(scope: Expressions, x: Code) -> Code:
        code = numeric(scope, x)
        kind: Kind = Number(FLAG, False)
        if isinstance(code.kind, Array):
            kind = Array(FLAG, code.kind.ndim, code.kind.shape)
        return Code(called(scope.unit.constant(function, function.__name__), scope.node_of(code)), kind)

    return tested


_UNARY = (
    *(np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.exp, np.expm1, np.log),
    *(np.log1p, np.log2, np.log10, np.sqrt, np.cbrt, np.floor, np.ceil, np.trunc, np.rint, np.square, np.absolute),
    *(np.sign, np.deg2rad, np.rad2deg),
)
CALLS: dict[Any, Callable[..., Code]] = {
    **{function: _unary(function) for function in _UNARY},
    **{function: _binary(function) for function in (np.minimum, np.maximum, np.fmin, np.fmax, np.arctan2)},
    np.degrees: _unary(np.rad2deg),
    np.radians: _unary(np.deg2rad),
    np.round: rounded,
    np.around: rounded,
    np.add: _operator(ast.Add),
    np.subtract: _operator(ast.Sub),
    np.multiply: _operator(ast.Mult),
    np.divide: _operator(ast.Div),
    np.mod: _operator(ast.Mod),
    np.power: _operator(ast.Pow),
    np.matmul: lambda scope, a, b: scope.arithmetic(ast.MatMult(), numeric(scope, a), numeric(scope, b)),
    np.clip: clip,
    np.logical_and: lambda scope, a, b: _logical(scope, ast.BitAnd(), a, b),
    np.logical_or: lambda scope, a, b: _logical(scope, ast.BitOr(), a, b),
    np.logical_xor: lambda scope, a, b: _logical(scope, ast.BitXor(), a, b),
    np.logical_not: _not,
    np.isclose: _near,
    np.allclose: _all_near,
    np.isnan: _test(np.isnan),
    np.isinf: _test(np.isinf),
    np.isfinite: _test(np.isfinite),
}
"""By the function of NumPy."""
