"""Observations of several parts for compiled policies, whose kernels read one vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple

_EXACT = 2**53  # integers below are exact in float64


class Packed(NamedTuple):
    """The numbers of an observation of several parts, side by side.

    Attributes:
        space: Their space: a Box of float64 and one axis.
        text: The expression of the observation, a tuple of ints, of tuples of floats and of such tuples, from the
            vector `observation`.
    """

    space: Box
    text: str

    @property
    def read(self) -> Callable[[Any], Any]:
        """The function that returns the observation in a vector."""
        return eval(f"lambda observation: {self.text}")  # type: ignore[no-any-return]  # of numbers alone


def packed_form(space: Tuple) -> Packed:
    """Returns how observations of a space are packed.

    Raises:
        TypeError: If it has other parts than Discrete of int64, Boxes of floats and one axis, and Tuples of such.
    """
    bounds: list[tuple[float, float]] = []
    text = _text(space, bounds)
    low, high = (np.array(side, np.float64) for side in zip(*bounds, strict=True))
    return Packed(Box(low, high, dtype=np.float64), text)


def _text(space: Space, bounds: list[tuple[float, float]]) -> str:
    """Returns the expression of a part, and adds the bounds of its numbers."""
    first = len(bounds)
    if type(space) is Tuple and len(space.spaces):
        return f"({''.join(f'{_text(part, bounds)}, ' for part in space.spaces)})"
    if type(space) is Discrete and space.dtype == np.int64:
        least, most = int(space.start), int(space.start) + int(space.n) - 1
        if max(-least, most) < _EXACT:
            bounds.append((least, most))
            return f"int(observation[{first}])"
    if type(space) is Box and space.dtype in (np.float32, np.float64) and len(space.shape) == 1 and space.low.size:
        bounds += zip(space.low.tolist(), space.high.tolist(), strict=True)
        return f"({''.join(f'observation[{k}], ' for k in range(first, len(bounds)))})"
    raise TypeError(f"a compiled policy cannot read {space} as a part of an observation")
