"""The arguments that a spec from a text may have: numbers, and words that name no file, module or code."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

import numpy as np

from gymnasium.error import Error
from gymnasium.specs import data
from gymnasium.specs.trust import REMEDY

_OWN_ENVS = "gymnasium.envs."
_WORDS: Final = frozenset({"render_mode", "vectorization_mode", "autoreset_mode", "context", "observation_mode"})
"""Arguments that are words, none of them the name of a file, a module or a place in the network."""
_WORDS_OF_OURS: Final = _WORDS | {"camera_name", "desc", "main_body", "map_name", "obs_type"}
_NUMBERS: Final = (bool, int, float, np.generic, np.ndarray, np.dtype, type, Enum)


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
                f"{REMEDY}"
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
