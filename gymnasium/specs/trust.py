"""What a spec from a text may ask for: registered environments, wrappers and arguments that are data, no files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import Enum
from types import ModuleType
from typing import Any, Final

import numpy as np

from gymnasium.error import Error
from gymnasium.specs import data
from gymnasium.specs.loading import load_env_creator

SAFE: Final = "safe_in_files"
"""The attribute by which a wrapper's class declares that a file may name it."""

_OWN_WRAPPERS = "gymnasium.wrappers"
_OWN_ENVS = "gymnasium.envs."
_WORDS: Final = frozenset({"render_mode", "vectorization_mode", "autoreset_mode", "context", "observation_mode"})
"""Arguments that are words, none of them the name of a file, a module or a place in the network."""
_WORDS_OF_OURS: Final = _WORDS | {"camera_name", "desc", "main_body", "map_name", "obs_type"}
_NUMBERS: Final = (bool, int, float, np.generic, np.ndarray, np.dtype, type, Enum)
_OWN_ENUM = "gymnasium.vector.vector_env:AutoresetMode"  # whose module may not be loaded yet
_REMEDY = "pass trusted=True (the command: --trust) if you know where the text comes from"


def check_entry_point(env_id: str, field: str, claimed: object, registered: object) -> None:
    """Refuse an entry point other than the one registered under the id; None names no code, and passes.

    Raises:
        gymnasium.error.Error: If `claimed` is not `registered`.
    """
    if claimed is not None and claimed != registered:
        known = "nothing is registered under that id" if registered is None else f"registered is {registered!r}"
        raise Error(
            f"The text names {claimed!r} as {field} of {env_id!r}, but {known}; import the package that registers it "
            f"first, or {_REMEDY}"
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
            f"its body; {_REMEDY}"
        )
    hidden = [name for name in kwargs or () if name.startswith("_")]
    if hidden:
        raise Error(f"The text gives {entry_point!r} the argument {hidden[0]!r}, which is private; {_REMEDY}")


def check_arguments(env_id: str, kwargs: Mapping[str, Any], registered: Any) -> None:
    """Refuse arguments of an environment that may name files, modules or code; numbers pass, and what is registered.

    Args:
        env_id: Its id.
        kwargs: The arguments.
        registered: Its spec in the registry; None if there is none.

    Raises:
        gymnasium.error.Error: If one is refused.
    """
    known = {} if registered is None else registered.kwargs
    words = _WORDS_OF_OURS if str(getattr(registered, "entry_point", "")).startswith(_OWN_ENVS) else _WORDS
    for name, value in kwargs.items():
        if not (name in known and data.equal(value, known[name])) and not _is_data(name, value, words):
            raise Error(
                f"The text makes {env_id!r} with {name}={value!r:.200}, which may name a file, a module or code; "
                f"{_REMEDY}"
            )


def _is_data(name: str, value: object, words: frozenset[str]) -> bool:
    """Whether the value of an argument consists of numbers, and of words where words are harmless."""
    if name == "vectorization_mode" and getattr(value, "value", value) == "ray":  # joins a cluster
        return False
    if isinstance(value, str):
        return name in words
    if isinstance(value, Mapping):
        if name == "params" and any(str(key).startswith("_") for key in value):  # of `make_vec`, which sets them
            return False
        return all(_is_data(key if isinstance(key, str) else name, part, words) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_data(name, part, words) for part in value)
    return value is None or isinstance(value, _NUMBERS)


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
            f"module first, or {_REMEDY}"
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
    """Whether this package lists it; its module may not be loaded yet."""
    own = module == _OWN_WRAPPERS or module.startswith(f"{_OWN_WRAPPERS}.")
    return own and name in getattr(sys.modules.get(_OWN_WRAPPERS), "IN_FILES", ())
