"""The file of a video, on a disk that may be full."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path


class VideoFile:
    """A file that is written from front to back, piece by piece.

    If a piece cannot be written, the file ends before it, as `{name}.partial{suffix}`; it is removed if it holds no
    frame. Ctrl-C does no harm: an interrupted call can be repeated.

    Args:
        path: The file, which is made or overwritten.
        head: The number of bytes before the first frame.

    Raises:
        OSError: If it cannot be opened.
    """

    def __init__(self, path: Path, head: int) -> None:
        self._path, self._head = path, head
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115  # open as long as this object lives
        self._status = os.fstat(self._file.fileno())
        self._regular = stat.S_ISREG(self._status.st_mode)  # a pipe cannot be truncated or rewritten
        self._end = 0  # of the last piece

    def write(self, pieces: list[bytes]) -> None:
        """Write these pieces and empty the list.

        Raises:
            OSError: With the name and the reason, if that fails or the file was deleted. The file is closed then.
        """
        data = b"".join(pieces)
        size = len(data)
        try:
            self._check_it_is_there()
            self._put(data)
        except OSError as reason:
            raise self._given_up(reason) from reason
        # Python checks for Ctrl-C at calls and loops, so not between these two.
        self._end += size
        pieces[:] = ()

    def finish(self, pieces: list[bytes]) -> None:
        """Write the last pieces, and close the file unless it is closed; `OSError` as in `write`."""
        if self._file.closed:
            return
        self.write(pieces)
        try:
            self._file.close()
        except OSError as reason:
            raise self._given_up(reason) from reason

    def _put(self, data: bytes) -> None:
        if self._regular:
            self._file.seek(self._end)  # an interrupted piece is written again
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _check_it_is_there(self) -> None:
        """Raise `FileNotFoundError` for a deleted file: the system would continue to write to the nameless file."""
        if self._regular and not os.fstat(self._file.fileno()).st_nlink and not self._path.exists():
            raise FileNotFoundError(errno.ENOENT, "it was deleted meanwhile")

    def _given_up(self, reason: OSError) -> OSError:
        """Returns the error to raise, after the file was truncated to its last whole piece, renamed and closed."""
        kept = self._kept()
        left = f"the frames so far are in {kept}" if kept else "nothing is left of it"
        return OSError(
            reason.errno,
            f"The video cannot be written ({reason.strerror}), and {left}; make room or choose another folder",
            str(self._path),
        )

    def _kept(self) -> Path | None:
        """Returns the path of the kept frames, if any. Only the first error counts."""
        kept = None
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            # Someone else may have put another file in this place.
            if self._regular and os.path.samestat(self._status, self._path.stat()):
                if self._end > self._head:
                    os.truncate(self._path, self._end)
                    kept = self._path
                    kept = kept.replace(kept.with_name(f"{kept.stem}.partial{kept.suffix}"))
                else:
                    self._path.unlink()
        return kept
