"""Errors of names that are not there: where the value is, or what replaced it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

AnyCallable = TypeVar("AnyCallable", bound=Callable[..., Any])


def missing_attribute(layer: Any, name: str, advice: Callable[[str], str]) -> Any:
    """The `__getattr__` of layers that have no attributes of what is inside them.

    Args:
        layer: The wrapper or batch.
        name: The attribute.
        advice: Returns what to write instead, or "".

    Raises:
        AttributeError: The one of a property that raised it, or one with the advice.
    """
    kind, found = type(layer), ""
    if not name.startswith("__"):
        if any(name in vars(cls) for cls in kind.__mro__):
            return object.__getattribute__(layer, name)  # a property raised an AttributeError of its own: this one
        found = advice(name)
    hint = f"; {found}" if found else ""
    raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}{hint}", name=name, obj=layer)


def has(layer: Any, name: str) -> bool:
    """Whether a layer has an attribute, without calling properties or `__getattr__`."""
    return name in vars(layer) or any(name in vars(cls) for cls in type(layer).__mro__)


def without_mode(render: AnyCallable) -> AnyCallable:
    """Let a `render` method explain that the mode is chosen when the environment is made."""

    @wraps(render)
    def checked(self: Any, *args: object, **kwargs: object) -> Any:
        if args or kwargs:
            raise TypeError(
                "render() takes no mode: choose it when the environment is made, "
                'gymnasium.make(..., render_mode="human")'
            )
        return render(self)

    return checked  # type: ignore[return-value]  # it is called like `render`


def missing_name(
    module: str, name: str, instead: str | None, in_import: type[ImportError] = ImportError
) -> AttributeError | ImportError:
    """Returns the exception that the `__getattr__` of a package raises.

    Args:
        module: The package's name.
        name: The missing name.
        instead: What to write in its place; None if it never was there.
        in_import: The kind for `from module import name`, which drops the words of an AttributeError.
    """
    if instead is None:
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    text = f"{module}.{name} does not exist: use {instead}"
    is_import = sys._getframe(2).f_globals.get("__name__") == "importlib._bootstrap"
    return in_import(text, name=module) if is_import else AttributeError(text)
