"""Checks of spaces that concern learning, not the interface."""

from __future__ import annotations

import numpy as np

from gymnasium.core import Env
from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict, Space, Tuple
from gymnasium.utils.passive_env_checker import check_action_space, check_observation_space


def check_spaces_of(env: Env, space_type: str) -> None:
    """Check the `"action"` or `"observation"` space of an environment.

    Raises:
        AttributeError: If it has none.
        TypeError: If it is no `Space`.
        AssertionError: If it has no element, or contradicts itself.
    """
    if not hasattr(env, f"{space_type}_space"):
        rule = "G101" if space_type == "action" else "G102"
        raise AttributeError(f"{rule}: {type(env).__name__} must have an `{space_type}_space`, but has none")
    if space_type == "action":
        check_action_space(env.action_space)
        check_space_limit(env.action_space, "action")
    else:
        check_observation_space(env.observation_space)
        check_space_limit(env.observation_space, "observation")


def check_space_limit(space: Space, space_type: str) -> None:
    """Warn if a `Box` is unbounded, and if a vector of actions is not normalised.

    Args:
        space: The space; spaces inside a `Tuple` or `Dict` are checked too.
        space_type: `"observation"` or `"action"`.
    """
    if isinstance(space, Box):
        _check_box_limit(space, space_type)
    elif isinstance(space, (Tuple, Dict)):
        for part in space.spaces.values() if isinstance(space, Dict) else space.spaces:
            check_space_limit(part, space_type)


def _check_box_limit(space: Box, space_type: str) -> None:
    if np.any(space.low == -np.inf):
        warn(f"G113: A Box {space_type} space is better bounded below, but somewhere low is -inf: {space}")
    if np.any(space.high == np.inf):
        warn(f"G114: A Box {space_type} space is better bounded above, but somewhere high is inf: {space}")
    if space_type == "action" and len(space.shape) == 1:
        low, high = space.low.astype(np.float64), space.high.astype(np.float64)
        skewed = np.any((low != 0) & (np.abs(low) != np.abs(high)))
        if skewed or np.any(low < -1) or np.any(high > 1):
            warn(
                "G115: A Box action space is best symmetric and normalised, from -1 or 0 to 1, but low is "
                f"{space.low} and high is {space.high}"
            )
