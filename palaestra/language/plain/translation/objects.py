"""Objects of the user's own classes that are made while an environment runs, each in the place of one like it."""

from __future__ import annotations

import ast
import dataclasses
from types import FunctionType
from typing import TYPE_CHECKING

from palaestra.language.plain.calls.arguments import arguments_of
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import defined_in
from palaestra.language.plain.translation.functions import call_function
from palaestra.language.plain.translation.kinds import Place
from palaestra.language.plain.translation.places import store
from palaestra.language.plain.translation.records import is_written
from palaestra.language.plain.translation.unit import Code, Method

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def make_anew(scope: Expressions, place: Place, kind: type, node: ast.Call) -> bool:
    """Write what makes an object, as assignments to the attributes of the one before it; returns whether it is one."""
    model = scope.unit.model
    if model.places.get(place.path) is not kind or place.path in model.same_objects:
        return False
    if scope.kind is kind:
        raise Refused("an object makes another in its own place", "assign its attributes")
    scope.unit.made_anew.setdefault(place.path, (scope.source.file, node))
    arguments, named = arguments_of(scope, node)
    arguments, named = [scope.fixed(one) for one in arguments], {key: scope.fixed(one) for key, one in named.items()}
    found = defined_in(kind, "__init__")
    if dataclasses.is_dataclass(kind) and found is not None and "__init__" in vars(kind) and is_written(found[1]):
        _assign_fields(scope, place, kind, arguments, named)
        found = defined_in(kind, "__post_init__")
        arguments, named = [], {}
    if found is not None and isinstance(found[1], FunctionType):
        call_function(scope, Method(found[1], found[0], place), arguments, named)
    return True


def _assign_fields(scope: Expressions, place: Place, kind: type, arguments: list[Code], named: dict[str, Code]) -> None:
    fields = dataclasses.fields(kind)
    positional = [one.name for one in fields if one.init and not one.kw_only]
    given = dict(zip(positional, arguments, strict=False)) | named
    for one in fields:
        if one.name not in given and one.default is dataclasses.MISSING:
            reason = f"the field {one.name!r} of {kind.__name__} gets no value here"
            raise Refused(reason, f"give it one: {kind.__name__}({one.name}=...)")
        store(scope, place, one.name, given[one.name] if one.name in given else scope.of_known(one.default))
