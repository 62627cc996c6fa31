"""Discounted returns that accumulate step by step, many at once."""

from __future__ import annotations

import numpy as np

from gymnasium.transforms.moments import Floats


def discounted(returns: Floats, rewards: np.ndarray, gamma: float) -> Floats:
    """Returns `G * gamma + r` in float64 for each return `G`, all of shape (n,).

    The caller clears the returns of finished episodes.
    """
    return np.asarray(returns * gamma, np.float64) + rewards  # type: ignore[no-any-return]  # floats
