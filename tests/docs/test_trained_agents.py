"""The moving pictures of trained agents: there is one for each page, small, and with true captions."""

from __future__ import annotations

import json
from contextlib import closing

import numpy as np
import pytest
from PIL import Image

import gymnasium as gym
from docs._tools.cameras import camera
from docs._tools.environments import FAMILIES
from docs._tools.films import film
from docs._tools.versions import version_table
from docs.trained.agents import policy_of
from docs.trained.recipes import RECIPES, Recipe
from docs.trained.run import FILMS, MAX_BYTES, RESULTS, Film, encoded, filmed, measured

PAGES = {page.id: page for family in FAMILIES for page in family.pages}


def test_every_page_has_a_recipe_and_a_film() -> None:
    assert set(json.loads(RESULTS.read_text(encoding="utf-8"))) == set(PAGES)
    assert {recipe.id for recipe in RECIPES} == set(PAGES)
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.id)
def test_a_film_moves_and_is_small_and_its_caption_says_what_the_agent_reaches(recipe: Recipe) -> None:
    file = FILMS / f"{recipe.name}.webp"
    with Image.open(file) as picture:
        assert picture.n_frames > 2
    assert file.stat().st_size <= MAX_BYTES

    text = film(PAGES[recipe.id])
    assert text.startswith(f":::{{figure}} /_static/trained/{recipe.name}.webp\n:alt: {recipe.alt}\n")
    assert " steps. Over " in text and " on average " in text and f"docs.trained.run {recipe.id}`" in text


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.id)
def test_an_agent_is_trained_by_an_example(recipe: Recipe) -> None:
    """With arguments that it knows."""
    from docs.trained import agents

    module = getattr(agents, recipe.script.removesuffix(".py"))
    options = module.parser.parse_args(list(recipe.arguments))
    assert options.seed == 1
    assert recipe.trained_as in {"", *PAGES}


@pytest.mark.parametrize("id", [recipe.id for recipe in RECIPES if recipe.id.endswith("-v5")])
def test_a_robot_is_seen_from_a_camera_of_its_own(id: str) -> None:
    assert camera(id)


def test_an_agent_is_read_back_measured_and_filmed(tmp_path) -> None:
    """Here one that was not trained: it pushes to the right if the pole leans to the right."""
    np.savez(tmp_path / "policy.npz", weights=np.array([0.0, 0.0, 1.0, 1.0]), steps=0)
    recipe = Recipe("CartPole-v1", "", "cross_entropy.py", (), "", seconds=0.4)
    with closing(gym.make("CartPole-v1", render_mode="rgb_array")) as env:
        policy = policy_of(recipe, tmp_path, env)
        assert np.mean(measured(env, policy, 3)) > 100
        made = filmed(env, policy, recipe)
    assert len(made.pictures) == len(made.milliseconds) == 7 and made.returns[0] > 100

    (tmp_path / "film.webp").write_bytes(encoded(made))
    with Image.open(tmp_path / "film.webp") as picture:
        assert picture.n_frames > 2 and picture.size == (600, 400)


def test_a_large_film_becomes_smaller_until_it_is_small_enough() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (12, 400, 600, 3), np.uint8)
    data = encoded(Film([Image.fromarray(picture) for picture in noise], [60] * 12, [0.0]))
    assert len(data) < noise.nbytes / 20


def test_versions_are_told_apart() -> None:
    assert version_table("Acrobot-v1") == ""
    assert "| `CartPole-v0` | An episode has at most 200 steps; it counts as solved from 195. |" in version_table(
        "CartPole-v1"
    )
    ant = version_table("Ant-v5")
    assert "it does not take `frame_skip`" in ant and "27 numbers in place of 105" in ant
    assert ant.count("mujoco-py") == 2
