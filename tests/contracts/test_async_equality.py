"""The same seed and actions give the same results, bit for bit, whether environments run here or in workers."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.envs.registration import make
from gymnasium.spaces import Box, Space
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from tests.contracts.test_vector_sync import OLD, every_id, every_mode, rollout
from tests.spaces_zoo import SPACES, Letters, agree
from tests.thorough import THOROUGH

N, STEPS = 3, 30


def both(env_fns: list[Any], **kwargs: Any) -> tuple[Any, Any]:
    """The environments in this process, and in workers."""
    mode = kwargs.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    return SyncVectorEnv(env_fns, autoreset_mode=mode), AsyncVectorEnv(env_fns, **kwargs)


def assert_same_rollout(sync: Any, workers: Any, mode: AutoresetMode = AutoresetMode.NEXT_STEP) -> None:
    sync.action_space.seed(5)
    actions = [sync.action_space.sample() for _ in range(STEPS)]
    expected = rollout(sync, mode, actions)
    found = rollout(workers, mode, actions)
    workers.close()
    for a, b in zip(expected, found, strict=True):
        assert same(a, b)


def same(a: Any, b: Any) -> bool:
    """As `agree`, for infos with arrays of objects, arrays of JAX, and NaN."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if hasattr(a, "__array__") and not isinstance(a, (np.ndarray, np.generic)):  # of JAX
        return type(a) is type(b) and same(np.asarray(a), np.asarray(b))
    if isinstance(a, np.ndarray):
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        return all(map(same, a.tolist(), b.tolist())) if a.dtype == object else a.tobytes() == b.tobytes()
    return agree(a, b) or bool(a != a and b != b)


@OLD
@every_mode
@every_id
def test_workers_are_sync(env_id: str, mode: AutoresetMode) -> None:
    """Over every environment that is built, and every autoreset mode."""
    env_fns = [partial(make, env_id, max_episode_steps=11)] * N
    # Under JAX each worker imports it, and compiles the same.
    workers = 1 if "/" in env_id and not THOROUGH else 2
    assert_same_rollout(*both(env_fns, autoreset_mode=mode, num_workers=workers), mode)


@pytest.mark.parametrize("shared_memory", [True, False])
@pytest.mark.parametrize("num_workers", [1, 2, N])
@every_mode
def test_number_of_workers_and_memory_change_nothing(
    mode: AutoresetMode, num_workers: int, shared_memory: bool
) -> None:
    env_fns = [partial(make, "CartPole-v1", max_episode_steps=7)] * N
    kwargs = {"num_workers": num_workers, "shared_memory": shared_memory, "autoreset_mode": mode}
    assert_same_rollout(*both(env_fns, **kwargs), mode)


class Echo(Env[Any, Any]):
    """Observes samples of a space and takes its values, which come back in the info."""

    def __init__(self, space: Space[Any]) -> None:
        self.observation_space, self.action_space = deepcopy(space), deepcopy(space)
        self.t = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self.observation_space.seed(seed)
        self.t = 0
        return self.observation_space.sample(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.t += 1
        return self.observation_space.sample(), 0.5, self.t == 5, False, {"action": (action,), "t": self.t}


@pytest.mark.parametrize("shared_memory", [True, False])
@pytest.mark.parametrize("space", [*SPACES, Letters()], ids=repr)
def test_every_space_is_observed_and_taken(space: Space[Any], shared_memory: bool) -> None:
    """Whether its values are in the shared memory, or pickled by themselves."""
    assert_same_rollout(*both([partial(Echo, space)] * 3, num_workers=2, shared_memory=shared_memory))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_actions_keep_the_dtype_that_was_given(dtype: Any) -> None:
    """Also when it is not the one of the space, so that an environment computes the same as in this process."""
    sync, workers = both([partial(Echo, Box(-1, 1, (2,), np.float32))] * 3, num_workers=2)
    actions = np.linspace(-1, 1, 6).reshape(3, 2).astype(dtype)
    for envs in (sync, workers):
        envs.reset(seed=0)
    expected, found = sync.step(actions), workers.step(actions)
    workers.close()
    assert same(expected, found)
    assert found[4]["action"][0][0].dtype == dtype
