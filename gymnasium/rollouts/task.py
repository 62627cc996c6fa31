"""What is asked of a collector, and the memory that it begins with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.rollouts.decisions import Decisions
from gymnasium.rollouts.part import Memory
from gymnasium.rollouts.policies import Policy
from gymnasium.rollouts.pure import PURE, streams_of
from gymnasium.rollouts.record import Rollout, Running
from gymnasium.rollouts.series import Series, batch_of, check_memory
from gymnasium.vector._batch.trees import empty, mapped
from gymnasium.vector.vector_env import VectorEnv


class Task(NamedTuple):
    """The arguments of `rollout`."""

    envs: VectorEnv[Any, Any, Any]
    policy: Policy
    steps: int
    start: Any
    out: Rollout | None
    overlap: bool


def begun(task: Task) -> Memory:
    """Returns the memory with the first observations in it, which are those of a reset if there is no start.

    Raises:
        TypeError, ValueError: If the start or the memory does not fit.
    """
    envs, steps, n = task.envs, task.steps, task.envs.num_envs
    flags: dict[str, Any] = {
        "rewards": np.dtype(np.float64),
        **dict.fromkeys(("terminated", "truncated", "valid"), np.dtype(np.bool_)),
    }
    if task.out is None:
        arrays = {name: empty((steps, n), dtype) for name, dtype in flags.items()}
    else:
        arrays = {name: getattr(task.out, name) for name in flags}
        wanted = {name: ((steps, n), dtype) for name, dtype in flags.items()}
        check_memory(wanted, {name: (array.shape, array.dtype) for name, array in arrays.items()})
    first, running = _first(task)
    out = task.out
    observations = Series.for_batch(first, steps + 1, "observations", n, None if out is None else out.observations)
    observations.put(0, first)
    arrays["valid"][:] = True
    earlier = None if out is None else (out.actions, out.extras)
    return Memory(observations, Decisions(envs.single_action_space, n, steps, earlier), running=running, **arrays)


def _first(task: Task) -> tuple[Any, Running]:
    """Returns the observations to begin with, as a tree of arrays, and the episodes that run."""
    n, start = task.envs.num_envs, task.start
    before: NDArray[np.uint64] | None = None
    if isinstance(start, Rollout):
        if len(start.running.over) != n:
            raise ValueError(f"`start` must be a rollout of {n} environments, but it is of {len(start.running.over)}")
        returns, lengths, over, before = start.running
        running = Running(np.array(returns), np.array(lengths), np.array(over))
        observations = mapped(lambda array: array[-1], start.observations)
    else:
        running = Running(np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.bool_))
        observations = task.envs.reset()[0] if start is None else start
    if isinstance(task.policy, PURE):
        running = running._replace(streams=streams_of(task.policy, n) if before is None else np.array(before))
    return batch_of(task.envs.single_observation_space, observations, n, "observations"), running
