"""The kernels of rewards over several steps, as wrappers change them; no policy sees these. Numba compiles them."""

from __future__ import annotations

from typing import Any

import numpy as np

from palaestra.language.jit.addresses import rows_at
from palaestra.language.jit.backend import kernel
from palaestra.language.jit.lanes.squares import pow64
from palaestra.runner.transforms import layout as at
from palaestra.runner.transforms.sums import inlined, moments_of


@kernel
def account(task_at: int) -> Any:
    """Sum up rewards and count steps of each episode."""
    task = rows_at(task_at, (at.WORDS_OF_TASK,), np.int64)
    steps, n, waits = task[at.STEPS], task[at.ENVS], task[at.WAITS]
    rewards = rows_at(task[at.REWARDS], (steps, n), np.float64)
    terminated = rows_at(task[at.TERMINATED], (steps, n), np.bool_)
    truncated = rows_at(task[at.TRUNCATED], (steps, n), np.bool_)
    over = rows_at(task[at.OVER], (n,), np.bool_)
    returns, lengths = rows_at(task[at.RETURNS], (n,), np.float64), rows_at(task[at.LENGTHS], (n,), np.int64)
    ended_returns = rows_at(task[at.ENDED_RETURNS], (steps, n), np.float64)
    ended_lengths = rows_at(task[at.ENDED_LENGTHS], (steps, n), np.int64)
    for step in range(steps):
        for i in range(n):
            returns[i] += rewards[step, i]
            lengths[i] += 1
            ends = terminated[step, i] or truncated[step, i]
            if ends:
                ended_returns[step, i], ended_lengths[step, i] = returns[i], lengths[i]
            if over[i] or (ends and not waits):
                returns[i], lengths[i] = 0.0, 0
            over[i] = ends and waits
    return 0


@kernel
def scale(task_at: int) -> Any:
    """`NormalizeReward`, in place."""
    task = rows_at(task_at, (at.WORDS_OF_TASK,), np.int64)
    steps, n, waits, most = task[at.STEPS], task[at.ENVS], task[at.WAITS], task[at.FOLDS]
    rewards = rows_at(task[at.REWARDS], (steps, n), np.float64)
    terminated = rows_at(task[at.TERMINATED], (steps, n), np.bool_)
    truncated = rows_at(task[at.TRUNCATED], (steps, n), np.bool_)
    over, discounted = rows_at(task[at.OVER], (n,), np.bool_), rows_at(task[at.DISCOUNTED], (n,), np.float32)
    state = rows_at(task[at.STATE], (5,), np.float64)
    batch, squares = rows_at(task[at.MEMORY], (n,), np.float32), rows_at(task[at.MEMORY] + 4 * n, (n,), np.float32)
    moments = rows_at(task[at.MEMORY] + 8 * n, (2,), np.float32)
    partial = rows_at(task[at.MEMORY] + 8 * (n + 1), (most,), np.float32)
    gamma = np.float32(state[3])
    for step in range(steps):
        count = 0
        for i in range(n):
            if not over[i]:
                discounted[i] = np.float64(discounted[i] * gamma) + rewards[step, i]
                batch[count] = discounted[i]
                count += 1
        if count and task[at.COUNTING]:
            moments_of(batch, count, 1, most, squares, partial, moments[:1], moments[1:])
            merge(moments, count, state)
        divisor = np.sqrt(state[1] + state[4])
        for i in range(n):
            ends = terminated[step, i] or truncated[step, i]
            if ends:
                discounted[i] = 0.0
            over[i] = ends and waits
            rewards[step, i] /= divisor
    return 0


@inlined
def merge(moments: Any, count: Any, state: Any) -> None:
    """`moments.merged` of moments in float64 and those of a batch in float32."""
    before, now, both = state[2], np.float64(count), state[2] + count
    delta = moments[0] - state[0]
    # NumPy squares a single number by the C library's `pow`.
    square = pow64(delta, 2.0)
    total = state[1] * before + np.float64(moments[1] * np.float32(count)) + square * before * now / both
    state[0] += delta * now / both
    state[1], state[2] = total / both, both
