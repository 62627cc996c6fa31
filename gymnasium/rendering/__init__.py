"""Pixels without any environment: a canvas to draw on, a window to show frames in, a file to write them to.

Importing this package imports neither pygame nor PyAV; each is imported at its first use.
"""

from __future__ import annotations

from gymnasium.rendering.canvas import Canvas, Color, Point
from gymnasium.rendering.video import VideoWriter
from gymnasium.rendering.window import Window, require_display

__all__ = ["Canvas", "Color", "Point", "VideoWriter", "Window", "require_display"]
