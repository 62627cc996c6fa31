"""An HDF5 file that grows by whole objects, and is complete at every moment.

New objects go behind the end, which readers do not see. Then one write of the superblock, 96 bytes within a page, makes
them part of the file. A process that is killed at any moment leaves the file as it was after the last such write.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from palaestra.recording.data_sets.index import SUPERBLOCK_SIZE, Index, superblock


class TrajectoryFile:
    """A file with named objects below its root.

    Args:
        path: Where it is.
        objects: The addresses of the objects of an existing file; None makes the file, which must not exist.

    Raises:
        OSError: If the file cannot be opened or written to.
    """

    def __init__(self, path: Path, objects: Mapping[str, int] | None = None) -> None:
        self._file = open(path, "xb" if objects is None else "r+b", buffering=0)  # noqa: SIM115  (see `close`)
        self.path = path
        self._index = Index()
        self._pending: list[bytes] = []
        self._written = SUPERBLOCK_SIZE if objects is None else self._file.seek(0, os.SEEK_END)
        self._end = self._written
        for name, address in (objects or {}).items():
            self._index.insert(name.encode(), address)
        if objects is None:
            self.commit()

    @property
    def end(self) -> int:
        """The address of the next object that `add` takes."""
        return self._end

    def add(self, data: bytes) -> int:
        """Returns the address of new bytes, which `write` writes."""
        address = self._end
        self._pending.append(data)
        self._end += len(data)
        return address

    def write(self) -> None:
        """Write all additions.

        Raises:
            OSError: If this fails; additions since the last call are gone then.
        """
        data, self._pending, start = b"".join(self._pending), [], self._written
        self._written = self._end
        try:
            self._write_at(start, data)
        except BaseException:
            self._written = self._end = start
            raise

    def mark(self, place: int) -> None:
        """Set a flag in a block of an episode that is not linked yet."""
        self._write_at(place, b"\1")

    def link(self, name: str, address: int) -> None:
        """Name an object that is written; `commit` makes it part of the file."""
        self._index.insert(name.encode(), address)

    def commit(self) -> None:
        """Make all named objects part of the file.

        Raises:
            OSError: If this fails; the file is as before then, and the next call tries again.
        """
        try:
            writes, end, root = self._index.changes(self._end)
            for place, data in writes:
                self._write_at(place, data)
            self._write_at(0, superblock(root, end))
        except BaseException:
            self._index.failed()
            raise
        self._written = self._end = end
        self._index.committed()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write_at(self, place: int, data: bytes) -> None:
        self._file.seek(place)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
