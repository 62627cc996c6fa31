"""Everything that a function depends on: the functions reached through its globals, and the digest of all values."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gymnasium.functional import ops
from gymnasium.functional.rebinding import is_of_values, rebound, used_of
from gymnasium.jit.comprehensions import written_out

TAUGHT: frozenset[Callable[..., Any]] = frozenset(
    {ops.where, ops.clip, ops.minimum, ops.maximum, ops.float32, ops.pow2, ops.pow2f}
)
"""The functions of `ops` that machine code has in a form of its own, `gymnasium.jit.ops`."""

_KNOWN = ("math", "cmath", "numpy", "numba", "operator", "builtins")  # modules that Numba reads itself


class Reach:
    """Visits functions, each once, and digests everything that they depend on.

    Args:
        stand_ins: Maps a function to the one that takes its place.

    Attributes:
        functions: The Python functions found, in which an error may lie.
    """

    def __init__(self, stand_ins: Mapping[Callable[..., Any], FunctionType] | None = None) -> None:
        self.functions: list[FunctionType] = []
        self._stand_ins = {id(function): other for function, other in (stand_ins or {}).items()}
        self._done: dict[int, Any] = {}
        self._kept: list[Any] = []  # keeps objects alive, so that no other object gets an id in `_done`
        self._digest = hashlib.sha256()

    def digest(self) -> str:
        """Returns the digest of everything visited so far."""
        return self._digest.hexdigest()

    def function(self, function: FunctionType, make: Callable[[FunctionType], Any] | None = None) -> Any:
        """Visit a function.

        Args:
            function: The function.
            make: Returns the replacement of a copy of it, whose globals are replaced afterwards; `made` by default.

        Returns:
            The replacement.
        """
        if id(function) not in self._done:
            self.functions.append(function)
            self._note(f"function {function.__qualname__}")
            self._note(*_code_parts(function.__code__), *_value_parts(function.__defaults__))
            self._note(*_value_parts(tuple(sorted((function.__kwdefaults__ or {}).items()))))
            make = make or self.made
            plain = written_out(function)
            rebound(plain, lambda copy: self._remember(function, make(copy)), self._value)
        return self._done[id(function)]

    def made(self, copy: FunctionType) -> Any:
        """Returns the replacement of a function that others call: here, the copy itself."""
        return copy

    def made_alike(self, copy: FunctionType, compiled: Any) -> Any:
        """Returns the replacement of a function that the user has compiled; `copy` is one of its Python function."""
        return copy

    def record(self, kind: type) -> Any:
        """Visit a NamedTuple, and return its constructor."""
        self._note(*_value_parts(kind))
        return kind

    def _value(self, name: str, value: Any, used: list[str]) -> Any:
        """Returns the replacement of a global; `used` are the names in the function that has it."""
        self._note(f"global {name}")
        value = self._stand_ins.get(id(value), value)
        if isinstance(value, FunctionType):
            if value in TAUGHT:
                self._note(f"meaning {value.__qualname__}")
                return value
            return self.function(value)
        if _is_compiled(value):
            self._note(repr(sorted(getattr(value, "targetoptions", {}).items())))
            return self.function(value.py_func, lambda copy: self.made_alike(copy, value))
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in _KNOWN:
            return self._namespace(value, used)
        if isinstance(value, type) and not is_of_values(value):
            return self._namespace(value, used)
        if isinstance(value, type) and hasattr(value, "_fields"):
            return self.record(value)
        self._note(*_value_parts(value))
        return value

    def _namespace(self, owner: Any, used: list[str]) -> ModuleType:
        """Returns a module, whose attributes Numba reads as constants, with the used members of a class or module."""
        namespace = ModuleType(owner.__name__)
        for name, value in used_of(owner, used):
            setattr(namespace, name, self._value(f"{owner.__name__}.{name}", value, used))
        return namespace

    def _remember(self, function: Any, replacement: Any) -> None:
        self._done[id(function)] = replacement
        self._kept.append(function)

    def _note(self, *parts: str | bytes) -> None:
        for part in parts:
            self._digest.update(part if isinstance(part, bytes) else part.encode())
            self._digest.update(b"\0")


def _is_compiled(value: Any) -> bool:
    """Whether a value is a function compiled by Numba, which need not be imported for the question."""
    return type(value).__module__.startswith("numba.") and isinstance(getattr(value, "py_func", None), FunctionType)


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
        yield f"array {value.dtype} {value.shape} {value.strides}"
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, (tuple, list)):
        yield f"{len(value)} {getattr(value, '_fields', '')}"
        for part in value:
            yield from _value_parts(part)
    elif isinstance(value, dict):
        yield from _value_parts(tuple(value.items()))
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
