"""Files that are written only when they change, so that Sphinx rebuilds only changed pages."""

from __future__ import annotations

from pathlib import Path


def write(path: Path, text: str) -> Path:
    """Write `text`, unless it is there already; returns the path."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path
