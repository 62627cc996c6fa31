"""Tests of the requirements of pictures: a display, a video encoder, OpenGL. Each returns a remark, or raises."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from gymnasium.error import UnsupportedMode
from gymnasium.rendering import require_display
from gymnasium.rendering._libraries import load_pygame
from gymnasium.rendering.video import require_encoder
from palaestra.cli.families import exists

GL_BACKENDS = ("egl", "osmesa", "glfw")

_SECONDS = 30.0
_FEWEST_COLOURS = 3  # of a frame that is not empty
# Parts of errors that say little, and their meaning.
_MEANINGS = {
    "'NoneType' object has no attribute": "its library was not found",
    "OpenGL platform library has not been loaded": "no OpenGL context could be opened",
}
_DRAW = """
import json, time, gymnasium
start = time.perf_counter()
with gymnasium.make("InvertedPendulum-v5", render_mode="rgb_array", width=64, height=64) as env:
    env.reset(seed=0)
    frame = env.render()
colours = len({tuple(pixel) for row in frame.tolist() for pixel in row})
print(json.dumps({"shape": frame.shape, "colours": colours, "seconds": time.perf_counter() - start}))
"""


def check_display() -> str:
    """Raises `UnsupportedMode` with the reason, in short, if there is no display."""
    try:
        require_display()
    except UnsupportedMode as error:
        reason = str(error).partition("(")[2].partition(")")[0]
        raise UnsupportedMode(reason or str(error)) from error
    return f"SDL driver {os.environ.get('SDL_VIDEODRIVER', 'default')}, pygame {load_pygame().version.ver}"


def check_video() -> str:
    """Raises `DependencyNotInstalled` if `.mp4` files cannot be written."""
    require_encoder(".mp4")
    return "H.264"


def draw_by_gl(backend: str) -> str:
    """Draw a frame of a robot with OpenGL in a separate process, which may crash; returns a description of the frame.

    Raises:
        RuntimeError: If that fails.
    """
    if not exists("mujoco"):
        raise RuntimeError("mujoco is not installed")
    try:
        done = subprocess.run(
            [sys.executable, "-c", _DRAW],
            env={**os.environ, "MUJOCO_GL": backend},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no frame after {_SECONDS:g} seconds") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise RuntimeError(next((meaning for part, meaning in _MEANINGS.items() if part in last), last))
    came = json.loads(done.stdout.splitlines()[-1])
    height, width, _ = came["shape"]
    if came["colours"] < _FEWEST_COLOURS:
        raise RuntimeError(f"a frame of {width} x {height} pixels came, but nothing is on it")
    return f"{width} x {height} pixels, {came['colours']} colours, {came['seconds']:.1f} s"
