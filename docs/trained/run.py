"""Train and film the agents that the environments' pages show: `python -m docs.trained.run [ID...]`.

Each agent is trained by a script of examples/ with the arguments in `recipes.py`, from the script's own seed, 1. It is
kept in out/trained and not trained again, unless you add `--again`. Then it is measured on episodes that it was not
trained on, and one episode becomes a moving picture in docs/_static/trained. The returns go into `results.json`, for
the captions.
"""

from __future__ import annotations

import argparse
import io
import json
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

import gymnasium as gym
from docs._tools.cameras import camera
from docs.trained.agents import ROOT, Policy, policy_of, steps_of, train
from docs.trained.recipes import RECIPES, Recipe

RESULTS = Path(__file__).parent / "results.json"
FILMS = ROOT / "docs" / "_static" / "trained"
AGENTS = ROOT / "out" / "trained"
FIRST_SEED = 10_000  # of the measurement: not the episodes of the training
MAX_BYTES = 150 * 1024
PAUSE = 0.8  # s, of the last picture of an episode
SAMPLE = 10  # every tenth picture tells how large a film will be
# Tried one after the other until the film is small enough: width in pixels, quality (None is lossless).
SIZES = ((600, None), (600, 75), (480, 70), (400, 60), (360, 50), (320, 40), (320, 30), (288, 24), (256, 18))


class Film(NamedTuple):
    """Pictures, how long each is shown, and what the episodes returned."""

    pictures: list[Image.Image]
    milliseconds: list[int]
    returns: list[float]


def main() -> None:
    """Do it for the environments named, or for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", metavar="ID", help="environments (all)")
    parser.add_argument("--again", action="store_true", help="train even what is trained")
    parser.add_argument("--film-only", action="store_true", help="keep the returns measured before")
    options = parser.parse_args()
    recipes = {recipe.id: recipe for recipe in RECIPES}
    if unknown := set(options.ids) - set(recipes):
        parser.error(f"there is no recipe for {', '.join(sorted(unknown))}")
    for recipe in [recipes[id] for id in options.ids or recipes]:
        results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        source = recipes[recipe.trained_as or recipe.id]
        folder = AGENTS / source.name
        if options.again or not any(folder.glob("*.[pn][tp]*")):
            train(source, folder)
        known = results.get(recipe.id, {}) if options.film_only else {}
        results[recipe.id] = {
            **(known or figures(recipe, source, folder)),
            "filmed": filmed_returns(recipe, source, folder),
        }
        ordered = {id: results[id] for id in recipes if id in results}
        RESULTS.write_text(json.dumps(ordered, indent=2) + "\n", encoding="utf-8")
        print(f"{recipe.id}: {results[recipe.id]}", flush=True)


def figures(recipe: Recipe, source: Recipe, folder: Path) -> dict[str, Any]:
    """Measure the agent on new episodes."""
    with closing(gym.make(recipe.id)) as env:
        returns = measured(env, policy_of(source, folder, env), recipe.episodes)
    return {
        "seed": 1,
        "steps": steps_of(folder),
        "episodes": recipe.episodes,
        "mean_return": round(float(np.mean(returns)), 2),
        "deviation": round(float(np.std(returns)), 2),
    }


def filmed_returns(recipe: Recipe, source: Recipe, folder: Path) -> list[float]:
    """Film the agent; returns the returns of the episodes that are seen."""
    with closing(gym.make(recipe.id, render_mode="rgb_array", **camera(recipe.id))) as env:
        film = filmed(env, policy_of(source, folder, env), recipe)
    FILMS.mkdir(parents=True, exist_ok=True)
    (FILMS / f"{recipe.name}.webp").write_bytes(encoded(film))
    return [round(value, 2) for value in film.returns]


def measured(env: gym.Env[Any, Any], policy: Policy, episodes: int) -> list[float]:
    """Returns the returns of episodes, the first of which starts with `FIRST_SEED`."""
    returns = []
    observation, _ = env.reset(seed=FIRST_SEED)
    for _ in range(episodes):
        total, over = 0.0, False
        while not over:
            observation, reward, terminated, truncated, _ = env.step(policy(observation))
            total, over = total + float(reward), terminated or truncated
        returns.append(total)
        observation, _ = env.reset()
    return returns


def filmed(env: gym.Env[Any, Any], policy: Policy, recipe: Recipe) -> Film:
    """Film an episode, and more of them as long as the film is shorter than half its time."""
    fps = env.metadata["render_fps"] / recipe.slower
    stride = max(1, round(fps / recipe.fps))
    each, pause = round(1000 * stride / fps), round(1000 * PAUSE)
    film, seed = Film([], [], []), recipe.film_seed
    while sum(film.milliseconds) < 500 * recipe.seconds:
        observation, _ = env.reset(seed=seed)
        total, step, over = 0.0, 0, False
        while not over:
            late = step >= recipe.start * fps
            if late and step % stride == 0 and sum(film.milliseconds) < 1000 * recipe.seconds:
                film.pictures.append(Image.fromarray(np.asarray(env.render())))
                film.milliseconds.append(each)
            observation, reward, terminated, truncated, _ = env.step(policy(observation))
            total, step, over = total + float(reward), step + 1, terminated or truncated
        if sum(film.milliseconds) < 1000 * recipe.seconds:  # the end can be seen
            film.pictures.append(Image.fromarray(np.asarray(env.render())))
            film.milliseconds.append(pause)
        film.returns.append(total)
        seed += 1
    return film


def encoded(film: Film) -> bytes:
    """Returns the film as an animated WebP, as large and as good as `MAX_BYTES` allow."""
    for width, quality in SIZES:
        small = (width, quality) == SIZES[-1]
        if not small and _bytes(film, width, quality, every=SAMPLE)[1] > 1.5 * MAX_BYTES:
            continue  # a few pictures are enough to know that all are too many
        data, size = _bytes(film, width, quality)
        if size <= MAX_BYTES:
            break
    return data


def _bytes(film: Film, width: int, quality: int | None, every: int = 1) -> tuple[bytes, float]:
    """Returns the film of every so many pictures, and the size that all of them would have."""
    pictures = [_resized(picture, width) for picture in film.pictures[::every]]
    kind: dict[str, Any] = {"lossless": True} if quality is None else {"quality": quality}
    file = io.BytesIO()
    pictures[0].save(
        file, "WEBP", save_all=True, append_images=pictures[1:], duration=film.milliseconds[::every], loop=0,
        method=4, minimize_size=True, **kind,
    )  # fmt: skip
    return file.getvalue(), file.tell() * len(film.pictures) / len(pictures)


def _resized(picture: Image.Image, width: int) -> Image.Image:
    if picture.width <= width:
        return picture
    return picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
