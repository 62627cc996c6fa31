"""A check of user functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def checked_function(func: Function) -> Function:
    """Returns `func`, or raises `TypeError` if it cannot be called."""
    if not callable(func):
        raise TypeError(f"func must be a function of one value, but {func!r} (of type {type(func).__name__}) came")
    return func
