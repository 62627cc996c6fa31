"""Calls of one environment, in the worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium.core import Env
from gymnasium.states.scenes import packed_scene
from gymnasium.vector._batch.layers import wrapper_names
from gymnasium.vector._workers.protocol import SCENE

# Names with a meaning of their own; no attribute has them.
SOME = "<some>"  # a call in some environments only: the arguments begin with their indices and the attribute's name
WRAPPERS = "<wrappers>"  # the names of the wrappers' classes


def called(env: Env, i: int, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Returns the attribute `name` of environment `i` of the batch, or its result for these arguments if callable."""
    if name == WRAPPERS:
        return wrapper_names(env)
    if name == SCENE:
        return packed_scene(env) if i < args[0] else None
    if name == SOME:
        ids, name, *args = args
        if i not in ids:
            return None
    value = env.get_wrapper_attr(name)
    return value(*args, **kwargs) if callable(value) else value
