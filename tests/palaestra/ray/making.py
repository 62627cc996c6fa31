"""Vector environments on the cluster of the tests."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

import gymnasium
from gymnasium.vector import AutoresetMode
from palaestra.ray import RayVectorEnv

SMALL = {"num_cpus": 0.1}
MADE: list[Any] = []
"""What the test has made, which is closed at its end."""

every_mode = pytest.mark.parametrize("mode", AutoresetMode)
ON_A_CLUSTER = [
    pytest.mark.timeout(300),  # a busy machine takes a minute to start the nodes
    pytest.mark.filterwarnings("ignore:.*resumes its work", "ignore:.*ERROR", "ignore:.*cannot be kept"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


def on_ray(env_fns: Any, num_workers: int = 2, **kwargs: Any) -> Any:
    MADE.append(RayVectorEnv(env_fns, num_workers=num_workers, **{"resources": SMALL, **kwargs}))
    return MADE[-1]


def on_ray_by_id(env_id: str, n: int, max_episode_steps: int = 8, **kwargs: Any) -> Any:
    own = {"num_workers": 2, "resources": SMALL, **kwargs}
    MADE.append(gymnasium.make_vec(env_id, n, "ray", vector_kwargs=own, max_episode_steps=max_episode_steps))
    return MADE[-1]


def kill(envs: Any, index: int) -> None:
    """Kill the process of an actor."""
    os.kill(envs.actors[index]["pid"], signal.SIGKILL)
