"""Videos on a disk that is full, gone, slow or broken: an error with name and reason, and nothing else is harmed."""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest

from gymnasium.rendering import VideoWriter, _video_file

SUFFIXES = (".mp4", ".gif")
FRAMES = 20
FPS = 10
STEPS = {".mp4": 1, ".gif": 4}  # of the writes of a video, which ones fail: a .gif has one for each frame


def frame(i: int) -> np.ndarray:
    return np.random.default_rng(i).integers(0, 255, (32, 48, 3), np.uint8)


def film(path: Path) -> bytes:
    with VideoWriter(path, FPS) as video:
        for i in range(FRAMES):
            video.write(frame(i))
    return path.read_bytes()


def count(path: Path) -> int:
    with av.open(str(path)) as file:
        return sum(1 for _ in file.decode(video=0))


# The library used to crash, so this runs in a process of its own. A limit on the size of files is a full disk for
# everyone: Python ignores its signal, and the write fails.
LIMITED = """
import resource, sys
import numpy as np
from gymnasium.rendering import VideoWriter

path, other, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)

def film(path):
    video = VideoWriter(path, 10)
    try:
        for i in range(20):
            video.write(np.random.default_rng(i).integers(0, 255, (32, 48, 3), np.uint8))
        video.close()
    finally:
        video.close()

resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
try:
    film(path)
except OSError as error:
    print(error.errno, error.filename, error.strerror, sep="|")
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
film(other)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a limit as POSIX has it")
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("missing", [1, 300, 10_000, None])
def test_a_full_disk_is_an_error_and_the_next_video_is_whole(tmp_path, suffix, missing) -> None:
    """Room lacks for the last byte, for the end, for some frames, for all."""
    path, other = tmp_path / f"film{suffix}", tmp_path / f"other{suffix}"
    whole = film(tmp_path / f"whole{suffix}")
    limit = 0 if missing is None else len(whole) - missing

    done = subprocess.run(
        [sys.executable, "-c", LIMITED, path, other, str(limit)], capture_output=True, text=True, timeout=60
    )

    assert (done.returncode, done.stderr) == (0, "")
    number, name, reason = done.stdout.strip().split("|")
    assert (int(number), name) == (errno.EFBIG, str(path))
    assert os.strerror(errno.EFBIG) in reason
    assert not path.exists()
    assert other.read_bytes() == whole
    partial = tmp_path / f"film.partial{suffix}"
    assert (str(partial) in reason) == partial.exists() == bool(limit)
    if limit:
        assert whole.startswith(partial.read_bytes())
        assert 0 < count(partial) <= FRAMES


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_no_file_is_neither_cut_nor_renamed(tmp_path, suffix) -> None:
    path = tmp_path / f"film{suffix}"
    path.symlink_to("/dev/full")

    with pytest.raises(OSError, match="nothing is left") as caught:
        film(path)

    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    assert [path.name for path in tmp_path.iterdir()] == [path.name]
    assert path.is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("when", ["write", "close"])
def test_a_folder_that_is_deleted_meanwhile_is_an_error(tmp_path, suffix, when) -> None:
    path = tmp_path / "folder" / f"film{suffix}"
    path.parent.mkdir()
    video = VideoWriter(path, FPS)
    video.write(frame(0))
    shutil.rmtree(path.parent)

    with pytest.raises(FileNotFoundError, match="deleted meanwhile") as caught:
        video.write(frame(1)) if when == "write" else video.close()

    assert caught.value.filename == str(path)
    video.close()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")
def test_a_file_may_be_moved_meanwhile(tmp_path) -> None:
    whole = film(tmp_path / "whole.mp4")
    with VideoWriter(tmp_path / "film.mp4", FPS) as video:
        for i in range(FRAMES):
            video.write(frame(i))
            if i == 15:
                (tmp_path / "film.mp4").rename(tmp_path / "moved.mp4")
    assert (tmp_path / "moved.mp4").read_bytes() == whole


class Flaky(io.FileIO):
    """A file whose k-th write, or whose closing, fails, and which then is as any other."""

    fails_at: int | None = None
    at_close = False
    error: type[BaseException] = OSError
    most = 10**9

    def __init__(self, path: Path, mode: str, buffering: int) -> None:
        super().__init__(path, mode)
        self.writes = 0

    def write(self, data: memoryview) -> int:
        k, self.writes = self.writes, self.writes + 1
        if k == self.fails_at:
            super().write(data[: len(data) // 2])
            raise self.error(errno.EIO, "broken")
        return super().write(data[: self.most])

    def close(self) -> None:
        failing = self.at_close and not self.closed
        super().close()
        if failing:
            raise OSError(errno.EDQUOT, "no quota")


@pytest.fixture
def flaky(monkeypatch) -> type[Flaky]:
    kind = type("Flaky", (Flaky,), {})
    monkeypatch.setattr(_video_file, "open", kind, raising=False)
    return kind


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_short_writes_are_continued(tmp_path, suffix, flaky) -> None:
    whole = film(tmp_path / f"whole{suffix}")
    flaky.most = 7
    assert film(tmp_path / f"film{suffix}") == whole


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_whichever_write_fails_the_frames_before_it_are_kept_and_it_is_raised_once(tmp_path, suffix, flaky) -> None:
    path, partial = tmp_path / f"film{suffix}", tmp_path / f"film.partial{suffix}"
    whole = film(path)
    kept = []
    for k in range(0, 1000, STEPS[suffix]):
        flaky.fails_at = k
        video = VideoWriter(path, FPS)
        try:
            for i in range(FRAMES):
                video.write(frame(i))
            video.close()
            break
        except OSError as error:
            assert (error.errno, error.filename) == (errno.EIO, str(path))
        video.close()
        with pytest.raises(ValueError, match="closed"):
            video.write(frame(0))
        assert not path.exists()
        kept.append(count(partial) if partial.exists() else 0)
        assert not kept[-1] or whole.startswith(partial.read_bytes())
        partial.unlink(missing_ok=True)
    assert path.read_bytes() == whole
    assert kept == sorted(kept)
    assert kept[0] == 0
    assert kept[-1] > 5  # not all: the encoder looks ahead, and its last frames come at once


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_interrupted_write_is_made_up_for(tmp_path, suffix, flaky) -> None:
    """Ctrl-C in the midst of any write: the next call writes the same again, be it `write` or `close`."""
    path = tmp_path / f"film{suffix}"
    whole = film(path)
    flaky.error = KeyboardInterrupt
    for k in range(0, 1000, STEPS[suffix]):
        flaky.fails_at = k
        video = VideoWriter(path, FPS)
        interrupts = 0
        for i in range(FRAMES):
            try:
                video.write(frame(i))
            except KeyboardInterrupt:
                interrupts += 1
        try:
            video.close()
        except KeyboardInterrupt:
            interrupts += 1
            video.close()
        assert path.read_bytes() == whole
        if not interrupts:
            break
    assert k > 3


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_cannot_be_closed_is_no_whole_video(tmp_path, suffix, flaky) -> None:
    flaky.at_close = True
    path = tmp_path / f"film{suffix}"
    video = VideoWriter(path, FPS)
    video.write(frame(0))
    with pytest.raises(OSError, match="no quota") as caught:
        video.close()
    video.close()
    assert caught.value.filename == str(path)
    assert [path.name for path in tmp_path.iterdir()] == [f"film.partial{suffix}"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_where_it_cannot_be_renamed_the_error_says_where_the_frames_are(tmp_path, suffix, flaky) -> None:
    path = tmp_path / f"film{suffix}"
    (tmp_path / f"film.partial{suffix}").mkdir()
    flaky.fails_at = 5
    with pytest.raises(OSError, match=f"frames so far are in {path};"):
        film(path)
    assert 0 < count(path) < FRAMES
