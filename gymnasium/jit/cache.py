"""Machine code in a folder of the user's, in which later processes find it.

Each text of kernels has a folder of its own, named by the digest of everything that it depends on. An object file in it
holds the machine code of one function, which LLVM loads without Numba. Nothing is read that another user can have
written (`private`), and nothing is kept where there is no such place. Above `LIMIT` bytes, what was in use the longest
ago is removed.
"""

from __future__ import annotations

import hashlib
import json
import linecache
import os
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from gymnasium.jit.engine import has_symbol, loaded, target
from gymnasium.jit.private import PrivateFolder, is_private


def module_of(source: str, content: str, names: dict[str, Any], keep: bool = True) -> ModuleType:
    """Returns the module of a text of kernels, with `names` as globals. All environments of a process share it.

    Args:
        source: The text.
        content: The digest of the values of `names`.
        names: The globals of the text besides its imports.
        keep: Whether Numba keeps compiled code beside a file of the text, if a folder is writable.
    """
    digest = digest_of(source, content)
    path = _path_of(source, digest) if keep else None
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
        self._place, self._file, self._digest = _place(digest), f"{name}.code", digest

    def address(self) -> int | None:
        """Returns the address of the function, loaded; None if an earlier process left none that fits."""
        try:
            head, _, code = self._place.read(self._file).partition(b"\n")
            function, symbols = self._facts(head, code)
            if not _can_call(symbols):
                return None
            address = loaded(code, function) or None
        except (OSError, RuntimeError, ValueError):  # truncated, or somebody else's
            return None
        with suppress(OSError):
            self._place.touch()
        return address

    def keep(self, code: bytes, function: str, symbols: list[str]) -> None:
        """Write machine code for later processes, if there is a place for it.

        Args:
            code: An object file.
            function: The function's name in it.
            symbols: The names of the functions that it calls.
        """
        facts = self._names(code) | {"function": function, "symbols": symbols}
        _keep(self._place, self._file, json.dumps(facts).encode() + b"\n" + code)

    def _facts(self, head: bytes, code: bytes) -> tuple[str, list[str]]:
        """Returns the function of a file and those that it calls.

        Raises:
            ValueError: If the head of the file is not of this function and this code.
        """
        facts = json.loads(head)
        if not isinstance(facts, dict) or not (self._names(code).items() <= facts.items()):
            raise ValueError(f"{self._file} holds something else")
        function, symbols = facts.get("function"), facts.get("symbols")
        if not (
            isinstance(function, str) and isinstance(symbols, list) and all(isinstance(one, str) for one in symbols)
        ):
            raise ValueError(f"{self._file} does not name its functions")
        return function, symbols

    def _names(self, code: bytes) -> dict[str, Any]:
        """What a file is known by, so that another one in its place is not taken for it."""
        return {"digest": self._digest, "file": self._file, "sha256": hashlib.sha256(code).hexdigest()}


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
        self._digest, self._what = digest, what
        self._place, self._content = _place(digest), f"{digest} {what}".encode()

    def on(self, digest: str) -> Note:
        """Returns the same note on the text and on something else, of this digest."""
        return Note(self._digest, f"{self._what} {digest}")

    def exists(self) -> bool:
        """Returns whether an earlier process has written the note."""
        with suppress(OSError):
            return self._place.read(self._what) == self._content
        return False

    def write(self) -> None:
        """Write the note for later processes, if there is a place for it."""
        _keep(self._place, self._what, self._content)


def digest_of(source: str, content: str) -> str:
    """Returns the name of the folder for a text, whose globals have the digest `content`."""
    return hashlib.sha256("\0".join([source, content, _surroundings()]).encode()).hexdigest()[:32]


def folder() -> Path | None:
    """Returns the folder of kernels: below NUMBA_CACHE_DIR, or else the user's cache folder; None without a home."""
    base, parts = _chosen()
    return None if base is None else base.joinpath(*parts)


def _chosen() -> tuple[Path | None, tuple[str, ...]]:
    """Returns a folder that the user has chosen, and the names of ours below it."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen), ("palaestra",)
    windows = sys.platform == "win32"
    chosen = os.environ.get("LOCALAPPDATA" if windows else "XDG_CACHE_HOME")
    with suppress(RuntimeError):  # neither HOME nor an entry for the user
        usual = ("AppData", "Local") if windows else (".cache",)
        return Path(chosen) if chosen else Path.home().joinpath(*usual), ("palaestra", "kernels")
    return None, ()


def _place(*inside: str) -> PrivateFolder:
    """Returns the folder of kernels, or one in it; without a home, one that cannot be."""
    base, parts = _chosen()
    return PrivateFolder(Path(os.devnull) if base is None else base, *parts, *inside)


def _keep(place: PrivateFolder, name: str, content: bytes) -> None:
    """Write a file, if there is a place for it, and now and then see that there are not too many."""
    global _written
    with suppress(OSError):
        place.write(name, content)
        _written += len(content)
        if _written > LIMIT // 16:
            _written = 0
            _place().shrink(LIMIT)


def _path_of(source: str, digest: str) -> Path | None:
    """Returns the file of a text, beside which Numba may keep what it compiles; None if there is no such place.

    Numba opens files by their paths, and checks neither owner nor mode: nobody else may be able to exchange a folder.
    """
    from gymnasium.jit.backend import CONFIG

    place = _place(digest)
    with suppress(OSError):
        if not _is_same(place, source):
            place.write("kernels.py", source.encode())
        place.touch()
        if place.is_steady() and (not CONFIG.CACHE_DIR or is_private(Path(CONFIG.CACHE_DIR))):
            return place.path / "kernels.py"
    return None


def _is_same(place: PrivateFolder, source: str) -> bool:
    with suppress(OSError):
        return place.read("kernels.py") == source.encode()
    return False


LIMIT = 512 * 2**20  # bytes; the kernels of an environment have about 100 KB
_written = LIMIT  # bytes since the last look at the limit


@cache
def _surroundings() -> str:
    """The further dependencies of machine code: this package's own, the libraries, the settings, the processor.

    The folder of the package is among them, because machine code holds the name of the file where it raises.
    """
    package = Path(__file__).parents[1]
    own = [path.read_bytes() for part in ("jit", "compiled") for path in sorted((package / part).rglob("*.py"))]
    versions = [version(name) for name in ("numba", "llvmlite", "numpy")]
    settings = [f"{name}={value}" for name, value in sorted(os.environ.items()) if _matters(name)]
    return "\0".join(
        [str(package), *versions, sys.version, *settings, target(), hashlib.sha256(b"\0".join(own)).hexdigest()]
    )


def _matters(name: str) -> bool:
    return name.startswith("NUMBA_") and name not in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")
