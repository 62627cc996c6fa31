"""`palaestra doctor`."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import NamedTuple

from gymnasium.dependencies import install_command
from palaestra.cli import console
from palaestra.cli.errors import one_line
from palaestra.cli.families import exists
from palaestra.cli.graphics import GL_BACKENDS, check_display, check_video, draw_by_gl


def _note_on_box2d() -> str:
    """Says whether the engine runs without machine code, because it is no known build."""
    try:
        from gymnasium.envs.box2d._engine import bindings, library

        is_known = library.is_known(bindings.BINDINGS)
    except Exception:  # a broken library may raise anything
        return ""
    return "" if is_known else "not a build that is known: its environments run without machine code, more slowly"


class Library(NamedTuple):
    """A library: the distribution to install, and the module to import."""

    distribution: str
    module: str
    note: Callable[[], str] = str  # what is to be said of it, if it is installed

    def is_installed(self) -> bool:
        """Whether its module can be found."""
        return exists(self.module)

    def row(self) -> tuple[str, str, str]:
        """Returns name, version, and the command to install it if it is missing."""
        if self.is_installed():
            return self.distribution, _version(self.distribution), self.note()
        return self.distribution, "missing", install_command(self.distribution)


CORE = (
    Library("numpy", "numpy"),
    Library("cloudpickle", "cloudpickle"),
    Library("typing-extensions", "typing_extensions"),
    Library("llvmlite", "llvmlite"),
)
OPTIONAL = (
    Library("pygame-ce", "pygame"),
    Library("box2d", "Box2D", _note_on_box2d),
    Library("mujoco", "mujoco"),
    Library("ale-py", "ale_py"),
    Library("jax", "jax"),
    Library("torch", "torch"),
    Library("stable-baselines3", "stable_baselines3"),
    Library("array-api-compat", "array_api_compat"),
    Library("opencv-python-headless", "cv2"),
    Library("av", "av"),
    Library("moviepy", "moviepy"),
    Library("h5py", "h5py"),
    Library("matplotlib", "matplotlib"),
    Library("rich", "rich"),
    Library("ray", "ray"),
    Library("starlette", "starlette"),
    Library("uvicorn", "uvicorn"),
    Library("pillow", "PIL"),
)

_NO_DISPLAY = "for windows: run on a desktop, with `ssh -X`, or under `xvfb-run`; rgb_array needs no display"
_NO_GL = {
    "egl": "sudo apt install libegl1 libgl1-mesa-dri",
    "osmesa": "sudo apt install libosmesa6",
    "glfw": "sudo apt install libglfw3, and a display",
}


def examine(as_json: bool = False) -> int:
    """Print the installed libraries, the working parts, and the commands that repair the rest; returns the exit code.

    Args:
        as_json: Whether to print for programs.

    Returns:
        1 if an essential library is missing, 0 otherwise.
    """
    needed, optional = ([library.row() for library in group] for group in (CORE, OPTIONAL))
    if as_json:
        columns = "name", "state", "remedy"
        rows = {"needed": needed, "optional": optional, "pictures": _pictures()}
        tables = {title: [dict(zip(columns, row, strict=True)) for row in group] for title, group in rows.items()}
        console.print_json({"system": dict(_system()), **tables})
    else:
        console.heading("system")
        console.table(_system())
        console.heading("needed")
        console.table(needed, ("library", "version", "remedy"))
        console.heading("optional")
        console.table(optional, ("library", "version", "remedy"))
        console.heading("pictures")
        console.table(_pictures(), ("part", "works", "remedy"))
    return int(not all(library.is_installed() for library in CORE))


def _system() -> list[tuple[str, str]]:
    gymnasium = sys.modules["gymnasium"]
    return [
        ("gymnasium", f"{gymnasium.__version__} (Palaestra), {os.path.dirname(str(gymnasium.__file__))}"),
        ("Python", f"{platform.python_version()}, {sys.executable}"),
        ("platform", f"{platform.platform()}, {platform.machine()}"),
        ("cores", str(os.cpu_count())),
    ]


def _pictures() -> list[tuple[str, str, str]]:
    rows = [
        _tried("display", check_display, _NO_DISPLAY),
        _tried("video", check_video, f"for videos: {install_command('av')} --force-reinstall"),
    ]
    if not exists("mujoco"):
        return rows  # nothing else draws with OpenGL
    gl = [_tried(f"OpenGL by {backend}", partial(draw_by_gl, backend), _NO_GL[backend]) for backend in GL_BACKENDS]
    if any(row[1].startswith("yes") for row in gl):  # one is enough
        gl = [(what, works, "") for what, works, _ in gl]
    return rows + gl


def _tried(what: str, check: Callable[[], str], remedy: str) -> tuple[str, str, str]:
    try:
        return what, f"yes, {check()}", ""
    except Exception as error:  # a broken library may raise anything
        return what, f"no: {one_line(error)}", remedy


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "installed, under another name"
