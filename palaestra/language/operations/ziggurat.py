"""The tables of NumPy's ziggurats, as NumPy's own draws show them.

Marsaglia and Tsang (2000), "The ziggurat method for generating random variables": a word gives a layer and a distance
in it; the draw is the distance times the layer's width, unless the distance reaches the layer's share, what the next
layer covers. NumPy's tables were rounded in their own way. A stream can be put before any word; so the width is what
NumPy returns for the distance 1, and the share is the distance from which on NumPy takes another word.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
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
        density: The density at the layer's end; its last bit, which decides one draw in 10**17, may be another one.
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
    draws = _Draws(method, word)
    width = np.array([draws.of(layer, 1)[0] for layer in range(_LAYERS)])
    ends = np.ldexp(width, bits)
    below = np.roll(ends, 1)  # the end of the layer above, and of the whole for the lowest layer
    below[1] = 0.0
    share = [_share(round(2**bits * one), partial(draws.is_enough, layer)) for layer, one in enumerate(below / ends)]
    density = np.array([1.0, *(math.exp(log(float(end))) for end in ends[1:])])
    return Ziggurat(np.array(share, np.uint64), width, density)


def _share(guess: int, is_enough: Callable[[int], bool]) -> int:
    """The first distance that is not enough, which is near a guess."""
    while guess and not is_enough(guess - 1):
        guess -= 1
    while is_enough(guess):
        guess += 1
    return guess


class _Draws:
    """Draws of a generator of NumPy's that is put before words of our choice, behind which come zeros."""

    def __init__(self, method: str, word: Callable[[int, int], int]) -> None:
        self._bits = np.random.PCG64(0)
        self._draw = getattr(np.random.Generator(self._bits), method)
        self._word = word

    def of(self, layer: int, distance: int) -> tuple[float, bool]:
        """Returns the draw for a layer and a distance in it, and whether they were enough for it."""
        after = self._word(layer, distance)  # a state below 2**64 gives itself as a word
        increment = -after * MULTIPLIER % 2**128  # so that the next state is 0
        before = (after - increment) * _INVERSE % 2**128
        state: Any = {"bit_generator": "PCG64", "has_uint32": 0, "uinteger": 0}
        state["state"] = {"state": before, "inc": increment}
        self._bits.state = state
        drawn: float = self._draw()
        state = self._bits.state
        return drawn, state["state"]["state"] == after

    def is_enough(self, layer: int, distance: int) -> bool:
        """Returns whether a draw takes no word but the first."""
        return self.of(layer, distance)[1]
