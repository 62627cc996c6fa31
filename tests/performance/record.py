"""Writes the bounds anew: `python -m tests.performance.record`, after a change that has to cost more, or costs less."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.performance.paths import PATHS

BOUNDS = Path(__file__).with_name("bounds.json")


def main() -> None:
    """Measure every path, and write what it did."""
    found = {"python": list(sys.version_info[:2]), "paths": {name: path()._asdict() for name, path in PATHS.items()}}
    BOUNDS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(BOUNDS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
