"""Imports MiniWorld where there is no display, in this process and in its workers."""

import os

os.environ["PYGLET_HEADLESS"] = "1"
import miniworld  # noqa: F401
