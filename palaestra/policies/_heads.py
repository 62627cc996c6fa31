"""From the outputs of a network to actions: the arithmetic of categorical and Gaussian distributions, exactly."""

from __future__ import annotations

import math
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.stream_rows import advancing
from palaestra.policies._network import Floats

HALF_LOG_TAU = 0.9189385332046727  # log(2 pi) / 2


class Normals(NamedTuple):
    """A normal distribution of each part of an action, whose means a network gives; the arrays are of float64.

    Attributes:
        std: The standard deviations, shape (parts,).
        log_std: Their logarithms.
        low: The lowest actions.
        high: The highest ones.
    """

    std: NDArray[np.float64]
    log_std: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def categorical(logits: Floats, streams: NDArray[np.uint64] | None) -> tuple[NDArray[np.int64], Floats]:
    """Returns the index of an action for each row of logits, and the logarithm of its probability, both of shape (n,).

    An index is drawn by one uniform number: the first up to which the probabilities sum up to more than it. Without
    streams it is the first of the most probable.
    """
    chosen = np.empty(len(logits), np.int64)
    log_prob = np.empty(len(logits), np.float32)
    generators = repeat(None, len(logits)) if streams is None else advancing(streams)
    for i, (row, rng) in enumerate(zip(logits.tolist(), generators, strict=True)):
        highest, shares, total = _shares(row)
        chosen[i] = row.index(highest) if rng is None else _index(shares, rng.random() * total)
        log_prob[i] = (row[chosen[i]] - highest) - math.log(total)
    return chosen, log_prob


def _index(shares: list[float], point: float) -> int:
    """Returns the first index up to which the shares sum up to more than `point`, but the last one for NaN."""
    index, reached = 0, 0.0
    for share in shares[:-1]:
        reached += share
        index += not point < reached
    return index


def _shares(row: list[float]) -> tuple[float, list[float], float]:
    """Returns the highest logit, each probability as a multiple of the highest one, and their sum."""
    highest = row[0]
    for logit in row:
        if logit > highest:
            highest = logit
    shares = [1.0 if logit == highest else math.exp(logit - highest) for logit in row]
    total = 0.0
    for share in shares:
        total += share
    return highest, shares, total


def _drawn(shape: tuple[int, ...], streams: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Returns standard normal numbers, each row from its own stream."""
    drawn = np.empty(shape)
    for row, rng in zip(drawn, advancing(streams), strict=True):
        for k in range(len(row)):
            row[k] = rng.standard_normal()
    return drawn


def gaussian(
    means: Floats, normals: Normals, dtype: np.dtype, streams: NDArray[np.uint64] | None
) -> tuple[np.ndarray, Floats]:
    """Returns actions of a dtype, shape (n, parts), and the logarithms of their densities, shape (n,).

    The density is that of the rounded action. Without streams, actions are the means.
    """
    middle = means.astype(np.float64)
    with np.errstate(all="ignore"):
        if streams is None:
            actions = middle.astype(dtype)
        else:
            actions = (middle + normals.std * _drawn(middle.shape, streams)).astype(dtype)
        distance = (actions.astype(np.float64) - middle) / normals.std
        each = -0.5 * distance * distance - normals.log_std - HALF_LOG_TAU
        total = np.zeros(len(means))
        for part in each.T:
            total += part
        return actions, total.astype(np.float32)


def clipped(actions: np.ndarray, normals: Normals) -> np.ndarray:
    """Returns actions within the bounds; NaN stays."""
    dtype = actions.dtype
    actions = np.where(actions < normals.low, normals.low.astype(dtype), actions)
    return np.where(actions > normals.high, normals.high.astype(dtype), actions)
