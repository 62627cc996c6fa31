"""Names that are imported on first access."""

from __future__ import annotations

import re
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
        renamed: Old names, each with its new name. Names with other capitals or a version at the end, such as
            `TimeLimitV0`, need no entry.
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
        new = _new_name(name, homes, renamed)
        if new is not None:
            raise AttributeError(f"{name!r} has a new name: use `{package.partition('.')[2]}.{new}`")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find, lambda: sorted({*into, *modules, *homes})


def _new_name(name: str, homes: Mapping[str, str], renamed: Mapping[str, str]) -> str | None:
    """Returns the present name of a wrapper that earlier releases called `name`, or None."""
    plain = re.sub(r"V\d+$", "", name)
    present = {home.lower(): home for home in homes}
    return renamed.get(plain, present.get(plain.lower()))
