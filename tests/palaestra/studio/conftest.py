"""Studios that serve, and the pages that talk to them."""

from __future__ import annotations

import http.client
import json
import math
import os
import pickle
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import ClientConnection, connect

from gymnasium.envs.registration import spec
from palaestra import studio
from palaestra.studio.gallery import Family
from palaestra.studio.making import Origin, Registered
from palaestra.studio.player_pool import PlayerPool
from palaestra.studio.server import Server
from palaestra.studio.training import watching
from palaestra.studio.training.dashboard import Dashboard
from palaestra.studio.training.helper import Tiles
from palaestra.studio.training.tile_drawer import TileDrawer
from tests.palaestra.studio.watched import Watch, monitor_of

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
REQUIRED = os.environ.get("STUDIO_BROWSER") == "required"
SIZES = {"desktop": (1280, 800), "phone": (400, 800)}

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

    def page(self, env: str = "", place: str = "live", **options: Any) -> Page:
        """Opens the WebSocket of a player, as the page does, or that of trainings."""
        options = {"origin": f"http://{self.host}", **options}
        connection = connect(f"ws://{self.host}{self.path}{place}?env={env}", max_size=None, **options)
        return Page(self._stack.enter_context(connection))


class Page:
    """What a page knows, and what it says."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.status: dict[str, Any] = {}
        self.description: dict[str, Any] | None = None
        self.rows: dict[int, list[Any]] = {}
        self.refused: list[str] = []
        self.unavailable = ""
        self.pictures = 0
        self.patient = True
        self.runs: dict[str, dict[str, Any]] = {}
        self.records: dict[str, list[Any]] = {}

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
            if self.patient:
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
        elif kind == "runs":
            self.runs |= {run["id"]: run for run in told["changed"]}
        elif kind == "records":
            self.records.setdefault(told["run"], [])[told["begin"] :] = told["records"]
        elif kind == "refused":
            self.refused.append(told["text"])
        elif kind == "unavailable":
            self.unavailable = told["text"]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts studios, which end with the test."""
    with ExitStack() as stack:
        yield lambda *arguments, **options: started(stack, *arguments, **options)


def started(stack: ExitStack, origin: Origin | str | None = "CartPole-v1", **options: Any) -> Studio:
    """Returns a studio of an environment, or one with a gallery of two."""
    alone = Registered(spec(origin)) if isinstance(origin, str) else origin
    specs = [spec(env_id) for env_id in ("CartPole-v1", "FrozenLake-v1")]
    server = Server(PlayerPool([Family("some", "ready", True, specs)], alone, **options))
    stack.callback(server.close)
    return Studio(server, stack)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser; the test is skipped without one, except where CI says that it is there."""
    if not CHROMIUM and not REQUIRED:
        pytest.skip("needs Chromium")
    if REQUIRED:
        import playwright.sync_api as api
    else:
        api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def is_fault(message: Any) -> bool:
    """Whether a page has done something wrong; that a server has gone is not its fault."""
    return message.type == "error" and "ERR_CONNECTION_REFUSED" not in message.text


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Opens pages; at the end, none of them may have reported an error."""
    errors: list[str] = []
    contexts: list[Any] = []

    def opened(link: str, size: str = "desktop", colours: str = "light") -> Any:
        width, height = SIZES[size]
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, color_scheme=colours))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if is_fault(message) else None)
        page.goto(link)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def serious(axe: Any, page: Any) -> list[str]:
    """The violations that keep somebody out, with the places."""
    results = axe.run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:120]}"
        for one in results
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


class Training:
    """A program that is watched, in a thread, with the server in this process.

    Attributes:
        studio: What pages see.
        dashboard: The server's part.
    """

    def __init__(self, folder: Path, stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
        self.dashboard = Dashboard(folder)
        self.studio = Studio(Server(dashboard=self.dashboard), stack)
        stack.callback(self.studio.server.close)
        self._folder, self._stack = folder, stack
        monkeypatch.setattr(watching, "_helper_of", lambda *place: self)
        self.link, self.is_open = self.studio.link, False

    def follow(self, run: Path, tiles: Tiles) -> None:
        """Have the tiles of a run, as the process beside a program does."""
        kind, made_of = (
            (None, None) if tiles.source is None else (tiles.source.kind, pickle.dumps(tiles.source.made_of))
        )
        self.dashboard.follow(run.name, TileDrawer(run.name, tiles.folder, tiles.count, kind, made_of))

    def watch(self, envs: Any, **options: Any) -> Any:
        """Returns the watched environments, whose records come often."""
        envs = watching.watch(envs, folder=self._folder, **options)
        self._stack.callback(envs.close)
        return envs

    def train(self, envs: Any, **own: float) -> Callable[[], None]:
        """Steps in a thread until the result is called."""
        ends = threading.Event()

        def steps() -> None:
            envs.reset(seed=1)
            while not ends.wait(0.002):
                envs.step(envs.action_space.sample())
                watching.log(**own)

        thread = threading.Thread(target=steps, daemon=True)
        thread.start()

        def end() -> None:
            ends.set()
            thread.join(PATIENCE)

        self._stack.callback(end)
        return end


@pytest.fixture
def training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Training]:
    """A studio of trainings."""
    with ExitStack() as stack:
        yield Training(tmp_path, stack, monkeypatch)
    watching._latest.clear()


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Watches without the process beside, so that the test itself is that process; what is due is seen at once."""

    class Nobody:
        link, is_alive, is_open = "", True, False

        def __init__(self, *arguments: Any) -> None:
            """Serve nothing."""

        def follow(self, run: Path, tiles: Any) -> None:
            """Hear nothing."""

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(watching, "Helper", Nobody)
    monkeypatch.setattr("palaestra.studio.training.monitor._GLANCE", 0.0)
    monkeypatch.setattr(watching, "_helpers", {})
    opened: list[Any] = []

    def watched(envs: Any, **options: Any) -> Any:
        opened.append(studio.watch(envs, folder=tmp_path / "runs", **options))
        monitor_of(opened[-1]).run.due = math.inf  # one record, at the end, however slow the machine is
        return opened[-1]

    yield watched
    for envs in opened:
        envs.close()
    watching._latest.clear()
