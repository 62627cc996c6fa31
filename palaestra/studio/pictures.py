"""Pictures as the bytes of image files; the one home of Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.dependencies import not_installed
from gymnasium.error import DependencyNotInstalled
from gymnasium.rendering.pixels import reduced

try:
    from PIL import Image
except ImportError as reason:
    raise not_installed("PIL", "pictures in the studio", reason, "pillow") from reason

_SMALL: Final = 256 * 256  # pixels, up to which a picture is sent without loss: it will be magnified
_QUALITY: Final = 88
_TILES: Final = 80  # the quality of many small moving pictures
_THUMBNAIL: Final = (320, 240)


def drawn(env: Env) -> bytes | None:
    """Returns the view of an environment: a picture as PNG or JPEG, or a text as UTF-8; None if nothing.

    Raises:
        Exception: Whatever `env.render` raises.
    """
    if env.render_mode == "ansi":
        return str(env.render()).encode()
    if env.render_mode != "rgb_array":
        return None
    return encoded(checked(env.render()))


def encoded(pixels: NDArray[np.uint8]) -> bytes:
    """Returns a picture of shape (height, width, 3) as PNG if it is small, else as JPEG."""
    height, width = pixels.shape[:2]
    small = height * width <= _SMALL
    options: dict[str, Any] = {"compress_level": 1} if small else {"quality": _QUALITY, "subsampling": 0}
    return _saved(Image.fromarray(pixels), "PNG" if small else "JPEG", options)


def thumbnail(pixels: NDArray[np.uint8]) -> bytes:
    """Returns a picture of at most 320 x 240 pixels, as WebP."""
    image = Image.fromarray(checked(pixels))
    image.thumbnail(_THUMBNAIL)
    return _saved(image, "WEBP", {"quality": 80, "method": 2})


def mosaic(pictures: Sequence[NDArray[np.uint8]], columns: int, size: tuple[int, int]) -> bytes:
    """Returns pictures side by side, row by row, each reduced to `size`, (width, height), as JPEG."""
    width, height = size
    whole = np.zeros((-(-len(pictures) // columns) * height, columns * width, 3), np.uint8)
    for k, pixels in enumerate(pictures):
        top, left = k // columns * height, k % columns * width
        whole[top : top + height, left : left + width] = _reduced(pixels, size)
    return compressed(whole, "RGB", (columns * width, len(whole)))


def compressed(pixels: Any, order: str, size: tuple[int, int]) -> bytes:
    """Returns a picture as JPEG.

    Args:
        pixels: Its bytes, row by row.
        order: Those of a pixel, as Pillow names them: "RGB", or "RGBX", which need not be copied.
        size: Width and height.
    """
    image = Image.frombuffer(order, size, pixels, "raw", order, 0, 1)  # quicker than `fromarray`
    return _saved(image, "JPEG", {"quality": _TILES, "subsampling": 2})  # of colours half as fine: 2/3 of the time


def checked(frame: Any) -> NDArray[np.uint8]:
    """Returns a result of `render` as pixels; raises `ValueError` for anything else."""
    pixels = np.asarray(frame)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
        raise ValueError(f"render returned no picture, but {pixels.dtype} of shape {pixels.shape}")
    return np.ascontiguousarray(pixels)


def _reduced(pixels: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    if (pixels.shape[1], pixels.shape[0]) == size:
        return pixels
    try:
        return reduced(pixels, size)
    except DependencyNotInstalled:
        return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BOX))


def _saved(image: Image.Image, kind: str, options: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()
