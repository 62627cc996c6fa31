"""Rewards of several steps, changed by wrappers in machine code: no policy sees them, so the loop can be over."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.transforms.moments import Moments
from palaestra.runner.transforms import layout as at
from palaestra.runner.transforms.loading import series_kernel
from palaestra.runner.transforms.stages import most_folds


class Rewards(NamedTuple):
    """The rewards of T steps of n environments, and their episodes.

    Attributes:
        rewards: Shape (T, n).
        terminated: Likewise.
        truncated: Likewise.
        waits: Whether the step after the end of an episode only resets.
        over: Whether the next step only resets, shape (n,); it changes.
    """

    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    waits: bool
    over: NDArray[np.bool_]


def accounted(
    rewards: Rewards, returns: NDArray[np.float64], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Returns the returns and the lengths of the episodes where a step ended one, shape (T, n); anything elsewhere.

    Args:
        rewards: The rewards.
        returns: The returns of the running episodes, which go on, shape (n,).
        lengths: Their lengths.
    """
    ended_returns = np.empty(rewards.rewards.shape)
    ended_lengths = np.empty(rewards.rewards.shape, np.int64)
    words = {"RETURNS": returns, "LENGTHS": lengths, "ENDED_RETURNS": ended_returns, "ENDED_LENGTHS": ended_lengths}
    _run("account", rewards, words)
    return ended_returns, ended_lengths


def scaled(
    rewards: Rewards, discounted: NDArray[np.float32], state: Moments, gamma: float, epsilon: float, counting: bool
) -> Moments:
    """Normalize rewards in place, as `NormalizeReward` does.

    Args:
        rewards: The rewards.
        discounted: The discounted returns of the running episodes, which go on, shape (n,).
        state: The moments of the returns.
        gamma: The discount.
        epsilon: A small number that keeps the divisor from zero.
        counting: Whether the returns count.

    Returns:
        The moments afterwards.
    """
    most = most_folds(1)
    numbers = np.array([*state, gamma, epsilon], np.float64)
    memory = np.empty(2 * (len(discounted) + 1) + most, np.float32)
    words = {"DISCOUNTED": discounted, "STATE": numbers, "COUNTING": counting, "MEMORY": memory, "FOLDS": most}
    _run("scale", rewards, words)
    return Moments(numbers[0], numbers[1], float(numbers[2]))


def _run(name: str, rewards: Rewards, words: dict[str, Any]) -> None:
    steps, n = rewards.rewards.shape
    words |= {
        "STEPS": steps,
        "ENVS": n,
        "WAITS": rewards.waits,
        "REWARDS": rewards.rewards,
        "TERMINATED": rewards.terminated,
        "TRUNCATED": rewards.truncated,
        "OVER": rewards.over,
    }
    task = np.zeros(at.WORDS_OF_TASK, np.int64)
    for word, value in words.items():
        task[getattr(at, word)] = value.ctypes.data if isinstance(value, np.ndarray) else value
    series_kernel(name)(task)
