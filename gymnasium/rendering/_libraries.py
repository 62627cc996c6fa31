"""The optional libraries for pictures, imported at their first use."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

from gymnasium.error import DependencyNotInstalled


def load_pygame() -> ModuleType:
    """Returns pygame, imported and not initialised; `DependencyNotInstalled` where it is missing."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    return _load("pygame", "drawing", "classic-control")


def load_av() -> ModuleType:
    """Returns PyAV; `DependencyNotInstalled` where it is missing."""
    return _load("av", "writing videos", "video")


def load_matplotlib(part: str) -> ModuleType:
    """Returns a module of matplotlib, such as `"figure"`; `DependencyNotInstalled` where it is missing."""
    return _load(f"matplotlib.{part}", "plots", "plot")


def _load(name: str, purpose: str, extra: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as reason:
        raise DependencyNotInstalled(
            f'{name} is needed for {purpose} and cannot be imported ({reason}). Run: pip install "gymnasium[{extra}]"'
        ) from reason
