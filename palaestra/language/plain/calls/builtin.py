"""The translation of Python's functions."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.logger import deprecation, error, warn
from palaestra.language.plain.calls import reflection, sequences
from palaestra.language.plain.calls.elementwise import rounded_by_numpy
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.building import nested
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.elements import element_of
from palaestra.language.plain.translation.iteration import Unrolled, iteration
from palaestra.language.plain.translation.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    Array,
    Constant,
    Growing,
    Kind,
    Mapping,
    Number,
    Opaque,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, called, indexed

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def _float(scope: Expressions, code: Code | None = None) -> Code:
    if code is None:
        return Code(ast.Constant(0.0), FLOAT)
    if isinstance(code.kind, Constant) and isinstance(code.kind.value, str):
        return scope.of_known(float(code.kind.value))
    return Code(called("float", item_of(scope, code)), FLOAT)


def item_of(scope: Expressions, code: Code) -> ast.expr:
    """Returns a number, also of an array that holds one."""
    code = scope.present(code)
    if isinstance(code.kind, Array) and code.kind.shape is not None and not code.kind.listed:
        if int(np.prod(code.kind.shape)) != 1:
            raise Refused("an array of several numbers has no single value")
        index = ast.Tuple([ast.Constant(0)] * code.kind.ndim, ast.Load())
        return indexed(scope.node_of(code), index if code.kind.ndim > 1 else ast.Constant(0))
    return scope.node_of(scope.number(code))


def _int(scope: Expressions, code: Code | None = None) -> Code:
    if code is None:
        return Code(ast.Constant(0), INT)
    present = scope.present(code)
    node = item_of(scope, present)
    if isinstance(present.kind, (Number, Array)) and present.kind.dtype == np.float32:
        node = called("float", node)
    return Code(called("int", node), INT)


def _bool(scope: Expressions, code: Code | None = None) -> Code:
    if code is None:
        return Code(ast.Constant(False), BOOL)
    if isinstance(code.kind, Array) and not code.kind.listed:
        return Code(called("bool", item_of(scope, code)), BOOL)
    test = scope.truth(code)
    return Code(ast.Constant(test) if isinstance(test, bool) else called("bool", test), BOOL)


def _abs(scope: Expressions, code: Code) -> Code:
    code = scope.present(code)
    if isinstance(code.kind, Number) and code.kind.dtype.kind == "b":
        raise Refused("abs of a bool", "write int(...)")
    if isinstance(code.kind, (Number, Array, Opaque)) and not getattr(code.kind, "listed", False):
        return Code(called("abs", scope.node_of(code)), code.kind)
    raise Refused(f"abs of a {described(code.kind)}")


def _round(scope: Expressions, code: Code, digits: Code | None = None) -> Code:
    number = scope.number(code)
    if digits is not None and digits.kind != NONE:
        return _round_to(scope, number, digits)
    weak = isinstance(number.kind, Number) and number.kind.weak
    if (
        isinstance(number.kind, Number)
        and number.kind.dtype.kind == "f"
        and not weak
        and number.kind.dtype != np.float64
    ):
        raise Refused("round of a float32", "write round(float(...))")
    return Code(called("round", scope.node_of(number)), INT)


def _round_to(scope: Expressions, number: Code, digits: Code) -> Code:
    kind, count = number.kind, scope.static_value(digits)
    if not isinstance(count, int) or not 0 <= count <= _MOST_DIGITS or not isinstance(kind, Number):
        raise Refused("round to so many digits", f"give a literal number of 0 to {_MOST_DIGITS}")
    if kind.dtype == np.int64 and kind.weak:
        return number
    if kind.dtype != np.float64 or kind.mixed or kind.weak is None:
        raise Refused(f"round of a {described(kind)} to digits", "write round(float(...), 2)")
    if not kind.weak:
        return rounded_by_numpy(scope, number, count)
    return Code(called(scope.helper("rounded"), scope.node_of(number), ast.Constant(10.0**count)), FLOAT)


_MOST_DIGITS = 15


def _chosen(name: str, helper: str) -> Callable[..., Code]:
    def chosen(scope: Expressions, *codes: Code, **named: Code) -> Code:
        if named:
            raise Refused(f"{name} with {', '.join(named)} is not supported", "write a loop")
        if len(codes) == 1:
            return _of_items(scope, codes[0], name, helper)
        return of_several(scope, name, [scope.number(code) for code in codes])

    return chosen


def of_several(scope: Expressions, name: str, numbers: list[Code]) -> Code:
    """Returns the least or greatest of some numbers."""
    if any(isinstance(code.kind, Unknown) for code in numbers):
        return Code(None, Unknown())
    dtypes = {code.kind.dtype for code in numbers if isinstance(code.kind, Number)}
    if len(dtypes) > 1 and all(one.kind in "iu" for one in dtypes):
        wide = Number(INT.dtype, None)
        numbers = [Code(called("int", scope.node_of(code)), wide) for code in numbers]
    kind = scope.join_of(numbers)
    nodes = [scope.as_kind(code, kind) for code in numbers]
    if isinstance(kind, Number) and kind.dtype.itemsize < 8 and kind.dtype.kind != "b":
        raise Refused(f"{name} of short numbers", "write int(...) or float(...)")
    if len(nodes) > 8:
        raise Refused(f"{name} takes up to eight numbers here", "write a loop")
    return Code(called(name, *nodes), kind)


def _of_items(scope: Expressions, code: Code, name: str, helper: str) -> Code:
    code = scope.present(code)
    kind = code.kind
    if isinstance(kind, (Tuple, Mapping)):
        return of_several(scope, name, scope.parts(scope.held(code)))
    if isinstance(kind, Array) and kind.ndim == 1 and kind.dtype.itemsize == 8:
        return Code(called(scope.helper(helper), scope.node_of(code)), element_of(kind))
    if isinstance(kind, Growing) and isinstance(kind.item, Number):
        return Code(called(scope.helper(helper), scope.node_of(code)), kind.item)
    raise Refused(f"{name} of a {described(kind)} is not supported")


def _sum(scope: Expressions, code: Code, start: Code | None = None) -> Code:
    if start is not None:
        raise Refused("sum with a start is not supported", "add it")
    if isinstance(code.kind, Constant) and code.kind.value in ((), []):
        return Code(ast.Constant(0), INT)
    code = scope.present(code)
    kind = code.kind
    if isinstance(kind, Unknown):
        return code
    if isinstance(kind, (Tuple, Mapping)):
        numbers = [scope.number(one) for one in scope.parts(scope.held(code))]
        if all(isinstance(one.kind, Number) and one.kind.dtype == np.int64 for one in numbers):
            result = numbers[0]
            for one in numbers[1:]:
                result = scope.arithmetic(ast.Add(), result, one)
            return result
        code = scope.as_array(code)
        kind = code.kind
    item: Kind | None = None
    if isinstance(kind, Array) and kind.ndim == 1:
        item = element_of(kind)
    if isinstance(kind, Growing):
        item = kind.item
    if isinstance(item, Number) and (item.dtype.itemsize == 8 or item.dtype.kind == "b"):
        is_strong = item.weak is False
        if item.dtype.kind == "f" and (is_strong or not item.weak):
            raise Refused(
                "sum of NumPy's floats adds them in the order of the Python release", "write np.sum or a loop"
            )
        helper = {"i": "sum_of_ints", "b": "sum_of_flags", "f": "sum_of_floats"}[item.dtype.kind]
        result_kind: Kind = FLOAT if item.dtype.kind == "f" else Number(INT.dtype, None if is_strong else True)
        return Code(called(scope.helper(helper), scope.node_of(code)), result_kind)
    if isinstance(kind, Array) and kind.ndim == 2:
        raise Refused("sum of an array with two axes", "write np.sum")
    raise Refused(f"sum of a {described(kind)} is not supported", "write a loop")


def _tested(helper: str) -> Callable[..., Code]:
    def tested(scope: Expressions, code: Code) -> Code:
        code = scope.present(code)
        kind = code.kind
        if isinstance(kind, (Tuple, Mapping)):
            tests = [scope.truth(one) for one in scope.parts(scope.held(code))]
            nodes: list[ast.expr] = [
                ast.Constant(one) if isinstance(one, bool) else called("bool", one) for one in tests
            ]
            if not nodes:
                return Code(ast.Constant(helper == "all_of"), BOOL)
            operator: ast.boolop = ast.Or() if helper == "any_of" else ast.And()
            return Code(nodes[0] if len(nodes) == 1 else ast.BoolOp(operator, nodes), BOOL)
        one_axis = isinstance(kind, Array) and kind.ndim == 1
        if one_axis or (isinstance(kind, Growing) and isinstance(kind.item, Number)):
            return Code(called(scope.helper(helper), scope.node_of(code)), BOOL)
        raise Refused(f"{helper[:3]} of a {described(kind)} is not supported", "write np.any or np.all")

    return tested


def _divmod(scope: Expressions, a: Code, b: Code) -> Code:
    numbers = [scope.held(scope.number(one)) for one in (a, b)]
    parts = [scope.arithmetic(operator(), *numbers) for operator in (ast.FloorDiv, ast.Mod)]
    return scope.tuple_of(parts)


def _range(scope: Expressions, *bounds: Code) -> Code:
    numbers = [scope.number(one) for one in bounds]
    nodes = [scope.node_of(one) for one in numbers]
    if all(isinstance(node, ast.Constant) for node in nodes):
        return scope.of_value(range(*[scope.static_value(one) for one in numbers]))
    return Code(called("np.arange", *nodes), Array(INT.dtype, 1, None, True))


def warned(scope: Expressions, node: ast.Call) -> Code:
    """Refuse a warning, which machine code cannot give."""
    shown = ast.unparse(node.func)
    raise Refused(f"`{shown}` gives a warning", "leave it out of reset and step, or raise an exception")


def _any_all(helper: str) -> Callable[[Expressions, ast.Call], Code]:
    def translated(scope: Expressions, node: ast.Call) -> Code:
        tested = _tested(helper)
        if len(node.args) != 1 or node.keywords:
            raise Refused(f"{helper[:3]} takes one argument")
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp):
            with scope.own_variables(argument):
                return _lazily(scope, argument, helper)
        return tested(scope, scope.expr(argument))

    return translated


def _lazily(scope: Any, node: ast.GeneratorExp, helper: str) -> Code:
    """`any` or `all` of a generator, which stops at the first that decides."""
    is_any = helper == "any_of"
    found = scope.temporary(ast.Constant(not is_any))

    def test() -> None:
        result = scope.test(node.elt)
        value = ast.Constant(result) if isinstance(result, bool) else result
        stops = value if is_any else ast.UnaryOp(ast.Not(), value)
        decided: list[ast.stmt] = [ast.Assign([ast.Name(found.id, ast.Store())], ast.Constant(is_any))]
        if len(node.generators) == 1:
            decided.append(ast.Break())
        scope.emit(ast.If(stops, decided, []))

    if len(node.generators) == 1:
        first = iteration(scope, node.generators[0].iter)
        if isinstance(first, Unrolled):
            return _tested(helper)(scope, scope.expr(ast.copy_location(ast.ListComp(node.elt, node.generators), node)))
    nested(scope, node.generators, test)
    return Code(found, BOOL)


CALLS: dict[Any, Callable[..., Code]] = {
    float: _float,
    int: _int,
    bool: _bool,
    abs: _abs,
    round: _round,
    min: _chosen("min", "least"),
    max: _chosen("max", "greatest"),
    sum: _sum,
    divmod: _divmod,
    range: _range,
    len: sequences.length,
    tuple: sequences.to_tuple,
    list: sequences.to_list,
    dict: sequences.to_dict,
    sorted: sequences.ordered,
}
"""Functions that take values."""

SPECIAL: dict[Any, Callable[[Expressions, ast.Call], Code]] = {
    isinstance: reflection.isinstance_,
    hasattr: reflection.hasattr_,
    getattr: reflection.getattr_,
    any: _any_all("any_of"),
    all: _any_all("all_of"),
    warnings.warn: warned,
    warn: warned,
    error: warned,
    deprecation: warned,
}
"""Functions that need the call itself."""
