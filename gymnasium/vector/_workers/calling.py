"""Calls of environments, in the worker, and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.vector._batch.layers import wrapper_names
from gymnasium.vector._batch.results import rewards_of

# Names with a meaning of their own; no attribute has them.
SOME = "<some>"  # a call in some environments only: the arguments begin with their indices and the attribute's name
WRAPPERS = "<wrappers>"  # the names of the wrappers' classes


def called(env: Env, i: int, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Returns the attribute `name` of environment `i` of the batch, or its result for these arguments if callable."""
    if name == WRAPPERS:
        return wrapper_names(env)
    if name == SOME:
        ids, name, *args = args
        if i not in ids:
            return None
    value = env.get_wrapper_attr(name)
    return value(*args, **kwargs) if callable(value) else value


def first_invalid(places: Sequence[int], results: list[tuple[Any, Any, Any]]) -> int:
    """Returns the place whose reward or flags are not numbers."""
    for place, values in zip(places, results, strict=True):
        try:
            rewards_of(values[:1], 1)
            np.array(values[1:], np.float64)
        except Exception:
            return place
    return places[0]
