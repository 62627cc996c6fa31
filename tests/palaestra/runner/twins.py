"""The same environments, compiled and in sync, played side by side."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.runner import CompiledVectorEnv
from tests.contracts.compiled_law import assert_same, assert_same_streams


def twins(dynamics: FuncEnv, n: int, mode: Any = AutoresetMode.NEXT_STEP, limit: int = 7, **arguments: Any) -> Any:
    """A compiled batch and one in sync, whose episodes have at most `limit` steps."""
    ours = CompiledVectorEnv(dynamics, n, max_episode_steps=limit, autoreset_mode=mode, **arguments)
    sync = SyncVectorEnv([lambda: TimeLimit(FunctionalEnv(dynamics), limit)] * n, autoreset_mode=mode)
    return ours, sync


def assert_same_states(ours: Any, sync: Any) -> None:
    """All fields have the same bits."""
    for mine, other in zip(ours.get_attr("state"), sync.get_attr("state"), strict=True):
        for name, one, two in zip(mine._fields, mine, other, strict=True):
            assert np.asarray(one).dtype.kind == np.asarray(two).dtype.kind, name
            assert np.array_equal(one, two, equal_nan=np.asarray(two).dtype.kind == "f"), (name, one, two)
            assert np.array_equal(np.signbit(np.float64(one)), np.signbit(np.float64(two))), (name, one, two)


def assert_same_episodes(ours: Any, sync: Any, steps: int, seed: int = 1) -> None:
    """Resets, steps and resets of some give the same, and leave the same states and random streams."""
    assert_same(ours.reset(seed=seed), sync.reset(seed=seed), "reset")
    sync.action_space.seed(seed)
    rng = np.random.default_rng(seed)
    for t in range(steps):
        actions = sync.action_space.sample()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of what overflows
            result = sync.step(actions)
        assert_same(ours.step(actions), result, f"step {t}")
        assert_same_states(ours, sync)
        done = result[2] | result[3]
        mask = done if sync.metadata["autoreset_mode"] is AutoresetMode.DISABLED else rng.random(len(done)) < 0.1
        if mask.any():
            options = {"reset_mask": mask}
            assert_same(ours.reset(options=options), sync.reset(options=options), f"reset after step {t}")
    assert_same_streams(ours, sync)


def raised(call: Any) -> Exception:
    """The exception that a call ends with."""
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def notes(error: Exception) -> str:
    """What was added to an exception: from Python 3.11 on."""
    found: Sequence[str] = getattr(error, "__notes__", ())
    return "\n".join(found)
