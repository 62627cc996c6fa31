"""The translation of NumPy's functions that choose, join and reshape."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.calls.arrays import new_array
from palaestra.language.plain.calls.elementwise import as_float, numeric
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.building import array_of_codes, fitted
from palaestra.language.plain.translation.kinds import (
    FLOAT64,
    INT,
    INT64,
    NONE,
    Array,
    Growing,
    Number,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, called, indexed, literal

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def _where(scope: Expressions, condition: Code, x: Code | None = None, y: Code | None = None) -> Code:
    test = numeric(scope, condition)
    if x is None or y is None:
        return nonzero(scope, test)
    a, b = numeric(scope, x), numeric(scope, y)
    if isinstance(test.kind, Number):
        if isinstance(a.kind, Number) and isinstance(b.kind, Number):
            if {a.kind.dtype, b.kind.dtype} == {FLOAT64, INT64}:
                a, b = as_float(scope, a), as_float(scope, b)
            kind = scope.join_of([a, b])
            if isinstance(kind, Number):
                kind = Number(kind.dtype, False)
            return Code(ast.IfExp(scope.node_of(test), scope.node_of(a), scope.node_of(b)), kind)
        raise Refused("np.where of one condition and arrays", "write `a if condition else b`")
    dtypes = {one.kind.dtype for one in (a, b) if isinstance(one.kind, (Number, Array))}
    if FLOAT64 in dtypes:
        a, b = as_float(scope, a), as_float(scope, b)
        dtypes = {FLOAT64}
    if len(dtypes) != 1 or not isinstance(test.kind, Array):
        raise Refused("np.where of values of several types", "bring both to float64 or int64")
    kind = Array(next(iter(dtypes)), test.kind.ndim, test.kind.shape)
    return Code(called("np.where", *[scope.node_of(one) for one in (test, a, b)]), kind)


def nonzero(scope: Expressions, flags: Code) -> Code:
    """`np.nonzero`."""
    kind = flags.kind
    if isinstance(kind, Array) and kind.ndim == 1:
        found = Code(called("np.flatnonzero", scope.node_of(flags)), Array(INT64, 1))
        return scope.tuple_of([found])
    if isinstance(kind, Array) and kind.ndim == 2:
        pairs = scope.temporary(called(scope.helper("argwhere2"), scope.node_of(flags)))
        parts = []
        for k in range(2):
            index = ast.Tuple([ast.Slice(), ast.Constant(k)], ast.Load())
            column = ast.Call(ast.Attribute(indexed(pairs, index), "copy", ast.Load()), [], [])
            parts.append(Code(column, Array(INT64, 1)))
        return scope.tuple_of(parts)
    raise Refused("the places of what is true in several axes", "write a loop")


def _flatnonzero(scope: Expressions, flags: Code) -> Code:
    code = numeric(scope, flags)
    return Code(called("np.flatnonzero", scope.node_of(code)), Array(INT64, 1))


def _argwhere(scope: Expressions, flags: Code) -> Code:
    code = numeric(scope, flags)
    if not isinstance(code.kind, Array) or code.kind.ndim != 2:
        if isinstance(code.kind, Array) and code.kind.ndim == 1:
            flat = called("np.flatnonzero", scope.node_of(code))
            shaped = ast.Call(ast.Attribute(flat, "reshape", ast.Load()), [literal((-1, 1))], [])
            return Code(shaped, Array(INT64, 2))
        raise Refused("np.argwhere takes an array with one or two axes")
    return Code(called(scope.helper("argwhere2"), scope.node_of(code)), Array(INT64, 2))


def _joined(name: str) -> Callable[..., Code]:
    def made(scope: Expressions, arrays: Code, axis: Code | None = None) -> Code:
        parts = [numeric(scope, one) for one in scope.parts(scope.held(scope.present(arrays)))]
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
            one = scope.present(array_of_codes(scope, [one], dtype))
        kind = one.kind
        assert isinstance(kind, Array)
        each.append(scope.node_of(one) if kind.dtype == dtype else scope.array_in(one, dtype))
        length = None if length is None or kind.shape is None else length + kind.shape[0]
    whole = called("np.concatenate", ast.Tuple(each, ast.Load()))
    return Code(whole, Array(dtype, 1, None if length is None else (length,)))


def _append(scope: Expressions, a: Code, values: Code) -> Code:
    both = [numeric(scope, a), numeric(scope, values)]
    if any(isinstance(one.kind, Unknown) for one in both):
        return Code(None, Unknown())
    if not _one_axis(both):
        raise Refused("np.append of these arrays is not supported", "fill an array with a loop")
    return _chained(scope, both, "hstack")


def _copy(scope: Expressions, a: Code) -> Code:
    return new_array(scope, a)


def _roll(scope: Expressions, a: Code, shift: Code, axis: Code | None = None) -> Code:
    code = numeric(scope, a)
    if axis is not None and axis.kind != NONE and isinstance(code.kind, Array) and code.kind.ndim == 2:
        helper = "rolled_columns" if scope.static_value(axis) in (1, -1) else "rolled_rows"
        return Code(called(scope.helper(helper), scope.node_of(code), scope.node_of(scope.number(shift))), code.kind)
    if not isinstance(code.kind, Array) or code.kind.ndim != 1:
        raise Refused("np.roll of several axes", "write a loop")
    return Code(called("np.roll", scope.node_of(code), scope.node_of(scope.number(shift))), code.kind)


def _turned(scope: Expressions, m: Code, k: Code | None = None) -> Code:
    """`np.rot90`: a view, as in NumPy."""
    code = numeric(scope, m)
    turns = scope.number(k) if k is not None else Code(ast.Constant(1), INT)
    kind = code.kind
    if not isinstance(kind, Array) or kind.ndim != 2 or kind.shape is None:
        raise Refused("np.rot90 of this is not supported", "write a loop")
    try:
        known = int(scope.static_value(turns)) % 4
    except Refused:
        raise Refused("np.rot90 by a number that changes", "write if and elif, with a literal number each") from None
    made = called(scope.helper(f"turned_{known}"), scope.node_of(code))
    return Code(made, Array(kind.dtype, 2, kind.shape[::-1] if known % 2 else kind.shape), code.origins)


def _flipped(axis: int | None) -> Callable[..., Code]:
    def flipped(scope: Expressions, m: Code, at: Code | None = None) -> Code:
        code = numeric(scope, m)
        wanted = axis if axis is not None else None if at is None or at.kind == NONE else scope.static_value(at)
        if not isinstance(code.kind, Array) or not (wanted is None or isinstance(wanted, int)):
            raise Refused("np.flip of this is not supported", "write a loop")
        axes = range(code.kind.ndim) if wanted is None else [wanted % code.kind.ndim]
        backwards = ast.UnaryOp(ast.USub(), ast.Constant(1))
        slices: list[ast.expr] = [ast.Slice(step=backwards if k in axes else None) for k in range(code.kind.ndim)]
        index = slices[0] if len(slices) == 1 else ast.Tuple(slices, ast.Load())
        return Code(indexed(scope.node_of(code), index), code.kind, code.origins)

    return flipped


def _padded(
    scope: Expressions, array: Code, pad_width: Code, mode: Code | None = None, constant_values: Code | None = None
) -> Code:
    code, widths = numeric(scope, array), _widths(scope, pad_width)
    if mode is not None and scope.static_value(mode) != "constant":
        raise Refused("np.pad of this mode", "write a loop")
    kind = code.kind
    if not isinstance(kind, Array) or kind.ndim not in (1, 2) or len(widths) not in (1, kind.ndim):
        raise Refused("np.pad of this is not supported", "write a loop")
    sides = widths * kind.ndim if len(widths) == 1 else widths
    value = scope.number(constant_values) if constant_values is not None else Code(ast.Constant(0), INT)
    shape = None
    if kind.shape is not None:
        shape = tuple(size + sum(both) for size, both in zip(kind.shape, sides, strict=True))
    numbers = [literal(one) for both in sides for one in both]
    helper = scope.helper("padded" if kind.ndim == 1 else "padded2")
    made = called(helper, scope.node_of(code), *numbers, fitted(scope, value, kind.dtype))
    return Code(made, Array(kind.dtype, kind.ndim, shape))


def _widths(scope: Expressions, code: Code) -> list[tuple[int, int]]:
    """Returns the numbers before and after each axis."""
    if isinstance(code.kind, (Tuple, Growing)):
        parts = code.node.elts if isinstance(code.node, (ast.Tuple, ast.List)) else []
        value = [ast.literal_eval(one) for one in parts]
    else:
        value = scope.static_value(code)
    try:
        found = np.broadcast_to(value, (np.shape(value)[0], 2) if np.ndim(value) == 2 else (1, 2))
    except ValueError:
        raise Refused("np.pad of this is not supported", "write a loop") from None
    return [(int(before), int(after)) for before, after in found]


def _repeated(scope: Expressions, a: Code, repeats: Code) -> Code:
    """`np.repeat`, and of one axis `np.tile`."""
    return _copies(scope, a, repeats, "each_repeated")


def _tiled(scope: Expressions, a: Code, reps: Code) -> Code:
    return _copies(scope, a, reps, "repeated")


def _copies(scope: Expressions, a: Code, count: Code, helper: str) -> Code:
    code, number = numeric(scope, a), scope.number(count)
    if not isinstance(code.kind, Array) or code.kind.ndim != 1:
        raise Refused("copies of an array with several axes", "write a loop")
    known = number.node.value if isinstance(number.node, ast.Constant) else None
    shape = (code.kind.shape[0] * known,) if code.kind.shape and isinstance(known, int) and known >= 0 else None
    made = called(scope.helper(helper), scope.node_of(code), scope.node_of(number))
    return Code(made, Array(code.kind.dtype, 1, shape))


def with_shape(scope: Expressions, code: Code, shape: tuple[int, ...]) -> Code:
    """Returns an array in another shape; it is the same memory."""
    kind = code.kind
    assert isinstance(kind, Array)
    made = ast.Call(ast.Attribute(scope.node_of(code), "reshape", ast.Load()), [literal(shape)], [])
    return Code(made, Array(kind.dtype, len(shape), shape), code.origins)


def _expanded(scope: Expressions, a: Code, axis: Code) -> Code:
    code, at = numeric(scope, a), scope.static_value(axis)
    if not isinstance(code.kind, Array) or code.kind.shape is None or not isinstance(at, int):
        raise Refused("np.expand_dims of an array of unknown shape", "write reshape")
    shape = list(code.kind.shape)
    shape.insert(at if at >= 0 else len(shape) + 1 + at, 1)
    return with_shape(scope, code, tuple(shape))


def squeezed(scope: Expressions, a: Code) -> Code:
    """`np.squeeze`."""
    code = numeric(scope, a)
    shape = code.kind.shape if isinstance(code.kind, Array) else None
    left = tuple(one for one in shape or () if one != 1)
    if shape is None or not left:
        raise Refused("np.squeeze of this array", "write reshape, or an index")
    return with_shape(scope, code, left)


def _shape(scope: Expressions, a: Code) -> Code:
    return scope.attribute(numeric(scope, a), "shape")


def _unravel(scope: Expressions, index: Code, shape: Code) -> Code:
    sizes = [scope.node_of(one) for one in scope.parts(scope.held(scope.present(shape)))]
    if len(sizes) != 2:
        raise Refused("np.unravel_index of other than two axes", "write // and %")
    held = scope.node_of(scope.held(scope.number(index)))
    row = Code(ast.BinOp(held, ast.FloorDiv(), sizes[1]), Number(INT64, False))
    column = Code(ast.BinOp(held, ast.Mod(), sizes[1]), Number(INT64, False))
    return scope.tuple_of([row, column])


CALLS: dict[Any, Callable[..., Code]] = {
    np.copy: _copy,
    np.where: _where,
    np.nonzero: nonzero,
    np.flatnonzero: _flatnonzero,
    np.argwhere: _argwhere,
    np.concatenate: _joined("concatenate"),
    np.hstack: _joined("hstack"),
    np.stack: _joined("stack"),
    np.vstack: _joined("vstack"),
    np.append: _append,
    np.roll: _roll,
    np.rot90: _turned,
    np.flip: _flipped(None),
    np.flipud: _flipped(0),
    np.fliplr: _flipped(1),
    np.pad: _padded,
    np.shape: _shape,
    np.repeat: _repeated,
    np.tile: _tiled,
    np.expand_dims: _expanded,
    np.squeeze: squeezed,
    np.unravel_index: _unravel,
}
"""By the function of NumPy."""
