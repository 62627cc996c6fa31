"""Pictures as the bytes of a PNG file, without any library for images."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Final

import numpy as np

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BIT_RGB: Final = bytes([8, 2, 0, 0, 0])


def picture_of(env: Any) -> bytes | None:
    """Returns the picture of an environment; None without the render mode `"rgb_array"`, or before the first reset."""
    if env.render_mode != "rgb_array":
        return None
    try:
        return png(env.render())
    except Exception:  # a notebook then shows the text
        return None


def png(frame: object) -> bytes | None:
    """Returns a picture of shape (height, width, 3) and dtype uint8 as a PNG file; None for anything else."""
    if not isinstance(frame, np.ndarray) or frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        return None
    height, width, _ = frame.shape
    if 0 in (height, width):
        return None
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter: 0, none
    rows[:, 1:] = frame.reshape(height, 3 * width)
    head = struct.pack(">II", width, height) + _EIGHT_BIT_RGB
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
