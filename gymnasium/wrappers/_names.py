"""Names that are imported on first access."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, modules: Mapping[str, tuple[str, ...]], renamed: Mapping[str, str], into: dict[str, Any]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns a package's `__getattr__` and `__dir__`.

    Args:
        package: Its name.
        modules: Its modules, each with the names that it adds to the package.
        renamed: Old names, each with its new name.
        into: The package's `globals()`.
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name in homes:
            value = getattr(import_module(f"{package}.{homes[name]}"), name)
            into[name] = value  # the next access finds it directly
            return value
        if name in modules:
            return import_module(f"{package}.{name}")
        if name in renamed:
            raise AttributeError(f"{name!r} has a new name: use `wrappers.{renamed[name]}`")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find, lambda: sorted({*into, *modules, *homes})
