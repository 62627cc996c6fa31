"""Faults that change nothing that anyone could see."""

from __future__ import annotations

from typing import Final

EQUIVALENT: Final[dict[tuple[str, str], str]] = {}
"""Why, by path and what was changed."""
