"""Helpers of the checks for their messages."""

from __future__ import annotations

import numpy as np

from gymnasium.spaces import Box, Space

_LONG = 80  # characters; a longer Box is described by its shape


def described(value: object) -> str:
    """Returns a value and its type, for a message."""
    if isinstance(value, np.ndarray):
        with np.printoptions(threshold=12):
            return f"{value!r} (an array of shape {value.shape} and dtype {value.dtype})"
    return f"{value!r} (of type {type(value).__name__})"


def named(space: Space) -> str:
    """Returns a space, for a message."""
    text = repr(space)
    return (
        f"a Box of shape {space.shape} and dtype {space.dtype}"
        if isinstance(space, Box) and len(text) > _LONG
        else text
    )


def misfit(value: object, space: Space) -> str:
    """Returns the part of a value outside its space, for a message: of an array, the first number beyond the bounds."""
    if isinstance(space, Box) and isinstance(value, np.ndarray) and value.shape == space.shape:
        outside = np.argwhere(~((space.low <= value) & (value <= space.high)))
        if len(outside):
            index = tuple(outside[0].tolist())
            more = f" ({len(outside) - 1} more are beyond theirs)" if len(outside) > 1 else ""
            bounds = f"[{space.low[index].item()!r}, {space.high[index].item()!r}]"
            return f"its component {list(index)} is {value[index].item()!r}, beyond {bounds}{more}"
    return f"{described(value)} is not"
