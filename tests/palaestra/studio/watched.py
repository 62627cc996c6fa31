"""What the tests of trainings that are watched share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium.vector import AutoresetMode
from palaestra.studio.training.monitor import Monitor
from palaestra.studio.training.run import RECORDS

Watch = Callable[..., Any]


def monitor_of(envs: Any) -> Monitor:
    monitor: Monitor = envs._monitor
    return monitor


def last_record(envs: Any) -> dict[str, Any]:
    """Closes the batch, and returns what was written last."""
    envs.close()
    record: dict[str, Any] = json.loads((monitor_of(envs).run.path / RECORDS).read_text().splitlines()[-1])
    return record


def played(envs: Any, steps: int) -> list[Any]:
    """Some steps, which are the same for the same batch."""
    envs.action_space.seed(3)
    found = [envs.reset(seed=5)[0]]
    for _ in range(steps):
        observations, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
        found += [observations, rewards, terminated, truncated]
        over = np.logical_or(terminated, truncated)
        if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and over.any():
            envs.reset(options={"reset_mask": over})
    return found
