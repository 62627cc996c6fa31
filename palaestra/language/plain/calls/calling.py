"""The translation of calls."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import math
import types
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces.space import Space
from gymnasium.utils import seeding
from palaestra.language.plain.calls import arrays, builtin, numpy_functions, reflection
from palaestra.language.plain.calls.arguments import arguments_of
from palaestra.language.plain.calls.methods import call_method, call_of_constant, record_of, replaced
from palaestra.language.plain.outward import check_outward
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import defined_in
from palaestra.language.plain.translation import derived
from palaestra.language.plain.translation.building import array_of_codes, list_of
from palaestra.language.plain.translation.containing import contains
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.functions import call_function, seeded
from palaestra.language.plain.translation.kinds import (
    BOOL,
    FLOAT,
    NONE,
    Array,
    Constant,
    Generator,
    Kind,
    Number,
    Opaque,
    Place,
    Seed,
    Unknown,
)
from palaestra.language.plain.translation.records import is_record
from palaestra.language.plain.translation.unit import Code, Method, called

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def call(scope: Expressions, node: ast.Call) -> Code:
    """Returns the result of a call."""
    function = node.func
    if isinstance(function, ast.Attribute):
        if _is_super(function.value):
            return _call_super(scope, function.value, function.attr, node)
        owner = scope.expr(function.value)
        if not isinstance(owner.kind, (Constant, Place)):
            if isinstance(owner.kind, (Array, Number)) and any(_calls(one) for one in node.args):
                owner = scope.fixed(owner)
            return call_method(scope, owner, function, node)
        if isinstance(owner.kind, Constant) and not _is_namespace(owner.kind.value):
            return call_of_constant(scope, owner, function, node)
        found = scope.attribute(owner, function.attr)
    else:
        found = scope.expr(function)
    return call_value(scope, found, node)


def _calls(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Call) for one in ast.walk(node))


def _is_namespace(value: Any) -> bool:
    return isinstance(value, (types.ModuleType, type, Space)) or callable(value)


def _is_super(node: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _is_own_class(node: ast.expr) -> bool:
    """Returns whether this is `type(self)` or `self.__class__`; the caller knows that there is one `self`."""
    return ast.unparse(node) in ("type(self)", "self.__class__")


def _call_super(scope: Expressions, super_: ast.Call, name: str, node: ast.Call) -> Code:
    place = next((one.kind for one in scope.locals.values() if isinstance(one.kind, Place)), None)
    if place is None or scope.kind is None:
        raise Refused("super() outside of a method")
    own = scope.unit.model.places[place.path]
    after = scope.kind
    if super_.args:
        kinds = [Constant(own) if _is_own_class(one) else scope.expr(one).kind for one in super_.args]
        named: Any = getattr(kinds[0], "value", None)
        if kinds != [Constant(named), place] or named not in own.__mro__:
            raise Refused("super(...) of something else than a class and self", "write super()")
        after = named
    found = defined_in(own, name, after=after)
    if found is None:
        raise Refused(f"no base class has `{name}`")
    return call_value(scope, scope.of_value(Method(found[1], found[0], place)), node)


def call_value(scope: Expressions, found: Code, node: ast.Call) -> Code:
    """Returns the result of a call of something that is known before anything runs."""
    if isinstance(found.kind, Unknown):
        return found
    if not isinstance(found.kind, Constant):
        raise Refused(f"a {described(found.kind)} is called")
    value = found.kind.value
    if _is_called_otherwise(value):
        raise Refused(f"`{ast.unparse(node.func)}` is called in a way of its own", "write a function or a method")
    special = builtin.SPECIAL.get(value) if _is_hashable(value) else None
    if special is not None:
        return special(scope, node)
    if isinstance(value, Method):
        return _call_own(scope, value, node)
    if value is Env.reset:
        arguments, named = arguments_of(scope, node)
        return _reset_of_env(scope, arguments[1:], named)  # without self
    if value in (copy.copy, copy.deepcopy) if _is_hashable(value) else False:
        return _copied(scope, scope.present(arguments_of(scope, node)[0][0]))
    _check_outward(value, node)
    if value is seeding.np_random:
        scope.unit.seeded = True
        arguments_of(scope, node)
        return Code(None, Constant((Generator(), "seed")))
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Space):
        return _call_space(scope, *value, node)
    if value in (np.array, np.asarray) and len(node.args) == 1 and isinstance(node.args[0], (ast.List, ast.Tuple)):
        return _array_display(scope, node, node.args[0].elts)
    arguments, named = arguments_of(scope, node)
    if any(isinstance(one.kind, Unknown) for one in (*arguments, *named.values())):
        return Code(None, Unknown())
    for handlers in (builtin.CALLS, numpy_functions.CALLS):
        if _is_hashable(value) and value in handlers:
            return _handled(handlers[value], scope, arguments, named)
    if is_record(value):
        return record_of(scope, value, arguments, named)
    if value is dataclasses.replace and len(arguments) == 1:
        return replaced(scope, scope.present(arguments[0]), named)
    if isinstance(value, type) and issubclass(value, Enum):
        return reflection.member(scope, value, arguments)
    if isinstance(value, types.FunctionType):
        return call_function(scope, Method(value, None, None), arguments, named)  # type: ignore[arg-type]
    if hasattr(value, "py_func") and isinstance(value.py_func, types.FunctionType):
        return call_function(scope, Method(value.py_func, None, None), arguments, named)  # type: ignore[arg-type]
    if isinstance(value, type) and issubclass(value, np.generic):
        return arrays.number_type(scope, np.dtype(value), *arguments)
    if getattr(value, "__module__", None) == "math" and callable(value):
        return _math(scope, value, arguments)
    if _is_ufunc_or_numpy(value):
        return _passed_on(scope, value, arguments, named)
    raise Refused(f"`{ast.unparse(node.func)}` is not supported", "write it out with numbers and arrays")


def _is_called_otherwise(value: Any) -> bool:
    """Returns whether a call of an object, or of a class, is a function of the user's, which need not say so."""
    function = inspect.getattr_static(type(value), "__call__", None)
    if not isinstance(function, types.FunctionType) or hasattr(value, "py_func"):
        return False
    return function.__module__.partition(".")[0] not in ("enum", "typing", "abc", "numpy")


def _check_outward(value: object, node: ast.Call) -> None:
    check_outward(value)
    if getattr(value, "__module__", None) in ("logging", "warnings"):
        shown = ast.unparse(node.func)
        raise Refused(f"`{shown}` reaches outside of the environment", "leave it out of reset and step")


def _copied(scope: Expressions, code: Code) -> Code:
    """`copy.copy` or `copy.deepcopy` of an array, a list or a number."""
    kind = code.kind
    if isinstance(kind, (Number, Unknown)):
        return code
    if isinstance(kind, Array):
        return Code(ast.Call(ast.Attribute(scope.node_of(code), "copy", ast.Load()), [], []), kind)
    raise Refused("objects are copied", "copy arrays with .copy()")


def _array_display(scope: Expressions, node: ast.Call, items: list[ast.expr]) -> Code:
    """`np.array([a, b, c])`: its numbers go into the array at once."""
    codes = scope.unpacked(items)
    named = {one.arg or "": scope.expr(one.value) for one in node.keywords}
    if not codes or all(isinstance(code.kind, Constant) for code in codes) or set(named) - {"dtype"}:
        named.pop("copy", None)
        return _handled(numpy_functions.CALLS[np.array], scope, [list_of(scope, codes)], named)
    return array_of_codes(scope, codes, arrays.dtype_of(scope, named.get("dtype"), None))


def _handled(handler: Any, scope: Expressions, arguments: list[Code], named: dict[str, Code]) -> Code:
    try:
        inspect.signature(handler).bind(scope, *arguments, **named)
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
        place = method.place
        if isinstance(function, staticmethod):
            place = None
        elif isinstance(place, Place):
            place = Constant(scope.unit.model.places[place.path])
        function = function.__func__
        method = method._replace(function=function, place=place)
    arguments, named = arguments_of(scope, node)
    if derived.is_of_package(method.owner):
        return call_of_package(scope, method, arguments, named)
    if method.owner is Env:
        if function is Env.reset:
            return _reset_of_env(scope, arguments, named)
        if function.__name__ in ("close", "render"):
            raise Refused(f"`{function.__name__}` is called in reset or step", "leave it out where nothing is drawn")
    return call_function(scope, method, arguments, named)


def call_of_package(scope: Expressions, method: Method, arguments: list[Code], named: dict[str, Code]) -> Code:
    """`reset` or `step` of an environment of this package, from which the class derives."""
    key = method.function.__name__
    if key == "reset":
        options = named.pop("options", Code(None, NONE))
        if options.kind != NONE:
            raise Refused("options go to the reset of another class", "leave them out")
        _reset_of_env(scope, arguments, named)
        return derived.begin(scope)
    if key == "step" and len(arguments) + len(named) == 1:
        return derived.step(scope, [*arguments, *named.values()][0])
    raise Refused(f"`{key}` of {method.owner.__name__} is not supported", "write it out with numbers and arrays")


def _reset_of_env(scope: Expressions, arguments: list[Code], named: dict[str, Code]) -> Code:
    """`super().reset(seed=seed)`, which the batch does: with the seed of this reset, and with none within a step."""
    seed = named.get("seed", arguments[0] if arguments else Code(None, NONE)).kind
    if scope.unit.phase == "reset" and not isinstance(seed, (Seed, Unknown)):
        raise Refused("the environment is not seeded with the seed that reset gets", "call super().reset(seed=seed)")
    if scope.unit.phase != "reset" and seed != NONE and not isinstance(seed, Unknown):
        raise Refused("a step seeds the environment", "leave the seed out")
    if scope.unit.phase == "reset":
        seeded(scope, scope.unit.draws_at is not None)
    return Code(None, NONE)


def _call_space(scope: Expressions, space: Space[Any], key: str, node: ast.Call) -> Code:
    arguments, _ = arguments_of(scope, node)
    if key == "seed":
        return Code(None, NONE)
    if key == "contains":
        return contains(scope, space, arguments[0])
    raise Refused(f"`.{key}()` of a space draws from a generator of its own", "draw from self.np_random")


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
    if function is math.isclose and len(codes) == 2:
        return Code(called(scope.helper("is_close"), *nodes, ast.Constant(1e-9), ast.Constant(0.0)), BOOL)
    if function in (
        math.isclose,
        math.gcd,
        math.comb,
        math.factorial,
        math.prod,
        math.fsum,
        math.dist,
        math.isqrt,
        math.lcm,
    ):
        raise Refused(f"math.{function.__name__} is not supported", "write a loop")
    return Code(called(scope.unit.constant(function, f"math_{function.__name__}"), *nodes), kind)
