"""Messages between a vector environment and a worker process: a stream socket with framed messages.

The parent never blocks here. Data that the socket does not accept is kept and sent later; a partial message is kept
until the rest arrives. A worker that is stopped, or ends in the middle of a message, therefore cannot block the parent.
And a socket has no name, so nothing of it can be left behind.
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
        kind: The kind of request or reply, see `gymnasium.vector._workers.protocol`.
        env: The index of a single environment, or `ALL` of the worker's.
        number: The request's number, which its reply repeats.
        payload: The further data of this kind.
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
        """Whether data remains to be sent."""
        return bool(self._outgoing)

    def send(self, kind: int, number: int, payload: bytes = b"", env: int = ALL) -> None:
        """Send a message, or as much of it as possible now; `flush` sends the rest."""
        self._outgoing += _HEADER.pack(kind, env, number, len(payload)) + payload
        self.flush()

    def flush(self) -> None:
        """Send the remaining data."""
        while self._outgoing:
            try:
                sent = self.socket.send(self._outgoing)
            except BlockingIOError:
                return
            except OSError:  # the other end is gone, and the reader will learn the reason
                self._outgoing.clear()
            else:
                del self._outgoing[:sent]

    def receive(self) -> list[Message]:
        """Returns the messages that have arrived; if the channel blocks, at least one.

        Raises:
            EOFError: If the other end is gone and all of its data has been received.
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
        """Extract the complete messages from the received data."""
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
