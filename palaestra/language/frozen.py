"""A decorator for classes of plain values, in a fifth of the time that `dataclass(frozen=True)` takes.

The modules of the compiler define some dozens of them, and a program that steps environments waits for each. So only
the constructor is compiled, and type checkers alone refuse that a field is set.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import get_annotations
from operator import attrgetter
from typing import Any, TypeVar

from typing_extensions import dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """Give a class a constructor that takes its annotated fields, and equality, hash and text by their values.

    Fields are those of the class alone, and a default is the object itself. If there is a `__post_init__`, the
    constructor calls it.
    """
    names = tuple(get_annotations(cls))
    methods = _methods(names)
    methods["__init__"] = _constructor(cls, names)
    methods["__match_args__"] = names
    for name, method in methods.items():
        setattr(cls, name, method)
    return cls


def _constructor(cls: type, names: tuple[str, ...]) -> Callable[..., None]:
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    taken = "".join(f", {name}=defaults['{name}']" if name in defaults else f", {name}" for name in names)
    lines = [f"self.{name} = {name}" for name in names] or ["pass"]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    made: dict[str, Any] = {}
    exec(f"def __init__(self{taken}): {'; '.join(lines)}", {"defaults": defaults}, made)
    made["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    constructor: Callable[..., None] = made["__init__"]
    return constructor


def _methods(names: tuple[str, ...]) -> dict[str, Any]:
    values = _reader(names)

    def equals(self: object, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    def shown(self: object) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(names, values(self), strict=True))
        return f"{self.__class__.__qualname__}({fields})"

    return {"__eq__": equals, "__hash__": hashed, "__repr__": shown}


def _reader(names: tuple[str, ...]) -> Callable[[object], tuple[Any, ...]]:
    """Returns a function that reads all fields of an object."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda one: (getattr(one, names[0]),)) if names else lambda one: ()
