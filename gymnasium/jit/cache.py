"""Machine code in a folder of the user's, in which later processes find it.

Each text of kernels has a folder of its own, named by the digest of everything that it depends on. An object file in it
holds the machine code of one function, which LLVM loads without Numba.
"""

from __future__ import annotations

import hashlib
import json
import linecache
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from gymnasium.jit.engine import has_symbol, loaded, target


def module_of(source: str, content: str, names: dict[str, Any], keep: bool = True) -> ModuleType:
    """Returns the module of a text of kernels, with `names` as globals. All environments of a process share it.

    Args:
        source: The text.
        content: The digest of the values of `names`.
        names: The globals of the text besides its imports.
        keep: Whether Numba keeps compiled code beside a file of the text, if a folder is writable.
    """
    digest = digest_of(source, content)
    path = _written(source, digest) if keep else None
    if path is None:
        source, path = source.replace("cache=True, ", ""), Path(f"<kernels {digest}>")
    if str(path) not in _modules:
        name = f"palaestra_kernels_{digest}"
        module = ModuleType(name)
        module.__file__ = str(path)
        module.__dict__.update(names)
        sys.modules[name] = module  # Numba looks up a function's module by name
        linecache.cache[str(path)] = len(source), None, source.splitlines(keepends=True), str(path)  # shown in errors
        exec(compile(source, str(path), "exec"), module.__dict__)
        _modules[str(path)] = module
    return _modules[str(path)]


_modules: dict[str, ModuleType] = {}  # those of this process, by their files


class Stored:
    """The machine code of one function on disk.

    Args:
        digest: That of the text of kernels.
        name: The function.
    """

    def __init__(self, digest: str, name: str) -> None:
        self._path = folder() / digest / f"{name}.code"

    def address(self) -> int | None:
        """Returns the address of the function, loaded; None if an earlier process left none that fits."""
        try:
            head, _, code = self._path.read_bytes().partition(b"\n")
            facts = json.loads(head)
            whole = facts["sha256"] == hashlib.sha256(code).hexdigest()
            if not (whole and _can_call(facts["symbols"])):
                return None
            return loaded(code, facts["function"]) or None
        except (OSError, RuntimeError, ValueError, TypeError, KeyError):  # truncated, or somebody else's
            return None

    def keep(self, code: bytes, function: str, symbols: list[str]) -> None:
        """Write machine code for later processes, if there is a place for it.

        Args:
            code: An object file.
            function: The function's name in it.
            symbols: The names of the functions that it calls.
        """
        facts = {"function": function, "symbols": symbols, "sha256": hashlib.sha256(code).hexdigest()}
        with suppress(OSError, RuntimeError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(self._path, json.dumps(facts).encode() + b"\n" + code)


def _can_call(symbols: list[str]) -> bool:
    """Returns whether there is a function of each name."""
    missing = [name for name in symbols if not has_symbol(name)]
    if missing and all(name.startswith(("NRT_", "numba_")) for name in missing):
        # Numba's own functions, for example to allocate arrays. Importing it takes a tenth of the time of compiling.
        from gymnasium.jit.backend import add_helpers

        add_helpers()
    return all(map(has_symbol, missing))


class Note:
    """A note about a text of kernels, for example that it cannot be compiled.

    Args:
        digest: That of the text.
        what: The content of the note.
    """

    def __init__(self, digest: str, what: str) -> None:
        self._path = folder() / digest / what

    def on(self, digest: str) -> Note:
        """Returns the same note on the text and on something else, of this digest."""
        return Note(self._path.parent.name, f"{self._path.name} {digest}")

    def exists(self) -> bool:
        """Returns whether an earlier process has written the note."""
        return self._path.exists()

    def write(self) -> None:
        """Write the note for later processes, if there is a place for it."""
        with suppress(OSError, RuntimeError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.touch()


def digest_of(source: str, content: str) -> str:
    """Returns the name of the folder for a text, whose globals have the digest `content`."""
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
            _write(path, source.encode())
        return path if os.access(place, os.W_OK) else None
    except (OSError, RuntimeError):  # no home directory
        return None


def _write(path: Path, content: bytes) -> None:
    """Write a file at once: other processes see all of it, or nothing."""
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.utime(temporary, (0, 0))  # Numba recompiles if the date differs, as for another process's file
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


@cache
def _surroundings() -> str:
    """The further dependencies of machine code: this package's own, the libraries, the settings, the processor."""
    package = Path(__file__).parents[1]
    own = [path.read_bytes() for part in ("jit", "compiled") for path in sorted((package / part).rglob("*.py"))]
    versions = [version(name) for name in ("numba", "llvmlite", "numpy")]
    settings = [f"{name}={value}" for name, value in sorted(os.environ.items()) if _matters(name)]
    return "\0".join([*versions, sys.version, *settings, target(), hashlib.sha256(b"\0".join(own)).hexdigest()])


def _matters(name: str) -> bool:
    return name.startswith("NUMBA_") and name not in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")
