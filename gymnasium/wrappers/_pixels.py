"""The rendered picture as an observation."""

from __future__ import annotations

from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObservationWrapper, ObsType
from gymnasium.spaces import Box, Dict, Space
from gymnasium.utils.record_constructor import RecordConstructorArgs


class AddRenderObservation(ObservationWrapper[Any, ActType, ObsType], RecordConstructorArgs, Generic[ActType, ObsType]):
    """Adds the rendered picture to the observation, or replaces the observation with it.

    The environment is reset at construction, to learn the shape of the picture.

    Args:
        env: The environment, in a mode that renders one picture at a time.
        render_only: Whether the picture is the whole observation.
        render_key: Otherwise, its key in the observation, which is a Dict.
        obs_key: The key of the environment's own observation, if that is not a Dict itself.

    Raises:
        ValueError: If the environment renders nothing or in mode `human`, or already observes a `render_key`.
        TypeError: If it renders anything but an array of uint8.
    """

    __module__ = "gymnasium.wrappers.transform_observation"  # the public home, which specs and pickles name

    def __init__(
        self,
        env: Env[ObsType, ActType],
        render_only: bool = True,
        render_key: str = "pixels",
        obs_key: str = "state",
    ) -> None:
        RecordConstructorArgs.__init__(self, render_only=render_only, render_key=render_key, obs_key=obs_key)
        ObservationWrapper.__init__(self, env)
        self.render_only = render_only
        self.render_key = render_key
        self.obs_key = obs_key
        if env.render_mode in (None, "human"):
            raise ValueError(
                f"AddRenderObservation needs pictures, but {env} has render_mode={env.render_mode!r}; make it with "
                "render_mode='rgb_array'"
            )
        space = env.observation_space
        if not render_only and isinstance(space, Dict) and render_key in space.spaces:
            raise ValueError(f"The observation already has a {render_key!r}: {space}; choose another render_key")
        self.observation_space = self._with_pixels(space, self._shape())

    def _shape(self) -> tuple[int, ...]:
        self.env.reset()
        return self._pixels().shape

    def _with_pixels(self, space: Space, shape: tuple[int, ...]) -> Space:
        pixels = Box(0, 255, shape, np.uint8)
        if self.render_only:
            return pixels
        if isinstance(space, Dict):
            return Dict({self.render_key: pixels, **space.spaces}, sort_keys=space.sort_keys)
        return Dict({self.obs_key: space, self.render_key: pixels})

    def observation(self, observation: ObsType) -> Any:
        """Returns `func(observation)`."""
        return self.func(observation)

    def func(self, observation: ObsType) -> Any:
        """Returns the observation with the picture, or the picture; a program may assign another function."""
        pixels = self._pixels()
        if self.render_only:
            return pixels
        if isinstance(observation, dict):
            return {self.render_key: pixels, **observation}
        return {self.obs_key: observation, self.render_key: pixels}

    def _pixels(self) -> NDArray[np.uint8]:
        pixels: Any = self.env.render()
        if not isinstance(pixels, np.ndarray) or pixels.dtype != np.uint8:
            kind = pixels.dtype if isinstance(pixels, np.ndarray) else type(pixels)
            raise TypeError(
                f"AddRenderObservation observes arrays of uint8, but {self.env} renders {kind}; make it with "
                "render_mode='rgb_array'"
            )
        return pixels
