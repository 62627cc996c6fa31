"""What the checks have in common."""

from __future__ import annotations

import numpy as np


def described(value: object) -> str:
    """Returns a value and what it is, for a message."""
    if isinstance(value, np.ndarray):
        return f"{value!r} (an array of shape {value.shape} and dtype {value.dtype})"
    return f"{value!r} (of type {type(value).__name__})"
