"""The cluster on this machine that this user has started.

Ray notes the address of the last cluster in a folder that every user can write, and looks at the processes of all
users. Whoever is at the address gets pickles and sends some, so only a cluster of this user's is joined unasked.
"""

from __future__ import annotations

import os
import socket
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_TABLES = Path("/proc/net/tcp"), Path("/proc/net/tcp6")  # of Linux: the sockets, with their users
_LISTENS = "0A"
_LONGEST = 300  # characters of an address


def own_address() -> str | None:
    """Returns the address of the last cluster that this user has started or joined here; None if there is none."""
    with suppress(OSError, ValueError):
        address = _noted()
        host, _, port = address.rpartition(":")
        if not _is_here(host) or _are_own(_users_of(int(port))):
            return address
    return None


def _noted() -> str:
    """Returns the address in Ray's note.

    Raises:
        OSError: If there is none, or another user can have written it.
        ValueError: If it is no text.
    """
    note = os.open(_folder() / "ray" / "ray_current_cluster", os.O_RDONLY | _flags())
    with open(note, encoding="ascii") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or not _is_own(found):
            raise PermissionError("Ray's note of its last cluster is another user's")
        return file.read(_LONGEST).strip()


def _folder() -> Path:
    """Returns the folder for temporary files, as Ray finds it."""
    names = ("RAY_TMPDIR", "TMPDIR") if sys.platform == "linux" else ("RAY_TMPDIR",)
    chosen = next((os.environ[name] for name in names if name in os.environ), None)
    usual = "/tmp" if sys.platform in ("linux", "darwin") else tempfile.gettempdir()
    return Path(usual if chosen is None else chosen)


def _flags() -> int:
    """No link is followed, and nobody waits for the writer of a pipe."""
    return getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def _is_own(found: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):
        return True
    # A group with the number of its user has no other member.
    others = stat.S_IWOTH | (0 if found.st_gid == found.st_uid else stat.S_IWGRP)
    return found.st_uid == os.getuid() and not found.st_mode & others


def _is_here(host: str) -> bool:
    """Whether a host is this machine; only an address of its own can be bound."""
    for family, kind, protocol, _, place in socket.getaddrinfo(host, 0, type=socket.SOCK_DGRAM):
        with suppress(OSError), socket.socket(family, kind, protocol) as one:
            one.bind(place)
            return True
    return False


def _users_of(port: int) -> set[int] | None:
    """Returns the users who listen at a port of this machine; None where this cannot be read."""
    users: set[int] = set()
    for table in _TABLES:
        try:
            lines = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            return None if table is _TABLES[0] else users
        for line in lines:
            _, place, _, state, *rest = line.split()
            if state == _LISTENS and int(place.rpartition(":")[2], 16) == port:
                users.add(int(rest[3]))
    return users


def _are_own(users: set[int] | None) -> bool:
    return users is None or users == {os.getuid()}
