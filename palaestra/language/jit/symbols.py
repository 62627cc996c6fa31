"""The addresses called by machine code, under names for LLVM: those of the C library, and of NumPy's inner loops.

Importing this module registers them, for cached machine code as well as for new code. A ufunc holds
the addresses of its loops, each for some types: `loop(arguments, dimensions, strides, data)`.
"""

from __future__ import annotations

import ctypes

import numpy as np

from palaestra.language.jit.c_library import C_LIBRARY
from palaestra.language.jit.engine import add_symbol

# Under private names: LLVM knows `pow`, and would turn pow(x, 2) into x * x.
POW, POWF = "palaestra_pow", "palaestra_powf"

C_FUNCTIONS = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "tanh", "asinh", "acosh", "atanh"), 1),
    **dict.fromkeys(("log", "log1p", "log2", "log10", "erf", "erfc", "exp", "expm1", "sinh", "cosh"), 1),
    **dict.fromkeys(("atan2", "fmod"), 2),
}
"""The C library's functions, with the number of their float arguments."""

UFUNCS: dict[int, tuple[np.ufunc, ...]] = {
    1: (
        *(np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin),
        *(np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh, np.sqrt, np.cbrt),
        *(np.square, np.fabs, np.absolute, np.sign, np.floor, np.ceil, np.trunc, np.rint, np.deg2rad, np.rad2deg),
    ),
    2: (np.arctan2, np.hypot, np.power, np.minimum, np.maximum, np.fmod, np.floor_divide, np.remainder),
    3: (np._core.umath.clip,),  # type: ignore[attr-defined]
}
"""Maps a number of arguments to NumPy's functions of so many floats, for arrays and numbers."""

_REDUCING = (np.add, np.multiply, np.matmul)
_FUNCTIONS, _DATA, _NAME = 32, 40, 56  # offsets of these in a ufunc object, in bytes


def _word(address: int) -> int:
    return ctypes.c_size_t.from_address(address).value


def is_readable() -> bool:
    """Returns whether ufunc objects of this NumPy are laid out as expected."""
    here = id(np.exp)
    return object.__basicsize__ == 16 and ctypes.c_char_p.from_address(here + _NAME).value == b"exp"


def c_symbol(name: str) -> str:
    """Returns the name of a function of the C library."""
    return f"palaestra_{name}"


def loop_symbols(ufunc: np.ufunc) -> tuple[str, str | None]:
    """Returns the names of a ufunc's loop of floats, and of the loop's extra data; None for no data."""
    name = f"palaestra_np_{ufunc.__name__}"
    _, data = _addresses(ufunc)
    return name, f"{name}_data" if data else None


def _addresses(ufunc: np.ufunc) -> tuple[int, int]:
    k = next(k for k, kinds in enumerate(ufunc.types) if kinds == "d" * ufunc.nin + "->d")
    return _word(_word(id(ufunc) + _FUNCTIONS) + 8 * k), _word(_word(id(ufunc) + _DATA) + 8 * k)


for _symbol, _name in (*((c_symbol(name), name) for name in C_FUNCTIONS), (POW, "pow"), (POWF, "powf")):
    add_symbol(_symbol, ctypes.cast(getattr(C_LIBRARY, _name), ctypes.c_void_p).value)
if is_readable():
    for _ufunc in (*(one for several in UFUNCS.values() for one in several), *_REDUCING):
        for _loop, _address in zip(loop_symbols(_ufunc), _addresses(_ufunc), strict=True):
            if _loop is not None:
                add_symbol(_loop, _address)
