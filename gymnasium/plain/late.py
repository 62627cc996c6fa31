"""Functions of modules that translate parts of each other: each is looked up when it is called."""

from __future__ import annotations

import sys
from typing import Any


def late(module: str, name: str) -> Any:
    """Returns what a module of this package defines; `dynamics` imports them all."""
    return getattr(sys.modules[f"gymnasium.plain.{module}"], name)
