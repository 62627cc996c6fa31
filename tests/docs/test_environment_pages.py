"""The environments' pages: there is one for each environment, and it says what the environment does."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

import gymnasium
from docs._tools.environments import FAMILIES, page_text
from docs._tools.page import Page
from docs._tools.pictures import STRIP, frame, picture_of, strip

PAGES = {page.id: (page, family) for family in FAMILIES for page in family.pages}
ROBOTS = [page for page, family in PAGES.values() if family.folder == "mujoco"]


def newest_ids() -> set[str]:
    """The ids of the package in the families with pages, of each name the one of the highest version."""
    newest: dict[tuple[str | None, str], tuple[int, str]] = {}
    for spec in gymnasium.registry.values():
        ours = isinstance(spec.entry_point, str) and spec.entry_point.startswith("gymnasium.envs.")
        if ours:
            name = spec.namespace, spec.name
            newest[name] = max(newest.get(name, (-1, "")), (spec.version or 0, spec.id))
    return {id for _, id in newest.values()}


def test_every_environment_is_on_a_page():
    described = [id for page, _ in PAGES.values() for id in (page.id, *page.variants)]
    assert sorted(described) == sorted(newest_ids())


@pytest.mark.parametrize("id", PAGES)
def test_a_page_has_every_section_and_every_argument(id):
    page, family = PAGES[id]
    text = page_text(page, family)
    for heading in ("Actions", "Observations", "Rewards", "Start and end of an episode", "Arguments"):
        _, found, section = text.partition(f"\n## {heading}\n")
        assert found and section.split("\n## ")[0].strip()
    with closing(gymnasium.make(id)) as env:
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        observed = env.unwrapped.observation_space.shape
        assert rows and (observed is None or len(observed) != 1 or f"{observed[0] - 1} |" in text)


@pytest.mark.parametrize("page", [page for page, _ in PAGES.values()], ids=lambda page: page.id)
def test_variants_are_of_the_same_class(page):
    for id in page.variants:
        assert gymnasium.spec(id).entry_point == gymnasium.spec(page.id).entry_point


def test_a_page_that_names_too_few_elements_is_refused():
    page, family = PAGES["CartPole-v1"]
    with pytest.raises(ValueError, match="4 elements"):
        page_text(page._replace(observations=page.observations[:3]), family)


@pytest.mark.parametrize("page", ROBOTS, ids=lambda page: page.id)
def test_a_robot_ends_only_where_its_page_says_so(page):
    with closing(gymnasium.make(page.id)) as env:
        env.action_space.seed(3)
        env.reset(seed=3)
        ended = any(env.step(env.action_space.sample())[2] for _ in range(100))
    assert ended <= (page.ends != "never")


def test_files_are_named_by_the_environment():
    files = {page.name: page.file for page, _ in PAGES.values()}
    assert (
        files["CartPole"] == "cart_pole" and files["HalfCheetah"] == "half_cheetah" and files["Walker2d"] == "walker2d"
    )


def test_a_picture_shows_the_environment_in_colours(tmp_path):
    page: Page = PAGES["CartPole-v1"][0]
    pixels = frame(page)
    assert pixels.dtype == np.uint8 and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 2

    file = picture_of(page, tmp_path)
    assert file.stat().st_size < 60_000
    strip([file, file], tmp_path / "strip.webp")
    assert (tmp_path / "strip.webp").exists()
    assert set(STRIP) <= set(PAGES)
