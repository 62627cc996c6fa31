"""The common base of the spaces that are composed of other spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gymnasium.spaces.joining import joint_dtype
from gymnasium.spaces.space import Space, T_cov
from gymnasium.spaces.utils import flatten_space
from gymnasium.utils import seeding


class Composite(Space[T_cov]):
    """A space made of member spaces."""

    def _fresh_rng(self) -> np.random.Generator:
        """Makes only this space's own generator: the members keep their seeds."""
        return seeding.np_random()[0]


def member_seeds(rng: np.random.Generator, n: int) -> list[int]:
    """Returns seeds for `n` member spaces."""
    seeds: list[int] = rng.integers(np.iinfo(np.int32).max, size=n).tolist()
    return seeds


def is_integer(seed: object) -> bool:
    """Whether `seed` is a single integer, Python's or NumPy's."""
    return isinstance(seed, (int, np.integer))


def checked_seeds(space: Space, seed: object, n: int) -> Sequence[Any]:
    """Returns the seeds of `n` generators from a tuple or list, or None `n` times for None.

    Raises:
        TypeError: If it is none of these.
        ValueError: If there are more or fewer.
    """
    if seed is None:
        return (None,) * n
    if not isinstance(seed, (tuple, list)):
        raise TypeError(
            f"The seed of a {type(space).__name__} is an integer, None, or a tuple or list of {n}, "
            f"but {seed!r} (of type {type(seed).__name__}) came"
        )
    if len(seed) != n:
        raise ValueError(f"The seed of this {type(space).__name__} has {n} entries, but {len(seed)} came: {seed!r}")
    return seed


def checked_members(kind: str, spaces: Any) -> tuple[Space, ...]:
    """Returns the members as a tuple; raises `TypeError` if one is no space."""
    try:
        members = tuple(spaces)
    except TypeError as error:
        raise TypeError(
            f"A {kind} needs several spaces, but {spaces!r} (of type {type(spaces).__name__}) came"
        ) from error
    for i, member in enumerate(members):
        if not isinstance(member, Space):
            raise TypeError(
                f"The members of a {kind} are spaces, but number {i} is {member!r} (of type {type(member).__name__})"
            )
    return members


def common_dtype(spaces: Sequence[Space]) -> np.dtype:
    """Returns the dtype of the members' flat values, one after the other.

    Raises:
        ValueError: If there is none that holds them all exactly.
    """
    if not spaces:
        return np.dtype(np.float32)
    return joint_dtype([space._flat_dtype() for space in spaces], lambda: map(flatten_space, spaces))
