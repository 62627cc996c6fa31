"""Whether a user's function is one, and returns what the space says that was declared for it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeVar

import numpy as np

from gymnasium.spaces import Space
from gymnasium.spaces.batching import batch_space, concatenate, create_empty_array, iterate

Function = TypeVar("Function", bound=Callable[..., Any])


def checked_function(func: Function) -> Function:
    """Returns `func`, or raises `TypeError` if it cannot be called."""
    if not callable(func):
        raise TypeError(f"func must be a function of one value, but a {type(func).__name__} came: {func!r}")
    return func


def tried_on_sample(func: Callable[[Any], Any], given: Space[Any], declared: Space[Any]) -> bool:
    """Whether `func` could be called with a sample of `given`; the space's own generator is left alone.

    Raises:
        ValueError: If what it returned does not fit into `declared`.
    """
    given = deepcopy(given)
    try:
        given.seed(0)
        with np.errstate(all="ignore"):
            changed = func(given.sample())
    except Exception:  # a function may need more than an observation: an episode under way, for one
        return False
    check_declared(func, changed, declared)
    return True


def check_declared(func: Callable[[Any], Any], changed: Any, declared: Space[Any]) -> None:
    """Raises `ValueError` if `changed` is not in `declared`, nor becomes so by a cast to a dtype of the same kind."""
    if not _fits(declared, changed):
        raise ValueError(
            f"{func!r} must return values of the space declared for them, {declared}, but returned this "
            f"{type(changed).__name__}: {changed!r}; declare the space that it returns into"
        )


def _fits(space: Space[Any], value: Any) -> bool:
    """Whether the value is in the space once it lies in the space's own memory, as in a batch."""
    try:
        batch = concatenate(space, [value], create_empty_array(space, 1))
        members = list(iterate(batch_space(space, 1), batch))
    except Exception:  # what a foreign value does when it is looked at cannot be known
        return False
    return space.contains(members[0] if members else value)  # a structure without parts has no members
