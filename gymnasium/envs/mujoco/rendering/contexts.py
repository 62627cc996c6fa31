"""Graphics contexts for rendering without a window."""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeAlias

from gymnasium.error import UnsupportedMode

# The interface of a GLContext in mujoco's modules: make_current, as_current and free.
GLContext: TypeAlias = Any

# In the order of the attempts: first those without a display.
BACKENDS = {
    "egl": "Debian and Ubuntu: apt-get install libegl1 libgl1-mesa-dri; with a GPU: its driver's EGL",
    "osmesa": "Debian and Ubuntu: apt-get install libosmesa6",
    "glfw": "a display, or: xvfb-run python ...",
}


_drawing: set[int] = set()  # the processes, this one or one of its ancestors, that have made a context


def current(context: GLContext) -> AbstractContextManager[None]:
    """Makes `context` the current one temporarily, and restores the previous one; so threads may use it in turn.

    Raises:
        gymnasium.error.UnsupportedMode: If this process was forked from one that has drawn.
    """
    check_process()
    if hasattr(context, "as_current"):
        return context.as_current()  # type: ignore[no-any-return]
    context.make_current()  # before mujoco 4 it stays current
    return nullcontext()


def make_context(width: int, height: int) -> GLContext:
    """Returns a new context with a framebuffer of this size, from `MUJOCO_GL` or the first backend that works.

    Raises:
        RuntimeError: If `MUJOCO_GL` does not name a backend.
        gymnasium.error.UnsupportedMode: If none works; it lists the attempts and the libraries to install. Also if this
            process was forked from one that has drawn.
    """
    check_process()
    tried: dict[str, Exception] = {}
    for name in _wanted():
        try:
            return context_of(name, width, height)
        except Exception as reason:
            tried[name] = reason
    lines = [
        f"  {name}: {type(reason).__name__}: {reason}\n    needs {BACKENDS[name]}" for name, reason in tried.items()
    ]
    raise UnsupportedMode(
        "Nothing to render with was found. Tried:\n"
        + "\n".join(lines)
        + f"\nInstall one of these, and choose it by the environment variable MUJOCO_GL ({', '.join(BACKENDS)}) if it "
        "is not the first"
    )


def check_process() -> None:
    """Refuse to draw in a process forked from one that has drawn.

    A graphics driver has threads, which a fork does not copy: a process that then draws would wait for them for ever.

    Raises:
        gymnasium.error.UnsupportedMode: If this is such a process.
    """
    if _drawing and os.getpid() not in _drawing:
        raise UnsupportedMode(
            "This process was forked from one that had drawn before, and cannot draw itself. Start workers otherwise: "
            "AsyncVectorEnv(..., context='forkserver') or 'spawn'; or let nothing draw before they are started"
        )


def _wanted() -> list[str]:
    chosen = os.environ.get("MUJOCO_GL", "").lower()
    if not chosen:
        return list(BACKENDS)
    if chosen not in BACKENDS:
        raise RuntimeError(
            f"The environment variable MUJOCO_GL is {chosen!r}, but must be one of {', '.join(BACKENDS)}, or unset"
        )
    return [chosen]


def context_of(name: str, width: int, height: int) -> GLContext:
    """Returns a context of one backend; if it fails, the next backend finds the process unchanged.

    PyOpenGL chooses its platform once, when it is imported.
    """
    platform = os.environ.get("PYOPENGL_PLATFORM")
    loaded = set(sys.modules)
    try:
        context = importlib.import_module(f"mujoco.{name}").GLContext(width, height)
        _drawing.add(os.getpid())
        with current(context):
            return context
    except Exception:
        for module in set(sys.modules) - loaded:
            if module.partition(".")[0] == "OpenGL" or module.startswith(f"mujoco.{name}"):
                del sys.modules[module]
        if platform is None:
            os.environ.pop("PYOPENGL_PLATFORM", None)
        raise
