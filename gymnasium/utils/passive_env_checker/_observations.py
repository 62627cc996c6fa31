"""Checks of observations against their space."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Tuple
from gymnasium.utils.passive_env_checker._findings import described, misfit, named


def check_obs(obs: object, observation_space: Space, method_name: str) -> None:
    """Check an observation against its space.

    Args:
        obs: The observation.
        observation_space: Its space.
        method_name: The method that returned it, `"reset"` or `"step"`, for the messages.

    Raises:
        AssertionError: If a composite observation has other parts than its space.
    """
    who = f"The obs returned by the `{method_name}()` method"
    if isinstance(observation_space, Discrete):
        if not isinstance(obs, (int, np.int64, observation_space.dtype.type)):
            warn(f"G401: {who} must be an int or np.int64 for {observation_space}, but is {described(obs)}")
    elif isinstance(observation_space, (Box, MultiBinary, MultiDiscrete)):
        _check_array(obs, observation_space, who)
    elif isinstance(observation_space, Tuple):
        _check_tuple(obs, observation_space, method_name)
    elif isinstance(observation_space, Dict):
        _check_dict(obs, observation_space, method_name)
    _check_contained(obs, observation_space, who)


def _check_array(obs: object, space: Space, who: str) -> None:
    if isinstance(space, Box) and space.shape == ():
        return
    if not isinstance(obs, np.ndarray):
        warn(
            f"G402: {who} must be a NumPy array for {space}, but is {described(obs)}; use "
            f"np.array(..., dtype={space.dtype})"
        )
    elif isinstance(space, Box) and obs.dtype != space.dtype:
        warn(
            f"G403: {who} must have the dtype of {space}, but has {obs.dtype} (expecting numpy array dtype to be "
            f"{space.dtype}); convert it with .astype(np.{space.dtype})"
        )


def _check_tuple(obs: Any, space: Tuple, method_name: str) -> None:
    who = f"The obs returned by the `{method_name}()` method"
    if not isinstance(obs, tuple):
        warn(f"G404: {who} must be a tuple for {space}, but is {described(obs)}")
    n = len(space.spaces)
    if not hasattr(obs, "__len__") or len(obs) != n:
        raise AssertionError(f"G405: {who} must have {n} parts, one for each of {space}, but is {described(obs)}")
    for part, part_space in zip(obs, space.spaces, strict=True):
        check_obs(part, part_space, method_name)


def _check_dict(obs: object, space: Dict, method_name: str) -> None:
    who = f"The obs returned by the `{method_name}()` method"
    if not isinstance(obs, dict):
        raise AssertionError(f"G406: {who} must be a dict for {space}, but is {described(obs)}")
    if obs.keys() != space.spaces.keys():
        raise AssertionError(f"G407: {who} must have the keys of its space, {list(space.spaces)}, but has {list(obs)}")
    for key, part_space in space.spaces.items():
        check_obs(obs[key], part_space, method_name)


def as_declared(obs: object, space: Space) -> Any:
    """Returns an observation with arrays of the dtypes of their spaces; other parts stay as they are."""
    if isinstance(space, Box) and isinstance(obs, np.ndarray):
        with np.errstate(all="ignore"):
            return obs.astype(space.dtype)
    if isinstance(space, Tuple) and isinstance(obs, tuple) and len(obs) == len(space.spaces):
        return tuple(as_declared(part, part_space) for part, part_space in zip(obs, space.spaces, strict=True))
    if isinstance(space, Dict) and isinstance(obs, dict) and obs.keys() == space.spaces.keys():
        return {key: as_declared(obs[key], part_space) for key, part_space in space.spaces.items()}
    return obs


def _check_contained(obs: object, space: Space, who: str) -> None:
    try:
        contained = as_declared(obs, space) in space
    except Exception as error:
        warn(f"G409: {who} must be in {named(space)}, but asking whether {described(obs)} is raised {error!r}")
        return
    if not contained:
        warn(
            f"G408: {who} must be in {named(space)}, but {misfit(obs, space)}, and so is not within the observation "
            "space; widen the space, or change the returned value"
        )
