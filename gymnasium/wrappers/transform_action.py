"""Wrappers that change the action on its way in, each as a function of the action alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from numpy.typing import ArrayLike

from gymnasium.core import ActionWrapper, ActType, Env, ObsType, WrapperActType
from gymnasium.spaces import Space
from gymnasium.transforms import clip, discretize, rescale
from gymnasium.transforms.transform import Transform
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._function import checked_function

__all__ = ["ClipAction", "DiscretizeAction", "RescaleAction", "TransformAction"]


class TransformAction(
    ActionWrapper[ObsType, WrapperActType, ActType],
    RecordConstructorArgs,
    Generic[ObsType, WrapperActType, ActType],
):
    """Applies `func` to each action.

    Args:
        env: The environment.
        func: Maps an action of this wrapper to one of the environment.
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
        self.func = checked_function(func)

    def action(self, action: WrapperActType) -> ActType:
        """Returns `func(action)`."""
        return self.func(action)


class _KnownAction(TransformAction[ObsType, Any, Any], Generic[ObsType]):
    """Applies a transformation with its own space, which can also change a whole batch."""

    def __init__(self, env: Env[ObsType, Any], make: Callable[..., Transform], *args: object) -> None:
        ActionWrapper.__init__(self, env)
        self._transform = make(env.action_space, *args)
        self.func = self._transform.one
        self.action_space = self._transform.space


class ClipAction(_KnownAction[ObsType], Generic[ObsType]):
    """Takes any action of the right shape, and clips it to the environment's bounds.

    Raises:
        TypeError: If the environment's action space is not a `Box`.
    """

    def __init__(self, env: Env[ObsType, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env, clip.clip_into)


class RescaleAction(_KnownAction[ObsType], Generic[ObsType]):
    """Takes actions between `min_action` and `max_action`, and maps that range onto the environment's.

    For an environment with integer actions, actions are floats here, and rounded.

    Args:
        env: The environment.
        min_action: The lower bound: a number for all entries, or an array.
        max_action: The upper bound, likewise.

    Raises:
        TypeError: If the action space is not a Box, or a bound neither a number nor an array.
        ValueError: If the bounds do not fit the environment's or each other, or the space has equal bounds in an entry.
        gymnasium.error.InvalidBound: If both are equal in an entry.
    """

    def __init__(self, env: Env[ObsType, Any], min_action: ArrayLike, max_action: ArrayLike) -> None:
        RecordConstructorArgs.__init__(self, min_action=min_action, max_action=max_action)
        super().__init__(env, rescale.restoring, min_action, max_action)
        self.min_action, self.max_action = min_action, max_action


class DiscretizeAction(_KnownAction[ObsType], Generic[ObsType]):
    """Cuts the range of each entry of a Box into intervals of equal length, and acts with their midpoints.

    Args:
        env: The environment.
        bins: The number of intervals: an integer for all entries, or a tuple of one for each.
        multidiscrete: Whether an action is an array with one interval for each entry (`MultiDiscrete`) instead of one
            row-major index (`Discrete`). An index that is too large counts as the last.

    Raises:
        TypeError: If the action space is not a Box, or `bins` no integers.
        ValueError: If a bound is infinite or equals the other, or `bins` has the wrong length or is not positive.
    """

    def __init__(self, env: Env[ObsType, Any], bins: int | tuple[int, ...], multidiscrete: bool = False) -> None:
        RecordConstructorArgs.__init__(self, bins=bins, multidiscrete=multidiscrete)
        super().__init__(env, self._cut, bins, multidiscrete)
        self.low, self.high = self._grid.box.low, self._grid.box.high
        self.bins, self.n_dims = self._grid.bins, len(self._grid.bins)
        self.bin_centers = [discretize.middles(edges) for edges in self._grid.edges]
        self.multidiscrete = multidiscrete

    def _cut(self, space: Space, bins: int | tuple[int, ...], multidiscrete: bool) -> Transform:
        self._grid = discretize.grid("DiscretizeAction", space, bins, multidiscrete)
        return discretize.acting(self._grid)

    def revert_action(self, action: Any) -> Any:
        """Returns this wrapper's action whose midpoint is nearest to an action of the environment."""
        return discretize.nearest_cell(action, self._grid)
