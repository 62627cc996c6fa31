"""What a function of Numba's names before any types are known: globals, attributes of modules, enums."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from palaestra.language.jit.backend import numba_ir

_OPERATORS = frozenset(name for name in vars(int) if name.startswith("__")) - vars(object).keys() - {"__new__"}
_OPERATORS |= {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}


def global_of(definition: Any, definitions: Any) -> Any:
    """Returns the value of a global, or of a module's attribute; None for others."""
    if isinstance(definition, (numba_ir.Global, numba_ir.FreeVar)):
        return definition.value
    if isinstance(definition, numba_ir.Expr) and definition.op == "getattr":
        (owner,) = [global_of(one, definitions) for one in definitions.get(definition.value.name, ())] or [None]
        return getattr(owner, definition.attr, None) if isinstance(owner, ModuleType) else None
    return None


def computes_like_int(kind: type) -> bool:
    """Returns whether an enum of ints leaves all operators to int."""
    own = {name for one in kind.__mro__[: kind.__mro__.index(int)] for name in vars(one)}
    return not own & _OPERATORS
