"""Changes to the engine that its bindings do not offer: its objects call other functions.

The engine reports every contact in every step before and after solving it. The bindings make three objects for each
report, to call a method that does nothing: a quarter of a walker's step. If the bindings' library exports its symbols,
as on Linux and macOS, our listeners answer these two reports with the engine's own empty functions instead.
"""

from __future__ import annotations

import ctypes
from functools import cache
from types import ModuleType
from typing import Any, Final

from gymnasium.envs.box2d._engine.library import address_of, is_known, library_of

# Names of the C++ ABI that Linux and macOS share: the engine's class, that of the bindings, and the two reports.
_SILENT: Final = "_ZN17b2ContactListener"
_CALLS_PYTHON: Final = "_ZN30SwigDirector_b2ContactListener"
_LISTENER: Final = "_ZTV30SwigDirector_b2ContactListener"
_REPORTS: Final = ("8PreSolveEP9b2ContactPK10b2Manifold", "9PostSolveEP9b2ContactPK16b2ContactImpulse")

_HEADER: Final = 2  # words of a table of virtual functions before the first, where objects point to
NOTE: Final = -1 - _HEADER
_LONGEST: Final = 32  # the maximum number of words of such a table
_WORD: Final = ctypes.sizeof(ctypes.c_void_p)
_SECOND_BASE: Final = -_WORD  # the first word of the second base's table, which follows that of the first

Words = ctypes.Array[ctypes.c_ssize_t]


class Table:
    """A class's table of virtual functions with some of them replaced; objects that point to it call those.

    Args:
        bindings: The extension module.
        symbol: The class's own table.
        others: Maps the symbol of a function of the class to the address of its replacement.
        note: A number for the replacements, `NOTE` words from where objects point to.

    Attributes:
        address: The address that an object of the class points to.

    Raises:
        OSError: If the module's library cannot be opened.
        ValueError: If it does not export such symbols, or if a function is not exactly once in the table.
    """

    def __init__(self, bindings: ModuleType, symbol: str, others: dict[str, int], note: int = 0) -> None:
        library = library_of(bindings)
        original = address_of(library, symbol)
        replaced = {address_of(library, function): other for function, other in others.items()}
        words = list((ctypes.c_ssize_t * _LONGEST).from_address(original))
        if _SECOND_BASE in words:
            words = words[: words.index(_SECOND_BASE)]
        if any(words.count(function) != 1 for function in replaced):
            raise ValueError(f"{symbol} is not a table that has each of {list(others)} once")
        own = (ctypes.c_ssize_t * (1 + len(words)))(note, *(replaced.get(word, word) for word in words))
        _kept.append(own)
        self._first = original + _HEADER * _WORD
        self.address = ctypes.addressof(own) - NOTE * _WORD

    def install(self, proxy: Any) -> bool:
        """Let an object of the bindings point to this table; returns whether it pointed to the class's own before."""
        pointer = ctypes.c_ssize_t.from_address(int(proxy.this))
        if pointer.value != self._first:
            return False
        pointer.value = self.address
        return True


_kept: list[Words] = []  # for ever: objects point to it until the process ends


def silence(listener: Any, bindings: ModuleType) -> bool:
    """Disables a listener's reports before and after a contact is solved; returns whether that was possible.

    Args:
        listener: A `b2ContactListener` of the bindings that has not been silenced.
        bindings: The extension module.
    """
    table = _silent(bindings)
    return table is not None and table.install(listener)


@cache
def _silent(bindings: ModuleType) -> Table | None:
    """The table that silenced listeners point to; None if the engine is not the known one."""
    if not is_known(bindings):
        return None
    try:
        library = library_of(bindings)
        silent = {_CALLS_PYTHON + report: address_of(library, _SILENT + report) for report in _REPORTS}
        return Table(bindings, _LISTENER, silent)
    except (OSError, ValueError):  # no such library, no such symbol
        return None
