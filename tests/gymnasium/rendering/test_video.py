"""Videos are read back with PyAV."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest

from gymnasium.error import DependencyNotInstalled
from gymnasium.rendering import VideoWriter

WITHOUT_PYAV = """
import sys
sys.modules["av"] = None
import warnings
warnings.simplefilter("ignore", SyntaxWarning)  # of moviepy 1
import numpy as np
from gymnasium.rendering import VideoWriter
path, height, width, count = sys.argv[1], *map(int, sys.argv[2:])
with VideoWriter(path, 30) as video:
    for i in range(count):
        frame = np.zeros((height, width, 3), np.uint8)
        frame[:, : 10 + i] = 20, 160, 90
        video.write(frame)
try:
    VideoWriter(path, 30).write(np.zeros((4, 4), np.uint8))
except ValueError as error:
    print(error)
"""
COLORS = ((200, 30, 60), (20, 160, 90), (250, 250, 250), (10, 10, 40))
SUFFIXES = (".mp4", ".gif")


def picture(i: int, height: int = 48, width: int = 64) -> np.ndarray:
    """A frame of two halves, in colours that depend on `i`."""
    frame = np.empty((height, width, 3), np.uint8)
    frame[:, : width // 2] = COLORS[i % 4]
    frame[:, width // 2 :] = COLORS[(i + 1) % 4]
    return frame


def recorded(path: Path, count: int, fps: float = 30, **size: int) -> list[np.ndarray]:
    """Writes `count` frames and returns those in the file."""
    with VideoWriter(path, fps) as video:
        for i in range(count):
            video.write(picture(i, **size))
    return read(path)


def read(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("count", [1, 2, 100])
def test_every_frame_comes_back_in_its_colours(tmp_path, suffix, count) -> None:
    frames = recorded(tmp_path / f"film{suffix}", count)
    assert len(frames) == count
    for i in {0, count // 2, count - 1}:
        for x in (10, 50):
            assert frames[i][24, x] == pytest.approx(picture(i)[24, x], abs=8)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("height", "width"), [(48, 64), (47, 63)])
def test_every_pixel_keeps_its_place(tmp_path, suffix, height, width) -> None:
    frame = np.zeros((height, width, 3), np.uint8)
    frame[24:, 32:] = 255
    with VideoWriter(tmp_path / f"film{suffix}", 30) as video:
        video.write(frame)
    (back,) = read(tmp_path / f"film{suffix}")
    assert back[:height, :width].astype(int) == pytest.approx(frame, abs=40)


@pytest.mark.parametrize("fps", [10, 25, 50])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_video_starts_at_once_and_lasts_as_long_as_its_frames(tmp_path, suffix, fps) -> None:
    path = tmp_path / f"film{suffix}"
    recorded(path, 21, fps)
    with av.open(str(path)) as file:
        times = [float(frame.pts * frame.time_base) for frame in file.decode(video=0)]
    assert times[0] == 0
    assert times[-1] == pytest.approx(20 / fps, abs=0.011)


def test_fractions_of_frames_per_second_are_kept(tmp_path) -> None:
    recorded(tmp_path / "film.mp4", 10, 12.5)
    with av.open(str(tmp_path / "film.mp4")) as file:
        assert float(file.streams.video[0].average_rate) == 12.5


def test_a_gif_is_never_faster_than_browsers_play_it(tmp_path) -> None:
    frames = recorded(tmp_path / "film.gif", 30, fps=125)
    assert len(frames) == 30
    with av.open(str(tmp_path / "film.gif")) as file:
        assert float(file.streams.video[0].average_rate) == pytest.approx(50, abs=0.1)


def test_an_mp4_is_h264_that_every_player_knows(tmp_path) -> None:
    recorded(tmp_path / "film.mp4", 5)
    with av.open(str(tmp_path / "film.mp4")) as file:
        context = file.streams.video[0].codec_context
        assert (context.name, context.pix_fmt) == ("h264", "yuv420p")


@pytest.mark.parametrize(("height", "width"), [(47, 64), (48, 63), (1, 1), (401, 601)])
def test_odd_sides_are_padded_in_mp4_and_kept_in_gif(tmp_path, height, width) -> None:
    (mp4,) = recorded(tmp_path / "film.mp4", 1, height=height, width=width)
    (gif,) = recorded(tmp_path / "film.gif", 1, height=height, width=width)
    assert mp4.shape == (height + height % 2, width + width % 2, 3)
    assert gif.shape == (height, width, 3)
    assert mp4[-1, -1] == pytest.approx(mp4[height - 1, width - 1], abs=8)
    for x in (width // 4, 3 * width // 4):
        assert mp4[0, x] == pytest.approx(gif[0, x], abs=8)


def test_each_frame_of_a_gif_has_its_own_palette(tmp_path) -> None:
    """A thousand colours in all, 250 in each frame."""
    frames = []
    for i in range(4):
        frame = np.zeros((16, 250, 3), np.uint8)
        frame[:, :, i % 3] = np.arange(250)
        frame[:, :, (i + 1) % 3] = 60 * i
        frames.append(frame)
    with VideoWriter(tmp_path / "film.gif", 10) as video:
        for frame in frames:
            video.write(frame)
    for frame, back in zip(frames, read(tmp_path / "film.gif"), strict=True):
        assert np.abs(frame.astype(int) - back).mean() < 3


def test_frames_that_are_not_contiguous_are_written_right(tmp_path) -> None:
    with VideoWriter(tmp_path / "film.gif", 30) as video:
        video.write(picture(0)[:, ::-1])
    assert read(tmp_path / "film.gif")[0][24, 10] == pytest.approx(COLORS[1], abs=8)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_frame_of_another_shape_is_refused_and_the_others_kept(tmp_path, suffix) -> None:
    path = tmp_path / f"film{suffix}"
    with VideoWriter(path, 30) as video:
        video.write(picture(0))
        with pytest.raises(ValueError, match=r"\(48, 64, 3\).*\(48, 32, 3\)"):
            video.write(picture(1, width=32))
        video.write(picture(2))
    assert len(read(path)) == 2


@pytest.mark.parametrize(
    ("frame", "named"),
    [
        (picture(0).astype(np.float64), "float64"),
        (picture(0)[..., 0], r"\(48, 64\)"),
        (np.zeros((4, 4, 4), np.uint8), r"\(4, 4, 4\)"),
        ("frame", "str"),
    ],
)
def test_a_frame_that_is_no_picture_is_refused(tmp_path, frame, named) -> None:
    video = VideoWriter(tmp_path / "film.mp4", 30)
    with pytest.raises(ValueError, match=named):
        video.write(frame)
    video.close()
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["film.avi", "film", "mp4"])
def test_an_unknown_ending_is_refused(tmp_path, name) -> None:
    with pytest.raises(ValueError, match=r"\.mp4 or \.gif"):
        VideoWriter(tmp_path / name, 30)


@pytest.mark.parametrize("fps", [0, -3, float("nan"), float("inf"), 1e-9, 1e12, None, "30"])
def test_what_cannot_be_a_rate_is_refused(tmp_path, fps) -> None:
    with pytest.raises(ValueError, match=f"fps={fps!r}"):
        VideoWriter(tmp_path / "film.mp4", fps)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("fps", "shown"), [(0.002, 0.002), (np.float32(0.3), 0.3), (np.int16(25), 25), (1e6, 1e6)])
def test_slow_and_fast_videos_last_as_long_as_their_frames(tmp_path, suffix, fps, shown) -> None:
    recorded(tmp_path / f"film{suffix}", 21, fps)
    with av.open(str(tmp_path / f"film{suffix}")) as file:
        times = [float(frame.pts * frame.time_base) for frame in file.decode(video=0)]
    assert times[-1] == pytest.approx(20 / (min(shown, 50) if suffix == ".gif" else shown), abs=0.005, rel=1e-4)


def test_a_missing_folder_is_refused_at_once(tmp_path) -> None:
    with pytest.raises(FileNotFoundError, match="create it"):
        VideoWriter(tmp_path / "missing" / "film.mp4", 30)


def test_a_folder_is_no_video(tmp_path) -> None:
    (tmp_path / "film.mp4").mkdir()
    with pytest.raises(IsADirectoryError, match=r"film\.mp4"):
        VideoWriter(tmp_path / "film.mp4", 30)


def test_a_folder_that_cannot_be_written_to_is_refused_at_once(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    with pytest.raises(PermissionError, match="cannot be written"):
        VideoWriter(tmp_path / "film.mp4", 30)


def test_close_can_be_repeated_and_ends_writing(tmp_path) -> None:
    video = VideoWriter(tmp_path / "film.mp4", 30)
    video.write(picture(0))
    video.close()
    video.close()
    with pytest.raises(ValueError, match="closed"):
        video.write(picture(1))
    assert len(read(tmp_path / "film.mp4")) == 1


def test_an_exception_leaves_a_finished_file(tmp_path) -> None:
    with pytest.raises(KeyError), VideoWriter(tmp_path / "film.mp4", 30) as video:
        for i in range(7):
            video.write(picture(i))
        raise KeyError
    assert len(read(tmp_path / "film.mp4")) == 7


@pytest.mark.skipif(sys.platform == "win32", reason="kills the process as POSIX does")
def test_an_mp4_survives_its_process(tmp_path) -> None:
    """Written frames reach the disk every second; the last moments may be lost."""
    program = f"""
import os, numpy as np
from gymnasium.rendering import VideoWriter
video = VideoWriter({str(tmp_path / "film.mp4")!r}, 10)
for i in range(100):
    video.write(np.full((48, 64, 3), i, np.uint8))
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", program], timeout=60)
    assert len(read(tmp_path / "film.mp4")) >= 60


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("height", "width"), [(48, 64), (47, 63)])
def test_moviepy_writes_the_same_where_pyav_is_missing(tmp_path: Path, suffix: str, height: int, width: int) -> None:
    pytest.importorskip("moviepy")
    path = tmp_path / f"film{suffix}"
    command = [sys.executable, "-c", WITHOUT_PYAV, str(path), str(height), str(width), "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    frames = read(path)
    assert len(frames) == 20
    for i in (0, 19):
        assert frames[i][20, 4].astype(int) == pytest.approx((20, 160, 90), abs=10)
        assert frames[i][20, 40].astype(int) == pytest.approx((0, 0, 0), abs=10)
    assert frames[0].shape[:2] == ((height, width) if suffix == ".gif" else (48, 64))
    assert "shape (height, width, 3)" in done.stdout


def test_without_pyav_and_moviepy_the_command_installs_pyav(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setitem(sys.modules, "moviepy", None)
    monkeypatch.setitem(sys.modules, "moviepy.video.io.ffmpeg_writer", None)
    with pytest.raises(DependencyNotInstalled, match=r"av is needed for writing videos.*pip install \"av"):
        VideoWriter(tmp_path / "film.mp4", 30)
