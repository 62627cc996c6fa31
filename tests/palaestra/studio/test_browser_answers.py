"""What the studio's page says, and where: in a real browser."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.registration import spec
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Text
from palaestra.studio.gallery import Family
from palaestra.studio.making import Given
from palaestra.studio.player_pool import PlayerPool
from palaestra.studio.server import Server
from tests.palaestra.studio.conftest import SIZES, Serve, Training, serious

pytestmark = pytest.mark.timeout(300)


def at_step(page: Any, text: str) -> None:
    page.get_by_label("Step", exact=True).filter(has_text=text).wait_for()


def test_the_end_of_an_episode_offers_what_to_do_next(serve: Serve, visit: Any) -> None:
    """It is no alert, and nothing is "null"."""
    page = visit(serve(seed=3).link)
    at_step(page, "0 / 0")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    notice = page.locator(".over")
    notice.get_by_text("The episode is over").wait_for()
    assert "null" not in page.locator("body").inner_text()
    assert not page.get_by_role("alert").first.is_visible()

    notice.get_by_role("button", name="Go on from an earlier step").click()
    notice.wait_for(state="hidden")
    page.keyboard.press("ArrowLeft")
    page.locator(".lanes li").nth(1).wait_for()
    page.keyboard.press("End")
    page.keyboard.press("k")
    page.keyboard.press("k")


def test_an_environment_that_takes_long_is_waited_for_without_controls(serve: Serve, visit: Any) -> None:
    goes_on = threading.Event()

    class Slow(Given):
        def made(self, arguments: Any) -> Any:
            goes_on.wait(60)
            return super().made(arguments)

    page = visit(serve(Slow(gymnasium.make("CartPole-v1", render_mode="rgb_array"))).link)
    page.get_by_text("Making the environment").wait_for()
    for name in ("Play", "New episode", "Random"):
        assert not page.get_by_text(name, exact=True).is_visible()
        assert not page.get_by_role("button", name=name).is_visible()
    goes_on.set()
    at_step(page, "0 / 0")
    page.get_by_role("button", name="Play").wait_for()


def test_an_environment_that_cannot_be_made_says_why_on_the_stage(serve: Serve, visit: Any) -> None:
    class Broken(Given):
        def made(self, arguments: Any) -> Any:
            raise ImportError("its library is missing")

    page = visit(serve(Broken(gymnasium.make("CartPole-v1"))).link)
    page.locator(".waiting", has_text="ImportError: its library is missing").wait_for()
    assert not page.get_by_role("button", name="Play").is_visible()


def test_unknown_ids_are_explained_and_older_versions_opened(serve: Serve, visit: Any) -> None:
    link = serve(None).link
    page = visit(f"{link}#CartPolle-v1")
    page.get_by_role("link", name="Open CartPole-v1").click()
    at_step(page, "0 / 0")
    page.goto(f"{link}#CartPole-v0")
    page.get_by_role("heading", name="CartPole-v0").wait_for()
    at_step(page, "0 / 0")
    page.get_by_role("link", name="Studio").click()
    page.get_by_label("Find an environment").fill("Nothing-v9")
    empty = page.locator(".empty")
    empty.get_by_text("Nothing here is called").wait_for()
    assert "palaestra studio module:ID" in empty.inner_text()
    empty.get_by_role("link", name="Open Nothing-v9").click()
    page.get_by_text("No environment 'Nothing' is registered").wait_for()


def test_families_are_found_and_large_ones_folded_up(serve: Serve, visit: Any) -> None:
    many = [spec(f"CartPole-v{k % 2}") for k in range(30)]
    families = [Family("box2d", "missing: pip install box2d", False, [spec("LunarLander-v3")])]
    families += [Family("classic_control", "ready", True, [spec("CartPole-v1")]), Family("ALE", "ready", True, many)]
    server = Server(PlayerPool(families))
    server.start()
    try:
        page = visit(server.link)
        page.get_by_text("Keep the pole from falling.").wait_for()
        assert page.get_by_text("2 actions", exact=True).first.is_visible()
        assert not page.locator("details", has_text="Atari (ALE)").locator(".card").first.is_visible()
        fit = page.locator(".thumb img").first.evaluate("image => getComputedStyle(image).objectFit")
        assert fit == "contain"
        page.get_by_label("Find an environment").fill("box2d")
        page.get_by_text("1 environment", exact=True).wait_for()
        page.get_by_text("LunarLander-v3").wait_for()
    finally:
        server.close()


class Manifold(gymnasium.Env[Any, Any]):
    """Takes actions of several kinds."""

    observation_space = Box(-1, 1, (2,), np.float32)
    action_space = Dict(arm=Box(-1, 1, (2,), np.float32), gear=Discrete(3), lights=MultiBinary(2), word=Text(4))

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        return np.zeros(2, np.float32), {}

    def step(self, action: Any) -> Any:
        assert action in self.action_space
        return np.ones(2, np.float32), float(action["gear"]), False, False, {"word": action["word"]}


def test_actions_of_several_kinds_are_given_in_a_form(serve: Serve, visit: Any) -> None:
    """And values fill the space that pictures would have."""
    page = visit(serve(Given(Manifold())).link)
    page.get_by_label("gear", exact=True).select_option("2")
    page.get_by_label("word", exact=True).fill("go")
    page.get_by_role("button", name="Take one step").click()
    at_step(page, "1 / 1")
    assert page.get_by_label("reward now").inner_text() == "2"
    assert page.locator(".ground .chart").count() == 4
    page.get_by_role("tab", name="Info").click()
    page.get_by_text("go", exact=True).wait_for()
    page.get_by_role("tab", name="Environment").click()
    page.get_by_text("have no names").wait_for()


def test_wrong_arguments_are_said_beside_the_form(serve: Serve, visit: Any) -> None:
    page = visit(serve("Pendulum-v1").link)
    at_step(page, "0 / 0")
    page.get_by_role("tab", name="Environment").click()
    page.get_by_label("max_episode_steps").fill("0")
    page.get_by_role("button", name="Make it again").click()
    page.locator(".form .wrong", has_text="must be positive").wait_for()
    assert not page.get_by_text("The environment failed").is_visible()


def pixels(page: Any) -> str:
    return str(page.evaluate("document.querySelector('.strip').toDataURL()"))


def test_other_colours_reach_the_timeline(serve: Serve, visit: Any) -> None:
    page = visit(serve().link)
    at_step(page, "0 / 0")
    page.keyboard.press("l")
    at_step(page, "1 / 1")
    page.wait_for_timeout(200)
    light = pixels(page)
    page.get_by_label("Light or dark").click()
    assert pixels(page) != light


def test_a_chart_has_a_window_of_its_own(serve: Serve, visit: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = visit(serve().link)
    at_step(page, "0 / 0")
    for k in range(3):
        page.keyboard.press("l")
        at_step(page, f"{k + 1} / {k + 1}")
    page.get_by_role("button", name="Enlarge return").click()
    window = page.get_by_role("dialog")
    window.get_by_text("return 3").wait_for()
    with page.expect_download() as download:
        window.get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == "return.csv"
    assert Path(download.value.path()).read_text() == "step,return\n0,0\n1,1\n2,2\n3,3\n"
    with page.expect_download() as download:
        window.get_by_role("button", name="PNG").click()
    assert Path(download.value.path()).read_bytes()[1:4] == b"PNG"
    window.get_by_label("Smoothing").fill("0.5")
    window.get_by_label("Logarithmic").check()
    assert serious(axe, page) == []
    page.keyboard.press("l")  # a key meant for the window does not step
    window.get_by_role("button", name="Close").click()
    window.wait_for(state="detached")
    at_step(page, "3 / 3")


def test_recorded_steps_are_told_from_played_ones(serve: Serve, visit: Any, tmp_path: Path) -> None:
    from palaestra.recording import RecordReplays
    from palaestra.recording.replays import Replay
    from palaestra.studio.recorded import Recorded

    with RecordReplays(gymnasium.make("CartPole-v1"), tmp_path, keep_unfinished=True) as env:
        env.reset(seed=1)
        for _ in range(5):
            env.step(0)
    page = visit(serve(Recorded(Replay.load(next(tmp_path.glob("*.replay"))))).link)
    at_step(page, "0 / 5")
    page.get_by_text("recorded · verified").wait_for()
    page.keyboard.press("l")
    page.get_by_text("recorded 0: pushes the cart to the left").wait_for()
    assert page.locator(".segments").first.get_attribute("data-idle") == "true"
    page.get_by_role("button", name="Go on from here").click()
    page.get_by_text("recorded · verified").wait_for(state="hidden")
    assert page.locator(".segments").first.get_attribute("data-idle") == "false"


@pytest.mark.parametrize(("size", "colours"), [("desktop", "dark"), ("phone", "light")])
def test_trainings_are_found_grouped_and_enlarged(training: Training, visit: Any, size: str, colours: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for name, rate in (("slow", 1e-4), ("quick", 1e-2)):
        config = {"learning_rate": rate, "layers": (64, 64)}
        envs = training.watch(gymnasium.make_vec("CartPole-v1", 2), name=name, tiles=0, config=config)
        end = training.train(envs, loss=rate)
        time.sleep(0.5)
        end()
        envs.close()
    page = visit(training.link, size, colours)
    page.get_by_role("button", name="quick").click()
    page.get_by_text("[64, 64]").wait_for()
    page.get_by_label("Find a run").fill("learning_rate=0.0001")
    page.get_by_role("button", name="quick").wait_for(state="hidden")
    page.get_by_label("Find a run").fill("")
    page.get_by_label("Group the runs").select_option("env")
    page.get_by_text("CartPole-v1 (2)").wait_for()
    page.get_by_label("Smoothing").fill("0.9")
    page.get_by_label("Logarithmic").check()
    page.get_by_role("button", name="Enlarge loss").click()
    page.get_by_role("dialog").get_by_text("quick 0.010").wait_for()
    assert serious(axe, page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]


def test_the_gallery_leads_to_trainings_and_back(training: Training, visit: Any) -> None:
    training.watch(gymnasium.make_vec("CartPole-v1", 2), name="mine")
    families = [Family("classic_control", "ready", True, [spec("CartPole-v1")])]
    studio = Server(PlayerPool(families), dashboard=training.dashboard)
    studio.start()
    try:
        page = visit(studio.link)
        page.get_by_role("link", name="Trainings in").click()
        page.get_by_role("button", name="mine").wait_for()
        page.get_by_role("link", name="Studio").click()
        page.get_by_role("link", name="CartPole-v1").click()
        at_step(page, "0 / 0")
    finally:
        studio.close()
