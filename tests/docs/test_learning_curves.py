"""The learning curves of the tutorials are drawn from the runs' own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.curves import draw

DOCS = Path(__file__).parents[2] / "docs"
CURVES = sorted(file.stem for file in (DOCS / "curves").glob("*.csv"))


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_rises_to_what_its_tutorial_says(name: str) -> None:
    steps, returns = draw.curve(name)
    assert steps == sorted(steps) and len(steps) == len(returns) > 50
    task, method, seed = name.split("-")
    assert returns[0] < 0 < returns[-1]
    assert seed == "1" and f"/_static/curves/{task}.svg" in (DOCS / "gymnasium" / "tutorials" / f"{task}.md").read_text(
        "utf-8"
    )
    assert (DOCS / "_static" / "curves" / f"{task}.svg").exists() and method in {"ppo", "random_search"}


def test_drawings_are_made_from_the_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(draw, "OUT", tmp_path)
    draw.main()
    assert {file.name for file in tmp_path.iterdir()} == {file.name for file in (DOCS / "_static/curves").iterdir()}
    assert all(file.read_text("utf-8").startswith("<?xml") for file in tmp_path.iterdir())
