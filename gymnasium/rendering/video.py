"""Videos written frame by frame: H.264 in `.mp4`, or `.gif`."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import DependencyNotInstalled
from gymnasium.rendering._libraries import load_av
from gymnasium.rendering.frames import checked_frame

if TYPE_CHECKING:
    from av import VideoFrame
    from av.container import OutputContainer
    from av.filter import Graph
    from av.video.stream import VideoStream

_CODECS: Final = {".mp4": "libx264", ".gif": "gif"}
_GIF_FPS: Final = 50  # above it, browsers slow a GIF down to 10 frames per second
# Without B-frames, which would make a fragmented file start late by two frames.
_X264: Final = {"preset": "veryfast", "crf": "18", "bf": "0"}
# A fragment for each second: what was written before a crash can be played.
_FRAGMENTED: Final = {"movflags": "frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"}


class VideoWriter:
    """Streams frames into a video file; a context manager.

    The first frame sets the size and creates the file, so a writer that got none leaves no file. Memory does not grow
    with the length. An `.mp4` has even sides, padded by repeating the last row or column where needed, and stays
    playable if the process dies; a `.gif` has a palette for each frame and plays at 50 frames per second at most.

    Args:
        path: The file, ending in `.mp4` or `.gif`; an existing one is overwritten.
        fps: Frames per second.

    Raises:
        ValueError: For another ending, or an `fps` that is not positive.
        OSError: Where the folder is missing or cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str], fps: float) -> None:
        self.path = Path(path)
        _check_path(self.path)
        if not 0 < fps < float("inf"):
            raise ValueError(f"A video needs a positive number of frames per second, got fps={fps!r}.")
        require_encoder(self.path.suffix)
        self._fps = Fraction(fps).limit_denominator(1000)
        self._encoder: _Encoder | None = None
        self._shape: tuple[int, ...] = ()
        self._closed = False

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Appends a frame of shape (height, width, 3), the same for all; `ValueError` otherwise or after `close`."""
        if self._closed:
            raise ValueError(f"{self.path} is closed: open another VideoWriter to write more frames.")
        frame = checked_frame(frame)
        if self._encoder is None:
            self._encoder = (_Gif if self.path.suffix.lower() == ".gif" else _Mp4)(self.path, frame.shape, self._fps)
            self._shape = frame.shape
        elif frame.shape != self._shape:
            raise ValueError(f"All frames of a video have to be of one shape: {self._shape}, got {frame.shape}.")
        self._encoder.add(frame)

    def close(self) -> None:
        """Finishes the file; calling it again does nothing."""
        self._closed = True
        if self._encoder is not None:
            encoder, self._encoder = self._encoder, None
            encoder.close()

    def __enter__(self) -> VideoWriter:
        """Returns the writer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finishes the file, also after an exception."""
        self.close()


def require_encoder(suffix: str) -> None:
    """Raises `DependencyNotInstalled` where PyAV is missing, or was built without the encoder for `.mp4` or `.gif`."""
    av = load_av()
    codec = _CODECS[suffix.lower()]
    try:
        av.Codec(codec, "w")
    except ValueError as reason:
        raise DependencyNotInstalled(
            f"PyAV {av.__version__} has no encoder {codec}, which {suffix} files need ({reason}). Install the build "
            'that has it: pip install --force-reinstall "gymnasium[video]"'
        ) from reason


class _Encoder:
    """An open file with one stream of pictures."""

    def __init__(self, path: Path, codec: str, fps: Fraction, container: dict[str, str], **stream: Any) -> None:
        self._av = load_av()
        self._file: OutputContainer = self._av.open(str(path), "w", container_options=container)
        self._stream: VideoStream = self._file.add_stream(codec, rate=fps, **stream)
        self._tick = 1 / fps
        self._count = 0

    def add(self, frame: NDArray[np.uint8]) -> None:
        picture: VideoFrame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")
        picture.pts, picture.time_base = self._count, self._tick
        self._count += 1
        self._file.mux(self._stream.encode(self._prepared(picture)))

    def close(self) -> None:
        try:
            self._file.mux(self._stream.encode(None))
        finally:
            self._file.close()

    def _prepared(self, picture: VideoFrame) -> VideoFrame:
        return picture


class _Mp4(_Encoder):
    def __init__(self, path: Path, shape: tuple[int, ...], fps: Fraction) -> None:
        super().__init__(path, _CODECS[".mp4"], fps, _FRAGMENTED, options={**_X264, "g": str(max(1, round(fps)))})
        # 4:2:0 keeps one colour for 2x2 pixels, so sides are even.
        self._stream.height, self._stream.width = (side + side % 2 for side in shape[:2])
        self._stream.pix_fmt = "yuv420p"

    def add(self, frame: NDArray[np.uint8]) -> None:
        height, width = frame.shape[:2]
        super().add(np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge"))


class _Gif(_Encoder):
    def __init__(self, path: Path, shape: tuple[int, ...], fps: Fraction) -> None:
        # The encoder's savings compare palette indices, which mean other colours in the next frame's palette.
        whole_frames = {"gifflags": "0"}
        super().__init__(path, _CODECS[".gif"], min(fps, Fraction(_GIF_FPS)), {"loop": "0"}, options=whole_frames)
        self._stream.height, self._stream.width = shape[:2]
        self._stream.pix_fmt = "pal8"
        self._colors = self._palette_graph(shape)

    def _palette_graph(self, shape: tuple[int, ...]) -> Graph:
        """FFmpeg's filters: each frame is reduced to the best 256 colours for that frame."""
        height, width = shape[:2]
        graph: Graph = self._av.filter.Graph()
        rgb = self._av.VideoFormat("rgb24", width, height)
        source = graph.add_buffer(width=width, height=height, format=rgb, time_base=self._tick)
        both = graph.add("split")
        best = graph.add("palettegen", "stats_mode=single")
        used = graph.add("paletteuse", "new=1:dither=sierra2_4a")
        sink = graph.add("buffersink")
        source.link_to(both)
        both.link_to(used, 0, 0)
        both.link_to(best, 1, 0)
        best.link_to(used, 0, 1)
        used.link_to(sink)
        graph.configure()
        return graph

    def _prepared(self, picture: VideoFrame) -> VideoFrame:
        self._colors.vpush(picture)
        return self._colors.vpull()


def _check_path(path: Path) -> None:
    if path.suffix.lower() not in (".mp4", ".gif"):
        raise ValueError(f"A video file has to end in .mp4 or .gif, got {str(path)!r}.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"The folder of the video {str(path)!r} does not exist: create it first.")
    if path.is_dir():
        raise IsADirectoryError(f"The video {str(path)!r} is a folder: choose another name.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(f"The video {str(path)!r} cannot be written: choose a folder that you may write to.")
