"""Object files in a folder of the user's, in which later processes find them.

Nothing is read that another user can have written, and nothing is kept where there is no such place: owner and mode
are those of what is open, and no symbolic link is followed, so that no file is exchanged between the check and the
reading. Above `LIMIT` bytes, what was in use the longest ago is removed now and then.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

LIMIT = 256 * 2**20  # bytes

_HAS_OWNERS = hasattr(os, "getuid") and os.open in os.supports_dir_fd  # elsewhere a user's folders are private anyway
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_FILE = re.compile(r"[0-9a-f]{64}\.code")  # what may be removed


def folder() -> tuple[Path, tuple[str, ...]] | None:
    """Returns a folder of the user's, and the names of ours below it; None without a home.

    It is PALAESTRA_CACHE_DIR, or else the user's usual place for such files.
    """
    chosen = os.environ.get("PALAESTRA_CACHE_DIR")
    if chosen:
        return Path(chosen), ("code",)
    windows = sys.platform == "win32"
    usual = os.environ.get("LOCALAPPDATA" if windows else "XDG_CACHE_HOME")
    with suppress(RuntimeError):  # neither HOME nor an entry for the user
        base = Path(usual) if usual else Path.home().joinpath(*(("AppData", "Local") if windows else (".cache",)))
        return base, ("palaestra", "code")
    return None


def read(digest: str) -> bytes | None:
    """Returns the object file of a digest, or None if there is none that can be trusted."""
    with suppress(OSError), _opened(make=False) as (path, place):
        # Whoever opens a pipe would wait for its writer.
        flags = os.O_RDONLY | _FLAGS | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(_named(path, place, f"{digest}.code"), flags, dir_fd=place), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return None
            _check(found)
            seal, content = file.read(64), file.read()
        if seal == _seal(digest, content):
            os.utime(_named(path, place, f"{digest}.code"), dir_fd=place)
            return content
    return None


def write(digest: str, content: bytes) -> None:
    """Keep an object file, if there is a place for it: other processes see all of it, or nothing."""
    with suppress(OSError), _opened(make=True) as (path, place):
        temporary = _named(path, place, f"tmp{secrets.token_hex(8)}")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o600, dir_fd=place)
        try:
            with open(handle, "wb") as file:
                file.write(_seal(digest, content) + content)
            os.replace(temporary, _named(path, place, f"{digest}.code"), src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            os.unlink(temporary, dir_fd=place)
            raise
        if not next(_writes) % 64:  # it takes longer than a write
            _shrink(path, place)


_writes = count()


def _seal(digest: str, content: bytes) -> bytes:
    """What stands before a file's content, so that another or half a file in its place is not taken for it."""
    return hashlib.sha256(digest.encode() + content).hexdigest().encode()


def _shrink(path: Path, place: int | None) -> None:
    """Remove the files that were in use the longest ago, until they have `LIMIT` bytes at most."""
    with os.scandir(path if place is None else place) as found:
        files = [(one.name, one.stat(follow_symlinks=False)) for one in found if _FILE.fullmatch(one.name)]
    excess = sum(known.st_size for _, known in files) - LIMIT
    for name, known in sorted(files, key=lambda one: one[1].st_mtime):
        if excess <= 0:
            return
        os.unlink(_named(path, place, name), dir_fd=place)
        excess -= known.st_size


def _named(path: Path, place: int | None, name: str) -> str:
    return str(path / name) if place is None else name


@contextmanager
def _opened(make: bool) -> Iterator[tuple[Path, int | None]]:
    """Opens the folder; None where there are no descriptors of folders.

    Raises:
        OSError: If another user owns or can write a folder between the user's and this one, or there is none.
    """
    chosen = folder()
    if chosen is None:
        raise FileNotFoundError("there is no home")
    base, parts = chosen
    path = base.joinpath(*parts)
    if make:
        _make(base if _HAS_OWNERS else path)
    if not _HAS_OWNERS:
        yield path, None
        return
    place = _walked(base, parts, make)
    try:
        yield path, place
    finally:
        os.close(place)


def _walked(base: Path, parts: tuple[str, ...], make: bool) -> int:
    """Returns a descriptor of the innermost folder, after a check of each below the user's."""
    place = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
    for part in parts:
        outer = place
        try:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, 0o700, dir_fd=outer)
            place = os.open(part, os.O_RDONLY | os.O_DIRECTORY | _FLAGS, dir_fd=outer)
        finally:
            os.close(outer)
        try:
            _check(os.fstat(place))
        except BaseException:
            os.close(place)
            raise
    return place


def _check(found: os.stat_result) -> None:
    if _HAS_OWNERS and (found.st_uid != os.getuid() or found.st_mode & _OTHERS):
        raise PermissionError("it belongs to another user, or others can write to it")


def _make(path: Path) -> None:
    """Make a folder with the folders above it, each for this user alone."""
    if not path.is_dir():
        _make(path.parent)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)


class Note:
    """A note for later processes, for example that a program has passed its trial.

    Args:
        *texts: What it is about.
    """

    def __init__(self, *texts: str) -> None:
        self._texts = texts
        self._digest = hashlib.sha256("\0".join(("note", *texts)).encode()).hexdigest()

    def on(self, text: str) -> Note:
        """Returns the same note about something else, too."""
        return Note(*self._texts, text)

    def exists(self) -> bool:
        """Returns whether an earlier process has written the note."""
        return read(self._digest) is not None

    def text(self) -> str:
        """Returns what an earlier process has written; "" if there is no note."""
        return (read(self._digest) or b"").decode()

    def write(self, text: str = "noted") -> None:
        """Write the note, if there is a place for it."""
        write(self._digest, text.encode())
