"""Kernels as modules in a folder of the user's, in which later processes find their machine code.

Numba's own cache identifies a function by its file, not by the values of its globals. Therefore each text of kernels
has its own file, in a folder named by the digest of everything that it depends on.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from gymnasium.jit.backend import CONFIG


def module_of(source: str, content: str, names: dict[str, Any], keep: bool = True) -> ModuleType:
    """Returns the module of a text of kernels, with `names` as globals; its compiled code is kept on disk.

    If no folder is writable, nothing is kept. All environments of a process share the module.

    Args:
        source: The text.
        content: The digest of the values of `names`.
        names: The globals of the text besides its imports.
        keep: Whether to keep anything on disk.
    """
    digest = _digest(source, content)
    path = _written(source, digest) if keep else None
    if path is None:
        source, path = source.replace("cache=True, ", ""), Path(f"<kernels {digest}>")
    if str(path) not in _modules:
        name = f"palaestra_kernels_{digest}"
        module = ModuleType(name)
        module.__file__ = str(path)
        module.__dict__.update(names)
        sys.modules[name] = module  # Numba looks up a function's module by name
        exec(compile(source, str(path), "exec"), module.__dict__)
        _modules[str(path)] = module
    return _modules[str(path)]


_modules: dict[str, ModuleType] = {}  # those of this process, by their files


def forget(source: str, content: str, name: str) -> bool:
    """Remove the machine code of a text from disk and from this process; returns whether there was any.

    Args:
        source: The text.
        content: The digest of its globals.
        name: A kernel of it, from which Numba knows the place of its cache.
    """
    module = _modules.pop(str(folder() / _digest(source, content) / "kernels.py"), None)
    place = getattr(module, name).stats.cache_path if module else None
    found = list(Path(place).glob("*.nb[ic]")) if place else []
    for file in found:
        file.unlink(missing_ok=True)
    return bool(found)


class Note:
    """A note about a text of kernels, for example that it cannot be compiled.

    Args:
        source: The text.
        content: The digest of its globals.
        what: The content of the note.
    """

    def __init__(self, source: str, content: str, what: str) -> None:
        self._path = folder() / _digest(source, content) / what

    def exists(self) -> bool:
        """Returns whether an earlier process has written the note."""
        return self._path.exists()

    def write(self) -> None:
        """Write the note for later processes, if there is a place for it."""
        with suppress(OSError, RuntimeError):
            self._path.touch()


def _digest(source: str, content: str) -> str:
    return hashlib.sha256("\0".join([source, content, _surroundings()]).encode()).hexdigest()[:32]


def folder() -> Path:
    """Returns the folder of kernels: below NUMBA_CACHE_DIR, or else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "palaestra"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "palaestra" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "palaestra" / "kernels"


def _written(source: str, digest: str) -> Path | None:
    """Returns the file of a text; several processes may write it at once. None if it cannot be written."""
    try:
        place = folder() / digest
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = place / "kernels.py"
        if not path.exists():
            handle, temporary = tempfile.mkstemp(".py", dir=place)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(source)
            os.utime(temporary, (0, 0))  # Numba recompiles if the date differs, as for another process's file
            os.replace(temporary, path)
        return path if os.access(place, os.W_OK) else None
    except (OSError, RuntimeError):  # no home directory
        return None


@cache
def _surroundings() -> str:
    """The further dependencies of machine code. Numba itself checks the processor."""
    own = [path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py"))]
    versions = [version(name) for name in ("numba", "llvmlite", "numpy")]
    return "\0".join([*versions, sys.version, str(CONFIG.BOUNDSCHECK), hashlib.sha256(b"\0".join(own)).hexdigest()])
