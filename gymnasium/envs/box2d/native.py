"""One change to the engine where its bindings cannot make it: reports that nobody wants are not made.

The engine reports every contact in every step before and after it is solved, and the bindings make three objects of
each report, to call a method that does nothing: a quarter of a walker's step. Where the bindings' library names its
symbols, as on Linux and macOS, our listeners answer these two reports by the engine's own empty functions instead.
"""

from __future__ import annotations

import ctypes
from functools import cache
from types import ModuleType
from typing import Any, Final

# Names of the C++ ABI that Linux and macOS share: the engine's class, that of the bindings, and the two reports.
_SILENT: Final = "_ZN17b2ContactListener"
_CALLS_PYTHON: Final = "_ZN30SwigDirector_b2ContactListener"
_TABLE: Final = "_ZTV30SwigDirector_b2ContactListener"
_REPORTS: Final = ("8PreSolveEP9b2ContactPK10b2Manifold", "9PostSolveEP9b2ContactPK16b2ContactImpulse")

_HEADER: Final = 2  # words of a table of virtual functions before the first, where objects point to
_LONGEST: Final = 32  # words that such a table may have
_WORD: Final = ctypes.sizeof(ctypes.c_void_p)
_SECOND_BASE: Final = -_WORD  # the first word of the second base's table, which follows that of the first

Words = ctypes.Array[ctypes.c_ssize_t]


def silence(listener: Any, bindings: ModuleType) -> bool:
    """Spares a listener the reports before and after a contact is solved; returns whether that was possible here.

    Args:
        listener: A `b2ContactListener` of the bindings that has not been silenced.
        bindings: The extension module.
    """
    found = _tables(bindings)
    if found is None:
        return False
    loud, silent = found
    table = ctypes.c_ssize_t.from_address(int(listener.this))
    if table.value != loud:
        return False
    table.value = silent
    return True


@cache
def _tables(bindings: ModuleType) -> tuple[int, int] | None:
    """Where listeners point to at first, and shall point to; None if the library is not what is described here."""
    try:
        library = ctypes.PyDLL(bindings.__file__)
        original = _address(library, _TABLE)
        silent = {_address(library, _CALLS_PYTHON + report): _address(library, _SILENT + report) for report in _REPORTS}
    except (OSError, ValueError):  # no such library, no such symbol
        return None
    words = list((ctypes.c_ssize_t * _LONGEST).from_address(original))
    if _SECOND_BASE not in words:
        return None
    words = words[: words.index(_SECOND_BASE)]
    if any(words.count(address) != 1 for address in silent):
        return None
    _kept.append((ctypes.c_ssize_t * len(words))(*(silent.get(word, word) for word in words)))
    return original + _HEADER * _WORD, ctypes.addressof(_kept[-1]) + _HEADER * _WORD


_kept: list[Words] = []  # for ever: listeners point to it until the process ends


def _address(library: ctypes.CDLL, symbol: str) -> int:
    return ctypes.addressof(ctypes.c_char.in_dll(library, symbol))
