"""The translation of NumPy's functions, and of the methods of arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.plain.building import array_of_codes, full
from gymnasium.plain.drawing_calls import shape_of
from gymnasium.plain.expressions import DTypes, few_of, packed
from gymnasium.plain.kinds import (
    BOOL,
    INT,
    NONE,
    Array,
    Constant,
    Growing,
    Kind,
    Number,
    Opaque,
    Tuple,
    Unknown,
    told,
)
from gymnasium.plain.late import late
from gymnasium.plain.refusals import Refused
from gymnasium.plain.unit import Code, called, indexed, literal, type_node

if TYPE_CHECKING:
    from gymnasium.plain.expressions import Expressions

_FLOAT64, _INT64, _BOOL = np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_)


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
    if isinstance(code.kind, Number) and code.kind.dtype.kind == "f" and dtype.kind in "iu" and dtype != _INT64:
        raise Refused(f"np.{dtype.name} of a float", "write int(...) inside")
    return Code(scope.number_in(code, dtype), Number(dtype, False))


def _array(scope: Expressions, items: Code, dtype: Code | None = None, copy: Code | None = None) -> Code:
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
        target = wanted or kind.dtype
        return Code(scope.array_in(items, target), Array(target, kind.ndim, kind.shape))
    if isinstance(kind, Growing) and isinstance(kind.item, Number):
        made = Code(called("np.array", scope.node_of(items)), Array(kind.item.dtype, 1))
        return _array(scope, made, dtype) if wanted not in (None, kind.item.dtype) else made
    if isinstance(kind, Number):
        if kind.mixed and wanted is None:
            raise Refused("an array of what may be an int or a float", "name its dtype")
        return number_type(scope, wanted or kind.dtype, items)
    raise Refused(f"an array of a {told(kind)} is not supported")


def _asarray(scope: Expressions, items: Code, dtype: Code | None = None) -> Code:
    wanted = dtype_of(scope, dtype, None)
    kind = items.kind
    if isinstance(kind, Array) and not kind.listed and wanted in (None, kind.dtype):
        return items
    return _array(scope, items, dtype)


def _made(value: float) -> Callable[..., Code]:
    name = "np.ones" if value else "np.zeros"

    def made(scope: Expressions, shape: Code, dtype: Code | None = None) -> Code:
        node, axes, known = shape_of(scope, shape)
        wanted = dtype_of(scope, dtype, _FLOAT64) or _FLOAT64
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
    fitted = late("building", "fitted")

    item = Code(fitted(scope, value, wanted), Number(wanted, False))
    return full(scope, sizes, known or (None,) * axes, item, listed=False)


def _made_like(value: float) -> Callable[..., Code]:
    def made(scope: Expressions, like: Code, dtype: Code | None = None) -> Code:
        kind = scope.present(like).kind
        if isinstance(kind, Tuple):
            like = scope.as_array(like)
            kind = like.kind
        if not isinstance(kind, Array):
            raise Refused(f"an array like a {told(kind)}")
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
        raise Refused(f"an array like a {told(kind)}")
    wanted = dtype or Code(None, Constant(kind.dtype))
    return _full(scope, scope.of_shape(kind.shape), fill_value, wanted)


def _eye(scope: Expressions, n: Code, dtype: Code | None = None) -> Code:
    size = scope.static_value(n) if isinstance(n.node, ast.Constant) else None
    if size is None:
        raise Refused("np.eye of a size that is not literal", "make it in __init__")
    return _array(scope, Code(None, Constant(np.eye(size).tolist())), dtype or Code(None, Constant(np.float64)))


def _arange(scope: Expressions, *bounds: Code, dtype: Code | None = None) -> Code:
    codes = [scope.number(one) for one in bounds]
    if not all(isinstance(one.kind, Number) and one.kind.dtype.kind == "i" for one in codes):
        raise Refused("np.arange of floats", "write np.arange(n) * step")
    nodes = [scope.node_of(one) for one in codes]
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    shape = (len(range(*values)),) if len(values) == len(nodes) else None  # type: ignore[arg-type]
    wanted = dtype_of(scope, dtype, _INT64) or _INT64
    found = Code(called("np.arange", *nodes), Array(_INT64, 1, shape))
    return found if wanted == _INT64 else Code(scope.array_in(found, wanted), Array(wanted, 1, shape))


def _numeric(scope: Expressions, code: Code) -> Code:
    """Returns a number or an array, which a list or tuple becomes."""
    code = scope.present(code)
    if isinstance(code.kind, (Tuple, Array)):
        return scope.as_array(code)
    return scope.number(code)


def _unary(function: Any) -> Callable[..., Code]:
    name = function.__name__

    def unary(scope: Expressions, x: Code, dtype: Code | None = None) -> Code:
        code = _numeric(scope, x)
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
            made = _astyped(node) if isinstance(kind, Array) else called("float", node)
            code = Code(made, Array(_FLOAT64, kind.ndim, kind.shape) if isinstance(kind, Array) else Number(_FLOAT64))
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


def _astyped(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(node, "astype", ast.Load()), [type_node(_FLOAT64)], [])


def _rounded(scope: Expressions, x: Code, decimals: Code | None = None) -> Code:
    if decimals is not None and not (isinstance(decimals.node, ast.Constant) and decimals.node.value == 0):
        raise Refused("np.round to decimals", "compute with whole hundredths, say")
    return _unary(np.rint)(scope, x)


def _binary(function: Any) -> Callable[..., Code]:
    name = function.__name__

    def binary(scope: Expressions, x: Code, y: Code) -> Code:
        a, b = _numeric(scope, x), _numeric(scope, y)
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
            a, b = _as_float(scope, a), _as_float(scope, b)
        kind: Kind = example.kind
        if isinstance(kind, Number):
            kind = Number(dtype, False)
        return Code(called(scope.unit.constant(function, name), scope.node_of(a), scope.node_of(b)), kind)

    return binary


def _in_float32(scope: Expressions, name: str, a: Code, b: Code, kind: Kind) -> Code:
    if name not in ("minimum", "maximum", "fmin", "fmax") or not isinstance(kind, Number):
        raise Refused(f"np.{name} of float32", "write float(...), or astype(np.float64)")
    wide = [called("float", scope.number_in(one, np.dtype(np.float32))) for one in (a, b)]
    function = scope.unit.constant(getattr(np, name), name)
    return Code(called("np.float32", called(function, *wide)), Number(np.dtype(np.float32), False))


def _as_float(scope: Expressions, code: Code) -> Code:
    kind = code.kind
    assert isinstance(kind, (Number, Array))
    if kind.dtype == np.float64:
        return code
    if isinstance(kind, Array):
        return Code(_astyped(scope.node_of(code)), Array(_FLOAT64, kind.ndim, kind.shape))
    return Code(called("float", scope.node_of(code)), Number(_FLOAT64))


def _operator(operator: type[ast.operator]) -> Callable[..., Code]:
    def applied(scope: Expressions, x: Code, y: Code) -> Code:
        a, b = _numeric(scope, x), _numeric(scope, y)
        result = scope.arithmetic(operator(), a, b)
        if isinstance(result.kind, Number):
            return result._replace(kind=Number(result.kind.dtype, False))
        return result

    return applied


def _clip(scope: Expressions, a: Code, a_min: Code, a_max: Code) -> Code:
    count, bounds = few_of(a.kind), [scope.plain(one) for one in (a_min, a_max)]
    if count is not None and all(isinstance(one.kind, Number) for one in bounds):
        whole, low, high = (scope.held(one) for one in (a, *bounds))
        return packed(scope, [_clip(scope, scope.item(whole, k), low, high) for k in range(count)])
    code, low, high = _numeric(scope, a), _numeric(scope, a_min), _numeric(scope, a_max)
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
        code, low, high = _as_float(scope, code), _as_float(scope, low), _as_float(scope, high)
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
    made = Code(called("np.clip", _astyped(scope.node_of(code)), *bounds), Array(_FLOAT64, kind.ndim, kind.shape))
    return Code(scope.array_in(made, single), Array(single, kind.ndim, kind.shape))


def _reduction(name: str) -> Callable[..., Code]:
    def reduced(scope: Expressions, a: Code, axis: Code | None = None) -> Code:
        code = scope.present(a)
        if isinstance(code.kind, Growing) and isinstance(code.kind.item, Number):
            code = _array(scope, code)
        code = _numeric(scope, code)
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
        return Code(called("float", scope.node_of(code)), Number(_FLOAT64, False))
    return Code(called("bool", scope.node_of(code)), Number(_BOOL, False))


def _reduced(scope: Expressions, name: str, code: Code, kind: Array) -> Code:
    node, dtype = scope.node_of(code), kind.dtype
    if name in ("any", "all"):
        if dtype.kind == "f" and dtype.itemsize < 8:
            raise Refused(f"np.{name} of float32", "write a comparison")
        return Code(called(f"np.{name}", node), Number(_BOOL, False))
    if name in ("argmax", "argmin", "count_nonzero"):
        return Code(called(f"np.{name}", node), Number(_INT64, name != "count_nonzero" and False))
    if name == "sum" and dtype.kind in "iub" and dtype != _INT64:
        if dtype == np.uint64 or (dtype.kind == "u"):
            raise Refused("the sum of unsigned numbers", "write astype(np.int64)")
        return Code(called(scope.helper("sum_of_shorts"), node), Number(_INT64, False))
    if name == "mean" and dtype.kind in "ib" and dtype.itemsize in (1, 8):
        return Code(called("np.mean", _astyped(node)), Number(_FLOAT64, False))
    if dtype.kind == "f" and dtype.itemsize < 8:
        if name in ("max", "min"):
            return Code(called("np.float32", called(f"np.{name}", _astyped(node))), Number(dtype, False))
        raise Refused(f"np.{name} of float32", "write astype(np.float64)")
    if dtype.kind == "b" and name in ("max", "min"):
        return Code(called("np.any" if name == "max" else "np.all", node), Number(_BOOL, False))
    if name in ("std", "var"):
        raise Refused(f"np.{name} is not supported", "write it with np.mean and np.sqrt")
    return Code(called(f"np.{name}", node), Number(dtype, False))


def _along(scope: Expressions, name: str, code: Code, kind: Array, axis: Code) -> Code:
    at = scope.static_value(axis)
    if kind.ndim == 1 and at in (0, -1):
        return _reduced(scope, name, code, kind)
    helper = {"any": "any_along", "all": "all_along", "sum": "sum_along"}.get(name)
    if kind.ndim != 2 or helper is None or at not in (0, 1, -1, -2) or (name == "sum" and kind.dtype.kind not in "ib"):
        raise Refused(f"np.{name} along an axis of {told(kind)}", "write a loop")
    at %= 2
    shape = (kind.shape[1 - at],) if kind.shape is not None else None
    result = _INT64 if name == "sum" else _BOOL
    return Code(called(scope.helper(helper), scope.node_of(code), ast.Constant(at)), Array(result, 1, shape))


def _array_equal(scope: Expressions, a: Code, b: Code) -> Code:
    count = few_of(a.kind)
    if count is not None and count == few_of(b.kind):
        one, other = scope.held(a), scope.held(b)
        pairs = [(scope.node_of(scope.item(one, k)), scope.node_of(scope.item(other, k))) for k in range(count)]
        tests: list[ast.expr] = [ast.Compare(first, [ast.Eq()], [second]) for first, second in pairs]
        return Code(tests[0] if count == 1 else ast.BoolOp(ast.And(), tests), BOOL)
    x, y = _numeric(scope, a), _numeric(scope, b)
    if any(isinstance(one.kind, Unknown) for one in (x, y)):
        return Code(None, Unknown())
    if isinstance(x.kind, Array) and isinstance(y.kind, Array):
        if x.kind.ndim != y.kind.ndim:
            return Code(ast.Constant(False), BOOL)
        if x.kind.dtype != y.kind.dtype:
            x, y = (one if one.kind.dtype == _FLOAT64 else _as_float(scope, one) for one in (x, y))  # type: ignore[attr-defined]
    return Code(called("np.array_equal", scope.node_of(x), scope.node_of(y)), BOOL)


def _where(scope: Expressions, condition: Code, x: Code | None = None, y: Code | None = None) -> Code:
    test = _numeric(scope, condition)
    if x is None or y is None:
        return _nonzero(scope, test)
    a, b = _numeric(scope, x), _numeric(scope, y)
    if isinstance(test.kind, Number):
        if isinstance(a.kind, Number) and isinstance(b.kind, Number):
            kind = scope.join_of([a, b])
            if isinstance(kind, Number):
                kind = Number(kind.dtype, False)
            return Code(ast.IfExp(scope.node_of(test), scope.node_of(a), scope.node_of(b)), kind)
        raise Refused("np.where of one condition and arrays", "write `a if condition else b`")
    dtypes = {one.kind.dtype for one in (a, b) if isinstance(one.kind, (Number, Array))}
    if _FLOAT64 in dtypes:
        a, b = _as_float(scope, a), _as_float(scope, b)
        dtypes = {_FLOAT64}
    if len(dtypes) != 1 or not isinstance(test.kind, Array):
        raise Refused("np.where of values of several types", "bring both to float64 or int64")
    kind = Array(next(iter(dtypes)), test.kind.ndim, test.kind.shape)
    return Code(called("np.where", *[scope.node_of(one) for one in (test, a, b)]), kind)


def _nonzero(scope: Expressions, flags: Code) -> Code:
    kind = flags.kind
    if isinstance(kind, Array) and kind.ndim == 1:
        found = Code(called("np.flatnonzero", scope.node_of(flags)), Array(_INT64, 1))
        return scope._tuple_of([found])
    if isinstance(kind, Array) and kind.ndim == 2:
        pairs = scope.temporary(called(scope.helper("argwhere2"), scope.node_of(flags)))
        parts = []
        for k in range(2):
            index = ast.Tuple([ast.Slice(), ast.Constant(k)], ast.Load())
            column = ast.Call(ast.Attribute(indexed(pairs, index), "copy", ast.Load()), [], [])
            parts.append(Code(column, Array(_INT64, 1)))
        return scope._tuple_of(parts)
    raise Refused("the places of what is true in several axes", "write a loop")


def _flatnonzero(scope: Expressions, flags: Code) -> Code:
    code = _numeric(scope, flags)
    return Code(called("np.flatnonzero", scope.node_of(code)), Array(_INT64, 1))


def _argwhere(scope: Expressions, flags: Code) -> Code:
    code = _numeric(scope, flags)
    if not isinstance(code.kind, Array) or code.kind.ndim != 2:
        if isinstance(code.kind, Array) and code.kind.ndim == 1:
            flat = called("np.flatnonzero", scope.node_of(code))
            shaped = ast.Call(ast.Attribute(flat, "reshape", ast.Load()), [literal((-1, 1))], [])
            return Code(shaped, Array(_INT64, 2))
        raise Refused("np.argwhere takes an array with one or two axes")
    return Code(called(scope.helper("argwhere2"), scope.node_of(code)), Array(_INT64, 2))


def _joined(name: str) -> Callable[..., Code]:
    def made(scope: Expressions, arrays: Code, axis: Code | None = None) -> Code:
        parts = [_numeric(scope, one) for one in scope.parts(scope.held(scope.present(arrays)))]
        if any(isinstance(one.kind, Unknown) for one in parts):
            return Code(None, Unknown())
        at = 0 if axis is None else scope.static_value(axis)
        if name in ("stack", "vstack") and at == 0:
            shapes = {one.kind.shape if isinstance(one.kind, Array) else () for one in parts}
            if len(shapes) == 1 and None not in shapes and all(len(one or ()) == 1 for one in shapes):
                return array_of_codes(scope, parts, None)
        if name in ("concatenate", "hstack") and at == 0 and _one_axis(parts):
            return _chained(scope, parts, name)
        raise Refused(f"np.{name} of these arrays is not supported", "fill an array with a loop")

    return made


def _one_axis(parts: list[Code]) -> bool:
    return all(isinstance(one.kind, Number) or (isinstance(one.kind, Array) and one.kind.ndim == 1) for one in parts)


def _chained(scope: Expressions, parts: list[Code], name: str) -> Code:
    dtype = np.result_type(*[one.kind.dtype for one in parts if isinstance(one.kind, (Number, Array))])
    each: list[ast.expr] = []
    length: int | None = 0
    for one in parts:
        if isinstance(one.kind, Number):
            if name == "concatenate":
                raise Refused("np.concatenate takes arrays")
            one = array_of_codes(scope, [one], dtype)
        kind = one.kind
        assert isinstance(kind, Array)
        each.append(scope.node_of(one) if kind.dtype == dtype else scope.array_in(one, dtype))
        length = None if length is None or kind.shape is None else length + kind.shape[0]
    whole = called("np.concatenate", ast.Tuple(each, ast.Load()))
    return Code(whole, Array(dtype, 1, None if length is None else (length,)))


def _append(scope: Expressions, a: Code, values: Code) -> Code:
    both = [_numeric(scope, a), _numeric(scope, values)]
    return _chained(scope, both, "hstack")


def _norm(scope: Expressions, x: Code, ord: Code | None = None) -> Code:
    code = _numeric(scope, x)
    order = None if ord is None or ord.kind == NONE else scope.static_value(ord)
    if order not in (None, 1, 2, np.inf) or (order is not None and not _is_row(code)):
        raise Refused(f"np.linalg.norm of order {order}", "write a loop")
    if order in (1, np.inf):
        distances = called("np.abs", scope.node_of(_as_float(scope, code)))
        return Code(called("np.sum" if order == 1 else "np.max", distances), Number(_FLOAT64, False))
    if isinstance(code.kind, Array) and code.kind.dtype == np.float32:
        raise Refused("np.linalg.norm of float32", "write astype(np.float64)")
    node = scope.node_of(_as_float(scope, code) if isinstance(code.kind, Array) else code)
    return Code(called("np.linalg.norm", node), Number(_FLOAT64, False))


def _is_row(code: Code) -> bool:
    return isinstance(code.kind, Array) and code.kind.ndim == 1


def _dot(scope: Expressions, a: Code, b: Code) -> Code:
    x, y = _numeric(scope, a), _numeric(scope, b)
    if isinstance(x.kind, Number) or isinstance(y.kind, Number):
        return scope.arithmetic(ast.Mult(), x, y)
    floats = [isinstance(one.kind, Array) and one.kind.dtype == np.float64 for one in (x, y)]
    if _is_row(x) and _is_row(y) and all(floats):
        return Code(called("np.dot", scope.node_of(x), scope.node_of(y)), Number(_FLOAT64, False))
    return scope.arithmetic(ast.MatMult(), x, y)


def _copy(scope: Expressions, a: Code) -> Code:
    return _array(scope, a)


def _ravel(scope: Expressions, a: Code) -> Code:
    return method(scope, scope.present(a), "ravel", [], {}, None)


def _reshape(scope: Expressions, a: Code, shape: Code) -> Code:
    return method(scope, scope.present(a), "reshape", [shape], {}, None)


def _roll(scope: Expressions, a: Code, shift: Code, axis: Code | None = None) -> Code:
    code = _numeric(scope, a)
    if axis is not None and axis.kind != NONE and isinstance(code.kind, Array) and code.kind.ndim == 2:
        helper = "rolled_columns" if scope.static_value(axis) in (1, -1) else "rolled_rows"
        return Code(called(scope.helper(helper), scope.node_of(code), scope.node_of(scope.number(shift))), code.kind)
    if not isinstance(code.kind, Array) or code.kind.ndim != 1:
        raise Refused("np.roll of several axes", "write a loop")
    return Code(called("np.roll", scope.node_of(code), scope.node_of(scope.number(shift))), code.kind)


def _shape(scope: Expressions, a: Code) -> Code:
    return scope.attribute(_numeric(scope, a), "shape")


def _logical(scope: Expressions, operator: ast.operator, a: Code, b: Code) -> Code:
    x, y = _numeric(scope, a), _numeric(scope, b)
    kinds = [one.kind for one in (x, y)]
    if all(isinstance(kind, (Number, Array)) and kind.dtype.kind == "b" for kind in kinds):
        return scope.arithmetic(operator, x, y)
    raise Refused("np.logical functions take bools here", "write comparisons")


def _not(scope: Expressions, a: Code) -> Code:
    code = _numeric(scope, a)
    if isinstance(code.kind, Array) and code.kind.dtype.kind == "b":
        return Code(ast.UnaryOp(ast.Invert(), scope.node_of(code)), code.kind)
    if isinstance(code.kind, Number):
        return Code(ast.UnaryOp(ast.Not(), scope.node_of(code)), Number(_BOOL, False))
    raise Refused("np.logical_not takes bools here", "write comparisons")


def _unravel(scope: Expressions, index: Code, shape: Code) -> Code:
    sizes = [scope.node_of(one) for one in scope.parts(scope.held(scope.present(shape)))]
    if len(sizes) != 2:
        raise Refused("np.unravel_index of other than two axes", "write // and %")
    held = scope.node_of(scope.held(scope.number(index)))
    row = Code(ast.BinOp(held, ast.FloorDiv(), sizes[1]), Number(_INT64, False))
    column = Code(ast.BinOp(held, ast.Mod(), sizes[1]), Number(_INT64, False))
    return scope._tuple_of([row, column])


def _test(function: Any) -> Callable[..., Code]:
    def tested(scope: Expressions, x: Code) -> Code:
        code = _numeric(scope, x)
        kind: Kind = Number(_BOOL, False)
        if isinstance(code.kind, Array):
            kind = Array(_BOOL, code.kind.ndim, code.kind.shape)
        return Code(called(scope.unit.constant(function, function.__name__), scope.node_of(code)), kind)

    return tested


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
        made = called(ast.Attribute(scope.node_of(owner), key, ast.Load()), *[scope.node_of(one) for one in arguments])
        return Code(made, Opaque())
    assert isinstance(kind, Array)
    if key in ("sum", "mean", "prod", "max", "min", "any", "all", "argmax", "argmin", "std", "var"):
        return _reduction(key)(scope, owner, *arguments, **named)
    if key == "copy":
        return Code(ast.Call(ast.Attribute(scope.node_of(owner), "copy", ast.Load()), [], []), kind)
    if key == "astype":
        if "copy" in named and scope.truth(named["copy"]) is not True:
            raise Refused("astype without a copy may be the same array", "leave copy=False out")
        wanted = dtype_of(scope, arguments[0] if arguments else named.get("dtype"), None)
        if wanted is None:
            raise Refused("astype without a dtype")
        return Code(scope.array_in(owner, wanted), Array(wanted, kind.ndim, kind.shape))
    if key in ("flatten", "ravel"):
        size = int(np.prod(kind.shape)) if kind.shape is not None else None
        copied = ast.Call(ast.Attribute(scope.node_of(owner), "copy", ast.Load()), [], [])
        whole = copied if key == "flatten" else scope.node_of(owner)
        flat = ast.Call(ast.Attribute(whole, "ravel", ast.Load()), [], [])
        origins = frozenset[str]() if key == "flatten" else owner.origins
        return Code(flat, Array(kind.dtype, 1, None if size is None else (size,)), origins)
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
        _one = late("builtin_calls", "_one")

        return Code(_one(scope, owner), Number(kind.dtype, True))
    if key == "dot":
        return _dot(scope, owner, *arguments)
    if key == "clip":
        return _clip(scope, owner, *arguments)
    if key == "nonzero":
        return _nonzero(scope, owner)
    raise Refused(f"`.{key}` of an array is not supported", "write a loop")


def _of_number(
    scope: Expressions, owner: Code, kind: Number, key: str, arguments: list[Code], named: dict[str, Code]
) -> Code:
    if key in ("item", "tolist", "copy"):
        if kind.dtype == np.float32:
            return Code(called("float", scope.node_of(owner)), Number(_FLOAT64))
        wide = {"b": BOOL, "i": INT, "u": INT, "f": Number(_FLOAT64)}[kind.dtype.kind]
        node = scope.node_of(owner)
        return Code(
            node
            if kind.dtype.itemsize in (8, 1) and kind.dtype.kind in "bif" and kind.dtype != np.int8
            else called("int", node),
            wide,
        )
    if key == "astype":
        return number_type(scope, dtype_of(scope, arguments[0], None) or _FLOAT64, owner)
    if key in ("any", "all", "sum", "max", "min", "mean"):
        return _reduction(key)(scope, owner)
    if key == "is_integer" and kind.dtype == np.float64:
        raise Refused("is_integer is not supported", "write x == math.floor(x)")
    raise Refused(f"`.{key}` of a number is not supported")


def _reshaped(scope: Expressions, owner: Code, kind: Array, arguments: list[Code]) -> Code:
    shape = arguments[0] if len(arguments) == 1 else scope._tuple_of(arguments)
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
    fitted = late("building", "fitted")
    write_into = late("storing", "write_into")

    owner = scope.held(owner)
    write_into(scope, owner, node)
    whole = ast.Subscript(scope.node_of(owner), ast.Slice(), ast.Store())
    scope.emit(ast.Assign([whole], fitted(scope, scope.number(value), kind.dtype)))
    return Code(None, NONE)


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
    np.round: _rounded,
    np.around: _rounded,
    np.add: _operator(ast.Add),
    np.subtract: _operator(ast.Sub),
    np.multiply: _operator(ast.Mult),
    np.divide: _operator(ast.Div),
    np.mod: _operator(ast.Mod),
    np.power: _operator(ast.Pow),
    np.matmul: lambda scope, a, b: scope.arithmetic(ast.MatMult(), _numeric(scope, a), _numeric(scope, b)),
    np.array: _array,
    np.asarray: _asarray,
    np.copy: _copy,
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
    np.clip: _clip,
    **{getattr(np, name): _reduction(name) for name in ("sum", "mean", "prod", "max", "min", "any", "all")},
    **{getattr(np, name): _reduction(name) for name in ("argmax", "argmin", "count_nonzero", "std", "var")},
    np.array_equal: _array_equal,
    np.where: _where,
    np.nonzero: _nonzero,
    np.flatnonzero: _flatnonzero,
    np.argwhere: _argwhere,
    np.concatenate: _joined("concatenate"),
    np.hstack: _joined("hstack"),
    np.stack: _joined("stack"),
    np.vstack: _joined("vstack"),
    np.append: _append,
    np.linalg.norm: _norm,
    np.dot: _dot,
    np.ravel: _ravel,
    np.reshape: _reshape,
    np.roll: _roll,
    np.shape: _shape,
    np.logical_and: lambda scope, a, b: _logical(scope, ast.BitAnd(), a, b),
    np.logical_or: lambda scope, a, b: _logical(scope, ast.BitOr(), a, b),
    np.logical_xor: lambda scope, a, b: _logical(scope, ast.BitXor(), a, b),
    np.logical_not: _not,
    np.unravel_index: _unravel,
    np.isnan: _test(np.isnan),
    np.isinf: _test(np.isinf),
    np.isfinite: _test(np.isfinite),
}
"""NumPy's functions."""
