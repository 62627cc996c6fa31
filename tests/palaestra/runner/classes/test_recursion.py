"""Classes whose methods call themselves too deep; `tests/plain_zoo/depths.py` has those that end in time."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.spaces import Box, Discrete
from palaestra.language.frontend.recursion import deepest
from palaestra.runner.classes.vector_env import PlainVectorEnv


class ShaftEnv(gymnasium.Env[Any, Any]):
    """An action is a depth, in units of an attribute."""

    observation_space, action_space = Box(-np.inf, np.inf, (1,), np.float64), Discrete(20)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.calls, self.unit = 0, 1
        return np.array([0.0]), {}

    def fall(self, depth: int) -> int:
        self.calls += 1
        return 0 if depth <= 0 else 1 + self.fall(depth - 1)

    def step(self, action: Any) -> Any:
        if self.calls < 0:
            self.unit = 100
        return np.array([self.fall(int(action) * self.unit) + self.calls], np.float64), 0.0, False, False, {}


def test_too_deep_calls_raise() -> None:
    """Python's limit counts what is around, too: calls that are nearly as deep are left to Python, which runs them."""
    limit, unit = sys.getrecursionlimit(), deepest() // 10 + 2
    envs = PlainVectorEnv(ShaftEnv, 3, num_threads=2)
    envs.reset(seed=1)
    envs.set_attr("unit", [1, 100, unit])
    assert envs.step(np.array([5, 8, 2]))[0][:, 0].tolist() == [11.0, 1601.0, 4.0 * unit + 1]
    with pytest.raises(RecursionError, match="depth"):
        envs.step(np.array([5, 19, 2]))
    envs.reset(seed=1)
    envs.set_attr("unit", [1, 1, unit])
    sys.setrecursionlimit(limit + 500)
    try:
        with pytest.raises(OverflowError, match=r"Environment 2: .* deeper calls are allowed"):
            envs.step(np.array([5, 8, 10]))
    finally:
        sys.setrecursionlimit(limit)
    envs.close()
