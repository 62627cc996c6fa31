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
_LARGEST: Final = 8192
"""No size or count of a file is beyond it: more may need more memory or time than there is."""
_ANY_NUMBER: Final = frozenset({"seed", "max_episode_steps", "max_num_frames_per_episode"})
"""Arguments whose size costs nothing."""
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


def check_sizes(of: str, kwargs: Mapping[str, Any] | None, registered: Mapping[str, Any]) -> None:
    """Refuse integers beyond 8,192, other than those registered, among the arguments of an environment or a wrapper.

    Args:
        of: Whose arguments they are.
        kwargs: The arguments.
        registered: Those of the same name in the registry.

    Raises:
        gymnasium.error.Error: If one is refused.
    """
    for name, value in (kwargs or {}).items():
        if not _is_small(name, value) and not (name in registered and data.equal(value, registered[name])):
            raise Error(
                f"The text makes {of!r} with {name}={value!r:.200}; a size or count beyond "
                f"{_LARGEST:,} may need more memory or time than there is; {REMEDY}"
            )


def _is_small(name: str, value: object) -> bool:
    if isinstance(value, Mapping):
        return all(_is_small(str(key), part) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_small(name, part) for part in value)
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "iu" or bool((np.abs(value.astype(float)) <= _LARGEST).all())
    return name in _ANY_NUMBER or not isinstance(value, (int, np.integer)) or abs(int(value)) <= _LARGEST


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
