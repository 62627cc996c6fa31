"""The policy that `run --policy` names."""

from __future__ import annotations

import importlib
import os
import sys

from gymnasium.cli.episodes import Policy
from gymnasium.cli.errors import CommandError, described


def load_policy(name: str) -> Policy:
    """Returns the function that `module:function` names; the module may lie in the current folder.

    Raises:
        CommandError: If there is no such function.
    """
    module_name, _, attribute = name.partition(":")
    if not attribute or not all(part.isidentifier() for part in [*module_name.split("."), attribute]):
        raise CommandError(f"--policy expects `random` or `module:function`, got {name!r}")
    find_in_current_folder()
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise CommandError(f"--policy {name}: importing {module_name!r} failed with {described(error)}") from error
    policy = getattr(module, attribute, None)
    if not callable(policy):
        raise CommandError(f"--policy {name}: {module_name!r} has no function {attribute!r}")
    return policy  # type: ignore[no-any-return]  # whether it takes an observation shows when it is called


def find_in_current_folder() -> None:
    """Let modules of the current folder be imported, which `python -m` does and an installed command does not."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
