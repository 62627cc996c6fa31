"""A plain environment as a compiled batch and in sync: the same bits, or an exception."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.vector import AutoresetMode
from tests.contracts.compiled_law import assert_same, assert_same_streams


def assert_same_episodes(ours: Any, sync: Any, seed: int, steps: int) -> None:
    """Both go through the same steps; in DISABLED mode, and seldom in between, environments are reset by a mask."""
    rng = np.random.default_rng(seed)
    sync.action_space.seed(seed + 1_000_003)  # actions that are no copy of what the environments draw
    assert_same(ours.reset(seed=seed), sync.reset(seed=seed), f"reset with seed {seed}")
    for t in range(steps):
        actions = sync.action_space.sample()
        result = sync.step(actions)
        assert_same(ours.step(actions), result, f"step {t} after seed {seed}")
        mask = rng.random(sync.num_envs) < 0.01
        if sync.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            mask |= result[2] | result[3]
        if mask.any():
            options = {"reset_mask": mask}
            assert_same(ours.reset(options=options), sync.reset(options=options), f"reset after step {t}")
    assert_same_streams(ours, sync)
