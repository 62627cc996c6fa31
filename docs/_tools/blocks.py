"""The code of a page, and its execution, for the tests and for the pictures of a page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ROOT = Path(__file__).parents[2]


def python_blocks(page: Path) -> list[str]:
    """Returns the blocks of Python of a page, in their order."""
    return _FENCE.findall(page.read_text(encoding="utf-8"))


def program(page: Path) -> str:
    """Returns a page's blocks as one program, each at the line where it is on the page."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for match in _FENCE.finditer(text):
        first = text[: match.start(1)].count("\n")
        block = match[1].splitlines()
        lines[first : first + len(block)] = block
    return "\n".join(lines) + "\n"


Start = Callable[[str, Path, dict[str, str]], "subprocess.CompletedProcess[str]"]
"""Runs a script with warnings as errors, in a folder, under these environment variables."""


def run(page: Path, folder: Path, start: Start | None = None) -> str:
    """Run a page's blocks in one process of their own, in `folder`, with warnings as errors; returns their output.

    Args:
        page: The page.
        folder: The current folder.
        start: Starts the process; by default, a new Python does.

    Raises:
        RuntimeError: If one fails; the message holds the traceback, whose line numbers are those of the page.
    """
    script = folder / f"{page.stem}_page.py"  # the blocks of jax.md import jax
    script.write_text(program(page), encoding="utf-8")
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "MPLBACKEND": "agg", "SDL_VIDEODRIVER": "dummy"}
    done = (start or _started)(script.name, folder, environment)
    if done.returncode:
        raise RuntimeError(f"A block of {page} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def _started(script: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", script]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=120)


def make_pictures(docs: Path) -> None:
    """Run the pages that show their own drawings, in docs/_generated/NAME, unless this was done before."""
    for page in sorted([*docs.glob("*/introductions/*.md"), *docs.glob("*/tutorials/*.md")]):
        folder = docs / "_generated" / page.stem
        if f"_generated/{page.stem}/" not in page.read_text(encoding="utf-8"):
            continue
        stamp, done = folder / "program.sha256", sha256(program(page).encode()).hexdigest()
        if not stamp.exists() or stamp.read_text() != done:
            folder.mkdir(parents=True, exist_ok=True)
            run(page, folder)
            stamp.write_text(done)
