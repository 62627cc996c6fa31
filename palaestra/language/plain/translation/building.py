"""The translation of new arrays and lists, and of comprehensions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.iteration import Unrolled, iteration
from palaestra.language.plain.translation.kinds import (
    Array,
    Constant,
    DTypes,
    Growing,
    Kind,
    Number,
    Opaque,
    Packed,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, called, literal, name, type_node

if TYPE_CHECKING:
    from palaestra.language.plain.translation.arithmetic import Arithmetic
    from palaestra.language.plain.translation.expressions import Expressions


def full(
    scope: Arithmetic, sizes: tuple[ast.expr, ...], shape: tuple[int | None, ...], item: Code, listed: bool
) -> Code:
    """Returns an array filled with a number, or a list of equal numbers."""
    if not isinstance(item.kind, Number):
        raise Refused(f"a list repeats a {described(item.kind)}", "use np.zeros, np.full, or a comprehension")
    known = tuple(one for one in shape if one is not None)
    kind = Array(item.kind.dtype, len(sizes), known if len(known) == len(shape) else None, listed)
    made = called(
        "np.zeros", sizes[0] if len(sizes) == 1 else ast.Tuple(list(sizes), ast.Load()), type_node(kind.dtype)
    )
    found = scope.temporary(made)
    scope.emit(ast.Assign([ast.Subscript(found, ast.Slice(), ast.Store())], scope.node_of(item)))
    return Code(found, kind)


def array_of_codes(scope: Arithmetic, codes: list[Code], dtype: DTypes | None, listed: bool = False) -> Code:
    """Returns `np.array` of some numbers, or of arrays of one shape."""
    codes = [scope.present(code) for code in codes]
    if any(isinstance(code.kind, Unknown) for code in codes):
        return Code(None, Unknown())
    if not codes:
        return Code(
            called("np.zeros", ast.Constant(0), type_node(dtype or np.dtype(float))),
            Array(dtype or np.dtype(float), 1, (0,)),
        )
    if all(isinstance(code.kind, (Tuple, Array)) for code in codes):
        return _stacked(scope, codes, dtype, listed)
    if not all(isinstance(code.kind, (Number, Opaque)) for code in codes):
        raise Refused("an array is made of values of several kinds", "let all be numbers, or arrays of one shape")
    dtype = dtype or _dtype_of(codes)
    numbers = all(isinstance(code.kind, Number) for code in codes)
    if not listed and numbers and len(codes) <= _FEW and dtype in (np.float64, np.float32, np.int64):
        parts = [fitted(scope, code, dtype) for code in codes]
        if dtype == np.float32:
            parts = [called("np.float32", part) for part in parts]
        return Code(ast.Tuple(parts, ast.Load()), Packed(dtype, len(codes)))
    found = scope.temporary(called("np.zeros", ast.Constant(len(codes)), type_node(dtype)))
    for k, code in enumerate(codes):
        scope.emit(ast.Assign([ast.Subscript(found, ast.Constant(k), ast.Store())], fitted(scope, code, dtype)))
    return Code(found, Array(dtype, 1, (len(codes),), listed))


_FEW = 16  # numbers of an array that is kept as a tuple


def fitted(scope: Arithmetic, code: Code, dtype: DTypes) -> ast.expr:
    """Returns a number as an element of a new array, which NumPy casts to the array's dtype."""
    kind = code.kind
    if isinstance(kind, Number):
        if dtype.kind == "f" and kind.dtype.kind in "iufb":
            is_wide = kind.dtype == np.float64 and not kind.mixed
            return scope.node_of(code) if is_wide else called("float", scope.node_of(code))
        return scope.number_in(code, dtype)
    return scope.node_of(code)


def _dtype_of(codes: list[Code]) -> DTypes:
    kinds = [code.kind for code in codes]
    if any(isinstance(kind, Opaque) for kind in kinds):
        raise Refused("the type of a number in this array is not known", "name it: dtype=np.float32")
    numbers = [kind for kind in kinds if isinstance(kind, Number)]
    if any(one.mixed for one in numbers) and not any(one.dtype.kind == "f" and not one.mixed for one in numbers):
        raise Refused("an array is made of what may be ints or floats", "name its dtype")
    return np.result_type(*[one.dtype for one in numbers])


def _stacked(scope: Arithmetic, codes: list[Code], dtype: DTypes | None, listed: bool) -> Code:
    arrays = [scope.held(scope.as_array(code)) for code in codes]
    kinds = [code.kind for code in arrays]
    shapes = {kind.shape for kind in kinds if isinstance(kind, Array)}
    (shape,) = shapes if len(shapes) == 1 else (None,)
    if shape is None:
        raise Refused("an array is made of arrays whose shapes are not known to be equal", "use np.stack")
    dtype = dtype or np.result_type(*[kind.dtype for kind in kinds if isinstance(kind, Array)])
    whole = (len(arrays), *shape)
    found = scope.temporary(called("np.zeros", literal(whole), type_node(dtype)))
    for k, code in enumerate(arrays):
        assert isinstance(code.kind, Array)
        node = scope.node_of(code) if code.kind.dtype == dtype else scope.array_in(code, dtype)
        scope.emit(ast.Assign([ast.Subscript(found, ast.Constant(k), ast.Store())], node))
    return Code(found, Array(dtype, len(whole), whole, listed))


def list_of(scope: Expressions, codes: list[Code]) -> Code:
    """Returns a list of these items."""
    if any(isinstance(code.kind, Unknown) for code in codes):
        return Code(None, Unknown())
    if not codes:
        return Code(ast.List([], ast.Load()), Growing(None))
    if all(isinstance(code.kind, Constant) for code in codes):
        return scope.of_value([code.kind.value for code in codes if isinstance(code.kind, Constant)])
    codes = [scope.present(code) for code in codes]
    kinds = {code.kind for code in codes}
    numbers = [kind for kind in kinds if isinstance(kind, Number)]
    if len(numbers) == len(kinds):
        if len({kind.dtype for kind in numbers}) > 1:
            return Code(
                ast.Tuple([scope.node_of(code) for code in codes], ast.Load()),
                Tuple(tuple(code.kind for code in codes), loose=True),
            )
        if numbers[0].dtype.itemsize < 8 and numbers[0].dtype.kind != "b":
            return Code(
                ast.Tuple([scope.node_of(code) for code in codes], ast.Load()),
                Tuple(tuple(code.kind for code in codes), loose=True),
            )
        return array_of_codes(scope, codes, numbers[0].dtype, listed=True)
    if all(isinstance(kind, Array) and kind.listed for kind in kinds):
        if any(isinstance(kind, Array) and kind.mixed for kind in kinds):
            raise Refused("a list of lists of ints and floats", "write 1.0 rather than 1 where they are set")
        return _stacked(scope, codes, None, listed=True)
    nodes = [scope.node_of(code) for code in codes]
    origins = frozenset[str]().union(*(code.origins for code in codes))
    if all(isinstance(kind, Tuple) for kind in kinds) and len(kinds) == 1:
        return Code(ast.List(nodes, ast.Load()), Growing(codes[0].kind))
    return Code(ast.Tuple(nodes, ast.Load()), Tuple(tuple(code.kind for code in codes), loose=True), origins)


def comprehension(scope: Expressions, node: ast.ListComp | ast.GeneratorExp) -> Code:
    """Returns the list of a comprehension."""
    first = node.generators[0]
    if len(node.generators) == 1 and not first.ifs:
        fixed = _of_known_length(scope, node)
        if fixed is not None:
            return fixed
    scope._temporaries += 1
    own = f"_t{scope._temporaries}"
    scope.emit(ast.Assign([ast.Name(own, ast.Store())], ast.List([], ast.Load())))
    items: list[Kind] = []

    def append() -> None:
        code = scope.plain(scope.present(scope.expr(node.elt)))
        items.append(code.kind)
        scope.emit(ast.Expr(called(ast.Attribute(name(own), "append", ast.Load()), scope.node_of(code))))

    nested(scope, node.generators, append)
    if not items or isinstance(items[0], Unknown):
        return Code(None, Unknown())
    if not isinstance(items[0], (Number, Tuple)):
        raise Refused(f"a list of unknown length holds a {described(items[0])}", "use arrays")
    return Code(name(own), Growing(items[0]))


def _of_known_length(scope: Expressions, node: ast.ListComp | ast.GeneratorExp) -> Code | None:
    """Returns a list with an item for each step of one loop; None if its kind of items needs another way."""
    generator = node.generators[0]
    iterated = iteration(scope, generator.iter)
    if isinstance(iterated, Unrolled):
        found = []
        kept = dict(scope.locals)
        for item in iterated.items:
            scope.assign(generator.target, item)  # type: ignore[attr-defined]
            code = scope.plain(scope.present(scope.expr(node.elt)))
            found.append(scope.held(code) if code.node is not None else code)
        scope.locals = kept
        return list_of(scope, found)
    scope._temporaries += 3
    index, count, own = (f"_t{scope._temporaries - k}" for k in range(3))
    kept, sure, before = dict(scope.locals), set(scope.sure), scope.block()
    scope.assign(generator.target, iterated.item_at(name(index)))  # type: ignore[attr-defined]
    code = scope.plain(scope.present(scope.expr(node.elt)))
    kind = code.kind
    rows: tuple[int, ...] = ()
    if isinstance(kind, Array) and kind.shape is not None:
        rows = kind.shape
    good = isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape is not None)
    if good:
        scope.emit(ast.Assign([ast.Subscript(name(own), name(index), ast.Store())], scope.node_of(code)))
    body, scope.out = scope.out, before
    scope.locals, scope.sure = kept, sure
    if isinstance(kind, Unknown):
        return Code(None, Unknown())
    if not good:
        return None
    assert isinstance(kind, (Number, Array))
    scope.emit(ast.Assign([ast.Name(count, ast.Store())], iterated.count))
    size: ast.expr = name(count)
    if rows:
        size = ast.Tuple([size, *map(literal, rows)], ast.Load())
    scope.emit(ast.Assign([ast.Name(own, ast.Store())], called("np.zeros", size, type_node(kind.dtype))))
    scope.emit(ast.For(ast.Name(index, ast.Store()), called("range", name(count)), body, []))
    listed = isinstance(kind, Number) or kind.listed
    shape = (iterated.length, *rows) if iterated.length is not None else None
    if kind.mixed:
        raise Refused("a list of ints and floats is made", "write float(...)")
    if isinstance(kind, Number) and kind.dtype.itemsize < 8 and kind.dtype.kind != "b":
        raise Refused("a list of short numbers", "write int(...) or float(...), or use np.array")
    return Code(name(own), Array(kind.dtype, 1 + len(rows), shape, listed))


def nested(scope: Any, generators: list[ast.comprehension], inner: Any) -> None:
    """Write the loops of a comprehension around the statements of `inner`."""
    if not generators:
        inner()
        return
    first, *rest = generators
    iterated = iteration(scope, first.iter)
    kept, sure = dict(scope.locals), set(scope.sure)

    def filtered(tests: list[ast.expr]) -> None:
        if not tests:
            nested(scope, rest, inner)
            return
        test = scope.test(tests[0])
        if test is False:
            return
        if test is True:
            filtered(tests[1:])
            return
        before = scope.block()
        filtered(tests[1:])
        body, scope.out = scope.out, before
        scope.emit(ast.If(test, body or [ast.Pass()], []))

    if isinstance(iterated, Unrolled):
        for item in iterated.items:
            scope.assign(first.target, item)
            filtered(first.ifs)
        scope.locals, scope.sure = kept, sure
        return
    scope._temporaries += 1
    index = f"_t{scope._temporaries}"
    before = scope.block()
    scope.assign(first.target, iterated.item(name(index)))
    filtered(first.ifs)
    body, scope.out = scope.out, before
    scope.locals, scope.sure = kept, sure
    scope.emit(ast.For(ast.Name(index, ast.Store()), iterated.over, body or [ast.Pass()], []))


def packed(scope: Arithmetic, parts: list[Code]) -> Code:
    """Returns a new array of some numbers of one type."""
    dtypes = {part.kind.dtype for part in parts if isinstance(part.kind, Number)}
    (dtype,) = dtypes
    return Code(ast.Tuple([scope.node_of(part) for part in parts], ast.Load()), Packed(dtype, len(parts)))
