"""The translation of random draws, each with NumPy's numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.elements import element_of
from palaestra.language.plain.translation.indexing import as_item, table_of
from palaestra.language.plain.translation.kinds import (
    FLOAT,
    NONE,
    Array,
    Constant,
    Growing,
    Kind,
    Number,
    Packed,
    Tuple,
)
from palaestra.language.plain.translation.scope import is_simple
from palaestra.language.plain.translation.storing import write_into
from palaestra.language.plain.translation.unit import Code, called, indexed, name, type_node

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions

INT64 = Number(np.dtype(np.int64), weak=False)
_PARAMETERS = {
    "random": ("size", "dtype"),
    "uniform": ("low", "high", "size"),
    "integers": ("low", "high", "size", "dtype", "endpoint"),
    "normal": ("loc", "scale", "size"),
    "standard_normal": ("size",),
    "exponential": ("scale", "size"),
    "standard_exponential": ("size",),
    "choice": ("a", "size", "replace", "p", "axis", "shuffle"),
    "shuffle": ("x",),
    "permutation": ("x",),
}

_INSTEAD = {
    "poisson": "count draws of self.np_random.exponential() until their sum is above lam",
    "binomial": "count how many of n draws of self.np_random.random() are below p",
}


def draw(scope: Expressions, key: str, arguments: list[Code], named: dict[str, Code], node: ast.Call) -> Code:
    """Returns the result of a method of `self.np_random`."""
    if key not in _PARAMETERS:
        raise Refused(
            f"self.np_random.{key} is not supported", _INSTEAD.get(key, f"make it of {', '.join(_PARAMETERS)}")
        )
    given = dict(zip(_PARAMETERS[key], arguments, strict=False)) | named
    given = {one: code for one, code in given.items() if code.kind != NONE}
    scope.written.draws = True
    scope.unit.draws_at = scope.unit.draws_at or (scope.source.file, node)
    if key == "choice":
        drawn = _choice(scope, given)
    elif key in ("shuffle", "permutation"):
        drawn = _shuffled(scope, key, given["x"], node)
    else:
        drawn = _of_numbers(scope, key, given)
    return scope.held(drawn)  # at once, in the order of the source


def _of_numbers(scope: Expressions, key: str, given: dict[str, Code]) -> Code:
    size = given.pop("size", None)
    dtype = given.pop("dtype", None)
    endpoint = given.pop("endpoint", None)
    kind: Number = INT64 if key == "integers" else FLOAT
    if dtype is not None:
        known = dtype.kind.value if isinstance(dtype.kind, Constant) else None
        if known not in (int, np.int64):
            if key == "random" and known in (np.float32, "float32"):
                return _short_floats(scope, size)
            if key != "integers":
                raise Refused(
                    f"{key} of {getattr(known, '__name__', known)} draws other bits", "draw float64, then astype"
                )
            return _short_integers(scope, given, size, known, endpoint)
        kind = INT64 if known is np.int64 else Number(INT64.dtype, None)
    bounds = [scope.present(code) for code in given.values()]
    for one in bounds:
        if isinstance(one.kind, (Array, Tuple)):
            return _of_bounds(scope, key, dict(zip(given, bounds, strict=True)), size)
    nodes = [scope.node_of(_bound(scope, key, one)) for one in bounds]
    if list(given)[:1] in (["high"], ["scale"]) and key != "exponential":
        nodes.insert(0, ast.Constant(0.0 if key != "integers" else 0))
    if endpoint is not None and scope.truth(endpoint) is True:
        nodes[-1] = ast.BinOp(nodes[-1], ast.Add(), ast.Constant(1))
    made = called(ast.Attribute(name("_rng"), key, ast.Load()), *nodes)
    if size is None:
        return Code(made, kind)
    shape = shape_of(scope, size)
    if shape[2] is not None and len(shape[2]) == 1 and 0 < shape[2][0] <= _FEW:
        return _one_by_one(scope, made, kind.dtype, shape[2][0])
    made.keywords.append(ast.keyword("size", shape[0]))
    return Code(made, Array(kind.dtype, shape[1], shape[2]))


_FEW = 8  # numbers that are drawn one by one, which NumPy does too


def _one_by_one(scope: Expressions, draw: ast.Call, dtype: np.dtype[Any], count: int) -> Code:
    """Some draws as an array that may stay a tuple."""
    bounds = [one if is_simple(one) else scope.temporary(one) for one in draw.args]
    drawn: list[ast.expr] = [scope.temporary(called(draw.func, *bounds)) for _ in range(count)]
    return Code(ast.Tuple(drawn, ast.Load()), Packed(dtype, count))


def _short_integers(
    scope: Expressions, given: dict[str, Code], size: Code | None, dtype: object, endpoint: Code | None
) -> Code:
    """Integers of fewer bits, several of which are drawn from one word."""
    names: dict[object, int] = {np.int8: 8, np.uint8: 8, np.int16: 16, np.uint16: 16, np.int32: 32, np.uint32: 32}
    bits = names.get(dtype)
    if bits is None or endpoint is not None or size is None:
        raise Refused(f"integers draws {dtype} in another way", "draw int64, then write astype(...)")
    bounds = [scope.node_of(scope.number(code)) for code in given.values()]
    if len(bounds) == 1:
        bounds.insert(0, ast.Constant(0))
    found: np.dtype[Any] = np.dtype(dtype)  # type: ignore[call-overload]
    node, axes, shape = shape_of(scope, size)
    empty = called("np.zeros", node, type_node(INT64.dtype))
    drawn = called(scope.helper("short_integers"), *bounds, empty, ast.Constant(bits), name("_rng"))
    code = Code(drawn, Array(INT64.dtype, axes, shape))
    return Code(scope.array_in(code, found), Array(found, axes, shape))


def _short_floats(scope: Expressions, size: Code | None) -> Code:
    """Floats of 32 bits, each of one word of 32 bits."""
    single: np.dtype[Any] = np.dtype(np.float32)
    if size is None:
        return Code(called(scope.helper("short_float"), name("_rng")), Number(single, False))
    node, axes, shape = shape_of(scope, size)
    empty = called("np.zeros", node, type_node(single))
    return Code(called(scope.helper("short_floats"), empty, name("_rng")), Array(single, axes, shape))


def _bound(scope: Expressions, key: str, code: Code) -> Code:
    code = scope.number(code)
    if isinstance(code.kind, Number):
        if key == "integers" and code.kind.dtype.kind == "f":
            raise Refused("integers takes ints", "write int(...)")
        if code.kind.dtype.itemsize < 8:
            whole = "int" if key == "integers" else "float"
            return Code(called(whole, scope.node_of(code)), FLOAT)
    return code


def _of_bounds(scope: Expressions, key: str, given: dict[str, Code], size: Code | None) -> Code:
    """Draws with a bound for each number, one after the other."""
    arrays = {one: scope.held(scope.as_array(code)) for one, code in given.items()}
    shapes = {code.kind.shape for code in arrays.values() if isinstance(code.kind, Array)}
    if key == "integers" or len(shapes) != 1 or None in shapes:
        raise Refused(f"{key} with arrays as bounds", "draw numbers of one range, then scale them")
    (shape,) = shapes
    if size is not None and shape_of(scope, size)[2] != shape:
        raise Refused(f"{key} with arrays as bounds and another size")
    assert shape is not None
    if len(shape) != 1:
        raise Refused(f"{key} with bounds of several axes", "draw numbers of one range, then scale them")
    found = scope.temporary(
        called("np.zeros", ast.Constant(shape[0]), ast.Attribute(name("np"), "float64", ast.Load()))
    )
    for k in range(shape[0]):
        nodes = []
        for code in arrays.values():
            node = scope.node_of(code)
            nodes.append(called("float", indexed(node, k)) if isinstance(code.kind, Array) else node)
        made = called(ast.Attribute(name("_rng"), key, ast.Load()), *nodes)
        scope.emit(ast.Assign([ast.Subscript(found, ast.Constant(k), ast.Store())], made))
    return Code(found, Array(np.dtype(np.float64), 1, shape))


def shape_of(scope: Expressions, size: Code) -> tuple[ast.expr, int, tuple[int, ...] | None]:
    """Returns a shape as an expression, its number of axes, and the shape if it is known."""
    size = scope.present(size)
    if isinstance(size.kind, Tuple):
        parts = scope.parts(scope.held(size))
        nodes = [scope.node_of(scope.number(one)) for one in parts]
        known = tuple(_literal(one) for one in nodes)
        whole = tuple(one for one in known if one is not None)
        return ast.Tuple(nodes, ast.Load()), len(nodes), whole if len(whole) == len(known) else None
    if isinstance(size.kind, Array) and size.kind.shape is not None:
        return shape_of(scope, scope.tuple_of(scope.parts(scope.held(size))))
    node = scope.node_of(scope.number(size))
    number = _literal(node)
    return node, 1, (number,) if number is not None else None


def _literal(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _choice(scope: Expressions, given: dict[str, Code]) -> Code:
    if "axis" in given or "shuffle" in given:
        raise Refused("choice with an axis or without a shuffle", "draw indices, then take them")
    items = scope.present(given["a"]) if not isinstance(given["a"].kind, Constant) else given["a"]
    replace = scope.truth(given["replace"]) if "replace" in given else True
    size = given.get("size")
    count, take = _population(scope, items)
    rng = name("_rng")
    if "p" in given:
        if size is not None:
            raise Refused("choice of several with probabilities", "draw one after the other")
        weights = scope.present(given["p"])
        if isinstance(weights.kind, Tuple):
            weights = scope.as_array(weights)
        return take(scope, scope.temporary(called(scope.helper("chosen_by"), scope.node_of(weights), rng)))
    integers = ast.Attribute(rng, "integers", ast.Load())
    if size is None:
        return take(scope, scope.temporary(called(integers, ast.Constant(0), count)))
    shaped, axes, shape = shape_of(scope, size)
    if replace is True:
        drawn = called(integers, ast.Constant(0), count)
        drawn.keywords.append(ast.keyword("size", shaped))
    elif replace is False and axes == 1:
        drawn = called(scope.helper("chosen_apart"), count, shaped, rng)
    else:
        raise Refused("choice without replacement of several axes", "draw one axis, then reshape")
    if not isinstance(items.kind, Number):
        if not (isinstance(items.kind, Array) and items.kind.ndim == 1):
            raise Refused(f"choice of several of a {described(items.kind)}", "draw indices, then take them")
        return Code(indexed(scope.node_of(items), drawn), Array(items.kind.dtype, axes, shape))
    return Code(drawn, Array(np.dtype(np.int64), axes, shape))


def _population(scope: Expressions, items: Code) -> tuple[ast.expr, Callable[[Expressions, ast.expr], Code]]:
    """Returns the number of items to choose from, and how one of them is taken."""
    if isinstance(items.kind, Constant):
        table = table_of(items.kind.value)
        if table is None or isinstance(table[1], Tuple):
            raise Refused("choice of values that are no numbers", "draw an index")
        array, kind = table
        strong: Kind = Number(kind.dtype, False) if isinstance(kind, Number) else kind
        made = scope.unit.constant(array, "table")
        return ast.Constant(len(array)), lambda own, k: as_item(own, indexed(made, k), strong)
    if isinstance(items.kind, Number):
        return scope.node_of(items), lambda own, k: Code(k, INT64)
    if isinstance(items.kind, Tuple):
        items = scope.as_array(items)
    held = scope.held(items)
    node = scope.node_of(held)
    if isinstance(items.kind, Array):
        items = scope.as_array(items)
        assert isinstance(items.kind, Array)
        strong = Array(items.kind.dtype, items.kind.ndim, items.kind.shape)
        origins = items.origins if items.kind.ndim > 1 else frozenset[str]()
        return called("len", node), lambda own, k: Code(indexed(node, k), element_of(strong), origins)
    if isinstance(items.kind, Growing) and isinstance(items.kind.item, Number):
        number = Number(items.kind.item.dtype, False)
        return called("len", node), lambda own, k: Code(indexed(node, k), number)
    if isinstance(items.kind, Growing) and isinstance(items.kind.item, Tuple):
        item = items.kind.item
        first = item.items[0]
        if len(set(item.items)) == 1 and isinstance(first, Number):
            return called("len", node), lambda own, k: own.as_array(Code(indexed(node, k), item))
    raise Refused(f"choice of a {described(items.kind)}", "draw an index")


def _shuffled(scope: Expressions, key: str, items: Code, node: ast.Call) -> Code:
    items = scope.present(items)
    rng = name("_rng")
    if key == "permutation" and isinstance(items.kind, Number):
        known = _literal(scope.node_of(items))
        shape = (known,) if known is not None else None
        return Code(called(scope.helper("permuted"), scope.node_of(items), rng), Array(INT64.dtype, 1, shape))
    if not isinstance(items.kind, Array) or items.kind.ndim > 2 or (items.kind.listed and items.kind.ndim > 1):
        raise Refused(f"{key} of a {described(items.kind)}", "use an array with one axis")
    if key == "permutation":
        if items.kind.ndim > 1:
            raise Refused("permutation of several axes", "permute indices, then take them")
        kind = Array(items.kind.dtype, 1, items.kind.shape)
        return Code(called(scope.helper("permuted_items"), scope.node_of(items), rng), kind)
    helper = scope.helper("swapped" if items.kind.ndim == 1 else "swapped_rows")
    items = scope.held(items)
    write_into(scope, items, node)
    scope.emit(ast.Expr(called(helper, scope.node_of(items), rng)))
    return Code(None, NONE)
