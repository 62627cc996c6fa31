"""The page on what compiles: each operation and each form of syntax is on it, and its refusal is a real one."""

from __future__ import annotations

import ast
import math
import operator
from pathlib import Path

import numpy as np
import pytest

from docs._tools.blocks import python_blocks
from docs._tools.language import PAGE, refusal, rows, tables
from gymnasium.functional import ops
from palaestra.language.frontend.forms import FORMS, form_of
from palaestra.language.frontend.front import EXPRESSIONS, STATEMENTS
from palaestra.language.operations import table
from palaestra.language.operations.table import REFUSED, Entry, entries

DOCS = Path(__file__).parents[2] / "docs"


def _listed() -> dict[str, set[str]]:
    """The names of each heading's table."""
    found: dict[str, set[str]] = {}
    for row in rows():
        found.setdefault(row.heading, set()).update(row.called.split(", "))
    return found


def test_every_function_of_a_public_module_has_a_row() -> None:
    written = set().union(*_listed().values())
    modules = {"np": np, "math": math, "np.linalg": np.linalg, "ops": ops}
    entered = {id(one.called) for one in entries() if one.note != REFUSED}
    for short, module in modules.items():
        for name in getattr(module, "__all__", dir(module)):
            of = getattr(module, name)
            is_canonical = getattr(of, "__name__", "") == name
            if id(of) in entered and is_canonical and callable(of) and of not in (bool, int, float, abs, pow):
                assert f"`{short}.{name}`" in written


@pytest.mark.parametrize(
    ("heading", "called"),
    [
        ("Operators", "`a + b`, `a += b`"),
        ("Python's built-ins", "`sorted`"),
        ("`math`", "`math.atan2`"),
        ("NumPy: creation", "`np.zeros`"),
        ("NumPy: indexing", "`a[i]`"),
        ("NumPy: elementwise", "`np.clip`, `array.clip`"),
        ("NumPy: reductions", "`np.sum`, `array.sum`"),
        ("NumPy: shaping", "`np.reshape`, `array.reshape`"),
        ("NumPy: linear algebra", "`np.linalg.norm`"),
        ("NumPy: random numbers", "`rng.integers`"),
        ("NumPy: numbers", "`number.item`"),
        ("Containers", "`dict.get`"),
        ("`gymnasium.functional.ops`", "`ops.sin`"),
    ],
)
def test_a_function_is_below_the_heading_where_it_is_looked_for(heading: str, called: str) -> None:
    assert called in {row.called for row in rows() if row.heading == heading}


def test_helpers_of_the_language_have_no_row() -> None:
    text = tables()
    assert "palaestra" not in text and "in place" not in text and "_at`" not in text
    assert not any(row.limits == REFUSED for row in rows())


def test_limits_are_the_notes_of_entries() -> None:
    limits = {row.called: row.limits for row in rows()}
    assert limits["`a + b`, `a += b`"] == "64 bits"
    assert limits["`np.argsort`, `array.argsort`"] == "no ties"
    assert limits["`np.sum`, `array.sum`"] == ""


def test_an_entry_that_is_added_is_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def build() -> None: ...

    list(entries())
    build.__module__ = "palaestra.language.operations.fourier"
    monkeypatch.setitem(table.TABLE, np.fft.fft, Entry(np.fft.fft, build, note="powers of two"))
    monkeypatch.setitem(table.TABLE, operator.delitem, Entry(operator.delitem, build))
    text = tables()
    assert "fft` | powers of two |" in text and "| `del a[i]` |  |" in text


def test_what_is_refused_by_name_is_listed_apart() -> None:
    _, _, refused = tables().partition("\n## Refused\n")
    assert "`print`" in refused and "`np.trim_zeros`" in refused
    assert "`print`" not in _listed()["Python's built-ins"]


def test_every_form_of_syntax_has_words() -> None:
    kinds = [*ast.expr.__subclasses__(), *ast.stmt.__subclasses__()]
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis"}  # which Python's parser has not made since 3.8
    assert {kind.__name__ for kind in kinds if kind.__module__ == "ast" or kind.__module__ == "_ast"} - old <= set(
        FORMS
    )
    assert form_of(type("Future", (ast.stmt,), {})).words == "`Future`"


def test_every_form_that_the_language_takes_has_a_row() -> None:
    syntax = {row.called for row in rows() if row.heading == "Syntax"}
    assert syntax == {form_of(node).words for node in (*EXPRESSIONS, *STATEMENTS)}


def test_the_refusal_of_the_page_is_that_of_its_program() -> None:
    source = python_blocks(DOCS / PAGE)[0]
    lines = refusal(source).splitlines()
    assert len(lines) == 2
    for line, function in zip(lines, ("lift", "step"), strict=True):
        assert line.startswith(f"{function}, line ") and " of glider.py: `" in line
    assert "print(" not in refusal(source)


def test_a_program_that_compiles_shows_no_refusal() -> None:
    with pytest.raises(ValueError, match="no longer shows a refusal"):
        refusal("def step(x, y):\n    return x\n")
