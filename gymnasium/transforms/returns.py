"""Discounted returns that accumulate step by step, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gymnasium.transforms.moments import Floats


def discounted(returns: Floats, rewards: np.ndarray, terminations: NDArray[np.bool_], gamma: float) -> Floats:
    """Returns `G * gamma * (1 - terminated) + r` for each return `G`, all of shape (n,).

    After a terminal step only its reward counts; the caller clears the returns of finished episodes.
    """
    return returns * gamma * (1 - terminations) + rewards  # type: ignore[no-any-return]  # floats
