"""Trying what pictures need: a display, a video encoder, OpenGL. Each returns a remark, or raises why not."""

from __future__ import annotations

import os
import subprocess
import sys

from gymnasium.cli.families import exists
from gymnasium.rendering import require_display
from gymnasium.rendering._libraries import load_pygame
from gymnasium.rendering.video import require_encoder

GL_BACKENDS = ("egl", "osmesa", "glfw")

_SECONDS = 30.0
_MAKE_CONTEXT = "import mujoco; context = mujoco.GLContext(64, 64); context.make_current(); context.free()"


def check_display() -> str:
    """Raises `UnsupportedMode` where there is no display."""
    require_display()
    return f"SDL driver {os.environ.get('SDL_VIDEODRIVER', 'default')}, pygame {load_pygame().version.ver}"


def check_video() -> str:
    """Raises `DependencyNotInstalled` where `.mp4` files cannot be written."""
    require_encoder(".mp4")
    return "H.264"


def check_gl(backend: str) -> str:
    """Make an OpenGL context as MuJoCo does, in a process of its own, which may crash.

    Raises:
        RuntimeError: If that fails.
    """
    if not exists("mujoco"):
        raise RuntimeError("mujoco is not installed")
    try:
        done = subprocess.run(
            [sys.executable, "-c", _MAKE_CONTEXT],
            env={**os.environ, "MUJOCO_GL": backend},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no context after {_SECONDS:g} seconds") from None
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    return f"MUJOCO_GL={backend}"
