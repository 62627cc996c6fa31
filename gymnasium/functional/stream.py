"""The random numbers of a single environment."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import PYFUNCTYPE, c_uint32, c_void_p, cast
from functools import partial
from math import inf
from typing import Any

import numpy as np

DRAWS = frozenset(
    [
        *("random", "uniform", "integers", "normal", "standard_normal", "exponential", "standard_exponential"),
        *("choice", "permutation", "shuffle"),
    ]
)
"""The methods that dynamics may call, in Python and in machine code."""

_INT64 = np.int64
_WORD = 1 << 32
_HIGHEST = (1 << 63) - 1
_LOW = _WORD - 1  # the lower half of a product
_DRAW = PYFUNCTYPE(c_uint32, c_void_p)  # ctypes would make it again at each call


class Stream(np.random.Generator):
    """A NumPy `Generator` with a fast path for single numbers.

    It yields exactly the numbers of `Generator`, from the same bit generator, so the two may be mixed. NumPy spends
    most of a scalar draw on parsing arguments that may be arrays; plain ints and floats skip that here.
    """

    _next_uint32: Callable[[], int]  # made when first needed, because it takes 2 kB with NumPy's part

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Like `Generator.uniform`."""
        if size is None and type(low) is float and type(high) is float and 0.0 < (span := high - low) < inf:
            return low + span * self.random()
        return super().uniform(low, high, size)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = _INT64, endpoint: bool = False
    ) -> Any:
        """Like `Generator.integers`, but a Python int if both bounds are.

        Source: Lemire (2019), "Fast random integer generation in an interval", algorithm 5, on buffered 32-bit
        words, as NumPy draws them for ranges below 2^32.
        """
        plain = size is None and dtype is _INT64
        if plain and high is None and type(low) is int:
            low, high = 0, low
        if plain and endpoint and type(high) is int and high < _HIGHEST:
            high, endpoint = high + 1, False
        if plain and type(low) is int and type(high) is int and 1 < (n := high - low) < _WORD:
            try:
                draw = self._next_uint32
            except AttributeError:
                draw = self._next_uint32 = _drawer(self.bit_generator)
            product = draw() * n
            if product & _LOW < n:
                threshold = (_WORD - n) % n
                while product & _LOW < threshold:
                    product = draw() * n
            return low + (product >> 32)
        drawn = super().integers(low, high, size, dtype, endpoint)
        return int(drawn) if plain and type(low) is int and type(high) is int else drawn


def _drawer(bit_generator: np.random.BitGenerator) -> Callable[[], int]:
    """Returns the function that draws its next 32 bits."""
    interface = bit_generator.ctypes
    # The same C function, but called without releasing the interpreter's lock, which costs more than the draw.
    draw = _DRAW(cast(interface.next_uint32, c_void_p).value or 0)
    return partial(draw, interface.state_address)
