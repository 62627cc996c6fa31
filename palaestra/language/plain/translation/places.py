"""Attributes and methods of the environment, and of the objects in it."""

from __future__ import annotations

import ast
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any

from gymnasium.core import Env
from gymnasium.functional.env import Parameter
from palaestra.language.plain.alike import found_in
from palaestra.language.plain.model import is_object
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import defined_in
from palaestra.language.plain.translation.derived import is_of_package, put_state, state_of
from palaestra.language.plain.translation.dicts import AGAIN, CALLERS, named_again
from palaestra.language.plain.translation.functions import call_function
from palaestra.language.plain.translation.kinds import (
    Constant,
    Generator,
    Growing,
    Incompatible,
    Mapping,
    Number,
    Packed,
    Place,
    Tuple,
    same_constant,
)
from palaestra.language.plain.translation.slots import has_arrays, slot_code
from palaestra.language.plain.translation.unit import Code, Method

if TYPE_CHECKING:
    from palaestra.language.plain.translation.attributes import Attributes


def attribute_of(scope: Attributes, place: Place, key: str) -> Code:
    """Returns an attribute of the environment, or of an object in it."""
    model, path = scope.unit.model, (*place.path, key)
    scope.unit.read.add(path)
    _check_found(scope, place, key)
    if not place.path and key in ("np_random", "_np_random"):
        return Code(None, Generator())
    if not place.path and key == "unwrapped":
        return Code(None, place)
    if path in model.same_objects:
        return Code(None, Place(model.same_objects[path]))
    if path in model.places and path not in model.changing:
        return Code(None, Place(path))
    if path in model.changing and not _is_cached(model.places[place.path], key):
        return slot_code(scope, path)
    kind = model.places[place.path]
    found = defined_in(kind, key)
    if _is_cached(kind, key):
        raise Refused(f"`{key}` is a cached_property", "make it a property, or compute it in reset")
    if model.has(path):
        return _constant(scope, path)
    if not place.path and key in ("render_mode", "metadata") and not isinstance((found or (0, 0))[1], property):
        return scope.of_value(getattr(model.env, key))
    if found is not None:
        return _of_class(scope, place, key, *found)
    raise Refused(f"`{key}` is no attribute of a {kind.__name__}, and got none in a few episodes")


def _check_found(scope: Attributes, place: Place, key: str) -> None:
    """Refuse an attribute that Python finds in another way than in the object, and then in its class."""
    kind = scope.unit.model.places[place.path]
    if not place.path and key == "spec":
        raise Refused("self.spec, which make assigns later, is read", "pass what it holds as an argument")
    for special in ("__getattribute__", "__setattr__"):
        if getattr(kind, special) is not getattr(object, special):
            raise Refused(f"{kind.__name__} has a `{special}` of its own", "leave it out, or write properties")
    own, member = defined_in(kind, key) or (object, None)
    if isinstance(member, property) and key in vars(found_in(scope.unit.model.env, place.path)):
        raise Refused(f"the property `{key}` hides an attribute of this name", "give it another name")
    if not place.path and key in ("np_random", "_np_random", "unwrapped") and own is not Env:
        raise Refused(f"the class has a `{key}` of its own", "call super().reset(seed=seed), and leave it out")
    plain = (property, staticmethod, classmethod, FunctionType, Parameter, cached_property)
    if hasattr(type(member), "__get__") and not isinstance(member, plain):
        raise Refused(f"`{key}` is found by a {type(member).__name__}", "make it an attribute, or a property")


def _is_cached(kind: type[Any], key: str) -> bool:
    found = defined_in(kind, key)
    return found is not None and isinstance(found[1], cached_property)


def _constant(scope: Attributes, path: tuple[str, ...]) -> Code:
    model = scope.unit.model
    try:
        value = model.value(path)
    except AttributeError:  # it got its value in an episode, and never changed: a reset assigns it
        model.changing.add(path)
        return slot_code(scope, path)
    if is_object(value):
        raise Refused(
            f"self.{'.'.join(path)} is an object too deep in others", "keep its numbers in attributes of self"
        )
    known = scope.unit.param(path, value) or scope.of_known(value)
    return known._replace(origins=frozenset([f"dict {'.'.join(path)}"])) if isinstance(value, dict) else known


def _of_class(scope: Attributes, place: Place, key: str, owner: type[Any], member: Any) -> Code:
    if isinstance(member, Parameter):
        return scope.of_known(getattr(scope.unit.model.env, key))
    if isinstance(member, property) and key == "state" and is_of_package(owner):
        return state_of(scope)  # type: ignore[arg-type]
    if isinstance(member, property):
        if not isinstance(member.fget, FunctionType):
            raise Refused(f"the property `{key}` has no source")
        if owner is Env:
            raise Refused(f"`{key}` of gymnasium.Env is not supported here")
        return call_function(scope, Method(member.fget, owner, place), [], {})
    if isinstance(member, staticmethod):
        return scope.of_value(Method(member.__func__, owner, None))
    if isinstance(member, classmethod):
        return scope.of_value(Method(member.__func__, owner, Constant(scope.unit.model.places[place.path])))
    if isinstance(member, FunctionType):
        return scope.of_value(Method(member, owner, place))
    path = (*place.path, key)
    return scope.unit.param(path, member) or scope.of_known(member)


def store(scope: Attributes, place: Place, key: str, code: Code) -> None:
    """Assign an attribute of the environment, or of an object in it."""
    key = scope.mangled(key)
    unit, path = scope.unit, (*place.path, key)
    _check_found(scope, place, key)
    if isinstance(code.kind, Packed):
        code = _unpacked(scope, path, code, code.kind)
    if not place.path and key in ("np_random", "_np_random"):
        if isinstance(code.kind, Generator):
            return
        raise Refused("self.np_random is assigned", "call super().reset(seed=seed)")
    member = defined_in(unit.model.places[place.path], key)
    if member is not None and isinstance(member[1], property) and key == "state" and is_of_package(member[0]):
        put_state(scope, code)  # type: ignore[arg-type]
        return
    if member is not None and isinstance(member[1], property):
        _set_property(scope, place, member[0], member[1], code)
        return
    if path in unit.model.places or path in unit.model.same_objects:
        raise Refused(f"self.{'.'.join(path)} is an object, and gets another", "assign its attributes instead")
    if isinstance(code.kind, Generator):
        raise Refused("the random generator is kept under another name", "use self.np_random")
    plain = scope.plain(code)
    if path not in unit.model.changing:
        if isinstance(code.kind, Constant) and _is_held(scope, path, code.kind.value):
            return
        unit.widen(path, _kept_kind(plain))
    slot = unit.slot(path)
    scope.slot_assigned(slot)
    scope.sure.add(slot.variable)
    try:
        node = scope.as_kind(code, slot.kind)
    except Incompatible:
        unit.widen(path, _kept_kind(plain))
        return
    scope.emit(ast.Assign([ast.Name(slot.variable, ast.Store())], node))
    if isinstance(slot.kind, Mapping):
        own = f"dict {slot.variable}"
        named_again(scope, code, own)
        unit.shared |= {(own, one) for one in code.origins if one.startswith("dict ")} - {
            (own, one) for one in (own, AGAIN, CALLERS)
        }
    if unit.phase == "reset":
        unit.renewed.add(slot.variable)
    if has_arrays(slot.kind):
        unit.shared |= {(slot.variable, one) for one in code.origins if one != slot.variable}
        if isinstance(code.node, ast.Name):
            _share_local(scope, code.node.id, slot.variable)


def _unpacked(scope: Attributes, path: tuple[str, ...], code: Code, kind: Packed) -> Code:
    """Returns a short array as the tuple of its numbers, where an attribute may hold one, or as an array."""
    model = scope.unit.model
    held = scope.unit.slot(path).kind if path in model.changing and path not in model.places else None
    if isinstance(held, Tuple) and held.loose and len(held.items) == kind.count:
        nodes = [scope.node_of(one) for one in (scope.item(scope.held(code), k) for k in range(kind.count))]
        return Code(ast.Tuple(nodes, ast.Load()), Tuple((Number(kind.dtype, None),) * kind.count))
    return scope.present(code)


def _kept_kind(code: Code) -> Any:
    if isinstance(code.kind, Growing):
        raise Refused("a list that grows becomes an attribute", "keep a fixed-size array and a counter")
    return code.kind


def _is_held(scope: Attributes, path: tuple[str, ...], value: Any) -> bool:
    """Whether an attribute always has this value, which is part of the code."""
    try:
        return same_constant(scope.unit.model.value(path), value)
    except AttributeError:
        return False


def _share_local(scope: Attributes, variable: str, origin: str) -> None:
    for key, code in scope.locals.items():
        if isinstance(code.node, ast.Name) and code.node.id == variable:
            scope.locals[key] = code._replace(origins=code.origins | {origin})


def _set_property(scope: Attributes, place: Place, owner: type[Any], member: property, code: Code) -> None:
    if not isinstance(member.fset, FunctionType):
        raise Refused("a property without a setter is assigned")
    result = call_function(scope, Method(member.fset, owner, place), [code], {})
    if result.node is not None:
        scope.emit(ast.Expr(result.node))
