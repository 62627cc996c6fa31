"""Frames into the bytes of a video file, by PyAV."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.rendering._libraries import load_av

if TYPE_CHECKING:
    from av import VideoFrame
    from av.container import OutputContainer
    from av.filter import Graph
    from av.video.stream import VideoStream

CODECS: Final = {".mp4": "libx264", ".gif": "gif"}
GIF_FPS: Final = 50  # above this, browsers slow a GIF down to 10 frames per second
# Without B-frames, which would make a fragmented file start late by two frames.
X264: Final = {"preset": "veryfast", "crf": "18", "bf": "0"}
# A fragment for each second: the part written before a crash can be played.
FRAGMENTED: Final = {"movflags": "frag_keyframe+empty_moov+default_base_moof"}


class Encoder:
    """Encodes frames of one shape into memory, from which the bytes are written to a file.

    PyAV could write the file itself, but a failed write, for example on a full disk, crashes it when it closes.

    Attributes:
        encoded: The pending bytes, in order; the writer empties the list. At first it holds the header before any
            frame, and after each `add` complete fragments of the file, which can be played.
    """

    _shown_in: str  # the pixel format

    def __init__(self, suffix: str, shape: tuple[int, ...], fps: Fraction, container: dict[str, str]) -> None:
        self._av = load_av()
        self.encoded: list[bytes] = []
        # The library calls a builtin, not Python, because it would lose an exception, such as that of Ctrl-C.
        sink = SimpleNamespace(write=self.encoded.append)
        self._container: OutputContainer = self._av.open(
            sink, "w", format=suffix[1:], container_options={**container, "flush_packets": "1"}
        )
        self._stream: VideoStream = self._container.add_stream(CODECS[suffix], rate=fps, options=self._options(fps))
        self._stream.height, self._stream.width = shape[:2]
        self._stream.pix_fmt = self._shown_in
        self._tick = 1 / fps
        self._count = 0
        self._container.start_encoding()

    def add(self, frame: NDArray[np.uint8]) -> None:
        """Encodes a frame, or some frames before it: the encoder looks ahead."""
        picture: VideoFrame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")
        picture.pts, picture.time_base = self._count, self._tick
        self._count += 1
        self._encode(self._prepared(picture))

    def finish(self) -> None:
        """Encodes the remaining frames, and the end of the file; after an interrupt it can be called again."""
        with suppress(EOFError):  # from such a second call
            self._encode(None)
        self._container.close()

    def __del__(self) -> None:
        """Close an abandoned video: some versions of PyAV crash when they collect an open container."""
        if hasattr(self, "_container"):
            self._container.close()

    def _encode(self, picture: VideoFrame | None) -> None:
        # Builtins only, from the encoder to the container, so that Ctrl-C cannot lose a packet in between.
        any(map(self._container.mux, map(self._stream.encode, (picture,))))

    def _options(self, fps: Fraction) -> dict[str, str]:
        raise NotImplementedError

    def _prepared(self, picture: VideoFrame) -> VideoFrame:
        return picture


def even(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns a frame with even sides, padded by its last row and column: H.264 stores one colour for 2x2 pixels."""
    height, width = frame.shape[:2]
    return np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")


class Mp4(Encoder):
    """H.264 in fragments of a second."""

    _shown_in = "yuv420p"

    def __init__(self, shape: tuple[int, ...], fps: Fraction) -> None:
        super().__init__(".mp4", tuple(side + side % 2 for side in shape[:2]), fps, FRAGMENTED)

    def add(self, frame: NDArray[np.uint8]) -> None:
        """Encodes a frame, padded to even sides."""
        super().add(even(frame))

    def _options(self, fps: Fraction) -> dict[str, str]:
        return {**X264, "g": str(max(1, round(fps)))}


class Gif(Encoder):
    """Frames with a palette each, repeated for ever."""

    _shown_in = "pal8"

    def __init__(self, shape: tuple[int, ...], fps: Fraction) -> None:
        super().__init__(".gif", shape, min(fps, Fraction(GIF_FPS)), {"loop": "0"})
        self._colors = self._palette_graph(shape)

    def _options(self, fps: Fraction) -> dict[str, str]:
        # The encoder's savings compare palette indices, which stand for other colours in the next frame's palette.
        return {"gifflags": "0"}

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
