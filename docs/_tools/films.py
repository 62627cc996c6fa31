"""The moving picture of a trained agent at the top of an environment's page, with what the agent reaches."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from docs._tools.page import Page
from docs.trained.recipes import RECIPES

_DOCS = Path(__file__).parents[1]


def film(page: Page) -> str:
    """Returns the picture and its caption in Markdown; "" if no agent has been trained for the page."""
    recipes = {recipe.id: recipe for recipe in RECIPES}
    if page.id not in recipes or page.id not in _results():
        return ""
    recipe, found = recipes[page.id], _results()[page.id]
    trained = recipe.trained_as or page.id
    where = f" on `{trained}`" if recipe.trained_as else ""
    filmed = [_number(value) for value in found["filmed"]]
    these = f"This episode returns {filmed[0]}" if len(filmed) == 1 else f"These episodes return {_list(filmed)}"
    caption = (
        f"An agent trained by {recipe.method}{where}, for {found['steps']:,} steps. Over {found['episodes']:,} new "
        f"episodes it returns {_number(found['mean_return'])} on average (standard deviation "
        f"{_number(found['deviation'])}). {these}. From a clone, `python -m docs.trained.run {page.id}` trains and "
        "films it again."
    )
    return f":::{{figure}} /_static/trained/{recipe.name}.webp\n:alt: {recipe.alt}\n\n{caption}\n:::"


@cache
def _results() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((_DOCS / "trained" / "results.json").read_text(encoding="utf-8"))
    return found


def _number(value: float) -> str:
    """With three digits or more."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _list(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
