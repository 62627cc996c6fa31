"""Checks of the arguments `mask` and `probability` of `sample`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gymnasium.spaces.array_space import all_true

# The tolerance of `np.isclose(total, 1)`, and the stricter one that `Generator.choice` allows.
_NEAR = 1.001e-5
_EXACT = 1e-8


def check_exclusive(mask: object, probability: object) -> None:
    """Raises `ValueError` if both are given."""
    if mask is not None and probability is not None:
        raise ValueError(
            f"`mask` and `probability` exclude each other, but both came: mask={mask!r}, probability={probability!r}"
        )


def check_array(name: str, given: object, dtype: DTypeLike, shape: tuple[int, ...]) -> None:
    """Raises `AssertionError` if `given` is no array of this dtype and shape."""
    if isinstance(given, np.ndarray) and given.dtype == dtype and given.shape == shape:
        return
    got = f"{given!r} (of type {type(given).__name__}) came"
    if isinstance(given, np.ndarray):
        got = f"one of shape {given.shape} and dtype {given.dtype} came"
    raise AssertionError(f"`{name}` must be an array of shape {shape} and dtype {np.dtype(dtype)}, but {got}")


def check_mask(mask: Any, shape: tuple[int, ...], highest: int = 1) -> None:
    """Raises `AssertionError` if `mask` is no int8 array of this shape with values 0 to `highest`."""
    check_array("mask", mask, np.int8, shape)
    if not all_true(mask.view(np.uint8) <= highest):  # as unsigned numbers, negative ones are large
        raise AssertionError(f"A mask holds values from 0 to {highest}, but this came: {mask!r}")


def check_probabilities(probability: Any, shape: tuple[int, ...]) -> None:
    """Raises `AssertionError` if `probability` is no float64 array of this shape with values in [0, 1]."""
    check_array("probability", probability, np.float64, shape)
    if not all_true((probability >= 0) & (probability <= 1)):
        raise AssertionError(f"Probabilities lie between 0 and 1, but this came: {probability!r}")


def checked_distribution(probability: Any, n: int) -> NDArray[np.float64]:
    """Returns `n` probabilities, rescaled if their sum is only nearly 1; raises `AssertionError` otherwise."""
    check_probabilities(probability, (n,))
    total = float(probability.sum())
    if abs(total - 1) > _NEAR:
        raise AssertionError(f"Probabilities sum to 1, but these sum to {total}: {probability!r}")
    return probability if abs(total - 1) < _EXACT else probability / total  # type: ignore[no-any-return]  # checked above


def check_members(name: str, given: object, n: int) -> None:
    """Raises `AssertionError` if `given` is no tuple of length `n`."""
    if not isinstance(given, tuple) or len(given) != n:
        got = f"{len(given)} entries" if isinstance(given, tuple) else f"type {type(given).__name__}"
        raise AssertionError(
            f"`{name}` must be a tuple of {n} entries, one for each member, but {given!r} (of {got}) came"
        )


def member_arguments(mask: Any, probability: Any, n: int) -> tuple[str, tuple[Any, ...]]:
    """Returns the name of the given argument and its `n` entries, one for each member."""
    check_exclusive(mask, probability)
    name, given = ("probability", probability) if probability is not None else ("mask", mask)
    if given is None:
        return name, (None,) * n
    check_members(name, given, n)
    return name, given
