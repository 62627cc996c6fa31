"""`show` and the rich output of environments, the command, and the files of the page."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import gymnasium
from gymnasium.wrappers import TimeLimit
from palaestra import studio
from palaestra.cli import main
from palaestra.studio.keys import KNOWN

PAGE = Path(studio.__file__).parent / "page"
ROOT = Path(__file__).parents[3]


def test_show_serves_a_frame() -> None:
    """A page of another site, the notebook, may hold it; closing it ends it and the environment."""
    env = gymnasium.make("CartPole-v1", render_mode="rgb_array")
    with studio.show(env, seed=4, height=500) as shown:
        assert f'src="{shown.link}"' in shown._repr_html_()
        assert 'height="500"' in shown._repr_html_()
        assert shown.link in repr(shown)
        with urllib.request.urlopen(shown.link) as answer:
            assert "frame-ancestors" not in answer.headers["content-security-policy"]
            assert b"main.js" in answer.read()

    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(shown.link, timeout=5)


def test_show_explains_what_it_cannot_show() -> None:
    with pytest.raises(TypeError, match=r"gymnasium\.Env"):
        studio.show(gymnasium.make_vec("CartPole-v1", 2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="from observation to action"):
        studio.show(gymnasium.make("CartPole-v1"), policy=3)
    with pytest.warns(UserWarning, match="values only"):
        studio.show(gymnasium.make("CartPole-v1")).close()


def test_an_environment_with_pictures_shows_its_own() -> None:
    """Bare or wrapped, exactly; and its text stays what it was."""
    env = gymnasium.make("CartPole-v1", render_mode="rgb_array")
    assert env._repr_png_() is None  # before the first reset
    env.reset(seed=1)
    for layer in (env, TimeLimit(env, 5), env.unwrapped):
        data = layer._repr_png_()
        assert data is not None
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), env.render())
    assert repr(env) == "<TimeLimit<OrderEnforcing<PassiveEnvChecker<CartPoleEnv<CartPole-v1>>>>>"
    env.close()


@pytest.mark.parametrize("mode", [None, "ansi"])
def test_an_environment_without_pictures_shows_its_text(mode: str | None) -> None:
    with gymnasium.make("FrozenLake-v1", render_mode=mode) as env:
        env.reset(seed=1)
        assert env._repr_png_() is None


def test_the_command_prints_its_link_and_ends_with_ctrl_c() -> None:
    """A policy of the current folder acts."""
    command = [sys.executable, "-m", "palaestra", "studio", "CartPole-v1", "--port", "0", "--seed", "3", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    try:
        assert process.stdout is not None
        link = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32,}/", link)
        with urllib.request.urlopen(link) as answer:
            assert answer.status == 200
        assert "token" in process.stdout.readline()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["NoSuch-v0"], "NoSuch"),
        (["CartPole-v1", "--policy", "nowhere:act"], "nowhere"),
        (["--policy", "x:y"], "need the ID"),
        (["CartPole-v1", "--runs", "runs"], "leave ID"),
        (["--runs", "nowhere"], "no folder nowhere"),
        (["--replay", "tests"], "no data set"),
        (["CartPole-v1", "--host", "203.0.113.1"], "--host"),
    ],
)
def test_the_command_explains_what_is_wrong(arguments: list[str], reason: str, capsys: Any) -> None:
    assert main(["studio", "--no-browser", *arguments]) in (1, 2)
    assert reason in capsys.readouterr().err


def test_every_file_of_the_page_is_packed() -> None:
    """And what the modules ask for is among them."""
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    data = next(line for line in lines if line.startswith('palaestra = ["py.typed"'))
    patterns = re.findall(r'"([^"]+)"', data)
    packed = {name for pattern in patterns for name in glob(pattern, root_dir=ROOT / "palaestra", recursive=True)}

    files = [path for path in PAGE.rglob("*") if path.is_file()]
    assert {str(path.relative_to(ROOT / "palaestra")) for path in files} <= packed
    assert PAGE / "vendor" / "uPlot.LICENSE" in files
    for path in PAGE.glob("*.js"):
        for name in re.findall(r'from "(\./[^"]+)"', path.read_text(encoding="utf-8")):
            assert (path.parent / name).is_file()


def test_modules_of_the_page_evaluate_nothing() -> None:
    for path in [*PAGE.glob("*.js"), *PAGE.glob("*.html"), *PAGE.glob("*.css")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"\beval\(|innerHTML|insertAdjacentHTML|document\.write|new Function|https?://(?!www\.w3\.org)", text
        )


def test_known_keys_are_those_of_actions() -> None:
    for name, keys in KNOWN.items():
        latest = max((spec for spec in gymnasium.registry.values() if spec.name == name), key=lambda spec: spec.version)
        with gymnasium.make(latest) as env:
            for pair in keys.split(","):
                assert int(pair.partition("=")[2]) in env.action_space
