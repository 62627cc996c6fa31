"""The studio in a real browser; skipped without playwright or Chromium, except where CI says that both are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

import gymnasium
from palaestra import studio
from tests.palaestra.studio.conftest import SIZES, Serve, serious

pytestmark = pytest.mark.timeout(300)


def at_step(page: Any, step: int, last: int | None = None) -> None:
    """Waits until the page looks at a step."""
    end = "[0-9,]+" if last is None else last
    pattern = re.compile(f"^{step} / {end}$")
    page.get_by_label("Step", exact=True).filter(has_text=pattern).wait_for()


def picture(page: Any) -> str:
    """What is drawn."""
    return str(page.evaluate("document.querySelector('.pictures canvas').toDataURL()"))


def drag_to(page: Any, step: int) -> None:
    """Drags the timeline."""
    slider = page.get_by_label("Step of the episode")
    box, last = slider.bounding_box(), float(slider.get_attribute("max"))
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 3, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 1 + (box["width"] - 2) * step / last, y, steps=5)
    page.mouse.up()


def test_an_episode_is_played_by_keys_dragged_back_branched_and_compared(serve: Serve, visit: Any) -> None:
    page = visit(serve(seed=3).link)
    at_step(page, 0)
    for k in range(8):
        page.keyboard.press("ArrowRight" if k % 2 else "ArrowLeft")
        at_step(page, k + 1)
    assert page.get_by_label("You").is_checked()
    page.wait_for_timeout(200)
    late = picture(page)

    drag_to(page, 3)
    at_step(page, 3, 8)
    page.wait_for_function("document.querySelector('.pictures canvas').getAttribute('aria-label').includes('step 3')")
    page.wait_for_timeout(300)
    assert picture(page) != late
    assert page.get_by_label("return now").inner_text() == "3"

    page.get_by_role("button", name="Go on from here").click()
    page.get_by_role("button", name="0 pushes the cart to the left").click()
    at_step(page, 4, 4)
    assert page.locator(".lanes li").count() == 2
    page.get_by_role("button", name="Compare with branch 1").click()
    page.get_by_text("Branch 1", exact=True).wait_for()
    assert page.locator(".pictures canvas").nth(1).is_visible()
    assert page.get_by_label("return of the other branch").inner_text() == "4"


def test_playing_stepping_and_the_end(serve: Serve, visit: Any) -> None:
    page = visit(serve(seed=3).link)
    at_step(page, 0)
    page.get_by_role("button", name="One step", exact=True).click()
    at_step(page, 1)
    page.keyboard.press("j")
    at_step(page, 0, 1)
    page.get_by_label("Speed").select_option("4")
    page.keyboard.press("k")
    page.get_by_text("terminated", exact=True).wait_for()
    page.get_by_role("button", name="Play").wait_for()

    page.get_by_role("button", name="New episode").click()
    at_step(page, 0, 0)
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert page.locator(".lanes li").count() == 2


def test_space_plays_and_arrows_step_with_nothing_focused(serve: Serve, visit: Any) -> None:
    """Where they are no actions, and not in a field or on a button, which have their own use for them."""
    page = visit(serve("BipedalWalker-v3").link)
    at_step(page, 0)
    page.get_by_role("button", name="Play").wait_for()
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    page.keyboard.press("ArrowLeft")
    at_step(page, 0, 1)
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()
    assert page.get_by_role("button", name="Play").get_attribute("title") == "Play (k or space)"
    assert page.get_by_role("button", name="One step", exact=True).get_attribute("title") == "One step (l or →)"

    page.keyboard.press("Home")
    at_step(page, 0)
    page.get_by_role("button", name="One step", exact=True).focus()
    page.keyboard.press("Space")
    at_step(page, 1)
    page.get_by_role("slider").nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    at_step(page, 1)
    assert page.get_by_role("button", name="Play").is_visible()


def test_keys_that_act_in_the_environment_come_first(serve: Serve, visit: Any) -> None:
    page = visit(serve(None).link)
    page.get_by_role("link", name="CartPole-v1").click()
    at_step(page, 0)
    page.keyboard.press("ArrowLeft")
    at_step(page, 1, 1)
    page.get_by_label("Action taken").filter(has_text="took 0").wait_for()
    assert page.get_by_role("button", name="One step", exact=True).get_attribute("title") == "One step (l)"
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()


def test_a_key_that_is_held_acts_until_it_is_released(serve: Serve, visit: Any) -> None:
    page = visit(serve("MountainCar-v0").link)
    at_step(page, 0)
    took = page.get_by_label("Action taken")
    page.get_by_label("Speed", exact=True).select_option("0.5")
    page.keyboard.press("k")
    page.keyboard.down("ArrowRight")
    page.locator("#source-you:checked").wait_for(state="attached")
    took.filter(has_text="took 2").wait_for()
    page.keyboard.up("ArrowRight")
    took.filter(has_text="took 1").wait_for()
    page.keyboard.down("ArrowLeft")
    took.filter(has_text="took 0").wait_for()
    page.get_by_role("button", name="1 not at all").hover()
    page.mouse.down()
    took.filter(has_text="took 1").wait_for()
    page.mouse.up()
    page.keyboard.up("ArrowLeft")
    page.keyboard.press("k")
    page.get_by_role("button", name="Play").wait_for()


def test_a_reload_shows_the_same_and_two_pages_follow_each_other(serve: Serve, visit: Any) -> None:
    link = serve().link
    one, other = visit(link), visit(link)
    at_step(one, 0)
    one.keyboard.press("ArrowLeft")
    at_step(other, 1)
    other.keyboard.press("ArrowRight")
    at_step(one, 2)

    one.reload()

    at_step(one, 2, 2)
    assert one.locator(".chart").count() == 6


def test_sliders_act_and_arguments_make_it_again(serve: Serve, visit: Any) -> None:
    page = visit(serve("Pendulum-v1").link)
    at_step(page, 0)
    page.get_by_label("the torque").fill("1")
    page.get_by_role("button", name="Take one step").click()
    at_step(page, 1)
    page.get_by_role("tab", name="Info").click()
    page.get_by_text("1", exact=False).first.wait_for()
    page.get_by_role("tab", name="Environment").click()
    page.get_by_label("g", exact=True).fill("3.5")
    page.get_by_role("button", name="Make it again").click()
    at_step(page, 0, 0)
    assert page.get_by_label("g", exact=True).input_value() == "3.5"


def test_an_error_is_shown_and_left_behind(serve: Serve, visit: Any) -> None:
    from tests.palaestra.studio.test_player_thread import Given, Moody

    page = visit(serve(Given(Moody())).link)
    page.get_by_role("button", name="1", exact=False).first.wait_for()
    page.keyboard.press("1")
    alert = page.get_by_role("alert")
    alert.get_by_text("ZeroDivisionError: no more").wait_for()
    assert "raise ZeroDivisionError" in alert.inner_text()
    alert.get_by_role("button", name="New episode").click()
    alert.wait_for(state="hidden")
    page.keyboard.press("0")
    at_step(page, 1)


def test_the_gallery_opens_an_environment_and_comes_back(serve: Serve, visit: Any) -> None:
    page = visit(serve(None).link)
    page.locator(".thumb img").first.wait_for()
    page.get_by_label("Find an environment").fill("lake")
    page.get_by_text("1 environment", exact=True).wait_for()
    page.get_by_role("link", name="FrozenLake-v1").click()
    at_step(page, 0)
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    page.get_by_role("link", name="Studio").click()
    page.get_by_role("link", name="CartPole-v1").click()
    page.get_by_role("heading", name="CartPole-v1").wait_for()
    page.go_back()
    page.go_back()
    at_step(page, 1)


def test_files_are_saved(serve: Serve, visit: Any) -> None:
    page = visit(serve().link)
    at_step(page, 0)
    page.keyboard.press("ArrowLeft")
    at_step(page, 1)
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Replay").click()
    assert download.value.suggested_filename == "CartPole-v1_branch1_step1.replay"


@pytest.fixture
def notebook() -> Iterator[Any]:
    """Serves a page of another origin, with some text in it; returns its address."""
    texts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<link rel=icon href='data:,'>{texts[0]}".encode())

        def log_message(self, *arguments: Any) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield lambda text: texts.append(text) or f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_a_notebook_holds_it_in_a_frame(visit: Any, notebook: Any) -> None:
    env = gymnasium.make("CartPole-v1", render_mode="rgb_array")
    with studio.show(env) as shown:
        frame = visit(notebook(shown._repr_html_())).frame_locator("iframe")
        frame.get_by_role("button", name="One step", exact=True).click()
        frame.get_by_label("Step", exact=True).filter(has_text="1 / 1").wait_for()
        frame.owner.page.close()


def test_without_the_token_there_is_nothing(serve: Serve, browser: Any) -> None:
    page = browser.new_page()
    answer = page.goto(f"http://{serve().host}/")
    assert answer.status == 403
    assert "token" in page.content()
    page.close()


@pytest.mark.parametrize(("size", "colours"), [("desktop", "light"), ("phone", "dark")])
def test_everybody_can_use_it(serve: Serve, visit: Any, size: str, colours: str) -> None:
    """axe-core finds nothing serious, nothing is wider than the screen, and the keyboard reaches everything."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    alone, gallery = serve("LunarLander-v3"), serve(None)
    page, catalogue = visit(alone.link, size, colours), visit(gallery.link, size, colours)
    at_step(page, 0)
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    at_step(page, 3)
    page.keyboard.press("j")
    page.get_by_role("button", name="Go on from here").wait_for()
    catalogue.locator(".thumb img").first.wait_for()
    found = {}
    for tab in ("Environment", "Info", "Values"):
        page.get_by_role("tab", name=tab).click()
        found[tab] = serious(axe, page)
    found["gallery"] = serious(axe, catalogue)

    assert {place: faults for place, faults in found.items() if faults} == {}
    for each in (page, catalogue):
        assert each.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
