"""The web server; the one home of Starlette and uvicorn.

Each address begins with the token, so that the page's relative links carry it along: `/TOKEN/` is the page,
`/TOKEN/live` the WebSocket of a player.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from gymnasium.dependencies import not_installed
from gymnasium.error import Error
from palaestra.studio.gallery import Look
from palaestra.studio.guard import Guard
from palaestra.studio.messages import MAX_CHARACTERS, MessageError
from palaestra.studio.player_pool import PlayerPool, TooMany
from palaestra.studio.player_thread import Busy
from palaestra.studio.saving import SAVERS, Saved
from palaestra.studio.training.dashboard import Dashboard, Page
from palaestra.studio.viewers import STALL, Channel, PlayerChannel, message, problem

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect
except ImportError as reason:
    raise not_installed(
        reason.name or "starlette", "the studio", reason, "starlette", "uvicorn", "websockets", "pillow"
    ) from reason

MAX_VIEWERS: Final = 16
USUAL_PORT: Final = 8765
_PATIENCE: Final = 20.0  # s in which a page has to take a message
_AGAIN: Final = 0.1  # s, after which a task that has not ended is cancelled again
_SAVE: Final = 600.0  # s for a film
_BACKLOG: Final = 128  # connections that wait
_PAGE: Final = Path(__file__).parent / "page"
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_UNFRAMED: Final = "; frame-ancestors 'none'"  # left out for notebooks, whose addresses may be of any scheme
_LOST: Final = "This link has no valid token. Use the one that the studio printed when it was started."

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Server:
    """Serves a studio, in this thread or in one of its own.

    Args:
        players: The environments to be played; None for nothing.
        dashboard: The trainings to be watched in its place, or None.
        host: The address on which to listen.
        port: The port; 0 for any free one.
        framed: Whether pages of other sites may hold the studio in a frame, as notebooks do.

    Attributes:
        link: The address with the token.

    Raises:
        gymnasium.error.Error: If the port is taken.
    """

    def __init__(
        self,
        players: PlayerPool | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        framed: bool = False,
        dashboard: Dashboard | None = None,
    ) -> None:
        self._guard = Guard(host)
        self._socket = _bound(host, port)
        shown = f"[{host}]" if ":" in host else host
        if self._guard.is_open and host in ("0.0.0.0", "::"):
            shown = socket.gethostname()
        self.link = f"http://{shown}:{self._socket.getsockname()[1]}/{self._guard.token}/"
        self._players, self._dashboard = players or PlayerPool(), dashboard
        app = _Guarded(_App(self._players, dashboard).starlette(), self._guard, framed)
        config = uvicorn.Config(
            app,
            log_level="error",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws_max_size=MAX_CHARACTERS * 4,
            ws_max_queue=32,
            ws_per_message_deflate=False,  # pictures are compressed already
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def is_open(self) -> bool:
        """Whether other machines can connect."""
        return self._guard.is_open

    def run(self) -> None:
        """Serve until Ctrl-C."""
        try:
            self._server.run([self._socket])
        finally:
            self._close()

    def end(self) -> None:
        """Let `run` return."""
        self._server.should_exit = True

    def start(self) -> None:
        """Serve in a thread, until `close`."""
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), name="studio", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving, and close the environments."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(5.0)
        self._socket.close()
        self._close()

    def _close(self) -> None:
        self._players.close()
        if self._dashboard is not None:
            self._dashboard.close()


def serving(players: PlayerPool | None, host: str, port: int | None, dashboard: Dashboard | None) -> Server:
    """Returns a server at this port; for None at the usual one if that is free, or at any.

    Raises:
        gymnasium.error.Error: If the port is taken.
    """
    if port is not None:
        return Server(players, host, port, dashboard=dashboard)
    try:
        return Server(players, host, USUAL_PORT, dashboard=dashboard)
    except Error:
        return Server(players, host, 0, dashboard=dashboard)


class _Guarded:
    """The application behind its guard."""

    def __init__(self, app: Starlette, guard: Guard, framed: bool) -> None:
        self._app, self._guard = app, guard
        policy = _HEADERS["Content-Security-Policy"] + ("" if framed else _UNFRAMED)
        headers = {**_HEADERS, "Content-Security-Policy": policy}
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        live = scope["type"] == "websocket"
        refusal = self._guard.refusal(
            connection.headers.get("host", ""), connection.headers.get("origin"), needs_origin=live
        )
        inner = self._guard.inner_path(scope["path"])

        async def send_safely(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        if refusal is None and inner:
            await self._app({**scope, "path": inner, "root_path": ""}, receive, send_safely)
        elif live:
            await send({"type": "websocket.close", "code": 1008})
        elif refusal is not None:
            await PlainTextResponse(refusal.text, refusal.status)(scope, receive, send_safely)
        elif inner == "":
            await RedirectResponse(f"/{self._guard.token}/")(scope, receive, send_safely)
        else:
            await PlainTextResponse(_LOST, 403)(scope, receive, send_safely)


class _App:
    """The addresses behind the token."""

    def __init__(self, players: PlayerPool, dashboard: Dashboard | None) -> None:
        self._players, self._dashboard = players, dashboard
        self._viewers = 0
        self._files = {path.relative_to(_PAGE).as_posix(): path for path in _PAGE.rglob("*") if path.suffix in _TYPES}

    def starlette(self) -> Starlette:
        """Returns the application."""
        return Starlette(
            routes=[
                Route("/", self._page),
                Route("/page/{name:path}", self._file),
                Route("/gallery", self._gallery),
                Route("/picture/{id:path}", self._picture),
                Route("/about/{id:path}", self._about),
                Route("/save/{kind}", self._save),
                WebSocketRoute("/live", self._live),
                WebSocketRoute("/training", self._training),
            ]
        )

    async def _page(self, request: Request) -> Response:
        return Response(self._files["index.html"].read_bytes(), media_type=_TYPES[".html"])

    async def _file(self, request: Request) -> Response:
        path = self._files.get(request.path_params["name"])
        if path is None:
            return PlainTextResponse("There is no such file", 404)
        return Response(path.read_bytes(), media_type=_TYPES[path.suffix])

    async def _gallery(self, request: Request) -> Response:
        players, families = self._players, self._players.gallery.listed()
        runs = None if self._dashboard is None else await run_in_threadpool(self._dashboard.contents)
        shown = {"alone": players.alone, "training": runs is not None and not families, "trainings": runs}
        return JSONResponse({**shown, "families": families, "sets": [*players.sets]})

    async def _picture(self, request: Request) -> Response:
        look = await self._look(request)
        if look is None:
            return PlainTextResponse("There is no such environment", 404)
        if look.picture is None:
            return Response(status_code=204)
        return Response(look.picture, media_type="image/webp")

    async def _about(self, request: Request) -> Response:
        look = await self._look(request)
        if look is None:
            return PlainTextResponse("There is no such environment", 404)
        return JSONResponse({"text": look.text, "actions": look.actions})

    async def _look(self, request: Request) -> Look | None:
        gallery, env_id = self._players.gallery, request.path_params["id"]
        return None if gallery.find(env_id) is None else await run_in_threadpool(gallery.look, env_id)

    async def _save(self, request: Request) -> Response:
        kind, player = request.path_params["kind"], self._players.running(request.query_params.get("env", ""))
        if player is None or kind not in (*SAVERS, "code"):
            return PlainTextResponse("There is nothing of this kind to save", 404)
        try:
            future: Future[Saved] = player.save(kind)
            saved = await asyncio.wait_for(asyncio.wrap_future(future), _SAVE)
        except Busy as error:
            return PlainTextResponse(str(error), 503)
        except Exception as error:  # of the environment
            return PlainTextResponse(str(error) or type(error).__name__, 409)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(saved.name, safe='')}"}
        return Response(saved.data, media_type=saved.kind, headers=headers)

    async def _live(self, socket: WebSocket) -> None:
        async def opened() -> Channel:
            env_id = socket.query_params.get("env", "")
            return PlayerChannel(await run_in_threadpool(self._players.opened, env_id))

        await self._connect(socket, opened)

    async def _training(self, socket: WebSocket) -> None:
        async def opened() -> Channel:
            if self._dashboard is None:
                raise KeyError("There is no training to watch here")
            return Page(self._dashboard)

        await self._connect(socket, opened)

    async def _connect(self, socket: WebSocket, opened: Callable[[], Awaitable[Channel]]) -> None:
        """Serve a page, if there is room for it."""
        await socket.accept()
        if self._viewers >= MAX_VIEWERS:
            await socket.close(1013, f"{MAX_VIEWERS} pages are open, which is the most")
            return
        self._viewers += 1
        try:
            await serve(socket, await opened())
        except (KeyError, TooMany) as error:
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.send_text(message("unavailable", text=str(error.args[0])))
                await socket.close(1008)
        except asyncio.CancelledError:  # the server ends; uvicorn would report it as a failure
            pass
        finally:
            self._viewers -= 1


async def serve(socket: WebSocket, channel: Channel) -> None:
    """Connect a page with a channel until either leaves."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(changed.set)

    changed.set()
    channel.enter(wake)
    tasks = [
        asyncio.ensure_future(_send_news(socket, channel, changed)),
        asyncio.ensure_future(_listen(socket, channel)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        channel.leave()
        await _cancelled(tasks)


async def _cancelled(tasks: Iterable[asyncio.Future[None]]) -> None:
    """End tasks. Before Python 3.12, `wait_for` forgets that it was cancelled if what it waits for comes just then."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=_AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)


async def _send_news(socket: WebSocket, channel: Channel, changed: asyncio.Event) -> None:
    """Send the news; while the page is slow, only the latest state waits.

    Timers, here and in `_send`, take a third of the time of `wait_for`, which makes a task for each call.
    """
    loop = asyncio.get_running_loop()
    while True:
        stalls = loop.time() + STALL
        timer = loop.call_at(stalls, changed.set)
        await changed.wait()
        timer.cancel()
        changed.clear()
        late = channel.late() if loop.time() >= stalls else None
        if late is not None:
            await _send(socket, late)
        for news in channel.news():
            await _send(socket, news)
        if channel.behind:
            changed.set()
            await asyncio.sleep(0.01)


async def _listen(socket: WebSocket, channel: Channel) -> None:
    """Hand on what the page says; what is no command gets an answer that says why."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            text = message.get("text")
            if text is None:
                raise MessageError("A message is a text")
            channel.receive(text)
        except (MessageError, Busy) as error:
            await _send(socket, problem(str(error)))


async def _send(socket: WebSocket, message: str | bytes) -> None:
    task = asyncio.current_task()
    limit = None if task is None else asyncio.get_running_loop().call_later(_PATIENCE, task.cancel)
    try:
        await (socket.send_bytes(message) if isinstance(message, bytes) else socket.send_text(message))
    finally:
        if limit is not None:
            limit.cancel()


def _bound(host: str, port: int) -> socket.socket:
    """Returns a socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(_BACKLOG)  # so that whoever comes before the server runs has to wait only
    except (OSError, OverflowError) as error:  # the latter for a number that is no port
        found.close()
        reason = getattr(error, "strerror", None) or error
        raise Error(f"{host}:{port} cannot be listened on ({reason}): choose another --port or --host") from error
    return found
