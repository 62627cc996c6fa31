"""The studio is for those who have its link, on this machine; and nothing that they send ends it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from gymnasium.error import Error
from palaestra.studio.guard import Guard
from palaestra.studio.messages import MAX_CHARACTERS
from palaestra.studio.player_pool import MAX_PLAYERS, PlayerPool
from palaestra.studio.server import MAX_VIEWERS, Server, serve
from tests.palaestra.studio.conftest import Serve

PATHS = ["", "gallery", "page/main.js", "picture/CartPole-v1", "about/CartPole-v1", "save/code"]


@pytest.mark.parametrize("path", PATHS)
def test_every_address_needs_the_token(serve: Serve, path: str) -> None:
    studio = serve()
    token = studio.path.strip("/")

    for wrong in ("", "x", token[:-1], token[::-1], f"{token}x"):
        assert studio.get(f"/{wrong}/{path}")[0] == 403
    assert studio.get(f"/{path}")[0] == 403
    assert studio.get(studio.path + path)[0] != 403


def test_tokens_are_long_and_differ() -> None:
    tokens = {Guard("127.0.0.1").token for _ in range(100)}

    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize(
    "name",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "192.168.0.7", "[", "evil@localhost"],
)
def test_another_name_of_the_host_is_refused(serve: Serve, name: str) -> None:
    """A name that was bound anew to this address would give its pages access."""
    studio = serve()

    assert studio.get(studio.path, Host=name)[0] in (400, 421)


def test_names_of_this_machine_are_accepted_at_any_port(serve: Serve) -> None:
    """As behind a forwarded port."""
    studio = serve()

    assert {
        studio.get(studio.path, Host=name)[0] for name in ("localhost", "localhost:9000", "127.0.0.1:1", "[::1]:5")
    } == {200}


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "file://",
        "https://127.0.0.1",
        "http://[",
        "http://x]",
        None,
    ],
)
def test_pages_of_other_sites_get_no_connection(serve: Serve, origin: Any) -> None:
    studio = serve()

    with pytest.raises(InvalidStatus):
        studio.page(origin=origin)
    if origin is not None:
        assert studio.get(f"{studio.path}gallery", Origin=origin)[0] == 403


def test_another_address_needs_a_name_of_the_machine_or_a_number() -> None:
    """No site can bind its name to a number."""
    guard = Guard("0.0.0.0")

    assert guard.is_open
    assert guard.refusal("192.168.0.7:8765", None, False) is None
    assert guard.refusal("evil.example:8765", None, False) is not None


def test_a_page_says_what_it_may_load(serve: Serve) -> None:
    """Nothing from elsewhere, no code in attributes, no frame around it."""
    import http.client

    studio = serve()
    connection = http.client.HTTPConnection(studio.host)
    connection.request("GET", studio.path)
    headers = connection.getresponse().headers
    connection.close()

    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "name", ["../server.py", "..%2fserver.py", "%2e%2e/server.py", "/etc/passwd", "vendor", "index.html/x"]
)
def test_no_file_but_those_of_the_page_is_served(serve: Serve, name: str) -> None:
    studio = serve()

    assert studio.get(f"{studio.path}page/{name}")[0] == 404


@pytest.mark.parametrize(
    ("env_id", "reason"),
    [
        ("", "Malformed"),
        ("NoSuch-v0", "No environment 'NoSuch' is registered"),
        ("os:system", "start the studio with this id"),
        ("json:CartPole-v1", "start the studio with this id"),
        ("../CartPole-v1", "Malformed"),
        ("cartpole-v1", "did you mean CartPole-v1"),
        ("!data/../../etc", "no data set"),
    ],
)
def test_only_registered_environments_are_opened(serve: Serve, env_id: str, reason: str) -> None:
    """An id is looked up, and imports nothing; the page says why it opens nothing."""
    page = serve(None).page(env_id)

    with pytest.raises(ConnectionClosed):
        page.until(lambda page: page.description)
    assert reason.lower() in page.unavailable.lower()


def test_a_studio_of_one_environment_opens_no_other(serve: Serve) -> None:
    page = serve("CartPole-v1").page("Acrobot-v1")

    with pytest.raises(ConnectionClosed):
        page.until(lambda page: page.description)
    assert "one environment only" in page.unavailable


@pytest.mark.parametrize("env_id", ["", "NoSuch-v0", "json:CartPole-v1", "../CartPole-v1"])
def test_only_cards_of_the_gallery_have_pictures(serve: Serve, env_id: str) -> None:
    studio = serve(None)

    assert studio.get(f"{studio.path}picture/{env_id or 'x'}")[0] == 404
    assert studio.get(f"{studio.path}about/{env_id or 'x'}")[0] == 404


def garbage(rng: random.Random) -> str | bytes:
    """A message that may be anything."""
    values = [None, True, -1, 2**70, 1e308, "x" * 50, [], [[]], {}, {"a": 1}, "../x", [0.1] * 500]
    names = [
        "play",
        "act",
        "hold",
        "seek",
        "choose",
        "compare",
        "remake",
        "reset",
        "speed",
        "source",
        "seen",
        "eval",
        3,
    ]
    fields = ["action", "step", "branch", "arguments", "seed", "value", "__class__"]
    message = json.dumps(
        {"do": rng.choice(names), **{rng.choice(fields): rng.choice(values) for _ in range(rng.randrange(3))}}
    )
    return rng.choice(
        [message, message, message, message[: rng.randrange(len(message))], rng.randbytes(rng.randrange(40)), "\0" * 9]
    )


def test_garbage_gets_answers_and_the_studio_lives_on(serve: Serve) -> None:
    studio = serve()
    rng = random.Random(1)
    page = studio.page()

    for _ in range(400):
        page.socket.send(garbage(rng))
    page.say("pause")
    page.say("source", value="random")
    page.say("reset", seed=77)
    page.until(lambda page: page.status.get("branches") and page.status["branches"][-1][1] == 77)

    assert len(page.refused) > 20
    page.say("next")
    page.until(lambda page: page.status["step"] == 1)
    page.socket.close()


def test_an_oversize_message_ends_its_page_only(serve: Serve) -> None:
    studio = serve()
    page, other = studio.page(), studio.page()

    page.socket.send(json.dumps({"do": "act", "action": "x" * (MAX_CHARACTERS + 1)}))
    page.until(lambda page: any("at most" in text for text in page.refused))
    page.socket.send("x" * (MAX_CHARACTERS * 10))
    with pytest.raises(ConnectionClosed):
        page.until(lambda page: False)

    other.say("next")
    other.until(lambda page: page.status.get("step") == 1)


def test_pages_are_limited(serve: Serve) -> None:
    """One more is told so; when one leaves, there is room again."""
    studio = serve()
    pages = [studio.page() for _ in range(MAX_VIEWERS)]
    for page in pages:
        page.until(lambda page: page.description)

    with pytest.raises(ConnectionClosed, match="which is the most"):
        studio.page().until(lambda page: page.description)
    pages[0].socket.close()

    def joins() -> bool:
        try:
            return bool(studio.page().until(lambda page: page.description))
        except ConnectionClosed:
            return False

    assert any(joins() for _ in range(50))


class Quiet:
    """A channel on which nothing is told."""

    behind = False

    def enter(self, wake: Callable[[], None]) -> None:
        self.wake = wake

    def leave(self) -> None:
        """Say nothing."""

    def news(self) -> Iterator[str | bytes]:
        return iter(())

    def hear(self, text: str) -> None:
        """Do nothing."""

    def late(self) -> None:
        return None


@pytest.mark.parametrize("moments", range(4))
def test_a_page_that_leaves_while_there_are_news_is_gone(moments: int) -> None:
    """Some moments of the event loop later."""
    channel = Quiet()

    class Socket:
        async def receive(self) -> dict[str, str]:
            await asyncio.sleep(0.01)
            channel.wake()
            for _ in range(moments):
                await asyncio.sleep(0)
            return {"type": "websocket.disconnect"}

    asyncio.run(asyncio.wait_for(serve(Socket(), channel), 5.0))  # type: ignore[arg-type]  # as much as is needed


def test_environments_are_limited() -> None:
    """Those that nobody watches make room."""
    from gymnasium.envs.registration import spec
    from palaestra.studio.gallery import Family
    from palaestra.studio.player_pool import TooMany

    ids = ["CartPole-v0", "CartPole-v1", "Acrobot-v1", "Pendulum-v1", "MountainCar-v0", "Taxi-v4", "FrozenLake-v1"]
    ids += ["FrozenLake8x8-v1", "Blackjack-v1"]
    players = PlayerPool([Family("some", "ready", True, [spec(env_id) for env_id in ids])])
    try:
        opened = [players.opened(env_id) for env_id in ids[:MAX_PLAYERS]]
        for player in opened:
            player.watch(lambda: None)
        with pytest.raises(TooMany):
            players.opened(ids[MAX_PLAYERS])
        opened[0]._watchers.clear()

        assert players.opened(ids[MAX_PLAYERS]) is not None
        assert players.running(ids[0]) is None
    finally:
        players.close()


def test_a_port_in_use_is_refused() -> None:
    first = Server(PlayerPool())
    try:
        with pytest.raises(Error, match="--port"):
            Server(PlayerPool(), port=int(first.link.split(":")[2].split("/")[0]))
    finally:
        first.close()


def test_a_number_that_is_no_port_is_refused() -> None:
    with pytest.raises(Error, match=r"127\.0\.0\.1:99999 cannot be listened on .*: choose another --port"):
        Server(PlayerPool(), port=99999)
