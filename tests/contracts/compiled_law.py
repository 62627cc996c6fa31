"""What it means that two runners give the same: bit for bit, types and infos included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import gymnasium
from gymnasium.envs.registration import registry
from gymnasium.vector import AutoresetMode

IDS = sorted(
    spec.id
    for spec in registry.values()
    if str(spec.entry_point).startswith(("gymnasium.envs.classic_control.", "gymnasium.envs.toy_text."))
    and spec.id not in ("CartPole-v0", "CliffWalking-v0", "Taxi-v3")  # outdated names of others
)
MODES = list(AutoresetMode)


def pair(env_id: str, n: int, mode: AutoresetMode, limit: int = 25, **compiled: Any) -> tuple[Any, Any]:
    """The same environments, compiled and in sync; short episodes, so that much happens."""
    arguments: dict[str, Any] = {"max_episode_steps": limit}
    ours = gymnasium.make_vec(env_id, n, vector_kwargs={"autoreset_mode": mode, **compiled}, **arguments)
    sync = gymnasium.make_vec(env_id, n, "sync", vector_kwargs={"autoreset_mode": mode}, **arguments)
    assert ours.spec is not None and ours.spec.kwargs["vectorization_mode"] == "vector_entry_point"
    return ours, sync


def assert_same(ours: Any, sync: Any, where: str) -> None:
    """Two results have the same types, shapes and bits."""
    assert type(ours) is type(sync), (where, ours, sync)
    if isinstance(sync, dict):
        assert ours.keys() == sync.keys(), (where, ours, sync)
        for key in sync:
            assert_same(ours[key], sync[key], f"{where}[{key!r}]")
    elif isinstance(sync, (tuple, list)) or (isinstance(sync, np.ndarray) and sync.dtype == object):
        assert len(ours) == len(sync), where
        for k, (one, other) in enumerate(zip(ours, sync, strict=True)):
            assert_same(one, other, f"{where}[{k}]")
    elif isinstance(sync, np.ndarray):
        assert (ours.dtype, ours.shape) == (sync.dtype, sync.shape), (where, ours, sync)
        assert ours.tobytes() == sync.tobytes(), (where, ours, sync)
    else:
        assert ours == sync, where


def assert_same_streams(ours: Any, sync: Any) -> None:
    """The environments will draw the same numbers."""
    states: list[Sequence[Any]] = [[rng.bit_generator.state for rng in envs.np_random] for envs in (ours, sync)]
    assert states[0] == states[1]
    assert ours.np_random_seed == sync.np_random_seed
