"""Noise on a picture: pixels of random colour, scattered or in squares."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

# The perceived brightness of a colour: the luma of red, green and blue (ITU-R BT.601).
_LUMA: Final = np.array([0.2989, 0.587, 0.114])


def noise_like(frame: NDArray[np.uint8], grayscale: bool, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Returns a picture of random pixels, of the frame's shape (height, width, 3); grey ones if `grayscale`."""
    if not grayscale:
        return rng.integers(0, 255, size=frame.shape, dtype=np.uint8)
    parts = rng.integers((0, 0, 0), 255 * _LUMA, size=frame.shape, dtype=np.uint8)
    grey: NDArray[np.uint8] = parts.sum(-1, keepdims=True, dtype=np.uint8)
    return grey.repeat(3, -1)


def scattered(frame: NDArray[np.uint8], probability: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Returns a mask of shape (height, width) in which each pixel is True with `probability`."""
    return rng.random(frame.shape[:2]) < probability


def squares(frame: NDArray[np.uint8], ratio: float, width: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Returns a mask of shape (height, width) with squares at random places, cut off at the border.

    Their number would cover `ratio` of the picture without overlap.
    """
    shape = frame.shape[:2]
    pixels = shape[0] * shape[1]
    centers = rng.integers(0, pixels, int(pixels * (ratio / width**2)))
    mask = np.zeros(shape, np.bool_)
    for row, column in zip(*np.unravel_index(centers, shape), strict=True):
        top, left = row - width // 2, column - width // 2
        mask[max(top, 0) : top + width, max(left, 0) : left + width] = True
    return mask
