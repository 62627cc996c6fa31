"""Videos written frame by frame: H.264 in `.mp4`, or `.gif`."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from gymnasium.dependencies import install_command
from gymnasium.error import DependencyNotInstalled
from gymnasium.rendering._encoders import CODECS, Encoder, Gif, Mp4
from gymnasium.rendering._libraries import load_av, load_moviepy
from gymnasium.rendering._movie import Movie
from gymnasium.rendering._video_file import VideoFile
from gymnasium.rendering.frames import checked_frame, checked_rate


class VideoWriter:
    """Streams frames into a video file; a context manager.

    The first frame sets the size and creates the file, so a writer without frames leaves no file. Memory does not grow
    with the length. An `.mp4` has even sides, padded by repeating the last row or column if needed, and stays playable
    if the process dies; a `.gif` has a palette for each frame and plays at 50 frames per second at most.

    If the file cannot be completed, for example because the disk is full, `write` or `close` raises an `OSError` with
    its name and the reason, and the writer is closed. The frames so far are kept as `{name}.partial.mp4` or `.gif`,
    which can be played; a file without a frame is removed. After Ctrl-C a writer can continue, or be closed.

    Videos are encoded by PyAV or, where that is missing, by moviepy: the same formats, but what is left of a file that
    cannot be completed is up to FFmpeg.

    Args:
        path: The file, ending in `.mp4` or `.gif`; an existing one is overwritten.
        fps: Frames per second, from 0.002 to a million; any real number, NumPy's included.

    Raises:
        ValueError: For another ending or `fps`.
        OSError: If the folder is missing or cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str], fps: float) -> None:
        self.path = Path(path)
        _check_path(self.path)
        self._fps = checked_rate(fps)
        self._sink_type = _Streamed if require_encoder(self.path.suffix) else Movie
        self._sink: _Streamed | Movie | None = None
        self._shape: tuple[int, ...] = ()
        self._closed = False

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Appends a frame of shape (height, width, 3), the same for all.

        Raises:
            ValueError: For another frame, or after `close`.
            OSError: If the file cannot be written.
        """
        if self._closed:
            raise ValueError(f"{self.path} is closed: open another VideoWriter to write more frames.")
        frame = checked_frame(frame)
        if self._sink is None:
            self._sink = self._sink_type(self.path, frame.shape, self._fps)
            self._shape = frame.shape
        elif frame.shape != self._shape:
            raise ValueError(f"All frames of a video have to be of one shape: {self._shape}, got {frame.shape}.")
        try:
            self._sink.write(frame)
        except OSError:
            self._closed, self._sink = True, None
            raise

    def close(self) -> None:
        """Finishes the file; calling it again does nothing. `OSError` if the file cannot be written."""
        self._closed = True
        if self._sink is None:
            return
        try:
            self._sink.finish()
        except Exception:  # after Ctrl-C, the next call continues from there
            self._sink = None
            raise
        self._sink = None

    def __enter__(self) -> VideoWriter:
        """Returns the writer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finishes the file, also after an exception."""
        self.close()


class _Streamed:
    """Encodes frames by PyAV and writes the bytes to a file."""

    def __init__(self, path: Path, shape: tuple[int, ...], fps: Fraction) -> None:
        self._encoder: Encoder = (Gif if path.suffix.lower() == ".gif" else Mp4)(shape, fps)
        self._file = VideoFile(path, head=sum(map(len, self._encoder.encoded)))

    def write(self, frame: NDArray[np.uint8]) -> None:
        self._encoder.add(frame)
        self._file.write(self._encoder.encoded)

    def finish(self) -> None:
        self._encoder.finish()
        self._file.finish(self._encoder.encoded)


def require_encoder(suffix: str) -> bool:
    """Returns whether PyAV encodes `.mp4` or `.gif`, or moviepy instead.

    Raises:
        DependencyNotInstalled: If both are missing, or PyAV lacks the encoder.
    """
    try:
        av = load_av()
    except DependencyNotInstalled:
        try:
            load_moviepy()
        except DependencyNotInstalled:
            pass
        else:
            return False
        raise
    codec = CODECS[suffix.lower()]
    try:
        av.Codec(codec, "w")
    except ValueError as reason:
        raise DependencyNotInstalled(
            f"PyAV {av.__version__} has no encoder {codec}, which {suffix} files need ({reason}). Install the build "
            f"that has it: {install_command('av')} --force-reinstall"
        ) from reason
    return True


def _check_path(path: Path) -> None:
    if path.suffix.lower() not in (".mp4", ".gif"):
        raise ValueError(f"A video file has to end in .mp4 or .gif, got {str(path)!r}.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"The folder of the video {str(path)!r} does not exist: create it first.")
    if path.is_dir():
        raise IsADirectoryError(f"The video {str(path)!r} is a folder: choose another name.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(f"The video {str(path)!r} cannot be written: choose a folder that you may write to.")
