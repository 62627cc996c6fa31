"""Dynamics prepared for Numba: their functions, and all functions reached through their globals, compiled.

Numba compiles a function whose globals are constants, known modules, or compiled functions. So each function is copied
with new globals: Python functions become compiled functions, those of `ops` their taught meanings, and other modules
and classes ("helpers.f", "MyFuncEnv.terminal") namespaces of their used members.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gymnasium.functional.rebinding import is_of_values, rebound, used_of
from gymnasium.jit.backend import Dispatcher, compiled
from gymnasium.jit.exact.language import Check, exact
from gymnasium.jit.ops import MEANINGS

_KNOWN = ("math", "cmath", "numpy", "numba", "operator", "builtins")  # modules that Numba reads itself


class Lowering:
    """Lowers functions, each once, and digests everything that they depend on.

    Args:
        stand_ins: Maps a function to the one compiled in its place.
        by_rules: Whether the functions follow the rules of `exact`; if not, Numba's defaults apply, for callers that
            compare the bits.

    Attributes:
        functions: The Python functions found, in which an error may lie.
    """

    def __init__(
        self, stand_ins: Mapping[Callable[..., Any], FunctionType] | None = None, by_rules: bool = True
    ) -> None:
        self.functions: list[FunctionType] = []
        self._stand_ins = {id(function): other for function, other in (stand_ins or {}).items()}
        self._by_rules = by_rules
        self._done: dict[int, Any] = {}
        self._kept: list[Any] = []  # keeps objects alive, so that no other object gets an id in `_done`
        self._digest = hashlib.sha256()

    def digest(self) -> str:
        """Returns the digest of everything lowered so far."""
        return self._digest.hexdigest()

    def function(self, function: FunctionType, inline: bool = False, check: Check | None = None) -> Any:
        """Returns the compiled function of a Python function, which is compiled when it is first called.

        With `inline` it is inlined into its callers, so that Numba need not count references to its array arguments.
        `check` may reject its return type.
        """
        if id(function) not in self._done:
            self.functions.append(function)
            self._note(f"function {function.__qualname__}")
            self._note(*_code_parts(function.__code__), *_value_parts(function.__defaults__))
            self._note(*_value_parts(tuple(sorted((function.__kwdefaults__ or {}).items()))))
            rebound(function, lambda copy: self._remember(function, self._compiled(copy, inline, check)), self._value)
        return self._done[id(function)]

    def _compiled(self, function: FunctionType, inline: bool, check: Check | None) -> Any:
        return exact(function, inline, check) if self._by_rules else compiled(function, forceinline=inline)

    def record(self, kind: type[Any]) -> Any:
        """Returns a constructor of a NamedTuple in compiled code; Numba by itself does not know defaults."""
        self._note(*_value_parts(kind))
        defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
        if not defaults:
            return kind
        if id(kind) not in self._done:
            fields: tuple[str, ...] = kind._fields
            text = f"lambda {', '.join(fields)}: Record({', '.join(fields)})"
            maker: FunctionType = eval(text, {"Record": kind, "__builtins__": __builtins__})
            maker.__defaults__ = tuple(defaults.values())
            self._remember(kind, compiled(maker))
        return self._done[id(kind)]

    def _value(self, name: str, value: Any, used: list[str]) -> Any:
        """Returns the replacement of a global in compiled code; `used` are the names in the function that has it."""
        self._note(f"global {name}")
        value = self._stand_ins.get(id(value), value)
        if isinstance(value, FunctionType):
            return self._callable(value)
        if isinstance(value, Dispatcher):
            self.function(value.py_func)  # for the digest
            return value
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in _KNOWN:
            return self._namespace(value, used)
        if isinstance(value, type) and not is_of_values(value):
            return self._namespace(value, used)
        if isinstance(value, type) and hasattr(value, "_fields"):
            return self.record(value)
        self._note(*_value_parts(value))
        return value

    def _callable(self, function: FunctionType) -> Any:
        if function in MEANINGS:
            self._note(f"meaning {function.__qualname__}")
            return function
        return self.function(function, inline=self._by_rules)

    def _namespace(self, owner: Any, used: list[str]) -> ModuleType:
        """Returns a module, whose attributes Numba reads as constants, with the used members of a class or module."""
        namespace = ModuleType(owner.__name__)
        for name, value in used_of(owner, used):
            setattr(namespace, name, self._value(f"{owner.__name__}.{name}", value, used))
        return namespace

    def _remember(self, function: Any, lowered: Any) -> None:
        self._done[id(function)] = lowered
        self._kept.append(function)

    def _note(self, *parts: str | bytes) -> None:
        for part in parts:
            self._digest.update(part if isinstance(part, bytes) else part.encode())
            self._digest.update(b"\0")


def _code_parts(code: CodeType) -> Iterator[str | bytes]:
    """The code of a function, without its globals."""
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant)
        else:
            yield from _value_parts(constant)


def _value_parts(value: Any) -> Iterator[str | bytes]:
    """The bits that distinguish one constant from another."""
    yield f"{type(value).__module__}.{type(value).__qualname__}"
    if isinstance(value, (np.ndarray, np.generic)):
        yield f"array {value.dtype} {value.shape}"
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, (tuple, list)):
        yield f"{len(value)} {getattr(value, '_fields', '')}"
        for part in value:
            yield from _value_parts(part)
    elif isinstance(value, (frozenset, set)):
        yield repr(sorted(map(repr, value)))
    elif isinstance(value, type):
        yield f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}"
        yield from _value_parts(tuple(getattr(value, "_field_defaults", {}).items()))
        yield repr([(member.name, member.value) for member in value] if issubclass(value, Enum) else "")
    elif isinstance(value, (ModuleType, BuiltinFunctionType)):
        yield f"known {value.__name__}"
    else:
        yield repr(value)
