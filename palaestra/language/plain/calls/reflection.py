"""The translation of isinstance, hasattr and getattr."""

from __future__ import annotations

import ast
from abc import ABCMeta
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.kinds import (
    BOOL,
    INT,
    Array,
    Constant,
    Kind,
    Mapping,
    Number,
    Optional,
    Place,
    Tuple,
)
from palaestra.language.plain.translation.known import is_data
from palaestra.language.plain.translation.records import overrides
from palaestra.language.plain.translation.unit import Code, called

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def isinstance_(scope: Expressions, node: ast.Call) -> Code:
    """`isinstance`."""
    code, wanted = scope.expr(node.args[0]), scope.expr(node.args[1])
    if not isinstance(wanted.kind, Constant):
        raise Refused("isinstance takes classes")
    classes = wanted.kind.value if isinstance(wanted.kind.value, tuple) else (wanted.kind.value,)
    kind = code.kind
    if isinstance(kind, Optional):
        raise Refused("isinstance of what may be None", "test `is None`")
    if isinstance(kind, Constant) and is_data(kind.value):
        return Code(ast.Constant(isinstance(kind.value, classes)), BOOL)
    found = _class_of(kind)
    if found is None or _may_be_member(kind, classes):
        raise Refused(f"isinstance of a {described(kind)} is not known before it runs")
    if any(type(one) not in (type, ABCMeta) for one in classes):
        raise Refused("isinstance of a class that answers it in a way of its own", "leave it out")
    return Code(ast.Constant(issubclass(found, classes)), BOOL)


def _class_of(kind: Kind) -> type[Any] | None:
    if isinstance(kind, Number):
        if kind.weak:
            return {"b": bool, "i": int, "f": None if kind.mixed else float}[kind.dtype.kind]
        return kind.dtype.type if kind.weak is False else None
    if isinstance(kind, Array):
        return list if kind.listed else np.ndarray
    if isinstance(kind, Tuple):
        return None if kind.loose else kind.record or tuple
    return dict if isinstance(kind, Mapping) else None


def _may_be_member(kind: Kind, classes: tuple[Any, ...]) -> bool:
    """Returns whether the test may tell an int from a member of an IntEnum, which is a number here too."""
    if not (isinstance(kind, Number) and kind.weak and kind.dtype == np.int64):
        return False
    return any(not issubclass(int, one) and one.__module__ not in ("builtins", "numpy") for one in classes)


def member(scope: Expressions, kind: type[Enum], arguments: list[Code]) -> Code:
    """`Move(action)`: the member of an enumeration; one of an IntEnum is its number."""
    if len(arguments) == 1 and isinstance(arguments[0].kind, Constant):
        return scope.of_known(kind(arguments[0].kind.value))
    if len(arguments) != 1 or not issubclass(kind, IntEnum) or overrides(kind):
        raise Refused(f"a member of {kind.__name__} that is not known", "make it an IntEnum, whose members are numbers")
    values = scope.unit.constant(np.array([one.value for one in kind], np.int64), "members")
    return Code(called(scope.helper("member_of"), values, scope.node_of(scope.number(arguments[0]))), INT)


def hasattr_(scope: Expressions, node: ast.Call) -> Code:
    """`hasattr`."""
    key, owner = scope.static_value(scope.expr(node.args[1])), scope.expr(node.args[0])
    if isinstance(owner.kind, Place):
        return Code(ast.Constant(_is_had(scope, owner.kind, key)), BOOL)
    if isinstance(owner.kind, Constant) and is_data(owner.kind.value):
        return Code(ast.Constant(hasattr(owner.kind.value, key)), BOOL)
    found = _class_of(owner.kind)
    if found is None or (found is int and not hasattr(int, key)):  # which a member of an IntEnum may have
        raise Refused("hasattr of something whose class is not known")
    return Code(ast.Constant(hasattr(found, key)), BOOL)


def _is_had(scope: Expressions, place: Place, key: str) -> bool:
    """Returns whether an object has an attribute at every moment.

    Raises:
        Refused: If it may get it later.
    """
    model, path = scope.unit.model, (*place.path, scope.mangled(key))
    scope.unit.read.add(path)
    if hasattr(model.places[place.path], "__getattr__"):
        raise Refused("hasattr of an object with a `__getattr__` of its own", "give it a value in __init__")
    try:
        model.value(path)
    except AttributeError:
        if model.has(path) or model.is_assigned(path[-1]):
            raise Refused(f"whether there is a `{key}` changes", "give it a value in __init__, None at first") from None
        return False
    return True


def getattr_(scope: Expressions, node: ast.Call) -> Code:
    """`getattr`."""
    key = scope.expr(node.args[1]).kind
    if not (isinstance(key, Constant) and isinstance(key.value, str)):
        raise Refused("getattr of a name that is not known")
    owner = scope.expr(node.args[0])
    if len(node.args) > 2 and isinstance(owner.kind, Place) and not _is_had(scope, owner.kind, key.value):
        return scope.expr(node.args[2])
    return scope.attribute(owner, key.value)
