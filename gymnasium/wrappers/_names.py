"""Names that are imported on first access."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from gymnasium.error import DeprecatedWrapper
from gymnasium.utils._missing import missing_name


def lazy_names(
    package: str, modules: Mapping[str, tuple[str, ...]], gone: Mapping[str, str], into: dict[str, Any]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns a package's `__getattr__` and `__dir__`.

    Args:
        package: Its name.
        modules: Its modules, each with the names that it adds to the package.
        gone: Old names, each with what to write instead. Names with other capitals or a version at the end, such as
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
        raise missing_name(package, name, _instead(package, name, homes, gone), DeprecatedWrapper)

    return find, lambda: sorted({*into, *modules, *homes})


def _instead(package: str, name: str, homes: Mapping[str, str], gone: Mapping[str, str]) -> str | None:
    """Returns what to write for a name of earlier releases, or None."""
    plain = re.sub(r"V\d+$", "", name)
    present = {home.lower(): f"`{package}.{home}`" for home in homes}
    return gone.get(name, gone.get(plain, present.get(plain.lower())))
