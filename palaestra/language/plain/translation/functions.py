"""The translation of functions, each for arguments of certain kinds, and of their calls."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Named
from types import FunctionType
from typing import TYPE_CHECKING, Any

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import NoSource, source_of
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.dicts import changed, named_again
from palaestra.language.plain.translation.kinds import (
    Incompatible,
    Kind,
    Packed,
    Unknown,
)
from palaestra.language.plain.translation.scope import STATIC, Item
from palaestra.language.plain.translation.unit import Code, Method, Unit, Written, called, name

if TYPE_CHECKING:
    from palaestra.language.plain.translation.evaluation import Evaluation


def call_function(scope: Evaluation, method: Method, arguments: Sequence[Code], named: Named[str, Code]) -> Code:
    """Returns the result of a function of the user's."""
    bound = _bound(scope, method, arguments, named)
    drew = scope.unit.draws_at is not None
    written = translated(scope.unit, method, bound)
    if written.seeds:
        seeded(scope, drew)
    parameters = [_passed(scope, bound[key]) for key in written.parameters]
    nodes = [name(key) for key in written.arguments()] + parameters
    changed(scope, written.changed)
    for key, attribute in written.kept.items():
        named_again(scope, bound[key], attribute)
    scope.written.draws |= written.draws
    scope.written.effects |= written.effects
    for slot in written.slots.values():
        scope.slot_used(slot)
    for slot in written.stores.values():
        scope.slot_assigned(slot)
    scope.written.early |= written.early - scope.sure
    scope.sure |= written.sure
    made = called(written.name, *nodes)
    result = written.result
    if not written.stores:
        if result.node is None:
            if written.effects or written.draws:
                scope.emit(ast.Expr(made))
            return Code(None, result.kind)
        at_once = written.effects or written.draws
        return Code(scope.temporary(made) if at_once else made, result.kind, result.origins)
    targets: list[ast.expr] = [ast.Name(variable, ast.Store()) for variable in written.stores]
    if result.node is None:
        target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
        scope.emit(ast.Assign([target], made))
        return Code(None, result.kind)
    found = scope.temporary(ast.Constant(0))
    scope.out.pop()
    targets.insert(0, ast.Name(found.id, ast.Store()))
    scope.emit(ast.Assign([ast.Tuple(targets, ast.Store())], made))
    return Code(found, result.kind, result.origins)


def seeded(scope: Evaluation, drew: bool) -> None:
    """Note that the environment is seeded here, which the batch does before a reset.

    Raises:
        Refused: If a draw comes before it, or if it does not happen in every reset.
    """
    if scope.unit.phase != "reset":
        return
    if drew:
        raise Refused("self.np_random draws before the environment is seeded", "call super().reset(seed=seed) first")
    if scope.unit.depth or scope.may_have_returned():
        raise Refused("some resets do not seed the environment", "call super().reset(seed=seed) first, in each reset")
    scope.written.seeds = scope.unit.seeded = True


def is_foreign(function: FunctionType, kind: type[Any]) -> bool:
    """Returns whether a function belongs to a library, not to the package of the class."""
    top = (function.__module__ or "").partition(".")[0]
    own = {base.__module__.partition(".")[0] for base in kind.__mro__ if base not in (Env, object)}
    if top in own or function.__module__ == "__main__":
        return False
    return top in sys.stdlib_module_names or "site-packages" in function.__code__.co_filename or is_own_module(top)


def _passed(scope: Evaluation, code: Code) -> ast.expr:
    return scope.node_of(scope.plain(code))


def _bound(scope: Evaluation, method: Method, arguments: Sequence[Code], named: Named[str, Code]) -> dict[str, Code]:
    """Returns the arguments by the names of the parameters."""
    function = method.function
    if not isinstance(function, FunctionType):
        raise Refused(f"{getattr(function, '__name__', function)!r} has no source of Python")
    if is_foreign(function, scope.unit.model.kind):
        raise Refused(f"`{function.__qualname__}` belongs to another library", "write it out with numbers and arrays")
    try:
        spec = source_of(function).tree.args
    except NoSource as error:
        raise Refused(str(error), error.instead) from None
    star = spec.kwarg
    if star and not _only_handed_on(star.arg, source_of(function).tree):
        raise Refused(f"{function.__name__} takes `**{star.arg}`", "name its parameters")
    positional = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    given = ([Code(None, method.place)] if method.place is not None else []) + list(arguments)
    if len(given) > len(positional) and not spec.vararg:
        raise Refused(f"{function.__name__} takes {len(positional)} arguments, but {len(given)} came")
    found = dict(zip(positional, given, strict=False))
    if spec.vararg:
        found[spec.vararg.arg] = scope.tuple_of(given[len(positional) :])
    known = {*positional, *(one.arg for one in spec.kwonlyargs)}
    for key, code in named.items():
        if key not in known and not spec.kwarg:
            raise Refused(f"{function.__name__} takes no argument {key!r}")
        if key in known:
            found[key] = code
    if star:
        others = {key: code for key, code in named.items() if key not in known}
        found[star.arg] = scope.dict_of({key: Item(None, code) for key, code in others.items()})
    for key, value in _defaults(function, positional):
        if key not in found:
            found[key] = scope.of_known(value)
    for key in known:
        if key not in found:
            raise Refused(f"{function.__name__} lacks its argument {key!r}")
    found = {key: scope.present(code) if isinstance(code.kind, Packed) else code for key, code in found.items()}
    return {key: scope.plain(code) if not isinstance(code.kind, STATIC) else code for key, code in found.items()}


def _only_handed_on(variable: str, tree: ast.FunctionDef) -> bool:
    """Returns whether a parameter `**variable` is used for calls with `**variable` only."""
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == variable]
    handed_on = [node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg is None]
    return all(any(one is node for one in handed_on) for node in uses)


def _defaults(function: FunctionType, positional: list[str]) -> Iterator[tuple[str, Any]]:
    values = function.__defaults__ or ()
    yield from zip(positional[len(positional) - len(values) :], values, strict=True)
    yield from (function.__kwdefaults__ or {}).items()


def translated(unit: Unit, method: Method, bound: Named[str, Code]) -> Written:
    """Returns the translation of a function for arguments of these kinds."""
    function = method.function
    key = (function, method.owner, tuple((name, code.kind, code.origins) for name, code in sorted(bound.items())))
    if key in unit.done:
        return unit.done[key]
    if function in unit.open:
        raise Refused(f"{function.__name__} calls itself", "write a loop")
    source = source_of(function, method.owner if isinstance(method.owner, type) else None)
    _check_plain(source.tree)
    written = Written(_unique(unit, source.name), source)
    unit.open.append(function)
    try:
        unit.translator(unit, source, written, method.owner).function(bound)
    finally:
        unit.open.pop()
    unit.done[key] = written
    unit.functions.append(written)
    return written


def _check_plain(tree: ast.FunctionDef) -> None:
    allowed = ("staticmethod", "classmethod", "property", "override", "abstractmethod", "jit", "njit")
    for one in tree.decorator_list:
        text = ast.unparse(one)
        if text.split(".")[-1].split("(")[0] not in allowed and not text.endswith((".setter", ".getter")):
            raise Refused(f"{tree.name} is decorated with `{text}`", "leave the decorator out", one)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            raise Refused("`yield` is not supported", "return a value", node)


def _unique(unit: Unit, wanted: str) -> str:
    taken = {one.name for one in unit.functions} | set(unit.names)
    found, k = wanted, 2
    while found in taken:
        found, k = f"{wanted}_{k}", k + 1
    unit.names[found] = None  # until it is compiled
    return found


def variable_parameters(bound: Named[str, Code]) -> list[str]:
    """Returns the names of the arguments that machine code passes."""
    return [key for key, code in bound.items() if not isinstance(code.kind, (*STATIC, Unknown))]


def checked_result(codes: Sequence[Code], scope: Evaluation) -> Kind:
    """Returns the kind of a function's results.

    Raises:
        Refused: If there is none that holds all.
    """
    try:
        return scope.join_of(codes)
    except Incompatible:
        kinds = sorted({described(code.kind) for code in codes})
        raise Refused(f"this function returns a {' or a '.join(kinds)}", "return values of one kind") from None
