"""The video of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gymnasium.rendering import VideoWriter


class Film:
    """Writes frames into a video, up to its maximum length.

    Args:
        path: The video.
        fps: Frames per second.
        limit: The maximum duration, in seconds.
    """

    def __init__(self, path: Path, fps: float, limit: float) -> None:
        self._writer = VideoWriter(path, fps)
        self._fps = fps
        self._limit = limit
        self._frames = 0

    def __enter__(self) -> Film:
        """Returns itself."""
        return self

    def __exit__(self, *reason: Any) -> None:
        """Finishes the file."""
        self._writer.__exit__(*reason)

    def write(self, frame: Any, words: str = "") -> None:
        """Add a frame if there is room for it; its words are not shown."""
        self._frames += 1
        if self._frames <= self._limit * self._fps:
            self._writer.write(frame)

    def is_cut(self) -> bool:
        """Returns whether the run exceeded the maximum length of the video."""
        return self._frames > self._limit * self._fps

    def remark(self) -> str:
        """Returns which part of the run is in the video, if not all."""
        if not self.is_cut():
            return ""
        seconds = self._frames / self._fps
        return f", the first {self._limit:g} of {seconds:,.0f} seconds; --video-limit {seconds + 1:.0f} would film all"
