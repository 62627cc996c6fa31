"""Everything that a function depends on: the functions reached through its globals, and the digest of all values."""

from __future__ import annotations

import hashlib
import secrets
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

from gymnasium._extensions import is_own_module
from gymnasium.functional import ops
from gymnasium.functional.rebinding import is_of_values, rebound, used_of
from palaestra.language.jit.comprehensions import written_out

TAUGHT: frozenset[Callable[..., Any]] = frozenset(
    {ops.where, ops.clip, ops.minimum, ops.maximum, ops.float32, ops.pow2, ops.pow2f}
)
"""The functions of `ops` that machine code has in a form of its own, `palaestra.language.jit.ops`."""

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
        if (written := _written_by(value)) is not None:
            self._note(f"intrinsic {written.__qualname__}", *_code_parts(written.__code__))
            self._note(*_value_parts(tuple(cell.cell_contents for cell in written.__closure__ or ())))
            return value
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
        self._digest.update(_framed(parts))


def _is_compiled(value: Any) -> bool:
    """Whether a value is a function compiled by Numba, which need not be imported for the question."""
    return type(value).__module__.startswith("numba.") and isinstance(getattr(value, "py_func", None), FunctionType)


def _written_by(value: Any) -> FunctionType | None:
    """Returns the function of this package that writes the code of an intrinsic of Numba's; None for anything else.

    The intrinsic itself pickles by a number of its process.
    """
    function = getattr(value, "__wrapped__", None) if type(value).__module__.startswith("numba.") else None
    is_ours = isinstance(function, FunctionType) and is_own_module(function.__module__)
    return function if is_ours else None


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
    """The bits that distinguish one constant from another; what its class writes about it is not asked."""
    yield from _Values().parts(value)


class _Values:
    """Visits a value and all that it holds."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, object]] = {}  # also keeps what is made on the way alive

    def parts(self, value: Any) -> Iterator[str | bytes]:
        """The bits of a value."""
        kind = type(value)
        yield f"{kind.__module__}.{kind.__qualname__}"
        bits = _bits_of(value)
        if bits is not None:
            yield bits
        elif id(value) in self._seen:
            yield f"again {self._seen[id(value)][0]}"
            return
        else:
            if not isinstance(value, (tuple, frozenset)):  # equal ones may be one object or several
                self._seen[id(value)] = len(self._seen), value
            yield from self._held(value)
        if kind.__module__ != "builtins" and not isinstance(value, type):
            yield from self.parts(_attributes(value))

    def _held(self, value: Any) -> Iterator[str | bytes]:
        if isinstance(value, (np.ndarray, np.generic)):
            yield from self._of_array(np.asarray(value))
        elif isinstance(value, (tuple, list)):
            yield f"{len(value)} {getattr(value, '_fields', '')}"
            for part in tuple.__iter__(value) if isinstance(value, tuple) else list.__iter__(value):
                yield from self.parts(part)
        elif isinstance(value, dict):
            yield from self.parts(tuple(dict.items(value)))
        elif isinstance(value, (frozenset, set)):
            yield from sorted(hashlib.sha256(_framed(_value_parts(part))).hexdigest() for part in value)
        elif isinstance(value, type):
            yield from self._of_type(value)
        elif isinstance(value, (ModuleType, BuiltinFunctionType)):
            yield f"known {value.__name__}"
        elif isinstance(value, FunctionType) and _is_known(value):
            yield f"known {value.__module__}.{value.__name__}"
        else:
            yield from self._of_object(value)

    def _of_array(self, array: np.ndarray) -> Iterator[str | bytes]:
        yield f"array {array.dtype!r} {array.shape} {array.strides}"
        if array.dtype.hasobject:
            yield from self.parts(array.tolist())
        else:
            yield np.ascontiguousarray(array).tobytes()

    def _of_type(self, kind: type) -> Iterator[str | bytes]:
        yield f"{kind.__module__}.{kind.__qualname__} {getattr(kind, '_fields', '')}"
        yield from self.parts(tuple(getattr(kind, "_field_defaults", {}).items()))
        if issubclass(kind, Enum):
            for member in kind:
                yield from self.parts(member)

    def _of_object(self, value: Any) -> Iterator[str | bytes]:
        """What pickle would write of an object; one that it cannot write is like no other."""
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            _UNLIKE[id(value)] = value
            reduced = f"{_PROCESS} {id(value)}"
        if isinstance(reduced, str):
            yield reduced
            return
        make, *rest = reduced
        yield f"{getattr(make, '__module__', '')}.{getattr(make, '__qualname__', '')}"
        for part in rest:
            yield from self.parts(list(part) if isinstance(part, Iterator) else part)


def _is_known(function: FunctionType) -> bool:
    """Whether a function is a global one of Python's or Numba's, whose versions count anyhow."""
    home = function.__module__
    is_theirs = home.partition(".")[0] in (*_KNOWN, "copyreg")  # by which objects are pickled
    return is_theirs and getattr(sys.modules.get(home), function.__name__, None) is function


_UNLIKE: dict[int, Any] = {}  # keeps objects alive, so that no other object gets the id of one of them
_PROCESS = secrets.token_hex(16)


def _bits_of(value: Any) -> str | bytes | None:
    """Returns the bits of a number or a string, of their subclasses too; None for anything else."""
    if isinstance(value, int):
        return int.__format__(value, "x")
    if isinstance(value, float):
        return struct.pack("<d", value)  # also which NaN it is
    if isinstance(value, complex):
        plain = complex.__pos__(value)
        return struct.pack("<dd", plain.real, plain.imag)
    if isinstance(value, str):
        return str.encode(value, "utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return bytes.__getitem__(value, slice(None))
    return "" if value is None or value is Ellipsis else None


def _attributes(value: Any) -> dict[str, Any]:
    """Returns the attributes of an object of a class that is not Python's own."""
    found = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = vars(kind).values() if "__slots__" in vars(kind) else ()
        for slot in slots:
            if isinstance(slot, MemberDescriptorType):
                with suppress(AttributeError):  # not set
                    found[f"{kind.__qualname__}.{slot.__name__}"] = slot.__get__(value, kind)
    return found


def _framed(parts: Iterable[str | bytes]) -> bytes:
    """Returns parts one after the other, so that no others give the same bytes."""
    each = (part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in parts)
    return b"".join(b"%d %b" % (len(part), part) for part in each)
