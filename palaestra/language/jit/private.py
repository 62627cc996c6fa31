"""Folders and files that no other user can have written: whoever writes machine code decides what runs here.

Owner and mode are those of what is open, and no symbolic link is followed, so that nobody exchanges a file between the
check and the reading.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_HAS_OWNERS = hasattr(os, "getuid") and os.open in os.supports_dir_fd  # elsewhere a user's folders are private anyway
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_DIGEST = re.compile("[0-9a-f]{32}")  # the name of a folder that may be removed
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class PrivateFolder:
    """A folder below one that the user has chosen.

    Every method raises OSError if another user owns or can write a folder between the two, or the file.

    Args:
        base: The user's folder, which others may own and links may lead to.
        parts: The names of the folders below, made with the mode 0700 if they are missing.
    """

    def __init__(self, base: Path, *parts: str) -> None:
        self._base, self._parts = base, parts
        self.path = base.joinpath(*parts)

    def read(self, name: str) -> bytes:
        """Returns the content of a file."""
        with self._opened() as folder:
            # Whoever opens a pipe would wait for its writer.
            flags = os.O_RDONLY | _NO_LINK | _BINARY | getattr(os, "O_NONBLOCK", 0)
            with open(os.open(self._named(name, folder), flags, dir_fd=folder), "rb") as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    raise OSError(f"{self.path / name} is not a file")
                _check(found, self.path / name)
                return file.read()

    def write(self, name: str, content: bytes) -> None:
        """Write a file at once: other processes see all of it, or nothing."""
        with self._opened(make=True) as folder:
            temporary = self._named(f"tmp{secrets.token_hex(8)}", folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY
            handle = os.open(temporary, flags, 0o600, dir_fd=folder)
            try:
                with open(handle, "wb") as file:
                    file.write(content)
                # Numba recompiles if the date differs, as for another process's file.
                os.utime(temporary, (0, 0), dir_fd=folder)
                os.replace(temporary, self._named(name, folder), src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                os.unlink(temporary, dir_fd=folder)
                raise

    def touch(self) -> None:
        """Note that the folder is in use now."""
        with self._opened() as folder:
            os.utime(self.path if folder is None else folder)

    def is_steady(self) -> bool:
        """Returns whether other users cannot exchange the folder either, for a library that opens it by its path."""
        if not _HAS_OWNERS:
            return True
        with suppress(OSError), self._opened():
            return all(_is_steady(one.stat()) for one in self.path.resolve().parents)
        return False

    def shrink(self, limit: int) -> None:
        """Remove the folders in it that were in use the longest ago, until they have `limit` bytes at most."""
        with self._opened() as folder, os.scandir(self.path if folder is None else folder) as found:
            entries = [one for one in found if _DIGEST.fullmatch(one.name) and one.is_dir(follow_symlinks=False)]
            entries.sort(key=lambda one: one.stat(follow_symlinks=False).st_mtime)
            sizes = [_size(self._named(one.name, folder), folder) for one in entries]
            excess = sum(sizes) - limit
            for one, size in zip(entries, sizes, strict=True):
                if excess <= 0:
                    return
                _remove(self._named(one.name, folder), folder)
                excess -= size

    def _named(self, name: str, folder: int | None) -> str:
        return str(self.path / name) if folder is None else name

    @contextmanager
    def _opened(self, make: bool = False) -> Iterator[int | None]:
        """Opens the folder; None where there are no descriptors of folders."""
        if make:
            _make(self._base if _HAS_OWNERS else self.path)
        if not _HAS_OWNERS:
            yield None
            return
        folder = _walked(self._base, self._parts, self.path, make)
        try:
            yield folder
        finally:
            os.close(folder)


def is_private(path: Path) -> bool:
    """Returns whether a folder is this user's alone to write."""
    if not _HAS_OWNERS:
        return True
    with suppress(OSError):
        _check(path.stat(), path)
        return True
    return False


def _walked(base: Path, parts: Sequence[str], path: Path, make: bool) -> int:
    """Returns a descriptor of the innermost folder, after a check of each."""
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
    for part in parts:
        outer = folder
        try:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, 0o700, dir_fd=outer)
            folder = os.open(part, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK, dir_fd=outer)
        finally:
            os.close(outer)
        try:
            if make:
                _take_from_others(folder)
            _check(os.fstat(folder), path)
        except BaseException:
            os.close(folder)
            raise
    return folder


def _take_from_others(folder: int) -> None:
    """Let only this user write a folder of this user: what others have put into it is still theirs."""
    found = os.fstat(folder)
    if found.st_uid == os.getuid() and found.st_mode & _OTHERS:
        os.fchmod(folder, 0o700)


def _check(found: os.stat_result, path: Path) -> None:
    if _HAS_OWNERS and (found.st_uid != os.getuid() or found.st_mode & _OTHERS):
        raise PermissionError(f"{path} belongs to another user, or others can write to it")


def _is_steady(found: os.stat_result) -> bool:
    """Whether other users cannot exchange what is in a folder, as they cannot in one with the sticky bit."""
    ours = found.st_uid in (0, os.getuid())
    return ours and (not found.st_mode & _OTHERS or bool(found.st_mode & stat.S_ISVTX))


def _make(folder: Path) -> None:
    """Make a folder with the folders above it, each for this user alone."""
    if not folder.is_dir():
        _make(folder.parent)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)


def _size(name: str, folder: int | None) -> int:
    """Returns the bytes of the files in a folder."""
    if folder is None:
        return sum(one.stat().st_size for one in Path(name).rglob("*"))
    size = 0
    for _, _, files, within in os.fwalk(name, dir_fd=folder):
        size += sum(os.stat(one, dir_fd=within, follow_symlinks=False).st_size for one in files)
    return size


def _remove(name: str, folder: int | None) -> None:
    """Remove a folder, whatever links are in it."""
    if folder is None:
        shutil.rmtree(name)
        return
    # `shutil.rmtree` takes no descriptor before Python 3.11.
    for _, folders, files, within in os.fwalk(name, topdown=False, dir_fd=folder):
        for one in files:
            os.unlink(one, dir_fd=within)
        for one in folders:
            try:
                os.rmdir(one, dir_fd=within)
            except NotADirectoryError:  # a link to one
                os.unlink(one, dir_fd=within)
    os.rmdir(name, dir_fd=folder)
