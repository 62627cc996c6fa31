"""Checks of spaces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Tuple


def check_action_space(space: Space) -> None:
    """Check an action space, as `check_space` does."""
    check_space(space, "action", _check_box_action_space)


def check_observation_space(space: Space) -> None:
    """Check an observation space, as `check_space` does."""
    check_space(space, "observation", _check_box_observation_space)


def check_space(space: Space, space_type: str, check_box_space_fn: Callable[[Box], None]) -> None:
    """Check a space and those inside it.

    Args:
        space: The space.
        space_type: `"observation"` or `"action"`, for the messages.
        check_box_space_fn: Checks the bounds of a `Box`.

    Raises:
        TypeError: If `space` is no `Space`.
        AssertionError: If it has no element, or contradicts itself.
    """
    _check_is_space(space, space_type)
    if isinstance(space, Box):
        check_box_space_fn(space)
    elif isinstance(space, Discrete):
        _check_discrete(space, space_type)
    elif isinstance(space, MultiDiscrete):
        _check_multi_discrete(space, space_type)
    elif isinstance(space, MultiBinary):
        _check_multi_binary(space, space_type)
    elif isinstance(space, (Tuple, Dict)):
        parts = space.spaces.values() if isinstance(space, Dict) else space.spaces
        if len(parts) == 0:
            raise AssertionError(
                f"G109: A {type(space).__name__} {space_type} space must hold a space, but it is empty"
            )
        for part in parts:
            check_space(part, space_type, check_box_space_fn)


def _check_is_space(space: object, space_type: str) -> None:
    if isinstance(space, Space):
        return
    expected = f"G103: The {space_type} space must be a gymnasium.spaces.Space"
    if any(cls.__module__.split(".")[0] == "gym" for cls in type(space).__mro__):
        raise TypeError(
            f"{expected}, but {space} belongs to the old gym package; import its class from gymnasium.spaces instead"
        )
    raise TypeError(f"{expected}, but a {type(space)} came: {space!r}")


def _check_discrete(space: Discrete, space_type: str) -> None:
    if space.n <= 0:
        raise AssertionError(f"G104: A Discrete {space_type} space must have n > 0, but n is {space.n}")
    if space.shape != ():
        raise AssertionError(f"G105: A Discrete {space_type} space must have the shape (), but has {space.shape}")


def _check_multi_discrete(space: MultiDiscrete, space_type: str) -> None:
    if space.shape != space.nvec.shape:
        raise AssertionError(
            f"G106: A MultiDiscrete {space_type} space must have the shape of its nvec, {space.nvec.shape}, but has "
            f"{space.shape}"
        )
    if np.any(space.nvec <= 0):
        raise AssertionError(
            f"G107: A MultiDiscrete {space_type} space must have nvec > 0 everywhere, but nvec is {space.nvec}"
        )


def _check_multi_binary(space: MultiBinary, space_type: str) -> None:
    if 0 in space.shape:
        raise AssertionError(
            f"G108: A MultiBinary {space_type} space must be longer than 0 along each axis, but has the shape "
            f"{space.shape}"
        )


def _check_box_shapes(space: Box, space_type: str) -> None:
    for name, bound in (("low", space.low), ("high", space.high)):
        if bound.shape != space.shape:
            raise AssertionError(
                f"G110: A Box {space_type} space's {name} must have the space's shape, {space.shape}, but has "
                f"{bound.shape}"
            )


def _check_box_observation_space(space: Box) -> None:
    _check_box_shapes(space, "observation")
    if np.any(space.low == space.high):
        warn(f"{_constant_box('observation', space)} that part of the observation then carries no information")
    elif np.any(space.high < space.low):
        warn(f"G112: A Box observation space must have low <= high everywhere, but {_bounds(space)}; swap the bounds")


def _check_box_action_space(space: Box) -> None:
    _check_box_shapes(space, "action")
    if np.any(space.low == space.high):
        warn(f"{_constant_box('action', space)} that part of the action then chooses nothing")


def _constant_box(space_type: str, space: Box) -> str:
    return (
        f"G111: A Box {space_type} space is expected to have low < high, but somewhere both are equal "
        f"({_bounds(space)});"
    )


def _bounds(space: Box) -> str:
    return f"low is {space.low} and high is {space.high}"
