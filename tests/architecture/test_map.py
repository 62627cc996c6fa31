"""ARCHITECTURE.md names files that exist, and every package."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES as HOUSES
from tests.architecture.source import ROOT, tree

MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py|[\w/]+/)`", MAP)))
PACKAGES = sorted(path.parent for house in HOUSES for path in house.rglob("__init__.py"))


@pytest.mark.parametrize("name", NAMED)
def test_a_named_path_exists(name: str) -> None:
    """A path may begin at the repository, at a package, or at a part of it that the text is about."""
    name = name.rstrip("/")

    found = [path for house in HOUSES for path in house.rglob(name) if path.exists()] or [ROOT / name]

    assert all(path.exists() for path in found)


@pytest.mark.parametrize("package", [path.name for path in PACKAGES if path.parent in HOUSES])
def test_every_package_is_on_the_map(package: str) -> None:
    """Those right below `gymnasium` and `palaestra`."""
    assert re.search(rf"\b{package}\b", MAP)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_package_says_what_is_inside(package: Path) -> None:
    """In the docstring of its `__init__.py`."""
    docstring = ast.get_docstring(tree(package / "__init__.py"))

    assert docstring
