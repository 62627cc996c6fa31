"""The functions outside of programs, by name: those of the C library, and NumPy's inner loops.

LLVM knows them by names of ours: it would fold `pow(x, 2)`. The names are the same in every process, since object files
are kept. A ufunc holds the addresses of its loops, each for some types: `loop(arguments, dimensions, strides, data)`.
Where ufuncs are not laid out as this module expects, it says that there are no loops.
"""

from __future__ import annotations

import ctypes
import re
import sys
from functools import cache
from typing import Any, NamedTuple

import numpy as np

C_LIBRARY = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)

C_FUNCTIONS = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh"), 1),
    **dict.fromkeys(("atanh", "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "erf", "erfc", "cbrt"), 1),
    **dict.fromkeys(("tgamma", "lgamma"), 1),
    **dict.fromkeys(("atan2", "fmod", "pow", "hypot", "remainder", "nextafter"), 2),
}
"""The C library's pure functions, with the number of their arguments; with an `f` behind their names, of float32."""

_LETTERS = frozenset("?bBhHiIlLqQefd")  # the types of the loops that can be called
_COUNTS, _FUNCTIONS, _DATA, _TYPES, _NAME = 16, 32, 40, 48, 56  # offsets of these in a ufunc, in bytes


class Outside(NamedTuple):
    """A function, or data, outside of programs: LLVM's name for it, and its address."""

    name: str
    address: int


class Loop(NamedTuple):
    """One of NumPy's inner loops.

    Attributes:
        function: The loop.
        data: What it is called with, or None.
        operands: The number of its operands.
        strides: That of its strides: one for each operand, and one for each axis that products run over.
        counts: That of its counts: of items, and of lengths of such axes.
    """

    function: Outside
    data: Outside | None
    operands: int
    strides: int
    counts: int


@cache
def c_function(symbol: str) -> Outside | None:
    """Returns a function of the C library, for example "sin" or "sinf"; None if it is not one of `C_FUNCTIONS`."""
    if arity(symbol) is None:
        return None
    found = getattr(C_LIBRARY, symbol, None)
    address = None if found is None else ctypes.cast(found, ctypes.c_void_p).value
    return None if address is None else Outside(f"palaestra_c_{symbol}", address)


def arity(symbol: str) -> int | None:
    """Returns the number of arguments of a function of the C library; None if it is not one of `C_FUNCTIONS`."""
    return C_FUNCTIONS.get(symbol, C_FUNCTIONS.get(symbol[:-1]) if symbol.endswith("f") else None)


@cache
def loop(symbol: str) -> Loop | None:
    """Returns a loop of NumPy's, for example "add:dd->d"; None if there is no such loop, or it cannot be found."""
    name, _, types = symbol.partition(":")
    ufunc = getattr(np, name, None)
    for module in (_umath(), getattr(np.linalg, "_umath_linalg", None)):
        ufunc = ufunc if isinstance(ufunc, np.ufunc) else getattr(module, name, None)
    if not isinstance(ufunc, np.ufunc) or types not in ufunc.types or not _LETTERS.issuperset(types.replace("->", "")):
        return None
    if not is_readable(ufunc):
        return None
    ours = f"palaestra_np_{name}_{types.replace('->', '_to_').replace('?', 'bool')}"
    k = ufunc.types.index(types)
    function = _word(_word(id(ufunc) + _FUNCTIONS) + 8 * k)
    data = _word(_word(id(ufunc) + _DATA) + 8 * k) if _word(id(ufunc) + _DATA) else 0
    axes = re.findall(r"\w+", ufunc.signature or "")
    outside = Outside(ours, function), Outside(f"{ours}_data", data) if data else None
    return Loop(*outside, ufunc.nargs, ufunc.nargs + len(axes), 1 + len(set(axes)))


def is_available(operation: str, symbol: str) -> bool:
    """Returns whether programs can have an operation, "call" or "loop", of a symbol."""
    return (c_function(symbol) if operation == "call" else loop(symbol)) is not None


def is_readable(ufunc: np.ufunc = np.exp) -> bool:
    """Returns whether a ufunc of this NumPy is laid out as expected."""
    if object.__basicsize__ != 16 or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    here = id(ufunc)
    counts = (ctypes.c_int * 3).from_address(here + _COUNTS)
    if tuple(counts) != (ufunc.nin, ufunc.nout, ufunc.nargs):
        return False
    if ctypes.c_int.from_address(here + _TYPES).value != ufunc.ntypes:
        return False
    return ctypes.c_char_p.from_address(here + _NAME).value == ufunc.__name__.encode()


def _umath() -> Any:
    """The module of ufuncs that NumPy has no public name for: `np.clip` is a function, which calls a ufunc."""
    return getattr(getattr(np, "_core", None), "umath", None)


def _word(address: int) -> int:
    return ctypes.c_size_t.from_address(address).value
