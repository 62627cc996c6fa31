"""The table of docs/wrappers.md says what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gymnasium import wrappers

PAGE = Path(__file__).parents[2] / "docs" / "wrappers.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| `")
]
TABLE = {name.strip("`"): cells for name, *cells in ROWS}
SINGLE = set(wrappers.__all__) - {"vector"}
VECTOR = set(wrappers.vector.__all__)


def test_every_wrapper_has_a_row():
    assert set(TABLE) == SINGLE | VECTOR
    assert [row[0] for row in ROWS] == sorted(row[0] for row in ROWS)


@pytest.mark.parametrize("name", TABLE)
def test_a_row_says_where_the_wrapper_is_and_whether_its_state_can_be_saved(name):
    changes, single, vector, remembers, saved = TABLE[name]
    # The runner of a batch draws params, and its state holds them.
    homes = [(wrappers, name in SINGLE), (wrappers.vector, name in VECTOR and name != "RandomizeParams")]
    classes = [getattr(module, name) for module, there in homes if there]

    assert changes
    assert [single, vector] == ["yes" if name in there else "" for there in (SINGLE, VECTOR)]
    assert {hasattr(kind, "get_state") for kind in classes} == {saved == "yes"}
    assert {hasattr(kind, "set_state") for kind in classes} == {saved == "yes"}
    assert remembers or not saved
