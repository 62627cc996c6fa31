"""Loading of entry points, `"package.module:attribute"`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from gymnasium._extensions import is_own_module
from gymnasium.error import DependencyNotInstalled, Error


def load_env_creator(name: str) -> Callable[..., Any]:
    """Import the module and return the attribute of an entry point, `"package.module:attribute"`.

    Raises:
        gymnasium.error.Error: If `name` is not of that form, or a part of our packages that this version lacks.
        gymnasium.error.DependencyNotInstalled: If it is a part of `palaestra`, which is not installed.
        ModuleNotFoundError: If the module, or one it imports, is not installed.
        AttributeError: If the module has no such attribute.
    """
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute) or module_name.startswith("."):
        raise Error(f'Expected an entry point "package.module:attribute", but got {name!r}')
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise _explained(error, name) from error
    try:
        return getattr(module, attribute)  # type: ignore[no-any-return]  # any object of the module
    except AttributeError as error:
        raise _missing_attribute(error, name) from error


def _explained(error: ModuleNotFoundError, entry_point: str) -> Exception:
    missing = error.name or ""
    if missing == "palaestra":
        return DependencyNotInstalled(f"{entry_point!r} is a part of the package `palaestra`, which is not installed")
    if is_own_module(missing):
        return _not_in_this_version(entry_point)
    return ModuleNotFoundError(
        f"{error}, which the entry point {entry_point!r} needs; install the package that provides {missing!r}",
        name=error.name,
        path=error.path,
    )


def _missing_attribute(error: AttributeError, entry_point: str) -> Exception:
    module, _, attribute = entry_point.partition(":")
    if is_own_module(module):
        return _not_in_this_version(entry_point)
    return AttributeError(f"The entry point {entry_point!r} cannot be loaded: {error}", name=attribute, obj=error.obj)


def _not_in_this_version(entry_point: str) -> Error:
    return Error(f"{entry_point!r} is not in this version of Palaestra: the name is wrong, or another version has it")
