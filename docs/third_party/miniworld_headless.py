"""Imports MiniWorld where there is no display."""

import pyglet

pyglet.options["headless"] = True
import miniworld  # noqa: E402, F401
