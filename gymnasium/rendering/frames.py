"""Checks of external frames, and of their rate."""

from __future__ import annotations

import math
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Final

import numpy as np
from numpy.typing import NDArray

# A `.gif` counts hundredths of a second up to 655 seconds, and PyAV accepts at most two thousand million.
_SLOWEST: Final = 0.002
_FASTEST: Final = 1_000_000


def checked_frame(frame: object) -> NDArray[np.uint8]:
    """Returns `frame` if it is a picture of shape (height, width, 3) and dtype uint8; `ValueError` otherwise."""
    if not isinstance(frame, np.ndarray):
        raise ValueError(f"A frame has to be a NumPy array of shape (height, width, 3), got {type(frame).__name__}.")
    if frame.dtype != np.uint8:
        raise ValueError(f"A frame has to have dtype uint8 with values 0-255, got dtype {frame.dtype}.")
    if frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
        raise ValueError(f"A frame has to have shape (height, width, 3) and not be empty, got shape {frame.shape}.")
    return frame


def checked_rate(fps: object) -> Fraction:
    """Returns a number of frames per second, of any real type, as a fraction; raises `ValueError` for other values."""
    rate = math.nan
    if isinstance(fps, Real | Decimal) and not isinstance(fps, bool):
        with suppress(OverflowError, TypeError):  # from an int that no float can hold, or a timedelta64
            rate = float(fps)
    if not _SLOWEST <= rate <= _FASTEST:
        raise ValueError(
            f"A video needs a number of frames per second from {_SLOWEST:g} to {_FASTEST:,}, got fps={fps!r}: "
            "30 is usual."
        )
    return Fraction(rate).limit_denominator(1000)
