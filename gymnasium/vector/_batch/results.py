"""The results of an environment's `reset` and `step`, as a batch takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.utils.passive_env_checker._findings import described

_RETURNS = {"reset": "(observation, info)", "step": "(observation, reward, terminated, truncated, info)"}


def wrong_result(error: TypeError | ValueError, env: Env, method: str, result: object) -> TypeError | ValueError:
    """Returns the error of a result that could not be unpacked, of the same kind.

    Args:
        error: The error.
        env: The environment.
        method: `"reset"` or `"step"`.
        result: What it returned.
    """
    given = f"{len(result)} values: {result!r}" if isinstance(result, tuple) else described(result)
    return type(error)(f"{method}() must return {_RETURNS[method]}, but that of {env.unwrapped} returned {given}")


def rewards_of(rewards: Sequence[Any], n: int) -> NDArray[np.float64]:
    """Returns n rewards as an array, also those that are arrays of one number.

    Raises:
        ValueError: If one is not a number.
    """
    try:
        return np.fromiter(rewards, np.float64, n)
    except (TypeError, ValueError):
        return np.array([_reward(reward) for reward in rewards], np.float64)


def _reward(reward: Any) -> float:
    try:
        return float(np.asarray(reward, np.float64).item())
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"The reward that step() returns must be one number, but is {described(reward)}; return a float"
        ) from error
