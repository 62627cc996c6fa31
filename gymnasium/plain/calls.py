"""The translation of calls."""

from __future__ import annotations

import ast
import logging
import math
import types
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.core import Env
from gymnasium.plain import builtin_calls, drawing_calls, numpy_calls
from gymnasium.plain.building import array_of_codes, list_of
from gymnasium.plain.functions import call_function
from gymnasium.plain.indexing import table_of
from gymnasium.plain.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    Array,
    Constant,
    Generator,
    Growing,
    Kind,
    Mapping,
    Number,
    Opaque,
    Optional,
    Packed,
    Place,
    Seed,
    Tuple,
    Unknown,
    told,
)
from gymnasium.plain.places import Method
from gymnasium.plain.refusals import Refused
from gymnasium.plain.sources import defined_in
from gymnasium.plain.storing import as_target
from gymnasium.plain.unit import Code, called
from gymnasium.spaces.box import Box
from gymnasium.spaces.space import Space
from gymnasium.utils import seeding

if TYPE_CHECKING:
    from gymnasium.plain.expressions import Expressions

_OUTWARD = ("print", "open", "input", "exec", "eval", "breakpoint")
_MODULES = {
    "random": ("the global generator is shared by all copies", "draw from self.np_random"),
    "numpy.random": ("the global generator is shared by all copies", "draw from self.np_random"),
    "time": ("a clock is read", "count the steps"),
    "datetime": ("a clock is read", "count the steps"),
    "os": ("files are used", "read them in __init__"),
    "pathlib": ("files are used", "read them in __init__"),
    "subprocess": ("another program is run", "leave it out"),
    "socket": ("the network is used", "leave it out"),
}


def call(scope: Expressions, node: ast.Call) -> Code:
    """Returns the result of a call."""
    function = node.func
    if isinstance(function, ast.Attribute):
        if _is_super(function.value):
            return _call_super(scope, function, node)
        owner = scope.expr(function.value)
        if not isinstance(owner.kind, (Constant, Place)):
            return _call_method(scope, owner, function, node)
        if isinstance(owner.kind, Constant) and not _is_namespace(owner.kind.value):
            return _call_of_constant(scope, owner, function, node)
        found = scope.attribute(owner, function.attr)
    else:
        found = scope.expr(function)
    return call_value(scope, found, node)


def _is_namespace(value: Any) -> bool:
    return isinstance(value, (types.ModuleType, type, Space)) or callable(value)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _call_super(scope: Expressions, function: ast.Attribute, node: ast.Call) -> Code:
    place = next((one.kind for one in scope.locals.values() if isinstance(one.kind, Place)), None)
    if place is None or scope.kind is None:
        raise Refused("super() outside of a method")
    found = defined_in(scope.unit.model.places[place.path], function.attr, after=scope.kind)
    if found is None:
        raise Refused(f"no base class has `{function.attr}`")
    return call_value(scope, scope.of_value(Method(found[1], found[0], place)), node)


def arguments_of(scope: Expressions, node: ast.Call) -> tuple[list[Code], dict[str, Code]]:
    """Returns the arguments of a call, in their order of evaluation."""
    if any(one.arg is None for one in node.keywords):
        raise Refused("`**arguments` are not supported", "name them")
    if any(isinstance(one, ast.Starred) for one in node.args):
        positional = scope.unpacked(node.args)
        return positional, {one.arg: scope.expr(one.value) for one in node.keywords if one.arg}
    codes = scope.exprs([*node.args, *(one.value for one in node.keywords)])
    named = dict(zip([one.arg or "" for one in node.keywords], codes[len(node.args) :], strict=True))
    return codes[: len(node.args)], named


def call_value(scope: Expressions, found: Code, node: ast.Call) -> Code:
    """Returns the result of a call of something that is known before anything runs."""
    if isinstance(found.kind, Unknown):
        return found
    if not isinstance(found.kind, Constant):
        raise Refused(f"a {told(found.kind)} is called")
    value = found.kind.value
    special = builtin_calls.SPECIAL.get(value) if _is_hashable(value) else None
    if special is not None:
        return special(scope, node)
    if isinstance(value, Method):
        return _call_own(scope, value, node)
    if value is Env.reset:
        arguments_of(scope, node)
        scope.unit.seeded = True
        return Code(None, NONE)
    check_outward(value)
    if value is seeding.np_random:
        scope.unit.seeded = True
        arguments_of(scope, node)
        return Code(None, Constant((Generator(), "seed")))
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Space):
        return _call_space(scope, *value, node)
    if value in (np.array, np.asarray) and len(node.args) == 1 and isinstance(node.args[0], (ast.List, ast.Tuple)):
        return _array_display(scope, node, node.args[0].elts)
    arguments, named = arguments_of(scope, node)
    every = [*arguments, *named.values()]
    if any(isinstance(one.kind, Unknown) for one in every):
        return Code(None, Unknown())
    if value in builtin_calls.CALLS if _is_hashable(value) else False:
        return _handled(builtin_calls.CALLS[value], scope, arguments, named)
    if value in numpy_calls.CALLS if _is_hashable(value) else False:
        return _handled(numpy_calls.CALLS[value], scope, arguments, named)
    if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        return _record(scope, value, arguments, named)
    if isinstance(value, types.FunctionType):
        return call_function(scope, Method(value, None, None), arguments, named)  # type: ignore[arg-type]
    if hasattr(value, "py_func") and isinstance(value.py_func, types.FunctionType):
        return call_function(scope, Method(value.py_func, None, None), arguments, named)  # type: ignore[arg-type]
    if isinstance(value, type) and issubclass(value, np.generic):
        return numpy_calls.number_type(scope, np.dtype(value), *arguments)
    if getattr(value, "__module__", None) == "math" and callable(value):
        return _math(scope, value, arguments)
    if _is_ufunc_or_numpy(value):
        return _passed_on(scope, value, arguments, named)
    raise Refused(f"`{ast.unparse(node.func)}` is not supported", "write it out with numbers and arrays")


def _array_display(scope: Expressions, node: ast.Call, items: list[ast.expr]) -> Code:
    """`np.array([a, b, c])`: its numbers go into the array at once."""
    codes = scope.unpacked(items)
    named = {one.arg or "": scope.expr(one.value) for one in node.keywords}
    if not codes or all(isinstance(code.kind, Constant) for code in codes) or set(named) - {"dtype"}:
        named.pop("copy", None)
        return _handled(numpy_calls.CALLS[np.array], scope, [list_of(scope, codes)], named)
    return array_of_codes(scope, codes, numpy_calls.dtype_of(scope, named.get("dtype"), None))


def _handled(handler: Any, scope: Expressions, arguments: list[Code], named: dict[str, Code]) -> Code:
    try:
        signature(handler).bind(scope, *arguments, **named)
    except TypeError:
        shown = ", ".join(named) or f"{len(arguments)} arguments"
        raise Refused(f"this function with {shown} is not supported", "write a loop") from None
    code: Code = handler(scope, *arguments, **named)
    return code


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def check_outward(value: Any) -> None:
    """Refuse what does not depend on its arguments alone."""
    module, key = getattr(value, "__module__", None) or "", getattr(value, "__name__", "")
    owner = type(getattr(value, "__self__", None))
    if owner.__module__.startswith("numpy.random") or module.startswith("numpy.random"):
        module = "numpy.random"
    if owner.__module__ == "random":
        module = "random"
    for start, (reason, instead) in _MODULES.items():
        if module == start or module.startswith(f"{start}."):
            raise Refused(reason, instead)
    if (module == "builtins" and key in _OUTWARD) or (module in ("_io", "io") and key == "open"):
        raise Refused(f"`{key}` reaches outside of the environment", "leave it out of reset and step")
    if module == "copy":
        raise Refused("objects are copied", "copy arrays with .copy()")


def _is_ufunc_or_numpy(value: Any) -> bool:
    return isinstance(value, np.ufunc) or (getattr(value, "__module__", "") or "").startswith("numpy")


def _passed_on(scope: Expressions, value: Any, arguments: list[Code], named: dict[str, Code]) -> Code:
    """A function of NumPy that only the compiler knows, or refuses."""
    if named or value not in exact_functions():
        shown = f" with {', '.join(named)}" if named else ""
        raise Refused(f"np.{value.__name__}{shown} is not supported", "write a loop")
    codes = [scope.present(one) for one in arguments]
    function = scope.unit.constant(value, value.__name__)
    return Code(called(function, *[scope.node_of(scope.as_array(one)) for one in codes]), Opaque())


def exact_functions() -> frozenset[Any]:
    """Returns the functions of NumPy that machine code has, with NumPy's results."""
    return frozenset([np.diff, np.outer, np.cumsum, np.sort, np.unique, np.transpose, np.fmod, np.reciprocal])


def _call_own(scope: Expressions, method: Method, node: ast.Call) -> Code:
    function = method.function
    if isinstance(function, (staticmethod, classmethod)):
        function = function.__func__
        method = method._replace(function=function)
    arguments, named = arguments_of(scope, node)
    if method.owner is Env:
        if function is Env.reset:
            scope.unit.seeded = True
            return Code(None, NONE)
        if function.__name__ in ("close", "render"):
            raise Refused(f"`{function.__name__}` is called in reset or step", "leave it out where nothing is drawn")
    return call_function(scope, method, arguments, named)


def _call_space(scope: Expressions, space: Space[Any], key: str, node: ast.Call) -> Code:
    arguments, _ = arguments_of(scope, node)
    if key == "seed":
        return Code(None, NONE)
    if key == "contains":
        return contains(scope, space, arguments[0])
    raise Refused(f"`.{key}()` of a space draws from a generator of its own", "draw from self.np_random")


def contains(scope: Expressions, space: Space[Any], item: Code) -> Code:
    """Returns whether a space contains a value; a batch's actions are of their space's kind."""
    item = scope.present(item)
    node = item.node
    if isinstance(space, Box) and isinstance(item.kind, Array) and item.kind.shape == space.shape:
        low, high = (scope.unit.constant(np.ascontiguousarray(one)) for one in (space.low, space.high))
        if item.kind.dtype == space.dtype and item.kind.dtype.itemsize >= 4:
            return Code(called(scope.helper("inside"), scope.node_of(item), low, high), BOOL)
    number = item.kind
    start, n = getattr(space, "start", None), getattr(space, "n", None)
    if (
        isinstance(number, Number)
        and number.dtype.kind in "iu"
        and start is not None
        and n is not None
        and not getattr(n, "shape", ())
    ):
        held = scope.node_of(scope.held(item))
        first, end = ast.Constant(int(start)), ast.Constant(int(start) + int(n))
        return Code(ast.Compare(first, [ast.LtE(), ast.Lt()], [held, end]), BOOL)
    if isinstance(node, ast.Name) and "the action" in item.origins:
        return Code(ast.Constant(True), BOOL)
    raise Refused("whether a space contains this is not known to machine code", "compare with the bounds")


def _record(scope: Expressions, kind: type[Any], arguments: list[Code], named: dict[str, Code]) -> Code:
    fields: tuple[str, ...] = kind._fields
    found = dict(zip(fields, arguments, strict=False)) | named
    defaults = getattr(kind, "_field_defaults", {})
    codes = []
    for key in fields:
        if key not in found and key not in defaults:
            raise Refused(f"{kind.__name__} lacks its field {key!r}")
        codes.append(scope.plain(found[key] if key in found else scope.of_known(defaults[key])))
    nodes: list[ast.expr] = [scope.node_of(code) for code in codes]
    origins = frozenset[str]().union(*(code.origins for code in codes))
    return Code(ast.Tuple(nodes, ast.Load()), Tuple(tuple(code.kind for code in codes), kind), origins)


def _math(scope: Expressions, function: Any, arguments: list[Code]) -> Code:
    codes = [scope.number(one) for one in arguments]
    if all(isinstance(code.node, ast.Constant) for code in codes):
        return scope.of_known(function(*[code.node.value for code in codes if isinstance(code.node, ast.Constant)]))
    nodes = []
    for code in codes:
        short = isinstance(code.kind, Number) and code.kind.dtype.itemsize < 8
        nodes.append(called("float", scope.node_of(code)) if short else scope.node_of(code))
    whole = function in (math.floor, math.ceil, math.trunc)
    kind: Kind = Number(np.dtype(np.int64)) if whole else FLOAT
    if function in (math.isnan, math.isinf, math.isfinite):
        kind = BOOL
    if function in (math.gcd, math.comb, math.factorial, math.prod, math.fsum, math.dist, math.isqrt, math.lcm):
        raise Refused(f"math.{function.__name__} is not supported", "write a loop")
    return Code(called(scope.unit.constant(function, f"math_{function.__name__}"), *nodes), kind)


def _call_of_constant(scope: Expressions, owner: Code, function: ast.Attribute, node: ast.Call) -> Code:
    """A method of a constant text, dict, tuple or list."""
    value: Any = owner.kind.value  # type: ignore[attr-defined]
    if value is None:
        raise Refused(f"`.{function.attr}` of None")
    if isinstance(value, logging.Logger):
        if function.attr in ("warning", "warn", "error", "critical", "exception"):
            return builtin_calls.warned(scope, node)
        raise Refused("something is logged", "leave it out of reset and step")
    arguments, named = arguments_of(scope, node)
    if isinstance(value, dict) and function.attr == "get" and arguments:
        return _got(scope, value, arguments)
    if isinstance(value, dict) and function.attr == "copy":
        return owner
    if isinstance(value, (np.ndarray, list)) and function.attr in _ARRAY_METHODS and not isinstance(value, list):
        return _call_method(scope, scope.plain(owner), function, node)
    if isinstance(value, dict) and function.attr == "update" and not value:
        return _of_mapping(scope, scope.mapping([], []), function, arguments, named)
    if isinstance(value, (list, tuple)) and function.attr == "index" and len(arguments) == 1:
        found = table_of(value)
        if found is not None and isinstance(found[1], Tuple) and isinstance(arguments[0].kind, Tuple):
            table = scope.unit.constant(found[0], "table")
            row = scope.node_of(scope.held(arguments[0]))
            return Code(called(scope.helper("place_of_row"), table, row), INT)
    if isinstance(value, (list, tuple)) and function.attr in ("index", "count") and len(arguments) == 1:
        plain = scope.plain(scope.of_value(list(value)))
        return _call_method(scope, plain, function, node)
    if isinstance(value, (str, tuple, list, dict, bytes)) and function.attr in ("copy", "tolist"):
        return owner
    try:
        known = [scope.static_value(one) for one in arguments]
        if not named and isinstance(value, (str, bytes, tuple, dict, frozenset)):
            return scope.of_known(getattr(value, function.attr)(*known))
    except (AttributeError, TypeError, ValueError, KeyError):
        pass
    if isinstance(value, (list, dict, set)) and function.attr in ("append", "clear", "update", "pop", "add", "remove"):
        raise Refused(f"a {type(value).__name__} is changed", "keep a fixed-size array and a counter")
    raise Refused(f"`.{function.attr}` of a {type(value).__name__} is not supported")


def _got(scope: Expressions, value: dict[Any, Any], arguments: list[Code]) -> Code:
    default = arguments[1] if len(arguments) > 1 else Code(None, NONE)
    try:
        key = scope.static_value(arguments[0])
    except Refused:
        raise Refused("`.get` of a dict for a key that changes", "use [...]") from None
    return scope.of_known(value[key]) if key in value else default


_ARRAY_METHODS = frozenset(
    [
        *("copy", "astype", "sum", "mean", "max", "min", "any", "all", "argmax", "argmin", "flatten", "ravel"),
        *("reshape", "fill", "tolist", "item", "dot", "prod", "sort", "cumsum", "clip", "nonzero", "round", "squeeze"),
        *("std", "var", "transpose", "take"),
    ]
)


def _call_method(scope: Expressions, owner: Code, function: ast.Attribute, node: ast.Call) -> Code:
    key, kind = function.attr, owner.kind
    if isinstance(kind, Unknown):
        return owner
    if isinstance(kind, Generator):
        arguments, named = arguments_of(scope, node)
        return drawing_calls.draw(scope, key, arguments, named, node)
    if isinstance(kind, Seed):
        raise Refused("the seed is used", "call super().reset(seed=seed) only")
    if isinstance(kind, Mapping):
        return _of_mapping(scope, owner, function, *arguments_of(scope, node))
    if isinstance(kind, (Optional, Packed)):
        return _call_method(scope, scope.present(owner), function, node)
    if isinstance(kind, Growing):
        return builtin_calls.of_list(scope, owner, function, arguments_of(scope, node)[0])
    if isinstance(kind, Tuple) and kind.record is not None:
        member = defined_in(kind.record, key)
        arguments, named = arguments_of(scope, node)
        if key == "_replace":
            parts = dict(zip(kind.record._fields, scope.parts(scope.held(owner)), strict=True))
            return _record(scope, kind.record, [], parts | named)
        if member is not None and isinstance(member[1], types.FunctionType):
            return call_function(scope, Method(member[1], member[0], None), [owner, *arguments], named)
    if isinstance(kind, Tuple) and key in ("index", "count"):
        owner = scope.as_array(owner)
        owner = owner._replace(kind=Array(owner.kind.dtype, 1, owner.kind.shape, True))  # type: ignore[attr-defined]
        kind = owner.kind
    arguments, named = arguments_of(scope, node)
    if isinstance(kind, Array) and kind.listed:
        return builtin_calls.of_fixed_list(scope, owner, key, arguments, node)
    if isinstance(kind, (Array, Number, Opaque)):
        return numpy_calls.method(scope, owner, key, arguments, named, node)
    raise Refused(f"`.{key}` of a {told(kind)} is not supported")


def _of_mapping(
    scope: Any, owner: Code, function: ast.Attribute, arguments: list[Code], named: dict[str, Code]
) -> Code:
    kind, key = owner.kind, function.attr
    assert isinstance(kind, Mapping)
    if key == "update" and len(arguments) <= 1:
        parts: list[Code] = [*arguments, scope.mapping(list(named), [scope.plain(one) for one in named.values()])]
        for one in parts if named else arguments:
            owner = scope.merged(owner, one)
        scope.assign(as_target(function.value), owner)
        return Code(None, NONE)
    if key == "copy":
        return owner
    if key == "get" and arguments and isinstance(arguments[0].kind, Constant):
        wanted = arguments[0].kind.value
        if wanted in kind.keys:
            found: Code = scope.item(owner, kind.keys.index(wanted))
            return found
        return arguments[1] if len(arguments) > 1 else Code(None, NONE)
    raise Refused(f"`.{key}` of a dict is not supported", "assign its keys one by one")
