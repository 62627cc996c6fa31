"""Vector wrappers that change observations on their way out, each as a function of the observations alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import ArrayLike, DTypeLike

from gymnasium.core import ActType, Env
from gymnasium.logger import warn
from gymnasium.spaces import Space
from gymnasium.spaces.batching import batch_space, concatenate, create_empty_array, iterate
from gymnasium.vector.vector_env import ArrayType, VectorEnv
from gymnasium.wrappers import transform_observation as single
from gymnasium.wrappers._function import checked_function
from gymnasium.wrappers.vector._observations import EveryObservation
from gymnasium.wrappers.vector._spaces import OnlySpaces, batch_function

__all__ = [
    "DtypeObservation",
    "FilterObservation",
    "FlattenObservation",
    "GrayscaleObservation",
    "RescaleObservation",
    "ReshapeObservation",
    "ResizeObservation",
    "TransformObservation",
    "VectorizeTransformObservation",
]


class TransformObservation(EveryObservation[ActType, ArrayType]):
    """Applies `func` to each batch of observations.

    Args:
        env: The vector environment.
        func: Maps a batch of n observations of the environment to one of this wrapper. Final observations are also
            passed in a batch of n, in their own rows.
        observation_space: The space of a batch of this wrapper's observations; None if it follows from
            `single_observation_space`. Observations are not checked against it.
        single_observation_space: The space of a single observation; None for the environment's own.
    """

    def __init__(
        self,
        env: VectorEnv,
        func: Callable[[Any], Any],
        observation_space: Space | None = None,
        single_observation_space: Space | None = None,
    ) -> None:
        super().__init__(env)
        self.func = checked_function(func)
        if single_observation_space is not None:
            self.single_observation_space = single_observation_space
            self.observation_space = batch_space(single_observation_space, env.num_envs)
        if observation_space is not None:
            self._use(observation_space)

    def _use(self, observation_space: Space) -> None:
        derived = batch_space(self.single_observation_space, self.num_envs)
        if observation_space != derived:
            warn(
                f"For {self.env} the `observation_space` {observation_space} was given, but a batch of its "
                f"`single_observation_space` is {derived}; give both so that they agree, or only the single one"
            )
        self.observation_space = observation_space

    def observations(self, observations: Any) -> Any:
        """Returns `func(observations)`."""
        return self.func(observations)

    def finals(self, finals: list[Any], rows: list[int], observations: Any) -> list[Any]:
        """Returns the rows of `func` for a batch that contains the final observations in their places."""
        batch = list(iterate(self.env.observation_space, observations))
        for i, final in zip(rows, finals, strict=True):
            batch[i] = final
        changed = list(iterate(self.observation_space, self.observations(self.as_batch(batch))))
        return [changed[i] for i in rows]


class VectorizeTransformObservation(EveryObservation[ActType, ArrayType]):
    """Applies a wrapper of single environments to each observation of a batch.

    The wrappers of `gymnasium.wrappers.transform_observation` change the whole batch at once; the `func` of any other
    is called for each row.

    Args:
        env: The vector environment.
        wrapper: The class of the wrapper, a `TransformObservation`.
        **kwargs: Its arguments.
    """

    def __init__(
        self,
        env: VectorEnv,
        wrapper: type[single.TransformObservation[Any, Any, Any]],
        **kwargs: Any,
    ) -> None:
        super().__init__(env)
        inner: Env = OnlySpaces(env.single_observation_space, env.single_action_space)
        self.wrapper = wrapper(inner, **kwargs)
        self.single_observation_space = self.wrapper.observation_space
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self._many = batch_function(self.wrapper) or self._row_by_row

    def observations(self, observations: Any) -> Any:
        """Returns the batch of changed observations."""
        return self._many(observations)

    def _row_by_row(self, observations: object) -> Any:
        rows = [self.wrapper.func(row) for row in iterate(self.env.observation_space, observations)]
        out = create_empty_array(self.single_observation_space, len(rows))
        return concatenate(self.single_observation_space, rows, out)


class FilterObservation(VectorizeTransformObservation[ActType, ArrayType]):
    """Keeps only some parts of Dict or Tuple observations.

    Arguments and errors are those of `gymnasium.wrappers.FilterObservation`.
    """

    def __init__(self, env: VectorEnv, filter_keys: Sequence[str | int]) -> None:
        super().__init__(env, single.FilterObservation, filter_keys=filter_keys)


class FlattenObservation(VectorizeTransformObservation[ActType, ArrayType]):
    """Flattens each observation to a vector, and a batch to an array of shape (n, length).

    The errors are those of `gymnasium.wrappers.FlattenObservation`.
    """

    def __init__(self, env: VectorEnv) -> None:
        super().__init__(env, single.FlattenObservation)


class GrayscaleObservation(VectorizeTransformObservation[ActType, ArrayType]):
    """Converts batches of RGB images, uint8 of shape (n, height, width, 3), to grey.

    Arguments and errors are those of `gymnasium.wrappers.GrayscaleObservation`.
    """

    def __init__(self, env: VectorEnv, keep_dim: bool = False) -> None:
        super().__init__(env, single.GrayscaleObservation, keep_dim=keep_dim)


class ResizeObservation(VectorizeTransformObservation[ActType, ArrayType]):
    """Resizes batches of images, uint8 of shape (n, height, width) or (n, height, width, channels).

    Arguments and errors are those of `gymnasium.wrappers.ResizeObservation`; `shape` is (height, width).
    """

    def __init__(self, env: VectorEnv, shape: tuple[int, int]) -> None:
        super().__init__(env, single.ResizeObservation, shape=shape)


class ReshapeObservation(VectorizeTransformObservation[ActType, ArrayType]):
    """Reshapes each array.

    Arguments and errors are those of `gymnasium.wrappers.ReshapeObservation`; `shape` is that of one array.
    """

    def __init__(self, env: VectorEnv, shape: int | tuple[int, ...]) -> None:
        super().__init__(env, single.ReshapeObservation, shape=shape)


class RescaleObservation(VectorizeTransformObservation[ActType, ArrayType]):
    """Maps the range of each entry onto that between `min_obs` and `max_obs`.

    Arguments and errors are those of `gymnasium.wrappers.RescaleObservation`; the bounds are those of one observation.
    """

    def __init__(self, env: VectorEnv, min_obs: ArrayLike, max_obs: ArrayLike) -> None:
        super().__init__(env, single.RescaleObservation, min_obs=min_obs, max_obs=max_obs)


class DtypeObservation(VectorizeTransformObservation[ActType, ArrayType]):
    """Converts observations to another dtype.

    Arguments and errors are those of `gymnasium.wrappers.DtypeObservation`.
    """

    def __init__(self, env: VectorEnv, dtype: DTypeLike) -> None:
        super().__init__(env, single.DtypeObservation, dtype=dtype)
