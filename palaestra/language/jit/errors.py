"""Exceptions in machine code."""

from __future__ import annotations

import ctypes
import pickle


class MachineCodeError(Exception):
    """An exception in machine code; its argument is the address of Numba's record of it, or 0."""

    def cause(self) -> Exception:
        """Returns the exception itself."""
        if not self.args[0]:  # from the new language, which leaves the exception to Python
            return OverflowError("a number is beyond machine code")
        record = _Record.from_address(self.args[0])
        if record.is_dynamic:
            return RuntimeError("machine code raised an exception")
        kind, arguments, _ = pickle.loads(ctypes.string_at(record.pickled, record.size))
        try:
            made: Exception = kind(*(arguments or ()))
        except Exception:  # a class of the user's own, whose arguments are values of the program
            return RuntimeError(f"machine code raised {kind.__name__}")
        return made

    def place(self) -> tuple[str, int] | None:
        """Returns the file and the line of the `raise`, if they are known."""
        if not self.args[0]:
            return None
        record = _Record.from_address(self.args[0])
        if record.is_dynamic:
            return None
        _, _, place = pickle.loads(ctypes.string_at(record.pickled, record.size))
        return (place[1], place[2]) if place else None


class _Record(ctypes.Structure):
    """Numba's record of an exception: the pickled class and arguments, constants of the machine code."""

    _fields_ = (
        ("pickled", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("arguments", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        ("is_dynamic", ctypes.c_int32),
    )
