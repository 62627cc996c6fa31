"""The task of a collector, and the memory that it begins with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.vector._batch.trees import Tree, empty, host, leaves, mapped
from gymnasium.vector.vector_env import VectorEnv
from palaestra.rollouts.decisions import Decisions
from palaestra.rollouts.part import Memory
from palaestra.rollouts.policies import Policy
from palaestra.rollouts.pure import PURE, streams_of
from palaestra.rollouts.record import Rollout, Running
from palaestra.rollouts.series import Series, batch_of, check_memory


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
        for name, array in leaves(dict(zip(task.out._fields[:7], task.out[:7], strict=True)), "out"):
            if isinstance(array, np.ndarray) and not array.flags.writeable:
                raise ValueError(f"{name} must be writable memory, but it is read-only; leave out `out`")
    first, running = first_of(task)
    running = running._replace(streams=_streams(task.policy, running.streams, n))
    out = task.out
    observations = Series.for_batch(first, steps + 1, "observations", n, None if out is None else out.observations)
    observations.put(0, first)
    arrays["valid"][:] = True
    earlier = None if out is None else (out.actions, out.extras)
    return Memory(observations, Decisions(envs.single_action_space, n, steps, earlier), running=running, **arrays)


def first_of(task: Task) -> tuple[Tree, Running]:
    """Returns the observations to begin with, as arrays of NumPy, and the episodes that run.

    The streams are those of the start, if it has any.

    Raises:
        TypeError, ValueError: If the start does not fit.
    """
    n, start = task.envs.num_envs, task.start
    if isinstance(start, Rollout):
        if len(start.running.over) != n:
            raise ValueError(f"`start` must be a rollout of {n} environments, but it is of {len(start.running.over)}")
        columns: list[Any] = [None if column is None else np.array(host(column)) for column in start.running]
        running = Running(*columns)
        observations = mapped(lambda array: array[-1], start.observations)
    else:
        running = Running(np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.bool_))
        observations = task.envs.reset()[0] if start is None else start
    return batch_of(task.envs.single_observation_space, observations, n, "observations"), running


def _streams(policy: Policy, before: NDArray[Any] | None, n: int) -> NDArray[np.uint64] | None:
    """Returns the random streams of a pure policy: those before, unless they are keys of JAX."""
    if not isinstance(policy, PURE):
        return None
    return streams_of(policy, n) if before is None or before.dtype != np.uint64 else before
