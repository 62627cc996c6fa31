"""Rewards of several steps, changed by wrappers in machine code: no policy sees them, so the loop can be over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.transforms.moments import Moments
from palaestra.language.llvm.calls import caller
from palaestra.runner.transforms import layout, series_kernels
from palaestra.runner.transforms.layout import Places
from palaestra.runner.transforms.loading import address_of
from palaestra.runner.transforms.stages import filled
from palaestra.runner.transforms.sums import most_folds


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
    words = {"returns": returns, "lengths": lengths, "ended_returns": ended_returns, "ended_lengths": ended_lengths}
    _run(series_kernels.account, layout.ACCOUNT, rewards, words)
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
    numbers = np.array([*state, gamma, epsilon], np.float64)
    memory = np.empty((5, max(len(discounted), most_folds(1))), np.float32)
    row, names = memory.strides[0], ("rows", "squares", "partial", "side", "moments")
    places = {name: memory.ctypes.data + row * k for k, name in enumerate(names)}
    words = {"discounted": discounted, "state": numbers, "counting": counting, **places}
    _run(series_kernels.scale, layout.SCALE, rewards, words)
    return Moments(numbers[0], numbers[1], float(numbers[2]))


def _run(kernel: Callable[..., int], places: Places, rewards: Rewards, words: dict[str, Any]) -> None:
    steps, n = rewards.rewards.shape
    words |= {
        "steps": steps,
        "n": n,
        "waits": rewards.waits,
        "rewards": rewards.rewards,
        "terminated": rewards.terminated,
        "truncated": rewards.truncated,
        "over": rewards.over,
    }
    caller(address_of(kernel, None, 1), 1)(filled(places, words))
