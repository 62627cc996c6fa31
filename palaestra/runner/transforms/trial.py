"""A short trial of the kernels that add up: whether they do it in the order of this NumPy."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gymnasium.transforms import moments
from gymnasium.transforms.returns import discounted
from palaestra.language.llvm.calls import caller
from palaestra.runner.transforms.layout import NORMALIZE
from palaestra.runner.transforms.series import Rewards, scaled
from palaestra.runner.transforms.stage_kernels import LARGE
from palaestra.runner.transforms.stages import Batch, Place, moments_in, normalizing

_SIZES = (1, 3, 8, 125, 1032)
_GAMMA, _EPSILON = 0.97, 1e-8


@cache
def normalizes_as_numpy(given: np.dtype, kind: np.dtype, width: int, mode: int, is_large: bool) -> bool:
    """Returns whether a kernel has the bits of `gymnasium.transforms`.

    Args:
        given: The dtype of observations.
        kind: That of their moments.
        width: How many numbers an observation has.
        mode: The autoreset mode, as a number of `kernels.layout`.
        is_large: Whether there are so many that they may count as a large batch.
    """
    most = -(-LARGE // width) if is_large else min(_SIZES[-1], (LARGE - 1) // width)
    values, out = (Batch(*np.zeros((2, most, width), dtype)) for dtype in (given, np.float32))
    state = moments.Moments(np.zeros(width, kind), np.ones(width, kind), 1e-4)
    stage = normalizing(Place(np.zeros(most, np.bool_), mode), values, out, state, _EPSILON, True)
    call, rng = caller(stage.address, 3), np.random.default_rng(0)
    for n in (*(size for size in _SIZES if size < most), most, most):
        rows = values.rows[:n]
        rows[:] = rng.normal(9 * rng.normal(), 3.0, rows.shape)
        stage.context[NORMALIZE["n"]] = n
        call(stage.context, 0, n)
        state, expected = moments.counted_and_normalized(rows, state, _EPSILON)
        found = moments_in(stage)
        pairs = [(out.rows[:n], expected), (found.mean, state.mean), (found.var, state.var)]
        if found.n != state.n or not all(map(_same, *zip(*pairs, strict=True))):
            return False
    return True


@cache
def scales_as_numpy() -> bool:
    """Returns whether the kernel of `NormalizeReward` has the bits of `gymnasium.transforms`."""
    rng = np.random.default_rng(0)
    return all(_rewards_agree(rng, n) for n in (*_SIZES, LARGE + 1))


def _rewards_agree(rng: np.random.Generator, n: int) -> bool:
    rewards = rng.normal(1.0, 2.0, (4, n))
    terminated, truncated = rng.random((2, 4, n)) < 0.2
    found = rewards.copy()
    sums = np.zeros(n, np.float32)
    state = scaled(
        Rewards(found, terminated, truncated, False, np.zeros(n, np.bool_)),
        sums,
        moments.Moments(np.zeros(()), np.ones(()), 1e-4),
        _GAMMA,
        _EPSILON,
        True,
    )
    accumulated = np.zeros(n, np.float32)
    known = moments.Moments(np.zeros(()), np.ones(()), 1e-4)
    for t, row in enumerate(rewards):
        accumulated[:] = discounted(accumulated, row, _GAMMA)
        known = moments.merged(known, moments.of_batch(accumulated))
        accumulated[terminated[t] | truncated[t]] = 0
        if not _same(found[t], row / np.sqrt(known.var + _EPSILON)):
            return False
    return _same(sums, accumulated) and [float(number) for number in state] == [float(number) for number in known]


def _same(one: NDArray[np.floating], other: NDArray[np.floating]) -> bool:
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()
