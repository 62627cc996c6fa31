"""The code that a spec from a text may name: registered environments, and wrappers that touch no file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import Enum
from types import ModuleType
from typing import Any, Final

from gymnasium.error import Error
from gymnasium.specs.loading import load_env_creator
from gymnasium.specs.moved import SAFE_WRAPPERS

SAFE: Final = "safe_in_files"
"""The attribute by which a wrapper's class declares that a file may name it."""

_OWN_WRAPPERS = "gymnasium.wrappers"
_OWN_ENUM = "gymnasium.vector.vector_env:AutoresetMode"  # whose module may not be loaded yet
REMEDY = "pass trusted=True (the command: --trust) if you know where the text comes from"


def check_entry_point(env_id: str, field: str, claimed: object, registered: object) -> None:
    """Refuse an entry point other than the one registered under the id; None names no code, and passes.

    Raises:
        gymnasium.error.Error: If `claimed` is not `registered`.
    """
    if claimed is not None and claimed != registered:
        known = "nothing is registered under that id" if registered is None else f"registered is {registered!r}"
        raise Error(
            f"The text names {claimed!r} as {field} of {env_id!r}, but {known}; import the package that registers it "
            f"first, or {REMEDY}"
        )


def check_wrapper(env_id: str, entry_point: str, kwargs: Mapping[str, Any] | None) -> None:
    """Refuse anything but a wrapper that neither imports, reads, writes nor calls what its arguments name.

    Those are listed in `gymnasium.wrappers`; a class of an imported module declares it by `safe_in_files = True`.

    Raises:
        gymnasium.error.Error: If it is refused.
    """
    module, _, name = entry_point.partition(":")
    if not (_is_declared_wrapper(module, name) or _is_own_wrapper(module, name)):
        raise Error(
            f"The text puts {entry_point!r} around {env_id!r}, which is neither a wrapper of {_OWN_WRAPPERS} without "
            f"files, modules and functions, nor a Wrapper class of a module that is imported with `{SAFE} = True` in "
            f"its body; {REMEDY}"
        )
    hidden = [name for name in kwargs or () if name.startswith("_")]
    if hidden:
        raise Error(f"The text gives {entry_point!r} the argument {hidden[0]!r}, which is private; {REMEDY}")


def checked_enum(entry_point: str, trusted: bool) -> type[Enum]:
    """Returns the enumeration that a text names; only a trusted text may import its module.

    Raises:
        gymnasium.error.Error: If it does not name one, or names one of a module that is not imported.
    """
    if trusted or entry_point == _OWN_ENUM:
        found: object = load_env_creator(entry_point)
    else:
        found = loaded_attribute(*entry_point.split(":", 1)) if ":" in entry_point else None
    if not (isinstance(found, type) and issubclass(found, Enum)):
        raise Error(
            f"The text names {entry_point!r} as an enumeration, but it is not one of an imported module; import the "
            f"module first, or {REMEDY}"
        )
    return found


def loaded_attribute(module: str, name: str) -> object:
    """Returns the object with this name in an imported module; None if there is none."""
    loaded = sys.modules.get(module)
    if not isinstance(loaded, ModuleType):
        return None
    # Bypasses the module's own `__getattr__`, which may import.
    return object.__getattribute__(loaded, "__dict__").get(name)


def _is_declared_wrapper(module: str, name: str) -> bool:
    """Whether it is a wrapper's class that declares this in its own body; a subclass may do more than its parent."""
    candidate = loaded_attribute(module, name)
    wrapper = load_env_creator("gymnasium.core:Wrapper")
    return (
        isinstance(candidate, type)
        and issubclass(candidate, wrapper)  # type: ignore[arg-type]
        and candidate.__dict__.get(SAFE) is True
    )


def _is_own_wrapper(module: str, name: str) -> bool:
    """Whether we list it; its module may not be loaded yet."""
    if f"{module}:{name}" in SAFE_WRAPPERS:
        return True
    own = module == _OWN_WRAPPERS or module.startswith(f"{_OWN_WRAPPERS}.")
    return own and name in getattr(sys.modules.get(_OWN_WRAPPERS), "IN_FILES", ())
