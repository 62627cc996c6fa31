"""Two batches of the same robots: one after the other, and by the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import registry
from gymnasium.specs import load_env_creator
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

N, LIMIT, STEPS = 4, 12, 40
ROBOTS = [
    env_id
    for env_id, spec in registry.items()
    if str(spec.entry_point).startswith("gymnasium.envs.mujoco.") and env_id != "Pusher-v4"  # refuses this engine
]
every_robot = pytest.mark.parametrize("env_id", ROBOTS)
every_mode = pytest.mark.parametrize("mode", AutoresetMode)


def classes(env_id: str) -> tuple[Any, Any]:
    """Returns the single environment's class and the batch's."""
    return single_class(env_id), load_env_creator(str(registry[env_id].vector_entry_point))


def single_class(env_id: str) -> Any:
    return load_env_creator(str(registry[env_id].entry_point))


def pair(env_id: str, mode: AutoresetMode, **kwargs: Any) -> tuple[Any, Any]:
    """Returns the same environments twice: one after the other, and as a batch."""
    single, batch = classes(env_id)
    sync = SyncVectorEnv([lambda: TimeLimit(single(**kwargs), LIMIT)] * N, autoreset_mode=mode)
    return sync, batch(N, LIMIT, autoreset_mode=mode, num_threads=2, **kwargs)


def agree(a: Any, b: Any, where: str = "") -> None:
    """Equal values, types and shapes, in nested dicts too."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), where
        for key in a:
            agree(a[key], b[key], f"{where}/{key}")
    elif isinstance(a, np.ndarray) and a.dtype == object:
        assert [x is None for x in a] == [x is None for x in b], where
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y, err_msg=where)
    else:
        assert (a.dtype, a.shape) == (b.dtype, b.shape), where
        np.testing.assert_array_equal(a, b, err_msg=where)


def assert_equal_runs(sync: Any, batch: Any, mode: AutoresetMode, dtype: Any = np.float32) -> int:
    """Run both, compare everything, and return how many episodes ended."""
    for x, y in zip(sync.reset(seed=7), batch.reset(seed=7), strict=True):
        agree(x, y, "reset")
    rng = np.random.default_rng(1)
    ended = 0
    for t in range(STEPS):
        actions = rng.uniform(-1, 1, sync.action_space.shape).astype(dtype)
        ours, theirs = batch.step(actions), sync.step(actions)
        for k, (x, y) in enumerate(zip(theirs, ours, strict=True)):
            agree(x, y, f"step {t}, result {k}")
        done = theirs[2] | theirs[3]
        ended += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            options = {"reset_mask": done}
            for x, y in zip(sync.reset(options=options), batch.reset(options=options), strict=True):
                agree(x, y, f"reset after {t}")
    sync.close()
    batch.close()
    return ended
