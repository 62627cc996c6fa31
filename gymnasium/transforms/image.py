"""Images: conversion to grey and resizing. The only module that imports OpenCV."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import partial
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from gymnasium.dependencies import not_installed
from gymnasium.spaces import Box, Space
from gymnasium.transforms.transform import Transform, required_box

# Weights of red, green and blue in perceived brightness (ITU-R BT.709, to four digits).
_LUMA = (0.2125, 0.7154, 0.0721)


def gray(images: NDArray[np.uint8], keep_dim: bool = False) -> NDArray[np.uint8]:
    """Returns RGB images (..., height, width, 3) in grey: (..., height, width), or with a last axis of 1."""
    red, green, blue = (images[..., i] * share for i, share in enumerate(_LUMA))
    red += green
    red += blue
    brightness: NDArray[np.uint8] = red.astype(np.uint8)
    return brightness[..., np.newaxis] if keep_dim else brightness


def grayscale(space: Space, keep_dim: bool) -> Transform:
    """Returns the transformation of RGB images to grey ones.

    Raises:
        TypeError: If the space is not a Box.
        ValueError: If it does not hold RGB images, uint8 between 0 and 255.
    """
    box = required_box("Grayscale", space)
    if len(box.shape) != 3 or box.shape[2] != 3:
        raise ValueError(f"Grayscale needs RGB images of shape (height, width, 3), but the space is {box.shape}: {box}")
    _check_pixels("Grayscale", box)
    shape = (*box.shape[:2], 1) if keep_dim else box.shape[:2]
    change = partial(gray, keep_dim=keep_dim)
    return Transform(Box(0, 255, shape, np.uint8), change, change)


def resized(image: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Returns a resized image (height, width) or (height, width, channels); each pixel is the mean of its area.

    Args:
        image: The image.
        shape: The new (height, width).
    """
    cv2 = load_cv2()
    pixels: np.ndarray = cv2.resize(image, shape[::-1], interpolation=cv2.INTER_AREA)
    return pixels.reshape(shape + image.shape[2:])


def all_resized(images: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Returns a resized batch of images (n, height, width[, channels]); OpenCV processes them one by one."""
    out = np.empty((len(images), *shape, *images.shape[3:]), images.dtype)
    for i, image in enumerate(images):
        out[i] = resized(image, shape)
    return out


def resize(space: Space, shape: Sequence[int]) -> Transform:
    """Returns the transformation of images to the size `shape`, (height, width).

    Raises:
        TypeError: If the space is not a Box, or `shape` not a tuple or list of integers.
        ValueError: If the Box does not hold images, uint8 between 0 and 255, or `shape` two positive sizes.
        DependencyNotInstalled: If OpenCV is missing.
    """
    box = required_box("Resize", space)
    if len(box.shape) not in (2, 3):
        raise ValueError(f"Resize needs images of two or three dimensions, but the space has {len(box.shape)}: {box}")
    _check_pixels("Resize", box)
    height, width = _checked_size(shape)
    load_cv2()
    size = (height, width)
    out = Box(0, 255, size + box.shape[2:], np.uint8)
    return Transform(out, partial(resized, shape=size), partial(all_resized, shape=size))


def load_cv2() -> ModuleType:
    """Returns OpenCV; raises `DependencyNotInstalled` if it is missing."""
    try:
        return importlib.import_module("cv2")
    except ImportError as reason:
        raise not_installed("OpenCV", "resizing images", reason, "opencv-python-headless") from reason


def _check_pixels(purpose: str, box: Box) -> None:
    if box.dtype != np.uint8 or (box.low != 0).any() or (box.high != 255).any():
        raise ValueError(
            f"{purpose} needs pixels, which are uint8 between 0 and 255, but the space is {box}; convert it first "
            "with TransformObservation first"
        )


def _checked_size(shape: object) -> tuple[int, int]:
    if not isinstance(shape, (tuple, list)):  # JSON turns a tuple into a list
        raise TypeError(f"`shape` must be a tuple (height, width), but {shape!r} (of type {type(shape).__name__}) came")
    if len(shape) != 2:
        raise ValueError(f"`shape` must be a tuple (height, width), but has {len(shape)} entries: {shape!r}")
    if not all(isinstance(size, (int, np.integer)) for size in shape):
        raise TypeError(f"`shape` must hold integers, but this came: {shape!r}")
    if min(shape) <= 0:
        raise ValueError(f"`shape` must hold positive sizes, but this came: {shape!r}")
    return int(shape[0]), int(shape[1])
