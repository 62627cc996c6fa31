"""Messages between a vector environment and a worker process: a stream socket and a frame around each message.

The parent never blocks here: what the socket does not take is kept and sent later, what has come in part is kept
until the rest is there. So a worker that is stopped, or ends amid a message, cannot hold the parent up. And a socket
has no name: nothing of it can be left behind.
"""

from __future__ import annotations

import socket
import struct
from typing import NamedTuple

_HEADER = struct.Struct("<BiII")
_CHUNK = 1 << 18
ALL = -1


class Message(NamedTuple):
    """A request or the reply to it.

    Attributes:
        kind: What is asked or answered, see `gymnasium.vector.protocol`.
        env: The one environment that it is about, `ALL` of the worker's.
        number: The request's number, which its reply repeats.
        payload: Whatever the kind needs besides.
    """

    kind: int
    env: int
    number: int
    payload: bytes


class Channel:
    """One end of the connection."""

    def __init__(self, end: socket.socket, blocking: bool) -> None:
        end.setblocking(blocking)
        self.socket = end
        self._blocking = blocking
        self._buffer = memoryview(bytearray(_CHUNK))
        self._incoming = bytearray()
        self._outgoing = bytearray()

    @property
    def unsent(self) -> bool:
        """Whether something is left to send."""
        return bool(self._outgoing)

    def send(self, kind: int, number: int, payload: bytes = b"", env: int = ALL) -> None:
        """Send a message, or as much of it as goes now; `flush` sends the rest."""
        self._outgoing += _HEADER.pack(kind, env, number, len(payload)) + payload
        self.flush()

    def flush(self) -> None:
        """Send what is left to send."""
        while self._outgoing:
            try:
                sent = self.socket.send(self._outgoing)
            except BlockingIOError:
                return
            except OSError:  # the other end is gone, and who reads will learn why
                self._outgoing.clear()
            else:
                del self._outgoing[:sent]

    def receive(self) -> list[Message]:
        """Returns the messages that have come; if the channel blocks, one at least.

        Raises:
            EOFError: If the other end is gone and all it sent has been received.
        """
        while True:
            try:
                size = self.socket.recv_into(self._buffer)
            except BlockingIOError:
                return []
            except OSError as error:
                raise EOFError("The other end was reset") from error
            if not size:
                raise EOFError("The other end was closed")
            if size == _HEADER.size and not self._incoming:
                kind, env, number, length = _HEADER.unpack_from(self._buffer)
                if not length:
                    return [Message(kind, env, number, b"")]
            self._incoming += self._buffer[:size]
            if (messages := self._complete()) or not self._blocking:
                return messages

    def _complete(self) -> list[Message]:
        """Take the whole messages out of what has come."""
        messages, start, size = [], 0, len(self._incoming)
        while size - start >= _HEADER.size:
            kind, env, number, length = _HEADER.unpack_from(self._incoming, start)
            end = start + _HEADER.size + length
            if end > size:
                break
            messages.append(Message(kind, env, number, bytes(self._incoming[start + _HEADER.size : end])))
            start = end
        del self._incoming[:start]
        return messages

    def close(self) -> None:
        """Close this end."""
        self.socket.close()
