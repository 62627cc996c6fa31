"""The C library, whose results must be matched bit for bit, and its precision."""

from __future__ import annotations

import ctypes
import platform
import sys

_KNOWN = platform.libc_ver()[0] == "glibc"

NEAR = 0.88 if _KNOWN else 0.0
"""The distance from a float, in halves of the gap between two, within which a sine or cosine surely rounds to it.
By its sources, glibc's error is at most 0.55 units in the last place: with 0.9 halves or less it cannot give another
float. Two hundredths allow for errors of this module. Other libraries are unknown, and therefore always called.
"""

NEAR_SQUARE = 0.97 if _KNOWN else 0.0
"""The same for `pow(x, 2)` with a square in 1e-6 to 1e6.

glibc's error of `pow` is at most 0.511 units, plus 1.5 * 2^-15 for each unit of the result's logarithm.
"""

C_LIBRARY = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
