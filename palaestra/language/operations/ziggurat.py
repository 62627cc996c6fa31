"""The tables of NumPy's ziggurats, as NumPy's own draws show them.

Marsaglia and Tsang (2000), "The ziggurat method for generating random variables": a word gives a layer and a distance
in it; the draw is the distance times the layer's width, unless the distance reaches the layer's share, what the next
layer covers. NumPy's tables were rounded in their own way. A stream can be put before any word; so the width is what
NumPy returns for the distance 1, and the share is the distance from which on NumPy takes another word.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["MULTIPLIER", "Ziggurat", "of_exponential", "of_normal"]

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""What PCG64 multiplies its state by."""
_INVERSE = pow(MULTIPLIER, -1, 2**128)
_LAYERS = 256


class Ziggurat(NamedTuple):
    """The layers, from the lowest, whose density is that of the top.

    Attributes:
        share: Of each layer the distances, uint64, that surely lie under the curve.
        width: The draw for the distance 1.
        density: The density at the layer's end.
    """

    share: NDArray[np.uint64]
    width: NDArray[np.float64]
    density: NDArray[np.float64]


@cache
def of_normal() -> Ziggurat:
    """Returns the ziggurat of the normal distribution; a distance has 52 bits, behind 8 of the layer and a sign."""
    return _read("standard_normal", 52, lambda layer, distance: layer | distance << 9, lambda x: -0.5 * x * x)


@cache
def of_exponential() -> Ziggurat:
    """Returns the ziggurat of the exponential distribution; a distance has 53 bits, behind 3 unused and the layer."""
    return _read("standard_exponential", 53, lambda layer, distance: layer << 3 | distance << 11, lambda x: -x)


def _read(method: str, bits: int, word: Callable[[int, int], int], log: Callable[[float], float]) -> Ziggurat:
    bit_generator = np.random.PCG64(0)
    draw = getattr(np.random.Generator(bit_generator), method)

    def drawn(layer: int, distance: int) -> tuple[float, bool]:
        """What a layer and a distance, and zeros behind them, give, and whether they are enough."""
        first = word(layer, distance) | 1 << 64  # odd words only are behind an odd increment, whatever the layer is
        _put_before(bit_generator, first)
        x: float = draw()
        state: Any = bit_generator.state
        return x, state["state"]["state"] == first

    width = np.array([drawn(layer, 1)[0] for layer in range(_LAYERS)])
    share = np.array([_share(layer, width, bits, drawn) for layer in range(_LAYERS)], np.uint64)
    density = np.array([math.exp(log(float(one) * 2.0**bits)) for one in width])
    density[0] = 1.0
    return Ziggurat(share, width, density)
