"""Discounted returns."""

from __future__ import annotations

import numpy as np

from gymnasium.transforms.returns import discounted


def test_a_step_later() -> None:
    found = discounted(np.array([2.0, 4.0], np.float32), np.array([1.0, 1.0], np.float32), 0.5)

    assert found.tolist() == [2.0, 3.0]
    assert found.dtype == np.float64
