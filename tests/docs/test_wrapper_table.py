"""The tables of docs/gymnasium/wrappers.md say what there is: one of the interface's wrappers, one of Palaestra's."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from gymnasium import wrappers
from gymnasium.wrappers import vector
from palaestra import randomization, recording
from palaestra.randomization import vector as vector_randomization
from palaestra.recording import vector as vector_recording

PAGE = Path(__file__).parents[2] / "docs" / "gymnasium" / "wrappers.md"


def _rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _classes(*modules: ModuleType) -> dict[str, type]:
    """The wrappers that modules list, by name; distributions are none."""
    listed = {name: getattr(module, name) for module in modules for name in module.__all__}
    return {name: kind for name, kind in listed.items() if hasattr(kind, "step")}


ROWS = {heading: _rows(heading) for heading in ("Wrappers of the interface", "Wrappers of Palaestra")}
HOMES = {
    "Wrappers of the interface": (_classes(wrappers), _classes(vector)),
    "Wrappers of Palaestra": (_classes(randomization, recording), _classes(vector_randomization, vector_recording)),
}
CASES = [pytest.param(heading, row, id=row[0].strip("`")) for heading, rows in ROWS.items() for row in rows]


@pytest.mark.parametrize("heading", ROWS)
def test_every_wrapper_has_a_row(heading: str) -> None:
    """In the table of its package."""
    single, vectors = HOMES[heading]
    names = [row[0].strip("`") for row in ROWS[heading]]

    assert set(names) == single.keys() | vectors.keys()
    assert names == sorted(set(names))


def test_the_interface_lists_nothing_but_wrappers() -> None:
    assert set(wrappers.__all__) - {"vector"} == HOMES["Wrappers of the interface"][0].keys()
    assert set(vector.__all__) == HOMES["Wrappers of the interface"][1].keys()


@pytest.mark.parametrize(("heading", "row"), CASES)
def test_a_row_says_where_the_wrapper_is_and_whether_its_state_can_be_saved(heading: str, row: list[str]) -> None:
    name, changes, one, many, remembers, saved = row
    single, vectors = HOMES[heading]
    name = name.strip("`")
    # The runner of a batch draws params, and its state holds them.
    homes = [single, {} if name == "RandomizeParams" else vectors]
    classes = [there[name] for there in homes if name in there]

    assert changes
    assert [one, many] == ["yes" if name in there else "" for there in (single, vectors)]
    assert {hasattr(kind, "get_state") for kind in classes} == {saved == "yes"}
    assert {hasattr(kind, "set_state") for kind in classes} == {saved == "yes"}
    assert remembers or not saved
