"""Replacements of names before Numba knows any types: `int`, `float`, `@`, `state._replace(x=...)`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from gymnasium.jit.backend import meaning_of, numba_ir
from gymnasium.jit.exact.conversions import STAND_INS

_FOLDED = ("isinstance", "issubclass", "hasattr", "getattr", "callable")
"""Functions for which Numba returns its own types, which are not Python's."""

replacing: set[Callable[..., Any]] = set()
"""The replacements of `_replace`, one for each set of fields."""


def put_stand_ins(func_ir: Any) -> list[tuple[Any, str]]:
    """Change the names of a function; returns the refusals, with place and reason."""
    # This import takes a while, and cached machine code does not need it.
    from gymnasium.jit.exact.products import product

    definitions = func_ir._definitions
    refused: list[tuple[Any, str]] = []
    methods: list[Any] = []
    for block in func_ir.blocks.values():
        body: list[Any] = []
        for statement in block.body:
            value: Any = getattr(statement, "value", None)
            operation = getattr(value, "op", None)
            if operation == "call":
                found = definitions.get(value.func.name, ())
                refused += [(statement.loc, reason) for reason in _reasons(found)]
                _put_types(found)
                method = _replaced(found, definitions)
                if method and not value.args and value.vararg is None and value.kws:
                    methods.append(method)
                    arguments = [method.value, *(one for _, one in value.kws)]
                    stand_in = replacing_fields(tuple(name for name, _ in value.kws))
                    body.append(_called_instead(statement, stand_in, arguments, definitions))
            elif operation == "binop" and value.fn is operator.matmul:
                body.append(_called_instead(statement, product, [value.lhs, value.rhs], definitions))
            body.append(statement)
        block.body = body
    for block in func_ir.blocks.values():
        for statement in block.body:
            if any(getattr(statement, "value", None) is method for method in methods):
                statement.value = statement.value.value  # a method that Numba does not know
    return refused


def _reasons(found: Iterable[Any]) -> Iterable[str]:
    for definition in found:
        if not isinstance(definition, (numba_ir.Global, numba_ir.FreeVar)):
            continue
        if definition.name in _FOLDED:
            yield f"`{definition.name}` is not supported: types are known before anything runs"
        if definition.name == "mark_try_block":
            yield "`try` is not supported: test for the condition before"


def _put_types(found: Iterable[Any]) -> None:
    for definition in found:
        value = getattr(definition, "value", None)
        if isinstance(value, type) and value in STAND_INS:
            definition.value = STAND_INS[value]


def _replaced(found: Any, definitions: Any) -> Any:
    """Returns the `_replace` of a record in a call, or None."""
    origins: dict[int, Any] = {}
    seen: set[str] = set()
    waiting = [*found]
    while waiting:  # if an argument has branches, the method reaches the call through other variables
        one = waiting.pop()
        if isinstance(one, numba_ir.Var):
            if one.name in seen:
                continue
            seen.add(one.name)
            waiting += definitions.get(one.name, ())
        elif isinstance(one, numba_ir.Expr) and one.op == "phi":
            waiting += one.incoming_values
        else:
            origins[id(one)] = one
    (definition,) = origins.values() if len(origins) == 1 else (None,)
    is_method = isinstance(definition, numba_ir.Expr) and definition.op == "getattr" and definition.attr == "_replace"
    return definition if is_method else None


def _called_instead(statement: Any, function: Any, arguments: list[Any], definitions: Any) -> Any:
    """Let a statement call a function; returns the statement that names it."""
    place = statement.loc
    called = numba_ir.Var(statement.target.scope, f"$stand_in.{id(statement)}", place)
    named = numba_ir.Assign(numba_ir.Global(function.__name__, function, place), called, place)
    statement.value = numba_ir.Expr.call(called, arguments, (), place)
    definitions[called.name], definitions[statement.target.name] = [named.value], [statement.value]
    return named


@cache
def replacing_fields(names: tuple[str, ...]) -> Callable[..., Any]:
    """Returns a function of a NamedTuple and of new values for some of its fields."""
    values = ", ".join(f"value{k}" for k in range(len(names)))
    given = {name: f"value{k}" for k, name in enumerate(names)}

    def meaning(record: Any) -> Any:
        if not {*names} <= {*getattr(record, "fields", ())}:
            return None
        parts = ", ".join(given.get(name, f"record.{name}") for name in record.fields)
        return _function(f"lambda record, {values}: made({parts})", made=record.instance_class)

    changed = ", ".join(f"{name}={value}" for name, value in given.items())
    replace: Callable[..., Any] = _function(f"lambda record, {values}: record._replace({changed})")
    meaning_of(replace)(_function(f"lambda record, {values}: meaning(record)", meaning=meaning))
    replacing.add(replace)
    return replace


def _function(text: str, **names: Any) -> Any:
    """Returns a function with as many parameters as there are values, as Numba requires."""
    return eval(text, names)
