"""Rows of random streams: many PCG64 generators in one array, seeded together.

`functional.stream_rows` says what a row is.

Sources: O'Neill (2014), "PCG: a family of simple fast space-efficient statistically good algorithms for random number
generation"; seeding is that of `numpy.random.SeedSequence`, after O'Neill's `seed_seq_fe128`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.stream_rows import WORDS, generator_at, row_of

__all__ = ["MULTIPLIER", "WORDS", "drawn_seeds", "generator_at", "row_of", "seeded_rows"]

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645

_LOW = (1 << 64) - 1
_TOGETHER = 4096  # seeds mixed at a time, so that their pools stay in the cache
_POOL = 4  # words of 32 bits into which a seed is mixed
_XSHIFT = np.uint32(16)
_INIT_A, _MULT_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _MULT_B = 0x8B51F9DD, 0x58F38DED
_MIX_L, _MIX_R = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)


def seeded_rows(seeds: Sequence[int], spawn_key: tuple[int, ...] = ()) -> NDArray[np.uint64]:
    """Returns the streams of `numpy.random.PCG64(SeedSequence(seed, spawn_key=...))` for each seed, shape (n, 5).

    The numbers of the key have 32 bits.
    """
    rows = np.empty((len(seeds), WORDS), np.uint64)
    for first in range(0, len(seeds), _TOGETHER):
        rows[first : first + _TOGETHER] = _rows_of(seeds[first : first + _TOGETHER], spawn_key)
    return rows


def drawn_seeds(n: int) -> list[int]:
    """Returns n seeds of 128 bits from the operating system."""
    drawn = os.urandom(16 * n)
    return [int.from_bytes(drawn[k : k + 16], "little") for k in range(0, 16 * n, 16)]


def _rows_of(seeds: Sequence[int], spawn_key: tuple[int, ...]) -> NDArray[np.uint64]:
    if max(seeds) >> 32 * _POOL:  # too long for the fast path
        sequences = (np.random.SeedSequence(seed, spawn_key=spawn_key) for seed in seeds)
        return np.stack([row_of(np.random.PCG64(sequence)) for sequence in sequences])
    return _rows_of_entropy(_entropy(seeds), spawn_key)


def _entropy(seeds: Sequence[int]) -> NDArray[np.uint32]:
    """Returns each seed as four words of 32 bits, lowest first, shape (4, n)."""
    if not max(seeds) >> 64:
        words = np.array(seeds, np.uint64)
        zeros = np.zeros_like(words)
        return np.stack([words & np.uint64(0xFFFFFFFF), words >> np.uint64(32), zeros, zeros]).astype(np.uint32)
    data = b"".join(seed.to_bytes(16, "little") for seed in seeds)
    return np.frombuffer(data, "<u4").reshape(-1, _POOL).T.astype(np.uint32)


def _rows_of_entropy(entropy: NDArray[np.uint32], spawn_key: tuple[int, ...]) -> NDArray[np.uint64]:
    words = _generated(_mixed(entropy, spawn_key)).astype(np.uint64)
    seed_high, seed_low, increment_high, increment_low = (
        words[k] | words[k + 1] << np.uint64(32) for k in range(0, 8, 2)
    )
    one = np.uint64(1)
    increment = increment_low << one | one, increment_high << one | increment_low >> np.uint64(63)
    state = _sum(_product(_sum(increment, (seed_low, seed_high))), increment)
    return np.stack([*state, *increment, np.zeros_like(seed_low)], axis=1)


class _Hash:
    """A hash of arrays of words, whose constants change from call to call."""

    def __init__(self, constant: int, multiplier: int) -> None:
        self.constant, self.multiplier = constant, multiplier

    def __call__(self, value: NDArray[np.uint32]) -> NDArray[np.uint32]:
        value = value ^ np.uint32(self.constant)
        self.constant = self.constant * self.multiplier & 0xFFFFFFFF
        value = value * np.uint32(self.constant)
        return value ^ value >> _XSHIFT


def _mixed(entropy: NDArray[np.uint32], spawn_key: tuple[int, ...]) -> list[NDArray[np.uint32]]:
    hashed = _Hash(_INIT_A, _MULT_A)
    pool = [hashed(word) for word in entropy]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                mixed = _MIX_L * pool[target] - _MIX_R * hashed(pool[source])
                pool[target] = mixed ^ mixed >> _XSHIFT
    for word in spawn_key:
        for target in range(_POOL):
            mixed = _MIX_L * pool[target] - _MIX_R * hashed(np.full_like(entropy[0], word))
            pool[target] = mixed ^ mixed >> _XSHIFT
    return pool


def _generated(pool: list[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    hashed = _Hash(_INIT_B, _MULT_B)
    return np.stack([hashed(pool[k % _POOL]) for k in range(8)])


Wide = tuple[NDArray[np.uint64], NDArray[np.uint64]]  # numbers of 128 bits: low and high halves


def _sum(a: Wide, b: Wide) -> Wide:
    low = a[0] + b[0]
    return low, a[1] + b[1] + (low < a[0])


def _product(a: Wide) -> Wide:
    """Returns `a` times the generator's multiplier."""
    low, high = np.uint64(MULTIPLIER & _LOW), np.uint64(MULTIPLIER >> 64)
    return a[0] * low, _high_half(a[0], MULTIPLIER & _LOW) + a[0] * high + a[1] * low


def _high_half(a: NDArray[np.uint64], b: int) -> NDArray[np.uint64]:
    """Returns the upper 64 bits of the product, by halves of 32 bits."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_low, a_high, b_low, b_high = a & mask, a >> half, np.uint64(b & 0xFFFFFFFF), np.uint64(b >> 32)
    middle = a_high * b_low + (a_low * b_low >> half)
    other = a_low * b_high + (middle & mask)
    result: NDArray[np.uint64] = a_high * b_high + (middle >> half) + (other >> half)
    return result
