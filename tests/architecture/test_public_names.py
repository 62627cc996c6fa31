"""Every public name of the API is importable from its public module, save those listed as pending."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.architecture.source import modules

HERE = Path(__file__).parent


def _lines(file: str) -> list[str]:
    text = (HERE / file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _public() -> dict[str, list[str]]:
    """The names of each public module; those that belong into its `__all__` end in a star."""
    names: dict[str, list[str]] = {}
    module = ""
    for line in _lines("public_names.txt"):
        if line.startswith(" "):
            names[module] += line.split()
        else:
            module = line
            names[module] = []
    return names


def _pending() -> dict[str, set[str]]:
    """The pending modules; with the single names, where only those are missing."""
    entries = [line.strip().partition(": ") for line in _lines("pending.txt") if line.startswith(" ")]
    return {module: set(names.split()) for module, _, names in entries}


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


PUBLIC = _public()
PENDING = _pending()
ABSENT = [module for module, names in PENDING.items() if not names]
BUILT = [module for module in PUBLIC if module not in ABSENT]


@pytest.mark.parametrize("module", BUILT)
def test_a_built_module_has_its_public_names(module: str) -> None:
    """All of them but the pending ones; those with a star are in `__all__` too."""
    loaded = import_module(module)
    due = [name for name in PUBLIC[module] if name.rstrip("*") not in PENDING.get(module, set())]

    missing = [name for name in due if not hasattr(loaded, name.rstrip("*"))]
    unlisted = [name for name in due if name.endswith("*") and name.rstrip("*") not in loaded.__all__]

    assert (missing, unlisted) == ([], [])


@pytest.mark.parametrize("module", ABSENT)
def test_a_pending_module_is_absent(module: str) -> None:
    """One that has come is struck from pending.txt, and from then on must be complete."""
    assert not _exists(module), f"{module} exists: take its line out of pending.txt"


@pytest.mark.parametrize("module", [module for module, names in PENDING.items() if names])
def test_a_pending_name_is_absent(module: str) -> None:
    """One that has come is struck from pending.txt."""
    loaded = import_module(module)

    come = {name for name in PENDING[module] if hasattr(loaded, name)}

    assert not come


def test_pending_lists_public_names_only() -> None:
    """A misspelt line would hide nothing and promise something else."""
    strange = {module for module in PENDING if module not in PUBLIC}
    strange |= {name for module in PENDING for name in PENDING[module] - {n.rstrip("*") for n in PUBLIC[module]}}

    assert not strange


@pytest.mark.parametrize("module", [name for name in modules() if not name.endswith("__main__")])
def test_all_lists_what_exists_once(module: str) -> None:
    """`from module import *` works wherever `__all__` is defined; ruff keeps it sorted."""
    loaded = import_module(module)
    listed = getattr(loaded, "__all__", [])

    assert len(set(listed)) == len(listed)
    assert [name for name in listed if not hasattr(loaded, name)] == []
