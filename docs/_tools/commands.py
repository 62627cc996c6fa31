"""The commands of a page, with their output: blocks of `console` are run, and shown with their output."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import gymnasium
import palaestra
from docs._tools.blocks import program

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COLUMNS = "88"


Start = Callable[[Sequence[str], Path, dict[str, str]], "subprocess.CompletedProcess[str]"]
"""Runs `palaestra ARGUMENTS` in a folder, under these environment variables."""


class Done(NamedTuple):
    """A command that has been run."""

    code: int
    printed: str


def commands(text: str) -> list[str]:
    """Returns the commands of a page's blocks of `console`, in their order."""
    return [line.removeprefix("$ ") for block in _BLOCK.findall(text) for line in block.splitlines()]


def prepare(page: Path, folder: Path) -> None:
    """Save the page's Python as `mine.py` in `folder`, where its commands are run."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.py").write_text(program(page).strip() + "\n", encoding="utf-8")


def run(command: str, folder: Path, start: Start | None = None) -> Done:
    """Run one, without a display; stderr comes after stdout.

    Args:
        command: The command.
        folder: The current folder.
        start: Starts it; by default, a new Python does.
    """
    program, *arguments = shlex.split(command)
    if program != "palaestra":
        raise ValueError(f"Only `palaestra ...` is run, but the page has {command!r}")
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = (start or _started)(arguments, folder, {**environment, "COLUMNS": _COLUMNS})
    return Done(done.returncode, done.stdout + done.stderr)


def _started(arguments: Sequence[str], folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "palaestra", *arguments]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=120)


def with_output(page: Path, folder: Path, text: str) -> str:
    """Returns the text of a page in which each command is followed by its output."""
    prepare(page, folder)
    return _BLOCK.sub(partial(_shown, folder), text)


def _shown(folder: Path, match: re.Match[str]) -> str:
    parts = []
    for line in match[1].splitlines():
        printed = _remembered(line.removeprefix("$ "), folder)
        parts.append("\n".join([line, *(part.rstrip() for part in printed.strip("\n").splitlines())]))
    return "```console\n" + "\n\n".join(parts) + "\n```"


def _remembered(command: str, folder: Path) -> str:
    """Returns a command's output; it is run only if the package or the page's program has changed since."""
    commands = Path(palaestra.__file__).parent / "cli"
    sources = [*commands.glob("*.py"), Path(gymnasium.__file__).parent / "utils" / "performance.py"]
    known = sha256(b"".join(file.read_bytes() for file in sorted(sources)) + (folder / "mine.py").read_bytes())
    known.update(command.encode())
    file = folder / f"{known.hexdigest()[:16]}.txt"
    if not file.exists():
        file.write_text(run(command, folder).printed, encoding="utf-8")
    return file.read_text(encoding="utf-8")
