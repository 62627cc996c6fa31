"""Classes of other packages that harm a program where it errs, and those of this package made in their place.

What stands here is a subclass of what it stands for; specs keep the name that was registered.
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
    """Returns what an entry point makes environments with; raises as `load_env_creator` does."""
    found = load_env_creator(_GUARDED.get(entry_point, entry_point)) if isinstance(entry_point, str) else entry_point
    return runnable(found)
