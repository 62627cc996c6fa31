"""Functions and classes given as options."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

from palaestra.cli.episodes import Policy
from palaestra.cli.errors import CommandError, described


def load_policy(name: str) -> Policy:
    """Returns the function given as `module:function`; the module may be in the current folder.

    Raises:
        CommandError: If there is no such function.
    """
    module_name, _, attribute = name.partition(":")
    if not attribute or not all(part.isidentifier() for part in [*module_name.split("."), attribute]):
        raise CommandError(f"--policy expects `random` or `module:function`, got {name!r}")
    return load_attribute(module_name, attribute, f"--policy {name}")


def load_attribute(module_name: str, name: str, option: str) -> Callable[..., Any]:
    """Returns a function or class of a module, which may be in the current folder.

    Raises:
        CommandError: If there is none; the error names the option.
    """
    find_in_current_folder()
    try:
        found = getattr(importlib.import_module(module_name), name, None)
    except Exception as error:
        raise CommandError(f"{option}: importing {module_name!r} failed with {described(error)}") from error
    if not callable(found):
        raise CommandError(f"{option}: {module_name!r} has no function or class {name!r}")
    return found  # type: ignore[no-any-return]  # its arguments and result are checked by the call


def find_in_current_folder() -> None:
    """Allow imports from the current folder, as `python -m` does and an installed command does not."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
