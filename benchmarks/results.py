"""The file that keeps what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.peers import INTERPRETERS, ROOT, hardware

FOLDER = ROOT / "benchmarks" / "results"
QUICK_FOLDER = ROOT / "out" / "benchmarks"
_FILE = "results.json"


def read(folder: Path) -> dict[str, Any]:
    """Returns what a folder holds.

    Raises:
        SystemExit: If nothing was measured there yet.
    """
    path = folder / _FILE
    if not path.exists():
        raise SystemExit(f"{path} does not exist: measure first, by python -m benchmarks")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write(folder: Path, tables: list[dict[str, Any]], order: list[str]) -> None:
    """Put tables in the place of those of the same names; what another machine has measured is dropped.

    Args:
        folder: Where the file is.
        tables: What was measured now.
        order: The names of all tables.
    """
    here = hardware()
    kept: list[dict[str, Any]] = []
    if (folder / _FILE).exists() and (before := read(folder))["machine"] == here:
        kept = before["tables"]
    every = {table["name"]: table for table in [*kept, *tables]}
    found = {
        "machine": here,
        "versions": {name: peer.versions() for name, peer in INTERPRETERS.items()},
        "tables": [every[name] for name in order if name in every],
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILE).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
