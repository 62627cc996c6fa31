"""Replacements of names before Numba knows any types: `int`, `float("inf")`, `@`, `Move.LEFT`, `s._replace(x=1)`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from functools import cache
from inspect import CO_VARKEYWORDS
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Assign, Dispatcher, Expr, Inst, mark_try_block, meaning_of, numba_ir
from palaestra.language.jit.exact.conversions import STAND_INS
from palaestra.language.jit.exact.definitions import computes_like_int, global_of
from palaestra.language.jit.exact.operators import Unsupported

_FOLDED = (isinstance, issubclass, hasattr, getattr, callable)
"""Functions for which Numba returns its own types, which are not Python's."""

_REMEDIES = (
    (any, "write `or`, a loop, or np.any of an array"),
    (all, "write `and`, a loop, or np.all of an array"),
    (reversed, "write range with a step of -1"),
    *((one, "types are known before anything runs") for one in _FOLDED),
)
"""Functions without a type in Numba, and what to write instead."""

_DTYPES = {bool: np.bool_, int: np.int64, float: np.float64}

replacing: set[Callable[..., Any]] = set()
"""The replacements of `_replace`, one for each set of fields."""


def put_stand_ins(func_ir: Any, returns_tuples: bool = False) -> list[tuple[Any, str]]:
    """Change the names of a function; returns the refusals, with place and reason.

    Args:
        func_ir: The function.
        returns_tuples: Whether a list that it returns counts as a tuple.
    """
    # These imports take a while, and cached machine code does not need them.
    from palaestra.language.jit.exact.products import product
    from palaestra.language.jit.exact.stand_ins import stand_in_of, with_tuples_returned, without_unused

    definitions = func_ir._definitions
    refused: list[tuple[Any, str]] = []
    methods: list[Any] = []
    for block in func_ir.blocks.values():
        body: list[Any] = []
        for statement in block.body:
            refused += [(statement.loc, reason) for reason in _put_constants(statement, definitions)]
            value: Any = getattr(statement, "value", None)
            try:
                made = stand_in_of(statement, definitions)
            except Unsupported as reason:
                refused.append((statement.loc, str(reason)))
                made = None
            if made is not None:
                body += [*made.before, _called_instead(statement, made.function, made.arguments, definitions)]
            elif getattr(value, "op", None) == "call":
                method = _replaced(definitions.get(value.func.name, ()), definitions)
                if method and not value.args and value.vararg is None and value.kws:
                    methods.append(method)
                    arguments = [method.value, *(one for _, one in value.kws)]
                    stand_in = replacing_fields(tuple(name for name, _ in value.kws))
                    body.append(_called_instead(statement, stand_in, arguments, definitions))
            elif getattr(value, "op", None) == "binop" and value.fn is operator.matmul:
                body.append(_called_instead(statement, product, [value.lhs, value.rhs], definitions))
            body.append(statement)
        block.body = body
    blocks = list(func_ir.blocks.values())
    _put_types(blocks)
    for statement in (one for block in blocks for one in block.body):
        if any(getattr(statement, "value", None) is method for method in methods):
            statement.value = statement.value.value  # a method that Numba does not know
    without_unused(blocks)
    if returns_tuples:
        with_tuples_returned(blocks, definitions)
    return refused


def _put_constants(statement: Assign, definitions: Any) -> list[str]:
    """Put in members of enums and NumPy's dtypes; returns the reasons to refuse the statement."""
    value: Any = getattr(statement, "value", None)
    operation = getattr(value, "op", None)
    refused: list[str] = []
    if _is_lost(statement, definitions):
        refused.append("`:=` inside an expression is not supported: assign on a line before")
    if operation == "getattr":
        _put_member(statement, definitions)
    if operation == "call":
        found = definitions.get(value.func.name, ())
        refused += _reasons(found, definitions)
        _put_dtypes(value, definitions)
        _put_number(statement, found, definitions)
    return refused


def _is_lost(statement: Inst, definitions: Any) -> bool:
    """Returns whether a statement uses a value that Numba has lost, which happens to those of `:=`."""
    if not isinstance(statement, numba_ir.Assign) or getattr(statement.value, "op", None) == "phi":
        return False
    used = [one for one in statement.list_vars() if one is not statement.target]
    return any(one.name.startswith("$") and one.name not in definitions for one in used)


def _reasons(found: Iterable[object], definitions: object) -> Iterable[str]:
    for definition in found:
        value = global_of(definition, definitions)
        if isinstance(value, Dispatcher):
            code = value.py_func.__code__
            if code.co_flags & CO_VARKEYWORDS:
                yield f"{code.co_name} takes any names by `**`: name its parameters"
            elif code.co_kwonlyargcount:
                yield f"{code.co_name} has keyword-only parameters: remove the `*` from its definition"
            if value.targetoptions.get("fastmath"):
                yield f"{code.co_name} is compiled with fastmath, which rounds otherwise in each kernel: remove it"
        if value is mark_try_block:
            yield "`try` is not supported: test for the condition before"
        for function, remedy in _REMEDIES:
            if value is function:
                yield f"`{function.__name__}` is not supported: {remedy}"


def _put_member(statement: Any, definitions: Any) -> None:
    """Replace a member of an IntEnum, and the value of one, with the integer."""
    value = statement.value
    (owner,) = definitions.get(value.value.name, ()) if len(definitions.get(value.value.name, ())) == 1 else (None,)
    number = None
    kind = global_of(owner, definitions)
    if isinstance(kind, type) and issubclass(kind, IntEnum) and computes_like_int(kind):
        number = kind.__members__.get(value.attr)
    elif value.attr == "value" and isinstance(owner, numba_ir.Const) and getattr(owner, "is_member", False):
        number = owner.value
    if number is not None:
        statement.value = numba_ir.Const(int(number), statement.loc)
        statement.value.is_member = True
        definitions[statement.target.name] = [statement.value]


def _put_dtypes(call: Expr, definitions: Any) -> None:
    """Replace Python's classes of numbers among the arguments of a call with NumPy's."""
    for one in (*call.args, *(one for _, one in call.kws)):
        for definition in definitions.get(one.name, ()):
            value = definition.value if isinstance(definition, numba_ir.Global) else None
            if isinstance(value, type) and value in _DTYPES:
                definition.value = _DTYPES[value]


def _put_number(statement: Any, found: Any, definitions: Any) -> None:
    """Replace `float("inf")` with its number."""
    call = statement.value
    if len(call.args) != 1 or call.kws or [global_of(one, definitions) for one in found] != [float]:
        return
    for text in definitions.get(call.args[0].name, ()):
        if isinstance(text, numba_ir.Const) and isinstance(text.value, str):
            with suppress(ValueError):
                statement.value = numba_ir.Const(float(text.value), statement.loc)
                definitions[statement.target.name] = [statement.value]
                return


def _put_types(blocks: Iterable[Any]) -> None:
    """Replace Python's classes of numbers, which may reach their calls through branches: `float(a or b)`."""
    for block in blocks:
        for statement in block.body:
            definition: Any = getattr(statement, "value", None)
            value = definition.value if isinstance(definition, (numba_ir.Global, numba_ir.FreeVar)) else None
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


def _called_instead(statement: Assign, function: Any, arguments: list[Any], definitions: Any) -> Any:
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


def _function(text: str, **names: object) -> Any:
    """Returns a function with as many parameters as there are values, as Numba requires."""
    return eval(text, names)
