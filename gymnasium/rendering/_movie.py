"""Frames into a video file by moviepy, which sends them to FFmpeg in a process of its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.rendering._encoders import CODECS, FRAGMENTED, GIF_FPS, X264, even
from gymnasium.rendering._libraries import load_moviepy

_PALETTES: Final = "split[all][some];[some]palettegen=stats_mode=single[best];[all][best]paletteuse=new=1"


class Movie:
    """Streams frames of one shape into a file.

    Args:
        path: The file, which is made or overwritten.
        shape: The shape of the frames.
        fps: Frames per second.
    """

    def __init__(self, path: Path, shape: tuple[int, ...], fps: Fraction) -> None:
        suffix = path.suffix.lower()
        self._path, self._is_gif = path, suffix == ".gif"
        options = {**X264, **FRAGMENTED}
        preset = options.pop("preset")
        arguments = ["-filter_complex", _PALETTES, "-loop", "0"] if self._is_gif else _arguments(options)
        height, width = self._sized(np.empty(shape, np.uint8)).shape[:2]
        rate = float(min(fps, Fraction(GIF_FPS)) if self._is_gif else fps)
        self._writer: Any = load_moviepy().FFMPEG_VideoWriter(
            str(path), (width, height), rate, codec=CODECS[suffix], preset=preset, ffmpeg_params=arguments
        )

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Append a frame; `OSError` if FFmpeg has given up."""
        self._writer.write_frame(np.ascontiguousarray(self._sized(frame)))

    def finish(self) -> None:
        """Complete the file; `OSError` if there is none."""
        self._writer.close()
        if not self._path.exists():
            raise OSError(f"FFmpeg, which moviepy runs, wrote no video to {self._path}: is there room?")

    def _sized(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return frame if self._is_gif else even(frame)


def _arguments(options: dict[str, str]) -> list[str]:
    """Returns options as FFmpeg reads them."""
    return list(chain.from_iterable((f"-{name}", value) for name, value in options.items()))
