"""Studios that serve, and the pages that talk to them."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import ClientConnection, connect

from gymnasium.envs.registration import spec
from gymnasium.studio.gallery import Family
from gymnasium.studio.making import Origin, Registered
from gymnasium.studio.server import Server
from gymnasium.studio.stages import Stages

Serve = Callable[..., "Studio"]
PATIENCE = 30.0  # s, on a busy machine


class Studio:
    """A server, as a page sees it."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.server, self.link, self._stack = server, server.link, stack
        parts = urlsplit(server.link)
        self.host, self.path = parts.netloc, parts.path
        server.start()

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        """Returns status and body of a path; `Host` and others as headers."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def page(self, env: str = "", **options: Any) -> Page:
        """Opens the WebSocket of a stage, as the page does."""
        options = {"origin": f"http://{self.host}", **options}
        connection = connect(f"ws://{self.host}{self.path}live?env={env}", max_size=None, **options)
        return Page(self._stack.enter_context(connection))


class Page:
    """What a page knows, and what it says."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.status: dict[str, Any] = {}
        self.description: dict[str, Any] | None = None
        self.rows: dict[int, list[Any]] = {}
        self.refused: list[str] = []
        self.pictures = 0

    def say(self, do: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"do": do, **fields}))

    def until(self, what: Callable[[Page], Any]) -> Any:
        """Listens until something is true, and returns it."""
        limit = time.monotonic() + PATIENCE
        while not (found := what(self)):
            self._hear(self.socket.recv(max(0.1, limit - time.monotonic())))
        return found

    def _hear(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            self.pictures += 1
            self.say("seen")
            return
        told = json.loads(message)
        kind = told.pop("kind")
        if kind == "environment":
            self.description, self.rows = told["description"], {}
        elif kind == "status":
            self.status = told
        elif kind == "steps":
            self.rows.setdefault(told["branch"], [])[told["begin"] :] = told["rows"]
        elif kind == "refused":
            self.refused.append(told["text"])


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts studios, which end with the test."""
    with ExitStack() as stack:
        yield lambda *arguments, **options: started(stack, *arguments, **options)


def started(stack: ExitStack, origin: Origin | str | None = "CartPole-v1", **options: Any) -> Studio:
    """Returns a studio of an environment, or one with a gallery of two."""
    alone = Registered(spec(origin)) if isinstance(origin, str) else origin
    specs = [spec(env_id) for env_id in ("CartPole-v1", "FrozenLake-v1")]
    server = Server(Stages([Family("some", "ready", True, specs)], alone, **options))
    stack.callback(server.close)
    return Studio(server, stack)
