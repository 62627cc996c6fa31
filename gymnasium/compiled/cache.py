"""Kernels as modules in a folder of the user's, where Numba finds their machine code again in later processes.

Numba's own cache knows a function by its file, and not by what its globals hold. So every text of kernels has a file
of its own, in a folder named by the digest of all that it is made of.
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

from gymnasium.compiled.backend import CONFIG


def module_of(source: str, content: str, names: dict[str, Any], keep: bool = True) -> ModuleType:
    """Returns the module of a text of kernels, in whose globals are `names`; what it compiles is kept on disk.

    Where no folder can be written to, nothing is kept. In one process all environments share it.

    Args:
        source: The text.
        content: The digest of what `names` are made of.
        names: What the text names beyond its imports.
        keep: Whether to keep anything.
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
        sys.modules[name] = module  # Numba looks a function's module up by name
        exec(compile(source, str(path), "exec"), module.__dict__)
        _modules[str(path)] = module
    return _modules[str(path)]


_modules: dict[str, ModuleType] = {}  # those of this process, by their files


def forget(source: str, content: str, name: str) -> bool:
    """Remove the machine code of a text from disk and from this process; returns whether there was any.

    Args:
        source: The text.
        content: The digest of what it names.
        name: A kernel of it. Numba knows where it keeps it.
    """
    module = _modules.pop(str(folder() / _digest(source, content) / "kernels.py"), None)
    place = getattr(module, name).stats.cache_path if module else None
    found = list(Path(place).glob("*.nb[ic]")) if place else []
    for file in found:
        file.unlink(missing_ok=True)
    return bool(found)


class Note:
    """Something that is remembered of a text of kernels: that it cannot be compiled, say.

    Args:
        source: The text.
        content: The digest of what it names.
        what: What is remembered.
    """

    def __init__(self, source: str, content: str, what: str) -> None:
        self._path = folder() / _digest(source, content) / what

    def exists(self) -> bool:
        """Returns whether an earlier process has written it."""
        return self._path.exists()

    def write(self) -> None:
        """Tell later processes, if there is a place to."""
        with suppress(OSError, RuntimeError):
            self._path.touch()


def _digest(source: str, content: str) -> str:
    return hashlib.sha256("\0".join([source, content, _surroundings()]).encode()).hexdigest()[:32]


def folder() -> Path:
    """Returns where kernels are kept: below NUMBA_CACHE_DIR, or else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "palaestra"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "palaestra" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "palaestra" / "kernels"


def _written(source: str, digest: str) -> Path | None:
    """Returns the file of a text, which any number of processes may write at a time; None if it cannot be."""
    try:
        place = folder() / digest
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = place / "kernels.py"
        if not path.exists():
            handle, temporary = tempfile.mkstemp(".py", dir=place)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(source)
            os.utime(temporary, (0, 0))  # Numba recompiles for a new date, which the file of another process has
            os.replace(temporary, path)
        return path if os.access(place, os.W_OK) else None
    except (OSError, RuntimeError):  # no home
        return None


@cache
def _surroundings() -> str:
    """What else machine code depends on. The processor Numba looks at by itself."""
    own = [path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py"))]
    versions = [version(name) for name in ("numba", "llvmlite", "numpy")]
    return "\0".join([*versions, sys.version, str(CONFIG.BOUNDSCHECK), hashlib.sha256(b"\0".join(own)).hexdigest()])
