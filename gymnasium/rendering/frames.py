"""The check of a frame that comes from outside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def checked_frame(frame: object) -> NDArray[np.uint8]:
    """Returns `frame` if it is a picture of shape (height, width, 3) and dtype uint8; `ValueError` otherwise."""
    if not isinstance(frame, np.ndarray):
        raise ValueError(f"A frame has to be a NumPy array of shape (height, width, 3), got {type(frame).__name__}.")
    if frame.dtype != np.uint8:
        raise ValueError(f"A frame has to have dtype uint8 with values 0-255, got dtype {frame.dtype}.")
    if frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
        raise ValueError(f"A frame has to have shape (height, width, 3) and not be empty, got shape {frame.shape}.")
    return frame
