"""The parts of docstrings: their paragraphs and sections, as Markdown."""

from __future__ import annotations

import inspect
import re
from typing import Any

_SECTION = re.compile(r"^(Args|Attributes|Raises|Returns):\n", re.MULTILINE)
_ENTRY = re.compile(r"^    (\S[^:]*): (.*)$")


def paragraphs(of: Any) -> list[str]:
    """Returns the paragraphs before the first section, each one line."""
    text = _SECTION.split(inspect.getdoc(of) or "")[0]
    return [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]


def arguments(of: type) -> dict[str, str]:
    """Returns the description of each argument in the docstring's Args, or in those of the nearest base with any."""
    for cls in of.__mro__:
        parts = _SECTION.split(inspect.cleandoc(cls.__dict__.get("__doc__") or ""))
        if "Args" in parts:
            return _entries(parts[parts.index("Args") + 1])
    return {}


def _entries(section: str) -> dict[str, str]:
    entries: dict[str, str] = {}
    for line in section.rstrip().split("\n"):
        entry = _ENTRY.match(line)
        if entry:
            entries[entry[1]] = entry[2]
        elif entries:
            name = next(reversed(entries))
            entries[name] = f"{entries[name]} {line.strip()}"
    return entries


def field_comments(record: type) -> dict[str, str]:
    """Returns the comment behind each field of a NamedTuple's source."""
    pattern = re.compile(r"^    (\w+): .*?(?:  # (.*))?$", re.MULTILINE)
    return {name: comment or "" for name, comment in pattern.findall(inspect.getsource(record))}


def source(module: Any) -> str:
    """Returns the paragraph of a module's docstring that cites the source; "" if none does."""
    return next((text for text in paragraphs(module) if text.startswith("Source:")), "")
