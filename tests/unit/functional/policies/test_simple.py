"""The ready policies of a few lines."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.functional.policies import Linear, Random, Tabular
from gymnasium.spaces import Box, Discrete


def test_ready_policies_refuse_what_does_not_fit():
    with pytest.raises(TypeError, match="Random draws from"):
        Random(Box(-np.inf, np.inf, (1,)))
    with pytest.raises(TypeError, match="Linear acts in"):
        Linear(np.zeros((2, 4)), Discrete(2, start=1))
    with pytest.raises(ValueError, match=r"needs weights of the shape \(2, inputs\)"):
        Linear(np.zeros((3, 4)), Discrete(2))
    with pytest.raises(ValueError, match="Tabular needs"):
        Tabular(np.zeros((3, 4), np.float32))
    with pytest.raises(ValueError, match="must be a probability"):
        Tabular(np.zeros((3, 4)), 1.5)
