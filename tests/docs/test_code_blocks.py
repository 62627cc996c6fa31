"""Every block of Python on a page runs, and prints what the page says that it prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs._tools.blocks import python_blocks, run
from tests.palaestra.cli import process

DOCS = Path(__file__).parents[2] / "docs"
MADE = {"_build", "_generated", "environments"}  # by Sphinx
PAGES = sorted(
    page for page in DOCS.rglob("*.md") if not MADE.intersection(page.relative_to(DOCS).parts) and python_blocks(page)
)
_OUTPUT = re.compile(r"^```python\n(?:(?!^```).)*?^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_there_are_pages_with_code():
    assert {"index", "basic_usage", "time_limits"} <= {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS).with_suffix("")))
def test_the_code_of_a_page_runs_and_prints_what_stands_below_it(page, tmp_path):
    printed = run(page, tmp_path, process.run_page)
    position = 0
    for output in _OUTPUT.findall(page.read_text(encoding="utf-8")):
        found = printed.find(output, position)
        assert found >= 0, f"{page.name} shows\n{output}\nbut from there on the code prints\n{printed[position:]}"
        position = found + len(output)


def test_a_failing_block_is_reported_with_its_line_on_the_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\nx = 1\n```\n\n```python\nx / 0\n```\n")
    with pytest.raises(RuntimeError, match=r"line 8"):
        run(page, tmp_path, process.run_page)
