"""Who may talk to the studio: those with the token, under a name of this machine, from the studio's own page."""

from __future__ import annotations

import secrets
import socket
from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


class Refusal(NamedTuple):
    """Why a request is refused."""

    status: int
    text: str


class Guard:
    """Checks requests.

    Args:
        host: The address on which the server listens.

    Attributes:
        token: The secret part of the link.
        is_open: Whether other machines can connect.
    """

    def __init__(self, host: str) -> None:
        self.token = secrets.token_urlsafe(24)
        self.is_open = host not in LOOPBACK
        self._names = {*LOOPBACK, host.lower(), *({socket.gethostname().lower()} if self.is_open else ())}

    def inner_path(self, path: str) -> str | None:
        """Returns the path behind the token; None if the token is missing or wrong."""
        token, slash, rest = path.removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            return None
        return slash + rest

    def refusal(self, host: str, origin: str | None, needs_origin: bool) -> Refusal | None:
        """Returns why a request is refused, or None.

        A page of another site, and one whose name was bound anew to this address, come with another name in `Host` or
        `Origin`.

        Args:
            host: The header `Host`.
            origin: The header `Origin`, or None.
            needs_origin: Whether it has to be there.
        """
        name = _name(host)
        if name not in self._names and not (self.is_open and _is_address(name)):
            return Refusal(421, "This name is none of the studio's machine")
        if origin is None:
            return Refusal(403, "An Origin is needed") if needs_origin else None
        if origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower()):
            return Refusal(403, "Pages of other sites may not use the studio")
        return None


def _name(host: str) -> str:
    """Returns the name in a header `Host`, without its port; "" if it holds anything else."""
    if any(letter in host for letter in "@/?#\\"):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
