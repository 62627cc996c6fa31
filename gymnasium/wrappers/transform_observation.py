"""Wrappers that change the observation on its way out, each as a function of the observation alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from gymnasium.core import ActType, Env, ObservationWrapper, ObsType, WrapperObsType
from gymnasium.spaces import Space
from gymnasium.transforms import discretize, flattening, image, layout, rescale, selection
from gymnasium.transforms.transform import Transform
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._function import checked_function
from gymnasium.wrappers._pixels import AddRenderObservation

__all__ = [
    "AddRenderObservation",
    "DiscretizeObservation",
    "DtypeObservation",
    "FilterObservation",
    "FlattenObservation",
    "GrayscaleObservation",
    "RescaleObservation",
    "ReshapeObservation",
    "ResizeObservation",
    "TransformObservation",
]


class TransformObservation(
    ObservationWrapper[WrapperObsType, ActType, ObsType],
    RecordConstructorArgs,
    Generic[WrapperObsType, ActType, ObsType],
):
    """Applies `func` to each observation.

    Args:
        env: The environment.
        func: Maps an observation of the environment to one of this wrapper.
        observation_space: The space of this wrapper's observations; None for the environment's own. Observations are
            not checked against it.
    """

    def __init__(
        self,
        env: Env[ObsType, ActType],
        func: Callable[[ObsType], Any],
        observation_space: Space[WrapperObsType] | None,
    ) -> None:
        RecordConstructorArgs.__init__(self, func=func, observation_space=observation_space)
        ObservationWrapper.__init__(self, env)
        self.func = checked_function(func)
        if observation_space is not None:
            self.observation_space = observation_space

    def observation(self, observation: ObsType) -> Any:
        """Returns `func(observation)`."""
        return self.func(observation)


class _KnownObservation(TransformObservation[Any, ActType, Any], Generic[ActType]):
    """Applies a transformation with its own space, which can also change a whole batch."""

    def __init__(self, env: Env[Any, ActType], make: Callable[..., Transform], *args: object) -> None:
        ObservationWrapper.__init__(self, env)
        self._transform = make(env.observation_space, *args)
        self.func = self._transform.one
        self.observation_space = self._transform.space


class FilterObservation(_KnownObservation[ActType], Generic[ActType]):
    """Keeps only some parts of a Dict or Tuple observation.

    Args:
        env: The environment.
        filter_keys: The names of the parts of a Dict; the indices of the parts of a Tuple, in their new order.

    Raises:
        TypeError: If `filter_keys` is not a sequence of str (for a Dict) or int (for a Tuple).
        ValueError: If the space is neither; if a key does not exist or is given twice, or there is none.
    """

    def __init__(self, env: Env[Any, ActType], filter_keys: Sequence[str | int]) -> None:
        RecordConstructorArgs.__init__(self, filter_keys=filter_keys)
        super().__init__(env, selection.select, filter_keys)
        self.filter_keys = filter_keys


class FlattenObservation(_KnownObservation[ActType], Generic[ActType]):
    """Flattens each observation to a vector, as `gymnasium.spaces.utils.flatten` does.

    Raises:
        NotImplementedError: If the environment's space cannot be flattened.
    """

    def __init__(self, env: Env[Any, ActType]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env, flattening.flattening)


class GrayscaleObservation(_KnownObservation[ActType], Generic[ActType]):
    """Converts RGB images, uint8 of shape (height, width, 3), to grey.

    Args:
        env: The environment.
        keep_dim: Whether the shape becomes (height, width, 1) instead of (height, width).

    Raises:
        TypeError: If the observation space is not a Box.
        ValueError: If it does not hold such images.
    """

    def __init__(self, env: Env[Any, ActType], keep_dim: bool = False) -> None:
        RecordConstructorArgs.__init__(self, keep_dim=keep_dim)
        super().__init__(env, image.grayscale, keep_dim)
        self.keep_dim = keep_dim


class ResizeObservation(_KnownObservation[ActType], Generic[ActType]):
    """Resizes images, uint8 of shape (height, width) or (height, width, channels).

    Args:
        env: The environment.
        shape: The new (height, width).

    Raises:
        TypeError: If the observation space is not a Box, or `shape` not a tuple or list of integers.
        ValueError: If the space does not hold such images, or `shape` does not have two positive sizes.
        gymnasium.error.DependencyNotInstalled: If OpenCV is missing.
    """

    def __init__(self, env: Env[Any, ActType], shape: tuple[int, int]) -> None:
        RecordConstructorArgs.__init__(self, shape=shape)
        super().__init__(env, image.resize, shape)
        self.shape = tuple(shape)
        self.cv2_shape = (shape[1], shape[0])  # OpenCV names the width first


class ReshapeObservation(_KnownObservation[ActType], Generic[ActType]):
    """Reshapes arrays.

    Args:
        env: The environment.
        shape: A tuple of sizes; one of them may be -1, for the remaining entries.

    Raises:
        TypeError: If the observation space is not a Box, or `shape` not a tuple or list of integers.
        ValueError: If a size is neither positive nor -1, or the sizes give another number of entries.
    """

    def __init__(self, env: Env[Any, ActType], shape: int | tuple[int, ...]) -> None:
        RecordConstructorArgs.__init__(self, shape=shape)
        super().__init__(env, layout.reshape, shape)
        self.shape = shape


class RescaleObservation(_KnownObservation[ActType], Generic[ActType]):
    """Maps the range of each entry onto that between `min_obs` and `max_obs`.

    Integers become floats. An entry with an infinite bound needs the same infinite bound here, and is only shifted.

    Args:
        env: The environment.
        min_obs: The new lower bounds: a number for all, or an array.
        max_obs: The new upper bounds, likewise.

    Raises:
        TypeError: If the observation space is not a Box, or a bound neither a number nor an array.
        ValueError: If the new bounds do not fit the old ones or each other, or an entry of the space has equal bounds.
    """

    def __init__(self, env: Env[Any, ActType], min_obs: ArrayLike, max_obs: ArrayLike) -> None:
        RecordConstructorArgs.__init__(self, min_obs=min_obs, max_obs=max_obs)
        super().__init__(env, rescale.rescaling, min_obs, max_obs)
        self.min_obs, self.max_obs = min_obs, max_obs


class DtypeObservation(_KnownObservation[ActType], Generic[ActType]):
    """Converts observations to another dtype.

    A Box keeps its bounds, a MultiDiscrete stays one, and Discrete and MultiBinary become a Box.

    Args:
        env: The environment.
        dtype: The dtype.

    Raises:
        TypeError: If the observation space is of another type.
        ValueError: If the dtype cannot hold the space's bounds.
    """

    def __init__(self, env: Env[Any, ActType], dtype: DTypeLike) -> None:
        RecordConstructorArgs.__init__(self, dtype=dtype)
        super().__init__(env, layout.convert, dtype)
        self.dtype = dtype


class DiscretizeObservation(_KnownObservation[ActType], Generic[ActType]):
    """Cuts the range of each entry into intervals of equal length, and returns the observation's interval.

    Values beyond the bounds count as the outermost interval.

    Args:
        env: The environment.
        bins: The number of intervals: an integer for all entries, or a tuple of one for each.
        multidiscrete: Whether to return each entry's interval (int64, `MultiDiscrete`) instead of one row-major index
            (int, `Discrete`).

    Raises:
        TypeError: If the observation space is not a Box, or `bins` no integers.
        ValueError: If a bound is infinite or equals the other, or `bins` has the wrong length or is not positive.
    """

    def __init__(self, env: Env[Any, ActType], bins: int | tuple[int, ...], multidiscrete: bool = False) -> None:
        RecordConstructorArgs.__init__(self, bins=bins, multidiscrete=multidiscrete)
        super().__init__(env, self._cut, bins, multidiscrete)
        self.low, self.high = self._grid.box.low, self._grid.box.high
        self.bins, self.n_dims = self._grid.bins, len(self._grid.bins)
        self.bin_edges = [edges[1:-1] for edges in self._grid.edges]
        self.multidiscrete = multidiscrete

    def _cut(self, space: Space, bins: int | tuple[int, ...], multidiscrete: bool) -> Transform:
        self._grid = discretize.grid("DiscretizeObservation", space, bins, multidiscrete)
        return discretize.observing(self._grid)

    def revert_observation(self, obs: Any) -> tuple[np.ndarray, np.ndarray]:
        """Returns the lower and the upper bounds of the intervals of an observation of this wrapper."""
        return discretize.interval(obs, self._grid)
