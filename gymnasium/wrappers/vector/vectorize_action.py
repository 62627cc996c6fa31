"""Vector wrappers that change actions on their way in, each as a function of the actions alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from gymnasium.core import Env, ObsType
from gymnasium.logger import warn
from gymnasium.spaces import Space
from gymnasium.spaces.batching import batch_space, concatenate, create_empty_array, iterate
from gymnasium.vector.vector_env import ArrayType, VectorActionWrapper, VectorEnv
from gymnasium.wrappers import transform_action as single
from gymnasium.wrappers._function import checked_function
from gymnasium.wrappers.vector._spaces import OnlySpaces, batch_function

__all__ = ["ClipAction", "RescaleAction", "TransformAction", "VectorizeTransformAction"]


class TransformAction(VectorActionWrapper[ObsType, Any, ArrayType]):
    """Applies `func` to each batch of actions.

    Args:
        env: The vector environment.
        func: Maps a batch of this wrapper's actions to one of the environment.
        action_space: The space of a batch of this wrapper's actions; None if it follows from `single_action_space`.
        single_action_space: The space of a single action; None for the environment's own.
    """

    def __init__(
        self,
        env: VectorEnv,
        func: Callable[[Any], Any],
        action_space: Space | None = None,
        single_action_space: Space | None = None,
    ) -> None:
        super().__init__(env)
        self.func = checked_function(func)
        if single_action_space is not None:
            self.single_action_space = single_action_space
            self.action_space = batch_space(single_action_space, env.num_envs)
        if action_space is not None:
            self._use(action_space)

    def _use(self, action_space: Space) -> None:
        derived = batch_space(self.single_action_space, self.num_envs)
        if action_space != derived:
            warn(
                f"For {self.env} the `action_space` {action_space} was given, but a batch of its "
                f"`single_action_space` is {derived}; give both so that they agree, or only the single one"
            )
        self.action_space = action_space

    def actions(self, actions: Any) -> Any:
        """Returns `func(actions)`."""
        return self.func(actions)


class VectorizeTransformAction(VectorActionWrapper[ObsType, Any, ArrayType]):
    """Applies a wrapper of single environments to each action of a batch.

    The wrappers of `gymnasium.wrappers.transform_action` change the whole batch at once; the `func` of any other is
    called for each row.

    Args:
        env: The vector environment.
        wrapper: The class of the wrapper, a `TransformAction`.
        **kwargs: Its arguments.
    """

    def __init__(self, env: VectorEnv, wrapper: type[single.TransformAction[Any, Any, Any]], **kwargs: Any) -> None:
        super().__init__(env)
        inner: Env = OnlySpaces(env.single_observation_space, env.single_action_space)
        self.wrapper = wrapper(inner, **kwargs)
        self.single_action_space = self.wrapper.action_space
        self.action_space = batch_space(self.single_action_space, env.num_envs)
        self._many = batch_function(self.wrapper) or self._row_by_row

    def actions(self, actions: Any) -> Any:
        """Returns the batch of changed actions."""
        return self._many(actions)

    def _row_by_row(self, actions: object) -> Any:
        rows = [self.wrapper.func(row) for row in iterate(self.action_space, actions)]
        out = create_empty_array(self.env.single_action_space, len(rows))
        return concatenate(self.env.single_action_space, rows, out)


class ClipAction(VectorizeTransformAction[ObsType, ArrayType]):
    """Takes any actions of the right shape, and clips them to the environment's bounds.

    The errors are those of `gymnasium.wrappers.ClipAction`.
    """

    def __init__(self, env: VectorEnv) -> None:
        super().__init__(env, single.ClipAction)


class RescaleAction(VectorizeTransformAction[ObsType, ArrayType]):
    """Takes actions between `min_action` and `max_action`, and maps that range onto the environment's.

    Arguments and errors are those of `gymnasium.wrappers.RescaleAction`; the bounds are those of one action.
    """

    def __init__(self, env: VectorEnv, min_action: ArrayLike, max_action: ArrayLike) -> None:
        super().__init__(env, single.RescaleAction, min_action=min_action, max_action=max_action)
