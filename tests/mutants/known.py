"""Faults that change nothing that anyone could see."""

from __future__ import annotations

from typing import Final

EQUIVALENT: Final[dict[tuple[str, str], str]] = {
    ("utils/play/_plot.py", "True  ->  False"): "there are as many axes as names; a test holds the other `strict`",
}
"""Why, by path and what was changed."""
