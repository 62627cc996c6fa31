"""Classes of other packages that crash or hang on errors, and safe subclasses that replace them.

Each replacement is a subclass of the original; specs keep the registered name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gymnasium.envs._registry.dynamics import runnable
from gymnasium.specs import load_env_creator

_GUARDED: Final = {
    "ale_py.env:AtariEnv": "gymnasium.envs.atari.env:AtariEnv",
    "ale_py.vector_env:AtariVectorEnv": "gymnasium.envs.atari.vector_env:AtariVectorEnv",
}


def creator_of(entry_point: str | Callable[..., Any]) -> Callable[..., Any]:
    """Returns the constructor of an entry point; raises like `load_env_creator`."""
    found = load_env_creator(_GUARDED.get(entry_point, entry_point)) if isinstance(entry_point, str) else entry_point
    return runnable(found)
