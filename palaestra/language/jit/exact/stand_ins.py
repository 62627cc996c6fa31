"""What takes the place of a call or an index before Numba knows any types: by what is written, not by its values.

`np.sum(a, axis=0)`, `np.array([[1, 0.5], [0, 1]])`, `Move(action)`, `PRICES["bread"]`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from enum import Enum, Flag, IntEnum
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.jit.backend import Assign, Expr, Inst, numba_ir
from palaestra.language.jit.exact.along import ALONG, ALONG_METHODS
from palaestra.language.jit.exact.containers import table_of
from palaestra.language.jit.exact.definitions import computes_like_int, global_of
from palaestra.language.jit.exact.lookups import lookup_of, member_of, membership_of
from palaestra.language.jit.exact.operators import Unsupported

_METHODS: dict[str, Callable[..., Any]] = {"clip": np.clip, "dot": np.dot, "round": np.round}
"""Methods of arrays that are functions here."""


class StandIn(NamedTuple):
    """A function to be called instead, its arguments, and statements that go before."""

    function: Callable[..., Any]
    arguments: list[Any]
    before: list[Any]


def stand_in_of(statement: Assign, definitions: object) -> StandIn | None:
    """Returns what takes the place of a statement's value, None if it stays; a literal item of a dict is put in.

    Raises:
        Unsupported: If the value is not of the language.
    """
    value: Any = getattr(statement, "value", None)
    operation = getattr(value, "op", None)
    if operation == "getattr":
        check_member(value, definitions)
    if operation in ("getitem", "static_getitem"):
        return _item(statement, definitions)
    if operation == "binop" and value.fn is operator.contains:
        table = _one_global(value.lhs, definitions)
        member = membership_of(table) if isinstance(table, dict) else None
        return StandIn(member, [value.rhs], []) if member else None
    if operation == "call" and value.vararg is None:
        return _call(value, definitions)
    return None


def check_member(value: Expr, definitions: Any) -> None:
    """Raise for a member of a `Flag`, whose operators are not those of ints."""
    kind = _one_global(value.value, definitions)
    if isinstance(kind, type) and issubclass(kind, Flag):
        raise Unsupported(
            f"{kind.__name__} is a Flag, whose operators are not those of ints: write ints, A = 1 and B = 2"
        )


def _one(variable: Any, definitions: Any) -> Any:
    found = definitions.get(variable.name, ())
    return found[0] if len(found) == 1 else None


def _constant(variable: object, definitions: object) -> Any:
    one = _one(variable, definitions)
    return one.value if isinstance(one, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)) else None


def _is_none(variable: object, definitions: object) -> bool:
    one = _one(variable, definitions)
    return isinstance(one, numba_ir.Const) and one.value is None


def _one_global(variable: object, definitions: object) -> Any:
    """Returns the value of a global that a variable holds; None for others."""
    return global_of(_one(variable, definitions), definitions)


def _item(statement: Any, definitions: Any) -> StandIn | None:
    value = statement.value
    table = _one_global(value.value, definitions)
    if not isinstance(table, dict):
        return None
    literal = value.op == "static_getitem"
    index = value.index if literal else _constant(value.index, definitions)
    if _is_key(index, table):
        statement.value = numba_ir.Global("value of a dict", table[index], statement.loc)
        definitions[statement.target.name] = [statement.value]
        return None
    lookup = lookup_of(table)
    if lookup is None:
        raise Unsupported(
            "a global dict takes a literal key here, or ints as keys and values of one type: write a tuple"
        )
    return StandIn(lookup, [value.index_var if literal else value.index], [])


def _is_key(index: object, table: dict[Any, Any]) -> bool:
    try:
        return type(index) in (bool, int, float, str, tuple) and index in table
    except TypeError:  # not hashable
        return False


def _call(call: Expr, definitions: Any) -> StandIn | None:
    found, named = _one(call.func, definitions), dict(call.kws)
    kind = global_of(found, definitions)
    if isinstance(kind, type):
        return _made_of_class(kind, call, named)
    if kind in (min, max, sum) and named:
        raise Unsupported(f"`{next(iter(named))}=` is not supported: write a loop that keeps what is needed")
    if kind is None and isinstance(found, numba_ir.Expr) and found.op == "getattr":
        if found.attr in ALONG_METHODS:
            return _along(ALONG_METHODS[found.attr], [found.value, *call.args], named, definitions)
        if found.attr in _METHODS and not named:
            return StandIn(_METHODS[found.attr], [found.value, *call.args], [])
    if isinstance(kind, Callable) and kind in ALONG:  # type: ignore[arg-type]  # a function of typing
        return _along(ALONG[kind], list(call.args), named, definitions)
    if kind in (np.array, np.asarray) and len(call.args) == 1 and not named:
        return _table(call, definitions)
    return None


def _made_of_class(kind: type, call: Expr, named: dict[str, Any]) -> StandIn | None:
    if not issubclass(kind, Enum) or len(call.args) != 1 or named:
        return None
    if issubclass(kind, IntEnum) and computes_like_int(kind):
        return StandIn(member_of(kind), list(call.args), [])
    raise Unsupported(f"{kind.__name__}(...) is not supported: use an IntEnum, or ints of the module")


def _along(function: Any, arguments: list[Any], named: dict[str, Any], definitions: Any) -> StandIn | None:
    axis = named.pop("axis", None) or (arguments[1] if len(arguments) == 2 else None)
    if axis is None or _is_none(axis, definitions) or named or len(arguments) > 2:
        return None
    return StandIn(function, [arguments[0], axis], [])


def _table(call: Expr, definitions: Any) -> StandIn | None:
    """An array of rows that are written out, which may hold ints and floats."""
    rows = _items(call.args[0], definitions)
    parts = [_items(row, definitions) for row in rows]
    items = [one for part in parts for one in part]
    if not rows or not all(parts) or len({*map(len, parts)}) > 1 or any(_items(one, definitions) for one in items):
        return None
    flat = numba_ir.Var(call.args[0].scope, f"$table.{id(call)}", call.loc)
    made = numba_ir.Assign(numba_ir.Expr.build_tuple(items, call.loc), flat, call.loc)
    definitions[flat.name] = [made.value]
    return StandIn(table_of(len(rows)), [flat], [made])


def _items(variable: object, definitions: object) -> list[Any]:
    """The variables of a list or tuple that is written out."""
    one = _one(variable, definitions)
    is_built = isinstance(one, numba_ir.Expr) and one.op in ("build_list", "build_tuple")
    return list(one.items) if is_built else []


def without_unused(blocks: Any) -> None:
    """Remove unused lists, of whose parts Numba wants one type, and unused dicts and methods, unknown to it."""
    while True:
        used = {name for block in blocks for statement in block.body for name in _used(statement)}
        known = 0
        for block in blocks:
            kept = [one for one in block.body if not (_is_collection(one) and one.target.name not in used)]
            known += len(block.body) - len(kept)
            block.body = kept
        if not known:
            return


def _used(statement: Inst) -> list[str]:
    """The names of the variables that a statement uses, and does not set."""
    target = statement.target if isinstance(statement, numba_ir.Assign) else None
    return [one.name for one in statement.list_vars() if one is not target]


def _is_collection(statement: Inst) -> bool:
    if not isinstance(statement, numba_ir.Assign):
        return False
    if isinstance(statement.value, (numba_ir.Global, numba_ir.FreeVar)):
        return isinstance(statement.value.value, dict)
    operation = getattr(statement.value, "op", None)
    if operation == "getattr":
        return statement.value.attr in _METHODS
    return operation in ("build_list", "build_tuple")


def with_tuples_returned(blocks: Any, definitions: Any) -> None:
    """Let a function return a tuple where it returns a list that it has written out, and has no other use for."""
    blocks = list(blocks)
    uses: dict[str, int] = {}
    for block in blocks:
        for statement in block.body:
            for name in _used(statement):
                uses[name] = uses.get(name, 0) + 1
    for block in blocks:
        last = block.body[-1]
        if isinstance(last, numba_ir.Return):
            _make_tuple(last.value, definitions, uses)


def _make_tuple(variable: Any, definitions: Any, uses: dict[str, int]) -> None:
    one = _one(variable, definitions)
    if uses.get(variable.name, 0) > 1:
        return
    if isinstance(one, numba_ir.Var):
        _make_tuple(one, definitions, uses)
    elif isinstance(one, numba_ir.Expr) and one.op == "cast":
        _make_tuple(one.value, definitions, uses)
    elif isinstance(one, numba_ir.Expr) and one.op in ("build_list", "build_tuple"):
        one.op = "build_tuple"
        for item in one.items:
            _make_tuple(item, definitions, uses)
