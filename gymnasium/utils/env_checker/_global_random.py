"""Whether an environment draws from generators that are not seeded by `reset`."""

from __future__ import annotations

import random

import numpy as np

from gymnasium.core import Env
from gymnasium.utils.passive_env_checker._comparison import data_equivalence

_STEPS = 5


def check_global_random(env: Env) -> None:
    """Check that a short episode leaves `random` and `np.random` unchanged.

    Raises:
        AssertionError: If one of them has moved on.
    """
    before = random.getstate(), np.random.get_state()
    env.reset(seed=123)
    for _ in range(_STEPS):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            break
    after = random.getstate(), np.random.get_state()
    moved = [
        name
        for name, a, b in zip(("random", "np.random"), before, after, strict=True)
        if not data_equivalence(a, b, exact=True)
    ]
    if moved:
        raise AssertionError(
            f"G219: An episode must draw its random numbers from self.np_random, but it drew from {' and '.join(moved)}"
        )
