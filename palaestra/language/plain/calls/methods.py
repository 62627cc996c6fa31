"""The translation of methods, by the kind of their owner."""

from __future__ import annotations

import ast
import dataclasses
import logging
import random
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.plain.calls import array_methods, builtin, drawing, sequences
from palaestra.language.plain.calls.arguments import arguments_of
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import defined_in
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.dicts import store_dict
from palaestra.language.plain.translation.functions import call_function
from palaestra.language.plain.translation.indexing import of_key, table_of
from palaestra.language.plain.translation.kinds import (
    INT,
    NONE,
    Array,
    Constant,
    Generator,
    Growing,
    Mapping,
    Number,
    Opaque,
    Optional,
    Packed,
    Partial,
    Seed,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.records import fields_of, is_record
from palaestra.language.plain.translation.unit import Code, Method, called

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def call_of_constant(scope: Expressions, owner: Code, function: ast.Attribute, node: ast.Call) -> Code:
    """A method of a constant text, dict, tuple or list."""
    value: Any = owner.kind.value  # type: ignore[attr-defined]
    if value is None:
        raise Refused(f"`.{function.attr}` of None")
    if isinstance(value, logging.Logger):
        if function.attr in ("warning", "warn", "error", "critical", "exception"):
            return builtin.warned(scope, node)
        raise Refused("something is logged", "leave it out of reset and step")
    if is_record(type(value)):
        return call_method(scope, scope.plain(owner), function, node)
    arguments, named = arguments_of(scope, node)
    if isinstance(value, dict) and function.attr == "get" and arguments:
        return _got(scope, value, arguments)
    if isinstance(value, dict) and function.attr == "copy":
        return owner
    if isinstance(value, (np.ndarray, list)) and function.attr in _ARRAY_METHODS and not isinstance(value, list):
        return call_method(scope, scope.plain(owner), function, node)
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
        return call_method(scope, plain, function, node)
    if isinstance(value, (str, tuple, list, dict, bytes)) and function.attr in ("copy", "tolist"):
        return owner
    try:
        known = [scope.static_value(one) for one in arguments]
        own = isinstance(getattr(type(value), function.attr, None), types.FunctionType)
        if not named and not own and isinstance(value, (str, bytes, tuple, dict, frozenset)):
            return scope.of_known(getattr(value, function.attr)(*known))
    except (AttributeError, TypeError, ValueError, KeyError):
        pass
    if isinstance(value, (list, dict, set)) and function.attr in ("append", "clear", "update", "pop", "add", "remove"):
        raise Refused(f"a {type(value).__name__} is changed", "keep a fixed-size array and a counter")
    if isinstance(value, (np.random.Generator, np.random.RandomState, random.Random)):
        raise Refused("a generator of the environment's own is shared by all copies", "draw from self.np_random")
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


def call_method(scope: Expressions, owner: Code, function: ast.Attribute, node: ast.Call) -> Code:
    """Returns the result of a method of a value."""
    key, kind = function.attr, owner.kind
    if isinstance(kind, Unknown):
        return owner
    if isinstance(kind, Generator):
        arguments, named = arguments_of(scope, node)
        return drawing.draw(scope, key, arguments, named, node)
    if isinstance(kind, Seed):
        raise Refused("the seed is used", "call super().reset(seed=seed) only")
    if isinstance(kind, (Mapping, Partial)):
        return _of_mapping(scope, owner, function, *arguments_of(scope, node))
    if isinstance(kind, (Optional, Packed)):
        return call_method(scope, scope.present(owner), function, node)
    if isinstance(kind, Growing):
        return sequences.of_list(scope, owner, function, arguments_of(scope, node)[0])
    if isinstance(kind, Tuple) and kind.record is not None:
        member = defined_in(kind.record, key)
        arguments, named = arguments_of(scope, node)
        if key == "_replace":
            return replaced(scope, owner, named)
        if member is not None and isinstance(member[1], types.FunctionType):
            return call_function(scope, Method(member[1], member[0], None), [owner, *arguments], named)
    if isinstance(kind, Tuple) and key in ("index", "count"):
        owner = scope.as_array(owner)
        owner = owner._replace(kind=Array(owner.kind.dtype, 1, owner.kind.shape, True))  # type: ignore[attr-defined]
        kind = owner.kind
    arguments, named = arguments_of(scope, node)
    if isinstance(kind, Array) and kind.listed:
        return sequences.of_fixed_list(scope, owner, key, arguments, node)
    if isinstance(kind, (Array, Number, Opaque)):
        return array_methods.method(scope, owner, key, arguments, named, node)
    raise Refused(f"`.{key}` of a {described(kind)} is not supported")


def _of_mapping(
    scope: Any, owner: Code, function: ast.Attribute, arguments: list[Code], named: dict[str, Code]
) -> Code:
    kind, key = owner.kind, function.attr
    assert isinstance(kind, (Mapping, Partial))
    if key == "update" and len(arguments) <= 1:
        made = owner
        parts: list[Code] = [*arguments, scope.mapping(list(named), [scope.plain(one) for one in named.values()])]
        for one in parts if named else arguments:
            made = scope.merged(made, one)
        store_dict(scope, function.value, owner, made)
        return Code(None, NONE)
    if key == "copy":
        return owner
    if key == "get" and arguments and isinstance(arguments[0].kind, Constant):
        wanted = arguments[0].kind.value
        if wanted in kind.keys:
            return of_key(scope, owner, wanted)
        return arguments[1] if len(arguments) > 1 else Code(None, NONE)
    raise Refused(f"`.{key}` of a dict is not supported", "assign its keys one by one")


def replaced(scope: Expressions, owner: Code, named: dict[str, Code]) -> Code:
    """Returns a record with other parts of these names."""
    kind = owner.kind
    if not isinstance(kind, Tuple) or kind.record is None:
        raise Refused(f"the parts of a {described(kind)} are replaced", "make it a NamedTuple, or a frozen dataclass")
    parts = dict(zip(fields_of(kind.record), scope.parts(scope.held(owner)), strict=True))
    return record_of(scope, kind.record, [], parts | named)


def record_of(scope: Expressions, kind: type[Any], arguments: list[Code], named: dict[str, Code]) -> Code:
    """Returns a named tuple, or a frozen dataclass."""
    found = dict(zip(fields_of(kind), arguments, strict=False)) | named
    defaults = dict(getattr(kind, "_field_defaults", {}))
    for one in dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ():
        if one.default is not dataclasses.MISSING:
            defaults[one.name] = one.default
    codes = []
    for key in fields_of(kind):
        if key not in found and key not in defaults:
            raise Refused(f"{kind.__name__} lacks its field {key!r}")
        codes.append(scope.plain(found[key] if key in found else scope.of_known(defaults[key])))
    nodes: list[ast.expr] = [scope.node_of(code) for code in codes]
    origins = frozenset[str]().union(*(code.origins for code in codes))
    return Code(ast.Tuple(nodes, ast.Load()), Tuple(tuple(code.kind for code in codes), kind), origins)
