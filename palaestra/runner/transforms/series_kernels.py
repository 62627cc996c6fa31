"""The kernels of rewards over several steps, as wrappers change them; no policy sees these.

They are functions in the language of a task, whose words are in `layout`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from palaestra.language.operations.memory import column_at, words_at
from palaestra.runner.transforms import layout as at
from palaestra.runner.transforms.sums import moments_of, numbers_at

WORD = 8  # bytes
SINGLE, DOUBLE, LONG = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)
WORD_OF_SINGLE = np.dtype(np.int32)


def account(form: None, task_at: int) -> int:
    """Sum up rewards and count steps of each episode."""
    task = words_at(task_at, at.ACCOUNT)
    n, waits = task.n, bool(task.waits)
    for step in range(task.steps):
        account_step(task, n, n * step, waits)
    return 0


def account_step(task: Any, n: int, first: int, waits: bool) -> None:
    """Sum up and count one step of n rows; what it writes of an episode means nothing where none ended.

    Loops are small, and choose between words: so LLVM takes several rows at once.
    """
    rewards, over = numbers_at(task.rewards + WORD * first, DOUBLE), column_at(task.over, np.bool_)
    terminated, truncated = column_at(task.terminated + first, np.bool_), column_at(task.truncated + first, np.bool_)
    returns, lengths = numbers_at(task.returns, DOUBLE), numbers_at(task.lengths, LONG)
    ended_returns = numbers_at(task.ended_returns + WORD * first, DOUBLE)
    ended_lengths = numbers_at(task.ended_lengths + WORD * first, LONG)
    for i in range(n):
        returns[i] = ended_returns[i] = returns[i] + rewards[i]
    for i in range(n):
        lengths[i] = ended_lengths[i] = lengths[i] + 1
    words, zero = numbers_at(task.returns, LONG), LONG.type(0)  # that of 0.0
    for i in range(n):
        restarts = over[i] | ((terminated[i] | truncated[i]) & (not waits))
        words[i] = zero if restarts else words[i]
        lengths[i] = zero if restarts else lengths[i]
    for i in range(n):
        over[i] = (terminated[i] | truncated[i]) & waits


def scale(form: None, task_at: int) -> int:
    """`NormalizeReward`, in place."""
    task = words_at(task_at, at.SCALE)
    n, waits, state = task.n, bool(task.waits), numbers_at(task.state, DOUBLE)
    for step in range(task.steps):
        rewards_at = task.rewards + WORD * n * step
        count = discount(task, n, rewards_at, np.float32(state[3]))
        if count and task.counting:
            count_returns(task, count, state)
        rewards, divisor = numbers_at(rewards_at, DOUBLE), np.sqrt(state[1] + state[4])
        for i in range(n):
            rewards[i] = rewards[i] / divisor
        end_episodes(task, n, n * step, waits)
    return 0


def discount(task: Any, n: int, rewards_at: int, gamma: Any) -> int:
    """Add rewards to the discounted returns of rows that are not over, and list these; returns how many they are."""
    rewards, over = numbers_at(rewards_at, DOUBLE), column_at(task.over, np.bool_)
    discounted, rows = numbers_at(task.discounted, SINGLE), numbers_at(task.rows, SINGLE)
    is_any_over = False
    for i in range(n):
        is_any_over |= over[i]
    if not is_any_over:
        for i in range(n):
            discounted[i] = rows[i] = np.float32(np.float64(discounted[i] * gamma) + rewards[i])
        return n
    count = 0
    for i in range(n):
        if not over[i]:
            discounted[i] = rows[count] = np.float32(np.float64(discounted[i] * gamma) + rewards[i])
            count += 1
    return count


def end_episodes(task: Any, n: int, first: int, waits: bool) -> None:
    """Let episodes end after a step, whose flags are behind others."""
    terminated, truncated = column_at(task.terminated + first, np.bool_), column_at(task.truncated + first, np.bool_)
    words, over = numbers_at(task.discounted, WORD_OF_SINGLE), column_at(task.over, np.bool_)
    for i in range(n):
        ends = terminated[i] | truncated[i]
        words[i] = WORD_OF_SINGLE.type(0) if ends else words[i]
        over[i] = ends & waits


def count_returns(task: Any, count: int, state: Any) -> None:
    """Count returns: `moments.merged` of moments in float64 and those of a batch in float32."""
    moments = numbers_at(task.moments, SINGLE)
    addresses = task.moments, task.moments + SINGLE.itemsize
    moments_of(SINGLE, 1, task.rows, count, task.side, task.partial, task.squares, addresses)
    before, now, both = state[2], np.float64(count), state[2] + count
    delta = moments[0] - state[0]
    total = state[1] * before + np.float64(moments[1] * np.float32(count)) + delta**2 * before * now / both
    state[0] = state[0] + delta * now / both
    state[1], state[2] = total / both, both
