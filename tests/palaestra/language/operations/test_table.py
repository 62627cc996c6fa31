"""Every entry of the table, beside what Python itself does."""

from __future__ import annotations

import os
from typing import Any

import pytest

from palaestra.language.operations.table import Entry, entries
from tests.palaestra.language.operations.trying import tried

SEED, DRAWS, GROUPS = (int(os.environ.get(f"TABLE_{name}", value)) for name, value in (("SEED", 0), ("DRAWS", 30), ("GROUPS", 2)))


def _name(called: Any) -> str:
    parts = called if isinstance(called, tuple) else (called,)
    return ".".join(getattr(one, "__qualname__", getattr(one, "__name__", str(one))) for one in parts)


@pytest.mark.parametrize("entry", [entry for entry in entries() if entry.tries], ids=lambda entry: _name(entry.called))
def test_entry_does_what_python_does(entry: Entry) -> None:
    result = tried(entry, SEED, DRAWS, GROUPS)
    assert not result.differences, "\n".join(result.differences)
    assert result.runs, f"all are refused: {result.refused}"
