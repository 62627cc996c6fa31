"""The studio's link is for its user alone, and every file of it has its name."""

from __future__ import annotations

import http.client
import os
import stat
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import pytest

import gymnasium
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from palaestra.cli import serving
from palaestra.studio.making import Given
from tests.palaestra.studio.conftest import Serve

LINK = "http://127.0.0.1:1/secret/"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What browsers are asked to open, which every user can read in the list of processes."""
    found: list[str] = []
    monkeypatch.setattr(serving.webbrowser, "open", found.append)
    return found


def test_a_browser_gets_a_file_that_its_user_alone_can_read(opened: list[str]) -> None:
    before = os.umask(0)  # the mode is not left to chance
    try:
        with serving._opened(LINK):
            [address] = opened
            path = Path(url2pathname(urlsplit(address).path))
            modes = [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent)]
            text = path.read_text(encoding="utf-8")
    finally:
        os.umask(before)

    assert "secret" not in address
    assert modes == [0o600, 0o700]
    assert f"url={LINK}" in text
    assert not path.parent.exists()


def test_the_command_gives_no_browser_the_link(opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """And Ctrl-C, by which it ends, has the exit code that the page about commands promises."""
    from palaestra.studio.server import Server

    def interrupted(server: Server) -> None:
        server.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "run", interrupted)
    monkeypatch.setenv("DISPLAY", ":99")
    options = serving.StudioOptions("CartPole-v1", [], [], port=0)

    assert serving.studio(options) == 130
    assert [urlsplit(address).scheme for address in opened] == ["file"]


NAMES = ["Маятник", "振り子", 'a"b;c', "ü", "x\ny"]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_saved_under(serve: Serve, name: str) -> None:
    """Headers are Latin-1, and names of classes are anything."""
    env: Any = type(name, (CartPoleEnv,), {})(render_mode="rgb_array")
    studio = serve(Given(env))
    page = studio.page()
    page.until(lambda page: page.description)
    connection = http.client.HTTPConnection(studio.host)
    connection.request("GET", f"{studio.path}save/code?env=")
    answer = connection.getresponse()
    answer.read()
    connection.close()

    assert answer.status == 200
    found = answer.headers["content-disposition"].partition("filename*=UTF-8''")[2]
    assert unquote(found) == f"{name}_branch1_step0.py"


def test_an_id_beyond_latin_letters_is_opened_and_saved(serve: Serve, tmp_path: Path) -> None:
    """Whatever is registered under it."""
    gymnasium.register("Маятник-v0", CartPoleEnv, max_episode_steps=50)
    try:
        studio = serve("Маятник-v0")
        page = studio.page()
        page.say("next")
        page.until(lambda page: page.status.get("step") == 1)
        statuses = [studio.get(f"{studio.path}save/{kind}?env=")[0] for kind in ("code", "snapshot", "replay")]
    finally:
        del gymnasium.registry["Маятник-v0"]

    assert statuses[0] == statuses[1] == 200
    assert statuses[2] in (200, 409)  # a replay needs a class that can be named
