"""Trainings and data sets in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gymnasium
from palaestra.recording import RecordTrajectories
from palaestra.studio.recordings import Recorded, opened
from tests.palaestra.studio.conftest import SIZES, Serve, Training, serious

pytestmark = pytest.mark.timeout(300)


def drawn(page: Any, k: int) -> str:
    """What a tile shows."""
    return str(page.evaluate(f"document.querySelectorAll('.grid canvas')[{k}].toDataURL()"))


def test_a_training_is_watched_reloaded_and_outlived(training: Training, visit: Any) -> None:
    """Two runs are overlaid; the end of the program, and that of the server, are said."""
    earlier = training.watch(gymnasium.make_vec("CartPole-v1", 2), name="earlier")
    training.train(earlier)()
    earlier.close()
    envs = training.watch(gymnasium.make_vec("CartPole-v1", 4), name="later", tiles=3)
    end = training.train(envs, loss=0.25)

    page = visit(training.link)
    page.get_by_role("button", name="later").wait_for()
    page.get_by_role("heading", name="CartPole-v1").wait_for()
    page.locator(".grid canvas").nth(2).wait_for()
    first = drawn(page, 0)
    while drawn(page, 0) == first:
        page.wait_for_timeout(50)
    page.locator(".rate", has_text="pictures/s").wait_for()
    page.get_by_label("loss of later").filter(has_text="0.25").wait_for()
    page.get_by_label("Show the curves of earlier").check()
    page.get_by_label("Return of earlier").wait_for()
    page.get_by_text("Time", exact=True).click()

    page.reload()
    page.get_by_label("loss of later").filter(has_text="0.25").wait_for()
    page.locator(".grid canvas").nth(2).wait_for()
    page.get_by_label("Live pictures").uncheck()

    end()
    envs.close()
    page.get_by_text("Finished after").wait_for()
    page.get_by_text("loss", exact=True).wait_for()
    training.studio.server.close()
    page.get_by_text("Not connected").wait_for()
    page.get_by_label("loss of later").filter(has_text="0.25").wait_for()


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Episodes of which only the first began with a seed."""
    folder = tmp_path_factory.mktemp("sets")
    env = RecordTrajectories(gymnasium.make("CartPole-v1"), "cart/pole-v0", folder=folder)
    env.action_space.seed(1)
    env.reset(seed=3)
    for _ in range(6):
        over = False
        while not over:
            *_, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated
        env.reset()
    env.close()
    return folder / "cart" / "pole-v0"


def test_episodes_of_a_data_set_are_chosen_played_and_put_side_by_side(
    serve: Serve, visit: Any, data_set: Path
) -> None:
    page = visit(serve(Recorded(opened(data_set))).link)
    page.get_by_role("button", name="Episode 4").first.click()
    page.locator(".lanes li[data-state=here]", has_text="Episode 4").wait_for()
    page.keyboard.press("End")
    page.locator(".chip", has_text="terminated").wait_for()
    page.get_by_role("button", name="Compare with episode 2").click()
    page.locator("figcaption", has_text="Episode 2").wait_for()
    assert page.locator(".pictures canvas").nth(1).is_visible()
    page.get_by_role("tab", name="Values").click()
    page.get_by_label("return of the other branch").wait_for()
    assert not page.get_by_text("did not repeat itself").is_visible()
    page.get_by_role("tab", name="Episodes").click()
    page.get_by_label("Order of the episodes").select_option("return")
    numbers = page.locator(".episodes .return").all_inner_texts()
    assert numbers == sorted(numbers, key=lambda text: -float(text))


@pytest.mark.parametrize("size", SIZES)
def test_the_table_of_episodes_fits_with_seeds_of_any_length(
    serve: Serve, visit: Any, tmp_path: Path, size: str
) -> None:
    """Each button to compare has its word."""
    env = RecordTrajectories(gymnasium.make("CartPole-v1"), "cart/pole-v0", folder=tmp_path)
    env.reset(seed=2**62)
    while not any(env.step(0)[2:4]):
        pass
    env.close()
    page = visit(serve(Recorded(opened(tmp_path / "cart" / "pole-v0"))).link, size)
    word = page.locator(".episodes .compare").first
    word.wait_for()

    assert word.inner_text() == "Compare"
    assert page.evaluate(
        "document.querySelector('#episodes').scrollWidth <= document.querySelector('#episodes').clientWidth"
    )


@pytest.mark.parametrize(("size", "colours"), [("desktop", "light"), ("phone", "dark")])
def test_everybody_can_use_it(
    training: Training, serve: Serve, visit: Any, data_set: Path, size: str, colours: str
) -> None:
    """axe-core finds nothing serious, and nothing is wider than the screen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    envs = training.watch(gymnasium.make_vec("CartPole-v1", 4))
    training.train(envs, loss=0.25)
    live, recorded = visit(training.link, size, colours), visit(serve(Recorded(opened(data_set))).link, size, colours)
    live.get_by_label("loss of").wait_for()
    live.locator(".grid canvas").nth(3).wait_for()
    recorded.get_by_role("button", name="Compare with episode 3").click()
    recorded.locator("figcaption", has_text="Episode 3").wait_for()

    assert {"trainings": serious(axe, live), "data sets": serious(axe, recorded)} == {
        "trainings": [],
        "data sets": [],
    }
    for each in (live, recorded):
        assert each.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
