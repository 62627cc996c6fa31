"""The wrappers around one environment of a batch, by the names of their classes."""

from __future__ import annotations

from typing import Any

from gymnasium.core import Env, Wrapper


def class_name(kind: type) -> str:
    """Returns `module:Class`, by which another process knows the class."""
    return f"{kind.__module__}:{kind.__qualname__}"


def wrapper_names(env: Env) -> set[str]:
    """Returns the names of the classes of all wrappers around an environment, and of their bases."""
    names: set[str] = set()
    layer: Any = env
    while isinstance(layer, Wrapper):
        names.update(class_name(kind) for kind in type(layer).__mro__)
        layer = layer.env
    return names
