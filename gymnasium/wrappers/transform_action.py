"""Wrappers that change the action on its way in, each a function of the action alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActionWrapper, ActType, Env, ObsType, WrapperActType
from gymnasium.spaces import Box, Space
from gymnasium.utils.record_constructor import RecordConstructorArgs

__all__ = ["ClipAction", "TransformAction"]


class TransformAction(
    ActionWrapper[ObsType, WrapperActType, ActType],
    RecordConstructorArgs,
    Generic[ObsType, WrapperActType, ActType],
):
    """Applies `func` to each action.

    Args:
        env: The environment.
        func: Returns the environment's action for one of this wrapper's.
        action_space: The space of this wrapper's actions; None for the environment's own.
    """

    def __init__(
        self,
        env: Env[ObsType, ActType],
        func: Callable[[WrapperActType], ActType],
        action_space: Space[WrapperActType] | None,
    ) -> None:
        RecordConstructorArgs.__init__(self, func=func, action_space=action_space)
        ActionWrapper.__init__(self, env)
        if action_space is not None:
            self.action_space = action_space
        self.func = func

    def action(self, action: WrapperActType) -> ActType:
        """Returns `func(action)`."""
        return self.func(action)


class ClipAction(TransformAction[ObsType, Any, Any], RecordConstructorArgs, Generic[ObsType]):
    """Takes any action of the right shape, and moves what lies outside the environment's bounds onto them.

    Raises:
        TypeError: If the environment's action space is no `Box`.
    """

    def __init__(self, env: Env[ObsType, Any]) -> None:
        space = env.action_space
        if not isinstance(space, Box):
            raise TypeError(
                f"ClipAction clips to the bounds of a Box action space, but {env} has {space}; leave the wrapper out"
            )
        RecordConstructorArgs.__init__(self)
        clip = partial(np.clip, a_min=space.low, a_max=space.high)
        TransformAction.__init__(self, env, clip, _unbounded(space))


def _unbounded(space: Box) -> Box:
    """Returns the widest `Box` of the space's shape and dtype."""
    low, high = -np.inf, np.inf
    if space.dtype.kind == "u":  # knows no infinity
        low, high = 0, np.iinfo(space.dtype).max
    elif space.dtype.kind == "b":
        low, high = 0, 1
    return Box(low, high, shape=space.shape, dtype=space.dtype.type)
