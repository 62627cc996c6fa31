"""The optional libraries for pictures, imported at their first use."""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType

from gymnasium.dependencies import not_installed

_drawing: dict[str, ModuleType] = {}


def load_pygame() -> ModuleType:
    """Returns pygame, imported but not initialised; raises `DependencyNotInstalled` if it is missing."""
    known = _drawing.get("pygame")  # drawings call this often, and an import takes longer
    if known is None or sys.modules.get("pygame") is not known:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        known = _drawing["pygame"] = _load("pygame", "drawing", "pygame-ce")
    return known


def load_av() -> ModuleType:
    """Returns PyAV; raises `DependencyNotInstalled` if it is missing."""
    return _load("av", "writing videos", "av")


def load_moviepy() -> ModuleType:
    """Returns moviepy's module that writes videos by FFmpeg; raises `DependencyNotInstalled` if it is missing."""
    return _load("moviepy.video.io.ffmpeg_writer", "writing videos", "moviepy")


def load_matplotlib(part: str) -> ModuleType:
    """Returns a module of matplotlib, such as `"figure"`; raises `DependencyNotInstalled` if it is missing."""
    return _load(f"matplotlib.{part}", "plots", "matplotlib")


def _load(name: str, purpose: str, library: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as reason:
        raise not_installed(name, purpose, reason, library) from reason
