"""Random number generators from seeds."""

from __future__ import annotations

import operator

import numpy as np

from gymnasium.error import Error

__all__ = ["RNG", "RandomNumberGenerator", "np_random"]

RNG = RandomNumberGenerator = np.random.Generator


def np_random(seed: int | None = None) -> tuple[np.random.Generator, int]:
    """Returns a PCG64 generator and the seed it was made from.

    Args:
        seed: A non-negative integer (NumPy's are accepted too), or None to draw one of 128 bits from the
            operating system.

    Raises:
        Error: If `seed` is not an integer, or negative.
    """
    if seed is not None:
        seed = checked_seed(seed)
    sequence = np.random.SeedSequence(seed)
    entropy = sequence.entropy
    assert isinstance(entropy, int)
    return np.random.Generator(np.random.PCG64(sequence)), entropy


def checked_seed(seed: object) -> int:
    """Returns `seed` as an int.

    Raises:
        Error: If it is not an integer, or negative.
    """
    if not isinstance(seed, (int, np.integer)):
        raise Error(f"A seed must be a non-negative integer or None, but {seed!r} (of type {type(seed).__name__}) came")
    if seed < 0:
        raise Error(f"A seed must be a non-negative integer or None, but {seed} is negative")
    return operator.index(seed)
