"""Params that machine code draws at each episode are those that Python draws, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.compiled.kernels import pool, runner
from gymnasium.jit.lanes import WIDTH
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RandomizeParams
from tests.contracts.compiled_law import MODES, assert_same, assert_same_streams, pair
from tests.contracts.params_law import IDS, distributions_for


@pytest.fixture(params=[1, 2])
def num_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """With two threads, chunks are so small that few environments are shared too."""
    monkeypatch.setattr(runner, "SHARED_FROM", 2)
    monkeypatch.setattr(pool, "ROWS_TOGETHER", WIDTH)
    return int(request.param)


def randomized(env_id: str, n: int, mode: AutoresetMode, **compiled: Any) -> tuple[Any, Any]:
    """The same environments, compiled and in sync, with all numbers among their params drawn."""
    distributions: Any = distributions_for(env_id)
    ours, sync = (RandomizeParams(envs, **distributions) for envs in pair(env_id, n, mode, **compiled))
    return ours, sync


def assert_same_episodes(ours: Any, sync: Any, mode: AutoresetMode, steps: int, seed: int) -> None:
    """Both play the same episodes, some of which are interrupted."""
    rng = np.random.default_rng(seed)
    sync.action_space.seed(seed)
    for t in range(steps):
        actions = sync.action_space.sample()
        result = sync.step(actions)
        assert_same(ours.step(actions), result, f"step {t}")
        done = result[2] | result[3]
        mask = done if mode is AutoresetMode.DISABLED else rng.random(len(done)) < 0.02
        if mask.any():
            options = {"reset_mask": mask}
            assert_same(ours.reset(options=options), sync.reset(options=options), f"reset after step {t}")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("env_id", IDS)
def test_compiled_is_sync(env_id: str, mode: AutoresetMode, num_threads: int) -> None:
    for n in (20, 3):
        ours, sync = randomized(env_id, n, mode, num_threads=num_threads)
        for seed in (0, 2**31, 2**130):
            assert_same(ours.reset(seed=seed), sync.reset(seed=seed), "reset")
            assert_same_episodes(ours, sync, mode, 40, seed)
        assert_same(ours.reset(), sync.reset(), "reset without a seed")
        assert_same_streams(ours, sync)
        ours.close()
