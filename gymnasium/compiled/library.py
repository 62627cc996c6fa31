"""The C library, whose results are to be met bit for bit: how exact they are, and what LLVM must not see through."""

from __future__ import annotations

import ctypes
import platform
import sys
from typing import Any

from gymnasium.compiled.backend import llvm, types

_KNOWN = platform.libc_ver()[0] == "glibc"

NEAR = 0.88 if _KNOWN else 0.0
"""How far from a float, in halves of the space between two, a sine or cosine may lie to be surely rounded to it.

glibc's are at most 0.55 units in the last place off, its sources say: with 0.9 halves or less it cannot give another
float. Two hundredths are for errors of our own. Of other libraries nothing is known, so they are always asked.
"""

NEAR_SQUARE = 0.97 if _KNOWN else 0.0
"""The same for `pow(x, 2)` of which the square lies in 1e-6 to 1e6.

glibc's `pow` is at most 0.511 units off, and 1.5 * 2^-15 more for each unit of the result's logarithm.
"""

# Under names of our own: LLVM knows `pow`, and would turn pow(x, 2) into x * x.
POW, POWF = "palaestra_pow", "palaestra_powf"
C_LIBRARY = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
llvm.add_symbol(POW, ctypes.cast(C_LIBRARY.pow, ctypes.c_void_p).value)
llvm.add_symbol(POWF, ctypes.cast(C_LIBRARY.powf, ctypes.c_void_p).value)

pow64: Any = types.ExternalFunction(POW, types.float64(types.float64, types.float64))
pow32: Any = types.ExternalFunction(POWF, types.float32(types.float32, types.float32))
