"""Whether a class looks as if it could be compiled, by a glance at the names in its code."""

from __future__ import annotations

from types import FunctionType

from gymnasium._extensions import is_own_module
from gymnasium.core import Env

_OUTWARD = frozenset(["open", "print", "input", "deque", "requests", "socket", "subprocess", "pybullet", "mujoco"])


def may_compile(kind: object) -> bool:
    """Returns whether `reset` and `step` of a class are functions of Python that name nothing from outside."""
    if not (isinstance(kind, type) and issubclass(kind, Env)) or is_own_module(kind.__module__):
        return False
    own = [getattr(kind, name, None) for name in ("reset", "step")]
    return all(isinstance(one, FunctionType) and not _OUTWARD.intersection(one.__code__.co_names) for one in own)
